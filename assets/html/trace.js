// The run that the page holds: {facts, texts, flows, blocks}. Values are numbers into `texts` (0: not set or not in scope,
// 1: a variable without a value). A block is
//   block, first (number of its first step here), count (steps that it has in all), warps,
//   arrays [{name, space, type, launch (-1: of all), count, columns, bars (counters), letters (text), labels (of cells, may be fewer),
//            first, end (cells that are here)}],
//   phases [[step, name]]: from this step on, until the next one (empty: it has only a number),
//   variables [[name, type]], elements [[array, variable]], label (what lanes show at first),
//   steps [line, phase, launch, turns, changes, accesses, lanes, values, links, conflicts]:
//     turns     warp, mask, kind (0 goes on, 1 wrote, 2 waits at a barrier, 3 finished), …
//     changes   array, cell, value, …: of the state after the step
//     accesses  [turn, kind (0 load, 1 store, 2 atomic), array, warp, mask, cells a lane, 1, first, stride]
//               or with 0 and every lane's first cell
//     lanes     [warp, 32 letters, sentence]: u not started, a active, e only evaluates a condition, r goes on,
//               d diverged, b at a barrier, s waits for lanes, f finished, x stopped by a problem, blank: no such thread
//     values    [variable, warp, mask, value of all these lanes] or a value for each
//     links     array, cell, array, cell, …: from where to where values go; empty if there are too many
//     conflicts array, cell, …: which take part in a bank conflict
// A step holds what differs from the one before; what it replaces is kept when it is first applied, so that going back
// costs what going forward costs.

const LANES = 32;

function lanesOf(mask) {
    const lanes = [];
    for (let lane = 0; lane < LANES; lane++) if (mask >>> lane & 1) lanes.push(lane);
    return lanes;
}

class Block {
    constructor(data) {
        Object.assign(this, data);
        this.at = -1;  // index into steps of the state that is held
        this.cells = this.arrays.map(array => new Uint32Array(array.end - array.first));
        this.values = this.variables.map(() => new Uint32Array(this.warps * LANES));
        this.states = new Array(this.warps).fill(" ".repeat(LANES));
        this.sentences = new Array(this.warps).fill(0);
        this.undo = new Array(this.steps.length);
    }

    // The largest number that a cell of an array holds in any step: the height of its bars.
    most(array, numberOf) {
        this.tallest ??= new Map();
        if (!this.tallest.has(array)) {
            let most = 0;
            for (const [, , , , changes] of this.steps)
                for (let i = 0; i < changes.length; i += 3)
                    if (changes[i] === array) most = Math.max(most, numberOf(changes[i + 2]));
            this.tallest.set(array, most);
        }
        return this.tallest.get(array);
    }

    // What the phase of a step is called: "up-sweep, stride 2" or "phase 3".
    phaseName(number) {
        const named = this.phases.filter(([step]) => step <= number).at(-1);
        return named?.[1] || `phase ${this.step(number)[1]}`;
    }

    get last() { return this.first + this.steps.length - 1; }
    step(number) { return this.steps[number - this.first]; }

    seek(number) {
        const wanted = Math.min(Math.max(number - this.first, 0), this.steps.length - 1);
        while (this.at < wanted) this.forward();
        while (this.at > wanted) this.back();
    }

    forward() {
        const [, , , , changes, , lanes, values] = this.steps[++this.at];
        const undo = {cells: [], lanes: [], values: []};
        for (let i = 0; i < changes.length; i += 3) {
            const array = this.cells[changes[i]], cell = changes[i + 1] - this.arrays[changes[i]].first;
            undo.cells.push(changes[i], cell, array[cell]);
            array[cell] = changes[i + 2];
        }
        for (const [warp, states, sentence] of lanes) {
            undo.lanes.push([warp, this.states[warp], this.sentences[warp]]);
            this.states[warp] = states;
            this.sentences[warp] = sentence;
        }
        for (const [variable, warp, mask, ...given] of values) {
            const held = this.values[variable];
            lanesOf(mask).forEach((lane, i) => {
                undo.values.push(variable, warp * LANES + lane, held[warp * LANES + lane]);
                held[warp * LANES + lane] = given.length === 1 ? given[0] : given[i];
            });
        }
        this.undo[this.at] ??= undo;
    }

    // What the cell held before the current step; undefined: the same as now.
    before(array, cell) {
        const {cells} = this.undo[this.at], index = cell - this.arrays[array].first;
        for (let i = 0; i < cells.length; i += 3) if (cells[i] === array && cells[i + 1] === index) return cells[i + 2];
        return undefined;
    }

    back() {
        const undo = this.undo[this.at--];
        for (let i = undo.cells.length - 3; i >= 0; i -= 3)
            this.cells[undo.cells[i]][undo.cells[i + 1]] = undo.cells[i + 2];
        for (const [warp, states, sentence] of undo.lanes) {
            this.states[warp] = states;
            this.sentences[warp] = sentence;
        }
        for (let i = undo.values.length - 3; i >= 0; i -= 3)
            this.values[undo.values[i]][undo.values[i + 1]] = undo.values[i + 2];
    }
}

// One lane of one access: {kind, array, thread, cells: [first, …], turn}.
function* touchesOf(step) {
    for (const [turn, kind, array, warp, mask, width, even, ...cells] of step[5]) {
        let i = 0;
        for (const lane of lanesOf(mask)) {
            const first = even ? cells[0] + i * cells[1] : cells[i];
            i++;
            for (let k = 0; k < width; k++) yield {turn, kind, array, thread: warp * LANES + lane, cell: first + k};
        }
    }
}

// What the step does to each cell, by array and cell: {reads, writes, atomics: threads}, and from where to where
// values go.
function sceneOf(step) {
    const marks = new Map(), links = [];
    for (const touch of touchesOf(step)) {
        const key = touch.array + ":" + touch.cell;
        if (!marks.has(key)) marks.set(key, {array: touch.array, cell: touch.cell, reads: [], writes: [], atomics: []});
        marks.get(key)[["reads", "writes", "atomics"][touch.kind]].push(touch.thread);
    }
    for (let i = 0; i < step[8].length; i += 4)
        links.push({from: {array: step[8][i], cell: step[8][i + 1]}, to: {array: step[8][i + 2], cell: step[8][i + 3]}});
    for (let i = 0; i < step[9].length; i += 2) {
        const mark = marks.get(step[9][i] + ":" + step[9][i + 1]);
        if (mark) mark.conflict = true;
    }
    return {marks, links};
}

class Run {
    constructor(data) {
        this.facts = data.facts;
        this.texts = data.texts;
        this.flows = data.flows;  // by block, see flow.js; null: the run has none
        this.blocks = data.blocks.map(block => new Block(block));
    }

    text(number) { return this.texts[number]; }

    // What a lane shows for a variable, or for "array[variable]": {text, known}.
    value(block, name, thread) {
        const variable = block.variables.findIndex(([known]) => known === name);
        if (variable >= 0) {
            const number = block.values[variable][thread];
            return {text: this.texts[number], known: number > 1};
        }
        const element = block.elements.find(([array, index]) => `${array}[${index}]` === name);
        if (!element) return {text: "", known: false};
        const index = this.value(block, element[1], thread);
        if (!index.known) return {text: index.text, known: false};
        const launch = block.steps[block.at][2], cell = parseInt(index.text, 10);
        const array = block.arrays.findIndex(each => each.name === element[0] && [-1, launch].includes(each.launch));
        const number = array < 0 ? 0 : block.cells[array][cell - block.arrays[array].first] || 0;
        return {text: number ? this.texts[number] : "–", known: number !== 0};
    }
}

// From the page's own text; throws an Error with a sentence for people when it is damaged.
function openRun(element) {
    const packed = atob(element.textContent.trim()), bytes = new Uint8Array(packed.length);
    for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
    return new Run(JSON.parse(new TextDecoder().decode(inflate(bytes))));
}

