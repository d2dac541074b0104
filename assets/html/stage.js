// The stage: arrays as cells with values, what the step reads and writes, and arrows from one to the other.

const MOST_ROWS = 8;      // of an array, unless all are asked for
const MOST_TEXT_ROWS = 3;
const TRAVEL_MS = 150;    // of a value along its arrow
const ARRIVE_MS = 100;    // until the new value has replaced the old one

class StagePanel {
    constructor(element, run) {
        this.element = element;
        this.run = run;
        this.all = new Set();  // arrays of which all rows are shown
        this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        this.svg.setAttribute("aria-hidden", "true");
        this.width = 0;
        new ResizeObserver(() => {
            if (Math.abs(this.element.clientWidth - this.width) > 1) this.again();
        }).observe(element);
    }

    again() { if (this.block) this.show(this.block); }

    // What the cell held before the step; empty: the same, or nothing.
    before(array, cell) {
        const number = this.block.before(array, cell);
        return number === undefined || number === 0 ? "" : this.run.text(number);
    }

    // Cells in a row: as many as there are lanes, half or a quarter of it where that would be too small to read.
    columns() {
        const room = this.element.clientWidth - 12;
        return room >= 32 * 19 ? 32 : room >= 16 * 19 ? 16 : 8;
    }

    // `moves`: the values of the step travel along its arrows.
    show(block, moves = false) {
        this.block = block;
        this.moves = moves;
        this.width = this.element.clientWidth;
        const step = block.steps[block.at], scene = sceneOf(step);
        this.scene = scene;
        this.boxes = new Map();
        const parts = [];
        block.arrays.forEach((array, index) => {
            if (array.launch === -1 || array.launch === step[2]) parts.push(this.array(array, index, scene));
        });
        if (parts.length === 0) parts.push(make("p", "quiet", "This block touches no memory that others see."));
        fill(this.element, ...parts, this.svg);
        this.follow();
        this.arrows(scene);
    }

    array(array, index, scene) {
        const figure = make("figure", "array"), caption = make("figcaption");
        caption.append(make("b", "", array.name), " ", make("span", "quiet", this.detail(array)));
        const wanted = array.bars ? array.count : array.columns;
        const columns = wanted && wanted <= this.columns() ? wanted : this.columns();
        const arcs = scene.links.some(({from, to}) => from.array === index || to.array === index);
        const rows = this.rowsOf(array, index, columns, scene), grid = make("div", arcs ? "cells" : "cells flat");
        grid.style.setProperty("--columns", columns);
        if (array.bars) grid.classList.add("bars");
        grid.setAttribute("role", "img");
        grid.setAttribute("aria-label", this.spoken(array, index, scene));
        let before = -1;
        for (const row of rows.shown) {
            if (row > before + 1) grid.append(make("span", "gap", "⋯"));
            before = row;
            const first = array.first + row * columns;
            for (let cell = first; cell < Math.min(first + columns, array.end); cell++)
                grid.append(this.cell(array, index, cell, scene));
        }
        if (rows.shown.length && rows.shown.at(-1) < rows.count - 1) grid.append(make("span", "gap", "⋯"));
        figure.append(caption, grid);
        if (rows.count > rows.shown.length || this.all.has(index)) caption.append(this.allButton(index, rows));
        return figure;
    }

    detail(array) {
        const size = array.columns ? `${array.count / array.columns}×${array.columns}` : array.count;
        const part = array.end - array.first < array.count ? ` · cells ${array.first} to ${array.end - 1} are here` : "";
        return `${array.space} · ${array.type}[${size}]${part}`;
    }

    allButton(index, rows) {
        const all = this.all.has(index), button = make("button", "fold");
        button.textContent = all ? "fewer rows" : `all ${rows.count} rows`;
        button.onclick = () => {
            all ? this.all.delete(index) : this.all.add(index);
            this.again();
        };
        return button;
    }

    // Rows with what the step touches first, then those that follow; ascending.
    rowsOf(array, index, columns, scene) {
        const most = array.letters ? MOST_TEXT_ROWS : MOST_ROWS;
        const count = Math.ceil((array.end - array.first) / columns);
        if (this.all.has(index) || count <= most) return {count, shown: [...Array(count).keys()]};
        const touched = new Set();
        for (const mark of scene.marks.values())
            if (mark.array === index && mark.cell >= array.first && mark.cell < array.end)
                touched.add(Math.floor((mark.cell - array.first) / columns));
        const shown = new Set([...touched].sort((a, b) => a - b).slice(0, most));
        const start = shown.size ? Math.min(...shown) : 0;
        for (let row = start; shown.size < most && row < count; row++) shown.add(row);
        for (let row = start - 1; shown.size < most && row >= 0; row--) shown.add(row);
        return {count, shown: [...shown].sort((a, b) => a - b)};
    }

    cell(array, index, cell, scene) {
        const number = this.block.cells[index][cell - array.first], mark = scene.marks.get(index + ":" + cell);
        const whole = number ? this.run.text(number) : "?", text = array.letters ? whole.replace(/^'(.*)'$/, "$1") : whole;
        const box = make("span", "cell", text);
        if (!number) box.classList.add("unset");
        if (text.length > 4) box.classList.add(text.length > 7 ? "longer" : "long");
        box.dataset.cell = `${array.name}:${cell}`;
        box.title = `${array.name}[${cell}] = ${text}`;
        if (array.bars) this.bar(box, array, index, cell, number);
        if (mark) this.mark(box, mark);
        const before = mark && (mark.writes.length || mark.atomics.length) ? this.before(index, cell) : "";
        if (before) this.change(box, array, cell, before, text);
        if (this.moves && mark && !before && (mark.writes.length || mark.atomics.length)) this.arrive(box, "");
        this.boxes.set(index + ":" + cell, box);
        return box;
    }

    // A counter is as high as its share of the largest count of the run, with its name below.
    bar(box, array, index, cell, number) {
        const numberOf = text => Math.max(0, Number(this.run.text(text)) || 0), most = this.block.most(index, numberOf);
        box.classList.add("bar");
        box.style.setProperty("--share", most > 0 && number ? numberOf(number) / most : 0);
        box.append(make("span", "name", array.labels[cell] ?? String(cell)));
    }

    change(box, array, cell, before, text) {
        box.title = box.title.replace(` = ${text}`, ` = ${before} → ${text}`);
        if (before.length + text.length <= 5) box.append(make("span", "old", before + "→"));
        if (this.moves) this.arrive(box, before);
    }

    // The old value fades into the new one when that arrives.
    arrive(box, before) {
        const leaving = make("span", "leaving", before), all = TRAVEL_MS + ARRIVE_MS, offset = TRAVEL_MS / all;
        box.append(leaving);
        box.animate([{color: "transparent"}, {color: "transparent", offset}, {}], {duration: all});
        leaving.animate([{opacity: 1}, {opacity: 1, offset}, {opacity: 0}], {duration: all}).finished
            .then(() => leaving.remove(), () => leaving.remove());
    }

    mark(box, mark) {
        if (mark.reads.length) box.classList.add("read"), box.title += `\nread by ${threadsText(mark.reads)}`;
        if (mark.writes.length) box.classList.add("write"), box.title += `\nwritten by ${threadsText(mark.writes)}`;
        if (mark.atomics.length) box.classList.add("atomic"), box.title += `\nupdated by ${threadsText(mark.atomics)}`;
        if (mark.conflict) box.classList.add("conflict"), box.title += "\nbank conflict";
        const lanes = new Set([...mark.reads, ...mark.writes, ...mark.atomics]).size;
        if (lanes > 1) box.append(make("span", "count", "×" + lanes));
    }

    spoken(array, index, scene) {
        const say = {reads: [], writes: [], atomics: []};
        for (const mark of scene.marks.values())
            if (mark.array === index)
                for (const kind of Object.keys(say)) if (mark[kind].length) say[kind].push(mark.cell);
        const list = cells => cells.slice(0, 16).join(", ") + (cells.length > 16 ? ` and ${cells.length - 16} more` : "");
        const parts = [`${array.name}, ${array.space}, ${array.count} cells`];
        if (say.reads.length) parts.push("read: " + list(say.reads));
        if (say.writes.length) parts.push("written: " + list(say.writes));
        if (say.atomics.length) parts.push("updated: " + list(say.atomics));
        if ([...scene.marks.values()].some(mark => mark.array === index && mark.conflict)) parts.push("with a bank conflict");
        return parts.join("; ");
    }

    // Scrolls the panel so that the first touched cell is in sight, and no further.
    follow() {
        const box = this.element, first = box.querySelector(".write, .atomic, .read");
        if (!first || box.scrollHeight <= box.clientHeight) return;
        const top = first.offsetTop, margin = 56;
        if (top - margin < box.scrollTop || top + margin > box.scrollTop + box.clientHeight)
            box.scrollTop = Math.max(0, top - box.clientHeight / 3);
    }

    arrows(scene) {
        const drawn = scene.links.filter(({from, to}) => this.boxes.has(from.array + ":" + from.cell) &&
            this.boxes.has(to.array + ":" + to.cell));
        this.svg.replaceChildren();
        this.svg.setAttribute("width", this.element.clientWidth);
        this.svg.setAttribute("height", this.element.scrollHeight);
        drawn.forEach(({from, to}) => this.arrow(from, to));
    }

    // A value on its way along an arrow.
    travel(from, shape) {
        const {array, cell} = from, text = this.before(array, cell) || this.boxes.get(array + ":" + cell).firstChild.textContent;
        const value = make("span", "travelling", text);
        value.style.offsetPath = `path("${shape}")`;
        this.element.append(value);
        value.animate([{offsetDistance: "0%"}, {offsetDistance: "100%"}], {duration: TRAVEL_MS, easing: "ease-in-out"})
            .finished.then(() => value.remove(), () => value.remove());
    }

    arrow(from, to) {
        const middle = ({array, cell}) => {
            const box = this.boxes.get(array + ":" + cell);
            return {x: box.offsetLeft + box.offsetWidth / 2, top: box.offsetTop, bottom: box.offsetTop + box.offsetHeight};
        };
        const a = middle(from), b = middle(to), same = Math.abs(a.top - b.top) < 4;
        const start = same || a.top > b.top ? a.top : a.bottom, end = same || a.top < b.top ? b.top : b.bottom;
        const bow = same ? Math.min(26, 9 + Math.abs(a.x - b.x) / 12) : 0;
        const shape = document.createElementNS(this.svg.namespaceURI, "path");
        shape.setAttribute("class", "arrow");
        const line = same
            ? `M${a.x} ${start}C${a.x} ${start - bow} ${b.x} ${end - bow} ${b.x} ${end - 3}`
            : `M${a.x} ${start}C${a.x} ${(start + end) / 2} ${b.x} ${(start + end) / 2} ${b.x} ${end - 3 * Math.sign(end - start)}`;
        shape.setAttribute("d", line);
        if (this.moves) this.travel(from, line);
        const head = document.createElementNS(this.svg.namespaceURI, "path"), down = same || end > start ? 1 : -1;
        head.setAttribute("class", "head");
        head.setAttribute("d", `M${b.x} ${end}l-4 ${-7 * down}h8z`);
        this.svg.append(shape, head);
    }
}

