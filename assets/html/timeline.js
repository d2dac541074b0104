// The timeline: a row for each warp, a column for each step; barriers, problems, the current step.

const KINDS = ["--run", "--write", "--barrier", "--finished"];

class Timeline {
    constructor(canvas, facts, seek) {
        this.canvas = canvas;
        this.facts = facts;
        this.seek = seek;
        canvas.onpointerdown = event => {
            canvas.setPointerCapture(event.pointerId);
            this.point(event);
        };
        canvas.onpointermove = event => { if (event.buttons) this.point(event); };
        new ResizeObserver(() => this.draw()).observe(canvas);
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    }

    show(block) {
        this.block = block;
        this.draw();
    }

    get left() { return this.canvas.clientWidth < 600 ? 8 : 64; }

    point(event) {
        const box = this.canvas.getBoundingClientRect(), width = box.width - this.left - 8;
        const share = (event.clientX - box.left - this.left) / width;
        this.seek(this.block.first + Math.floor(share * this.block.steps.length));
    }

    draw() {
        const {canvas, block} = this;
        if (!block || canvas.clientWidth === 0) return;
        const scale = devicePixelRatio || 1, style = getComputedStyle(canvas);
        canvas.width = canvas.clientWidth * scale;
        canvas.height = canvas.clientHeight * scale;
        const pen = canvas.getContext("2d");
        pen.scale(scale, scale);
        const room = {x: this.left, width: canvas.clientWidth - this.left - 8, y: 4, height: canvas.clientHeight - 22};
        const pitch = Math.min(room.height / block.warps, 22), step = room.width / block.steps.length;
        const colour = name => style.getPropertyValue(name).trim();
        this.rows(pen, room, pitch, step, colour);
        this.marks(pen, room, pitch, step, colour);
        this.problems(pen, room, pitch, step, colour);
        const x = room.x + (block.at + 0.5) * step;
        pen.fillStyle = colour("--strong");
        pen.fillRect(x - 1, 0, 2, pitch * block.warps + 10);
    }

    rows(pen, room, pitch, step, colour) {
        const colours = KINDS.map(colour), gap = step > 4 ? 1 : 0, thin = pitch > 6 ? 1 : 0;
        this.block.steps.forEach((each, i) => {
            const turns = each[3];
            for (let t = 0; t < turns.length; t += 3) {
                const lanes = lanesOf(turns[t + 1]).length;
                pen.globalAlpha = turns[t + 2] === 2 ? 1 : 0.45 + 0.55 * lanes / LANES;
                pen.fillStyle = colours[turns[t + 2]];
                pen.fillRect(room.x + i * step, room.y + turns[t] * pitch, Math.max(step - gap, 0.6), pitch - thin);
            }
        });
        pen.globalAlpha = 1;
        if (this.left < 20) return;
        pen.fillStyle = colour("--quiet");
        pen.font = "11px system-ui, sans-serif";
        const every = Math.ceil(13 / pitch);
        for (let warp = 0; warp < this.block.warps; warp += every)
            pen.fillText("warp " + warp, 12, room.y + warp * pitch + Math.max(pitch, 11) / 2 + 4);
    }

    // A stroke where a barrier opened or a launch began.
    marks(pen, room, pitch, step, colour) {
        const {steps} = this.block, bottom = room.y + pitch * this.block.warps;
        pen.font = "11px system-ui, sans-serif";
        let free = 0;
        for (let i = 1; i < steps.length; i++) {
            const launched = steps[i][2] !== steps[i - 1][2];
            if (!launched && steps[i][1] === steps[i - 1][1]) continue;
            const x = room.x + i * step, number = this.block.first + i;
            const label = launched ? `launch ${steps[i][2] + 1}` : this.block.phaseName(number);
            pen.fillStyle = colour(launched ? "--quiet" : "--barrier");
            pen.fillRect(x - 1, room.y - 3, 1, bottom - room.y + 8);
            const width = pen.measureText(label).width;
            if (x + 3 < free || x + 3 + width > room.x + room.width) continue;
            pen.fillStyle = colour("--quiet");
            pen.fillText(label, x + 3, bottom + 13);
            free = x + width + 12;
        }
    }

    problems(pen, room, pitch, step, colour) {
        for (const problem of this.facts.problems)
            for (const site of [problem.first, problem.second]) {
                if (problem.note || !site || site.step === null || site.block !== this.block.block) continue;
                const i = site.step - this.block.first;
                if (i < 0 || i >= this.block.steps.length || site.thread === null) continue;
                const x = room.x + (i + 0.5) * step, y = room.y + (Math.floor(site.thread / LANES) + 0.5) * pitch;
                pen.fillStyle = colour(problem.kind === "race" ? "--race" : "--conflict");
                pen.strokeStyle = colour("--panel");
                pen.beginPath();
                for (const [dx, dy] of [[0, -6], [6, 0], [0, 6], [-6, 0]]) pen.lineTo(x + dx, y + dy);
                pen.closePath();
                pen.fill();
                pen.stroke();
            }
    }
}

