// The figure of the flow: a row for each phase, a column for each cell, a line from each cell that a cell was
// computed from. app/page/flow.cpp writes its data.

const SVG = "http://www.w3.org/2000/svg";
const FLOW = {titles: 132, narrowTitles: 84, narrow: 600, head: 22, row: 66, box: 34, least: 34, most: 64, matrixCell: 22, matrixHead: 40, gap: 26};

function draw(tag, attributes, text) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
}

// The words in lines of at most `width` pixels, if a letter has this width.
function linesOf(text, width, letter) {
    const lines = [""];
    for (const word of text.split(" ")) {
        const longer = lines.at(-1) ? lines.at(-1) + " " + word : word;
        if (lines.at(-1) && longer.length * letter > width) lines.push(word);
        else lines[lines.length - 1] = longer;
    }
    return lines;
}

class FlowPanel {
    // `go`: called with the step of a cell that is clicked.
    constructor(element, words, go) {
        this.element = element;
        this.words = words;
        this.go = go;
        this.flow = null;
    }

    show(flow, number) {
        if (flow !== this.flow) this.make(flow);
        this.mark(number);
    }

    make(flow) {
        this.flow = flow;
        this.boxes = new Map();   // "row/place": group
        this.lines = [];
        this.titles = [];
        if (!flow || !flow.rows.length) {
            fill(this.element, make("p", "quiet", flow ? flow.note || "Nothing to show." : "This run has no flow of values."));
            fill(this.words);
            return;
        }
        const svg = draw("svg", {role: "group", "aria-label": `Flow of values through ${flow.array}`});
        svg.classList.toggle("matrices", flow.matrix);
        if (flow.matrix) this.makeMatrices(svg); else this.makeRows(svg);
        fill(this.element, svg);
        this.explain();
    }

    // --- Rows of columns

    makeRows(svg) {
        const {slots, rows} = this.flow, panel = this.element.clientWidth;
        const titles = panel < FLOW.narrow ? FLOW.narrowTitles : FLOW.titles;
        const room = Math.max(240, panel - titles - 8);
        this.column = Math.min(FLOW.most, Math.max(FLOW.least, room / slots.length));
        const x = slot => titles + (slot + .5) * this.column, y = row => FLOW.head + (row + .5) * FLOW.row;
        const width = titles + slots.length * this.column + 2, height = FLOW.head + rows.length * FLOW.row;
        svg.setAttribute("width", width), svg.setAttribute("height", height);
        rows.forEach((row, number) => this.title(svg, row, number, 0, y(number) - FLOW.row / 2, width, FLOW.row, titles));
        slots.forEach(([count, column], slot) => svg.append(draw("text",
            {x: x(slot), y: 14, class: "flow-number"}, count > 1 ? "+" + count : column < 0 ? "" : column)));
        const at = (row, place) => ({x: x(place), y: y(row), half: FLOW.box / 2});
        this.makeLinks(svg, at);
        const seen = new Map();
        rows.forEach((row, number) => {
            if (row.own) {
                for (const cell of row.cells) seen.set(cell[0], cell);
                for (const [place, cell] of seen)
                    if (!row.cells.includes(cell)) this.cell(svg, number, cell, {x: x(place), y: y(number)}, false);
            }
            for (const cell of row.cells) this.cell(svg, number, cell, {x: x(cell[0]), y: y(number)}, true);
            for (const [slot, count] of row.piles) this.pile(svg, number, slot, count, {x: x(slot), y: y(number)});
        });
    }

    // `room`: the width for the text, which stands in as many lines as it needs.
    title(svg, row, number, x, y, width, height, room = width) {
        const group = draw("g", {class: "flow-row"});
        group.append(draw("rect", {x, y, width, height, rx: 5}));
        const left = room < FLOW.titles ? x + 4 : x + 8;
        const small = room < FLOW.titles ? 4.9 : 5.6;
        const titles = linesOf(row.title, room - 12, 7), facts = linesOf(row.facts, room - 8, small);
        const conflict = row.conflict > 1 ? linesOf(`${row.conflict}-way bank conflict`, room - 8, small) : [];
        let at = y + height / 2 - (titles.length * 15 + (facts.length + conflict.length) * 13) / 2 - 2;
        const block = (lines, name, pitch) => {
            const text = draw("text", {class: name});
            lines.forEach((line, i) => text.append(draw("tspan", {x: left, y: at += pitch}, line + (i + 1 < lines.length ? " " : ""))));
            group.append(text);
        };
        block(titles, "flow-title", 15);
        block(facts, "flow-facts", 13);
        if (conflict.length) block(conflict, "flow-facts conflict", 13);
        svg.append(group);
        this.titles[number] = group;
    }

    makeLinks(svg, at) {
        for (const [fromRow, from, toRow, to, copy, edges] of this.flow.links) {
            const a = at(fromRow, from), b = at(toRow, to), top = a.y + a.half, bottom = b.y - b.half, bend = (bottom - top) / 2;
            const line = draw("path", {d: this.passesCells(fromRow, toRow, to, Math.abs(a.x - b.x))
                                          ? this.pathBeside(a, b, top, bottom, at(fromRow + 1, from), at(toRow - 1, to))
                                          : `M${a.x} ${top}C${a.x} ${top + bend} ${b.x} ${bottom - bend} ${b.x} ${bottom}`,
                                       class: "flow-line" + (copy ? " copy" : "") + (edges > 1 ? " many" : "")});
            this.lines.push({fromRow, from, toRow, to, line});
            svg.append(line);
        }
    }

    // Whether a straight line would run through cells of rows in between, as if the result were made of those.
    passesCells(fromRow, toRow, place, apart) {
        return apart < this.column / 2 &&
               this.flow.rows.slice(fromRow + 1, toRow).some(row => row.cells.some(cell => cell[0] === place));
    }

    // In the gap on the right of the cells that it passes, to a place beside the line of the cell above.
    pathBeside(a, b, top, bottom, first, last) {
        const gap = a.x + this.column / 2, begin = first.y - first.half, end = last.y + last.half, x = b.x + this.column / 5;
        return `M${a.x} ${top}C${a.x} ${begin} ${gap} ${top} ${gap} ${begin}V${end}C${gap} ${bottom} ${x} ${end} ${x} ${bottom}`;
    }

    pile(svg, row, slot, count, {x, y}) {
        const width = this.column * .84, group = draw("g", {class: "flow-cell pile"});
        for (const off of [4, 2, 0])
            group.append(draw("rect", {x: x - width / 2 + off, y: y - FLOW.box / 2 - off, width, height: FLOW.box, rx: 4}));
        group.append(draw("text", {x, y: y + 4, class: "flow-value"}, count + "×"));
        this.listen(group, row, slot, `${count} columns of ${this.flow.rows[row].title}`, null);
        svg.append(group);
    }

    cell(svg, row, [place, text, label, sign, used, step, name, story], {x, y}, written) {
        const width = this.column * .86, value = text || label;
        const group = draw("g", {class: "flow-cell" + (written ? " written" : "") + (used ? "" : " pale")});
        group.append(draw("rect", {x: x - width / 2, y: y - FLOW.box / 2, width, height: FLOW.box, rx: 4}));
        const fits = (words, size) => words.length * size * .62 <= width - 2;
        const size = [15, 12, 10, 8].find(each => fits(value, each));
        if (size) group.append(draw("text", {x, y: y + (text && label ? 0 : 5), class: "flow-value", "font-size": size}, value));
        if (text && label && fits(label, 8)) group.append(draw("text", {x, y: y + 13, class: "flow-label"}, label));
        if (written && sign) group.append(draw("text", {x, y: y - FLOW.box / 2 - 3, class: "flow-sign"}, sign));
        this.listen(group, row, place, `${name}${text ? " = " + text : ""}`, step, story, written);
        svg.append(group);
    }

    // --- Matrices, in reading order

    makeMatrices(svg) {
        const {rows} = this.flow, size = FLOW.matrixCell, room = Math.max(480, this.element.clientWidth - 16);
        let left = 0, top = 0, tallest = 0, widest = 0;
        const places = rows.map(row => {
            const width = row.width > 1 ? row.width : 1e9, columns = row.cells.map(cell => cell[0] % width);
            const lines = row.cells.map(cell => Math.floor(cell[0] / width));
            const firstColumn = columns.reduce((a, b) => Math.min(a, b), 1e9), firstLine = lines.reduce((a, b) => Math.min(a, b), 1e9);
            const wide = Math.max(110, (columns.reduce((a, b) => Math.max(a, b), 0) - firstColumn + 1) * size);
            const high = (lines.reduce((a, b) => Math.max(a, b), 0) - firstLine + 1) * size + FLOW.matrixHead;
            if (left > 0 && left + wide > room) left = 0, top += tallest + FLOW.gap / 2, tallest = 0;
            const place = {x: left, y: top, width, firstColumn, firstLine, wide, high};
            left += wide + FLOW.gap;
            tallest = Math.max(tallest, high), widest = Math.max(widest, place.x + wide);
            return place;
        });
        svg.setAttribute("width", widest + 8), svg.setAttribute("height", top + tallest + 8);
        this.column = size;
        const at = (row, place) => {
            const of = places[row];
            return {x: of.x + (place % of.width - of.firstColumn + .5) * size,
                    y: of.y + FLOW.matrixHead + (Math.floor(place / of.width) - of.firstLine + .5) * size, half: 0};
        };
        rows.forEach((row, number) => {
            const {x, y, wide, high} = places[number], head = {...row, conflict: 1};
            this.title(svg, head, number, x, y, wide, FLOW.matrixHead);
            this.titles[number].firstChild.setAttribute("height", high);
            for (const cell of row.cells) this.square(svg, number, cell, at(number, cell[0]));
        });
        this.makeLinks(svg, at);
        for (const {line} of this.lines) line.classList.add("hidden");
    }

    square(svg, row, [place, text, , , used, step, name, story], {x, y}) {
        const size = FLOW.matrixCell - 3, group = draw("g", {class: "flow-cell written" + (used ? "" : " pale")});
        group.append(draw("rect", {x: x - size / 2, y: y - size / 2, width: size, height: size, rx: 2}));
        const letter = [11, 9, 7].find(each => text.length * each * .62 <= size);
        if (letter) group.append(draw("text", {x, y: y + letter / 3, class: "flow-value", "font-size": letter}, text));
        this.listen(group, row, place, `${name}${text ? " = " + text : ""}`, step, story, true);
        svg.append(group);
    }

    // --- Mouse and keyboard

    listen(group, row, place, name, step, story = "", focus = false) {
        const words = `${name}${story ? "\n" + story : ""}`;
        this.boxes.set(`${row}/${place}`, group);
        group.onpointerenter = () => this.light(row, place, words);
        group.onpointerleave = () => this.light(null);
        if (!focus) return;
        group.setAttribute("tabindex", "0");
        group.setAttribute("role", "button");
        group.setAttribute("aria-label", words);
        group.onfocus = () => this.light(row, place, words);
        group.onblur = () => this.light(null);
        if (step === null) return;
        group.classList.add("leads");
        group.onclick = () => this.go(step);
        group.onkeydown = event => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            this.go(step);
        };
    }

    // The row that wrote what is seen in a place.
    writer(row, place) {
        const {rows} = this.flow;
        const writes = at => rows[at].cells.some(cell => cell[0] === place) || rows[at].piles.some(pile => pile[0] === place);
        while (row > 0 && rows[row].own && rows[row - 1].own && !writes(row)) row--;
        return row;
    }

    // What a cell was made of, and what was made of it.
    light(row, place, words = "") {
        const lit = new Set(), lines = new Set();
        if (row !== null) {
            const follow = (back) => {
                const open = [[this.writer(row, place), place]], done = new Set();
                while (open.length) {
                    const [at, where] = open.pop(), key = `${at}/${where}`;
                    if (done.has(key)) continue;
                    done.add(key);
                    lit.add(key);
                    for (const line of this.lines) {
                        const from = this.writer(line.fromRow, line.from);
                        const here = back ? line.toRow === at && line.to === where : from === at && line.from === where;
                        if (!here) continue;
                        lines.add(line);
                        for (let seen = from; seen <= line.fromRow; seen++) lit.add(`${seen}/${line.from}`);
                        open.push(back ? [from, line.from] : [line.toRow, line.to]);
                    }
                }
            };
            follow(true);
            follow(false);
            lit.add(`${row}/${place}`);
        }
        this.element.classList.toggle("lighting", row !== null);
        for (const [key, group] of this.boxes) group.classList.toggle("lit", lit.has(key));
        for (const line of this.lines) line.line.classList.toggle("lit", lines.has(line));
        this.explain(words);
    }

    explain(words = "") {
        const {work, note, array} = this.flow;
        const usual = `${work}\nEach row is a phase of ${array}. Dashed lines are copies; what is pale is in no result. ` +
            `Point at a cell, or go there with Tab: what it was made of lights up. A click, or Enter, goes to the step that wrote it.` +
            (note ? ` (${note})` : "");
        fill(this.words, ...(words || usual).split("\n").map(line => make("div", "", line)));
    }

    // The last row that the step has reached.
    mark(number) {
        if (!this.titles.length) return;
        let current = -1;
        this.flow.rows.forEach((row, at) => {
            if (row.step !== null && row.step <= number) current = at;
        });
        this.titles.forEach((title, at) => title.classList.toggle("current", at === current));
        if (current !== this.current && current >= 0) this.titles[current].scrollIntoView?.({block: "nearest", inline: "nearest"});
        this.current = current;
    }
}
