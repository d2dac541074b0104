// The warps: 32 lanes in a row, each with its state and a variable's value.

const MOST_WARPS = 8;
const STATES = {u: "not started", a: "runs", e: "only evaluates the condition", r: "goes on next", d: "diverged, waits for others of its warp",
                b: "waits at a barrier", s: "waits for lanes of its warp", f: "finished", x: "stopped by a problem"};
const SHORT = {u: "not started", r: "ready", d: "diverged", b: "at barrier", s: "waits for lanes", f: "finished",
               x: "stopped"};

class WarpsPanel {
    constructor(element, choice, run) {
        this.element = element;
        this.choice = choice;
        this.run = run;
        this.all = false;
        choice.onchange = () => this.again();
    }

    again() { if (this.block) this.show(this.block); }

    offer(block) {
        const names = [...block.variables.map(([name]) => name), ...block.elements.map(([array, index]) => `${array}[${index}]`)];
        const before = this.choice.value;
        fill(this.choice, ...names.map(name => new Option(name, name)));
        const wanted = names.includes(before) ? before : names.includes(block.label) ? block.label : names[0];
        if (wanted !== undefined) this.choice.value = wanted;
    }

    show(block) {
        if (this.block !== block) this.offer(block);
        this.block = block;
        const step = block.steps[block.at], masks = new Array(block.warps).fill(0);
        for (let i = 0; i < step[3].length; i += 3) masks[step[3][i]] |= step[3][i + 1];
        const there = [...masks.keys()].filter(warp => block.states[warp].trim() !== "");
        const shown = this.chosen(there, masks);
        const rows = shown.map(warp => this.row(block, warp, masks[warp]));
        if (there.length > MOST_WARPS) rows.push(this.allButton(there.length, shown.length));
        fill(this.element, ...rows);
    }

    // Those that run in this step, then the others; in their order.
    chosen(there, masks) {
        if (this.all || there.length <= MOST_WARPS) return there;
        const first = there.filter(warp => masks[warp]).slice(0, MOST_WARPS);
        const others = there.filter(warp => !first.includes(warp)).slice(0, MOST_WARPS - first.length);
        return [...first, ...others].sort((a, b) => a - b);
    }

    allButton(count, shown) {
        const button = make("button", "fold", this.all ? "fewer warps" : `${count - shown} more warps`);
        button.onclick = () => {
            this.all = !this.all;
            this.again();
        };
        return button;
    }

    row(block, warp, mask) {
        const row = make("div", "warp"), states = block.states[warp];
        const head = make("div", "warp-name"), running = states.split("a").length - 1;
        head.append(make("b", "", "warp " + warp), make("span", "quiet", ` ${this.summary(states, running)}`));
        const lanes = make("div", "lanes");
        lanes.setAttribute("role", "img");
        lanes.setAttribute("aria-label", `warp ${warp}: ${running} of 32 lanes run; ${this.run.text(block.sentences[warp])}`);
        for (let lane = 0; lane < LANES; lane++) {
            if (states[lane] !== " ") lanes.append(this.lane(block, warp, lane, states[lane]));
        }
        row.append(head, lanes, make("p", "sentence", this.run.text(block.sentences[warp])));
        row.dataset.warp = warp;
        row.dataset.mask = (mask >>> 0).toString(16).padStart(8, "0");
        return row;
    }

    summary(states, running) {
        const there = states.replaceAll(" ", "").length;
        if (running) return `${running}/${there} lanes`;
        const first = states.trim()[0];
        return [...states.trim()].every(state => state === first) ? SHORT[first] : "waits";
    }

    lane(block, warp, lane, state) {
        const thread = warp * LANES + lane, value = this.run.value(block, this.choice.value, thread);
        const box = make("span", "lane state-" + state);
        const text = make("span", "value", value.text);
        if (value.text.length > 4) text.classList.add(value.text.length > 7 ? "longer" : "long");
        box.append(text, make("span", "thread", "t" + thread));
        box.dataset.thread = thread;
        box.title = `t${thread}: ${STATES[state]}` + (value.text ? `\n${this.choice.value} = ${value.text}` : "");
        return box;
    }
}

