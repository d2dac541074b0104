// The page: what is pressed, what is shown. People count steps from 1, as the window does; the trace from 0.

const PLAY_MS = 350;
const FAST_STEP_MS = 1000 / 6;
const SWIPE_PX = 48;
const byId = id => document.getElementById(id);

// The page's words in the language of the export, by the English ones.
let translated = {};

function word(english, ...values) {
    return (translated[english] ?? english).replace(/\{(\d)\}/g, (_, number) => values[number - 1]);
}

function translate(words) {
    translated = words;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode.data.trim();
        if (translated[text]) texts.currentNode.data = texts.currentNode.data.replace(text, translated[text]);
    }
}

class Page {
    constructor(run) {
        this.run = run;
        translate(run.facts.words);
        this.block = run.blocks[0];
        this.number = this.block.first;
        this.playing = 0;
        this.source = new SourcePanel(byId("source"), run.facts);
        this.stage = new StagePanel(byId("arrays"), run);
        this.flow = new FlowPanel(byId("flow"), byId("flow-words"), number => this.go(number));
        this.flowing = false;
        this.warps = new WarpsPanel(byId("rows"), byId("label"), run);
        this.timeline = new Timeline(byId("timeline"), run.facts, number => this.go(number));
        this.words();
        this.controls();
    }

    // --- What does not change

    words() {
        const {facts} = this.run;
        const unmet = facts.expect.filter(each => !each.ok), bad = facts.problems.filter(each => !each.note);
        const ending = bad.length ? `${bad.length} problem${bad.length > 1 ? "s" : ""}${facts.fine ? ", as expected" : ""}`
            : unmet.length ? unmet[0].mismatch : word(facts.expect.length ? "result as expected" : "no problem found");
        const verdict = byId("verdict");
        verdict.textContent = (facts.fine ? "✓ " : "✗ ") + ending;
        verdict.className = facts.fine ? "good" : "bad";
        byId("open").hidden = !facts.link;
        fill(byId("problems"), ...this.problemList(facts.problems));
        fill(byId("lesson"), ...this.lessonParts(facts.lesson));
        fill(byId("counts"), ...this.counts(facts));
        if (facts.console) fill(byId("console"), make("h2", "", word("Output")), make("pre", "", facts.console));
        const parameters = facts.parameters.map(([name, value]) => `${name} = ${value}`).join(", ");
        const engine = facts.engine === "cpu" ? "the CPU SIMT machine (exact)" : `${facts.device} (traced)`;
        byId("origin").textContent = `${facts.file}${parameters ? ", " + parameters : ""}, ${facts.code} code, run on ` +
            `${engine}; ${this.held()}. Made by Lanescope ${facts.version}.` + facts.notes.map(note => " Note: " + note).join("");
    }

    held() {
        return this.run.blocks.map(block => {
            const whole = block.steps.length === block.count;
            return `block ${block.block}: ${whole ? "all" : `steps ${block.first + 1} to ${block.last + 1} of`} ${block.count} steps`;
        }).join("; ");
    }

    problemList(problems) {
        if (!problems.length) return [];
        const list = make("ul", "problems");
        for (const problem of problems) {
            const entry = make("li", problem.note ? "note" : problem.kind === "race" ? "race" : "bad");
            entry.append(make("b", "", problem.kind.replaceAll("_", " ")), " ", problem.message);
            if (problem.occurrences > 1) entry.append(make("span", "quiet", ` (${problem.occurrences} times)`));
            for (const site of [problem.first, problem.second]) if (site) entry.append(...this.siteButton(site));
            list.append(entry);
        }
        return [make("h2", "", word("Problems")), list];
    }

    siteButton(site) {
        const index = this.run.blocks.findIndex(block => block.block === site.block);
        if (site.step === null || index < 0) return [];
        const block = this.run.blocks[index];
        if (site.step < block.first || site.step > block.last) return [];
        const button = make("button", "fold", `t${site.thread}${site.access ? " " + site.access : ""}: step ${site.step + 1}`);
        button.onclick = () => {
            this.chooseBlock(index);
            this.go(site.step);
        };
        return [" ", button];
    }

    lessonParts(lesson) {
        if (!lesson) return [];
        const parts = [make("h2", "", lesson.topic || word("About"))];
        if (lesson.goals.length) {
            const list = make("ul");
            for (const goal of lesson.goals) {
                const entry = make("li");
                entry.append(...inline(goal));
                list.append(entry);
            }
            parts.push(make("p", "quiet", word("Afterwards you can:")), list);
        }
        parts.push(...markdown(lesson.text));
        if (lesson.look) parts.push(make("h2", "", word("Look at")), ...markdown(lesson.look));
        if (lesson.look_step >= this.block.first && lesson.look_step <= this.block.last && lesson.look) {
            const button = make("button", "fold", word("go to step {1}", lesson.look_step + 1));
            button.onclick = () => this.go(lesson.look_step);
            parts.push(button);
        }
        if (lesson.try.length) {
            const list = make("ol");
            for (const question of lesson.try) {
                const entry = make("li");
                entry.append(...markdown(question.ask));
                if (question.answer) {
                    const answer = make("details");
                    answer.append(make("summary", "", word("Answer")), ...markdown(question.answer));
                    entry.append(answer);
                }
                list.append(entry);
            }
            parts.push(make("h2", "", word("Questions")), list);
        }
        return parts;
    }

    counts(facts) {
        const {metrics: m, clock} = facts, rows = [["SIMT efficiency", (m.simt_efficiency * 100).toFixed(1) + " %"]];
        if (clock?.time) rows.push([`time on an ${clock.device}, estimated`, clock.time], ["limited by", clock.limit]);
        if (clock?.refused) rows.push(["time on a GPU", "no estimate: " + clock.refused]);
        const ratio = (above, below) => (m[above] / m[below]).toFixed(2);
        rows.push(["divergent branches", `${m.divergent_branches} of ${m.branches}`]);
        if (m.global_load_requests) rows.push(["sectors / global load", ratio("global_load_sectors", "global_load_requests")]);
        if (m.global_store_requests) rows.push(["sectors / global store", ratio("global_store_sectors", "global_store_requests")]);
        if (m.shared_load_requests) rows.push(["wavefronts / shared load", ratio("shared_load_wavefronts", "shared_load_requests")]);
        if (m.shared_store_requests) rows.push(["wavefronts / shared store", ratio("shared_store_wavefronts", "shared_store_requests")]);
        if (m.atomics) rows.push(["atomics", m.atomics]);
        rows.push(["barriers", m.barriers]);
        const table = make("table");
        for (const [name, value] of rows) {
            const row = make("tr"), head = make("th", "", name);
            head.scope = "row";
            row.append(head, make("td", "", String(value)));
            table.append(row);
        }
        return [make("h2", "", word("Counted in the whole run")), table];
    }

    // --- Moving

    go(number) {
        const {block} = this, before = this.number;
        this.number = Math.min(Math.max(number, block.first), block.last);
        block.seek(this.number);
        const step = block.step(this.number);
        this.stage.show(block, this.moves(before));
        if (this.flowing) this.flow.show(this.run.flows[this.run.blocks.indexOf(block)], this.number);
        this.warps.show(block);
        this.source.show(step);
        this.timeline.show(block);
        if (this.run.facts.link) byId("open").href = `${this.run.facts.link}&step=${this.number + 1}`;
        byId("slider").value = this.number;
        byId("slider").setAttribute("aria-valuetext", `step ${this.number + 1} of ${block.count}, line ${step[0]}`);
        byId("place").textContent = `${word("after step {1} of {2}", this.number + 1, block.count)} · ${word("line {1}", step[0])} · ${block.phaseName(this.number)}` +
            (this.run.facts.launches.length > 1 ? ` · launch ${step[2] + 1}` : "");
        for (const id of ["first", "back", "phase-back"]) byId(id).disabled = this.number === block.first;
        for (const id of ["last", "forward", "phase-forward"]) byId(id).disabled = this.number === block.last;
        if (this.number === block.last) this.play(false);
        if (location.protocol !== "about:") history.replaceState(null, "", this.address());    // a notebook's frame has no address
    }

    // Values travel after one step forward, unless steps follow each other fast or the reader prefers less motion.
    moves(before) {
        const now = performance.now(), calm = now - (this.changed ?? -Infinity) >= FAST_STEP_MS;
        const forward = this.number === before + 1 && this.shown === this.block;
        this.changed = now;
        this.shown = this.block;
        return forward && calm && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    }

    address() {
        return `#step=${this.number + 1}` + (this.run.blocks.length > 1 ? `&block=${this.block.block}` : "") +
            (this.flowing ? "&view=flow" : "");
    }

    // Forward: the first step of the next phase. Back: the first one of this phase, or of the one before.
    phase(direction) {
        const {block} = this, same = (a, b) => block.step(a)[1] === block.step(b)[1] && block.step(a)[2] === block.step(b)[2];
        let at = this.number;
        if (direction > 0) {
            while (at < block.last && same(at, this.number)) at++;
        } else if (at > block.first) {
            at--;
            while (at > block.first && same(at, at - 1)) at--;
        }
        this.go(at);
    }

    play(wanted) {
        clearInterval(this.playing);
        this.playing = 0;
        if (wanted) {
            if (this.number === this.block.last) this.go(this.block.first);
            this.playing = setInterval(() => this.go(this.number + 1), PLAY_MS);
        }
        byId("play").textContent = word(this.playing ? "Stop" : "Play");
    }

    chooseBlock(index) {
        this.block = this.run.blocks[index];
        byId("block").selectedIndex = index;
        byId("slider").min = this.block.first;
        byId("slider").max = this.block.last;
    }

    chooseView(flowing) {
        this.flowing = flowing;
        byId("views").classList.toggle("flowing", flowing);
        byId("arrays").hidden = byId("legend").hidden = flowing;
        byId("flow").hidden = byId("flow-words").hidden = !flowing;
        byId("memory-tab").setAttribute("aria-selected", String(!flowing));
        byId("flow-tab").setAttribute("aria-selected", String(flowing));
    }

    // --- What is pressed

    controls() {
        const press = {"first": () => this.go(this.block.first), "back": () => this.go(this.number - 1),
                       "forward": () => this.go(this.number + 1), "last": () => this.go(this.block.last),
                       "phase-back": () => this.phase(-1), "phase-forward": () => this.phase(1),
                       "play": () => this.play(!this.playing)};
        for (const [id, action] of Object.entries(press)) byId(id).onclick = action;
        for (const [id, flowing] of [["memory-tab", false], ["flow-tab", true]])
            byId(id).onclick = () => {
                this.chooseView(flowing);
                this.go(this.number);
            };
        byId("slider").oninput = event => this.go(Number(event.target.value));
        fill(byId("block"), ...this.run.blocks.map(block => new Option(block.block)));
        byId("block").onchange = event => {
            this.chooseBlock(event.target.selectedIndex);
            this.go(this.number);
        };
        byId("conflict-key").hidden = !this.run.blocks.some(block => block.steps.some(step => step[9].length));
        byId("block-choice").hidden = this.run.blocks.length < 2;
        document.addEventListener("keydown", event => this.key(event, press));
        this.swipes(byId("views"));
        addEventListener("hashchange", () => this.goToAddress());
    }

    // A finger that moves to the left goes one step forward, to the right one back. What scrolls sideways keeps its gesture.
    swipes(element) {
        let from = null;
        const scrolls = at => {
            for (; at && at !== element; at = at.parentElement)
                if (at.scrollWidth > at.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
            return false;
        };
        element.addEventListener("touchstart", event => {
            const {clientX: x, clientY: y} = event.touches[0];
            from = event.touches.length === 1 && !scrolls(event.target) ? {x, y} : null;
        }, {passive: true});
        element.addEventListener("touchend", event => {
            const {clientX: x, clientY: y} = event.changedTouches[0];
            if (from && Math.abs(x - from.x) > SWIPE_PX && Math.abs(x - from.x) > 2 * Math.abs(y - from.y))
                this.go(this.number + (x < from.x ? 1 : -1));
            from = null;
        }, {passive: true});
        element.addEventListener("touchcancel", () => from = null, {passive: true});
    }

    key(event, press) {
        if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
        if (event.key === "f" || event.key === "F") return byId(this.flowing ? "memory-tab" : "flow-tab").click();
        const onButton = event.target.tagName === "BUTTON" && event.key === " ";
        const action = {ArrowRight: "forward", ArrowLeft: "back", PageDown: "forward", PageUp: "back", ArrowDown: "phase-forward",
                        ArrowUp: "phase-back", Home: "first", End: "last", " ": "play"}[event.key];
        if (!action || onButton) return;
        event.preventDefault();
        press[action]();
    }

    goToAddress() {
        const asked = new URLSearchParams(location.hash.slice(1) || document.documentElement.dataset.at);
        const index = this.run.blocks.findIndex(block => String(block.block) === asked.get("block"));
        this.chooseBlock(index < 0 ? this.run.blocks.indexOf(this.block) : index);
        this.chooseView(asked.get("view") === "flow");
        const step = parseInt(asked.get("step"), 10);
        this.go(Number.isNaN(step) ? this.number : step - 1);
    }
}

try {
    const page = new Page(openRun(byId("trace")));
    byId("views").hidden = byId("bottom").hidden = false;
    page.goToAddress();
} catch (problem) {
    byId("failure").textContent = `The run cannot be shown: ${problem.message}`;
    byId("failure").hidden = false;
    throw problem;
}
