// The source: lines with how often they ran, the current one, and which warps are where.

const KEYWORDS = new Set(("alignas auto bool break case char class const constexpr continue default do double else enum " +
    "extern false float for half if inline int long namespace operator register return short signed sizeof static struct " +
    "switch template this true typedef typename union unsigned using void volatile while __global__ __device__ __shared__ " +
    "__constant__ __host__ __forceinline__ __launch_bounds__ __restrict__").split(" "));
const TOKEN = /(\/\/.*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(\b\d[\w.]*)|([A-Za-z_]\w*)/g;

class SourcePanel {
    constructor(element, facts) {
        this.element = element;
        this.rows = [];
        this.marked = [];
        const lines = facts.source.replace(/\n$/, "").split("\n");
        const counts = new Map(facts.lines.map(([line, executions]) => [line, executions]));
        const most = Math.max(1, ...counts.values());
        const times = new Map((facts.clock?.lines || []).map(([line, share, reason]) => [line, [share, reason]]));
        const longest = Math.max(0.01, ...[...times.values()].map(([share]) => share));
        const front = frontMatterEnd(lines);
        const table = make("div", times.size ? "lines timed" : "lines");
        let comment = false;
        lines.forEach((text, i) => {
            const row = make("div", "line"), runs = counts.get(i + 1) || 0, heat = make("span", "heat");
            if (runs) {
                heat.style.setProperty("--heat", Math.max(0.12, Math.log1p(runs) / Math.log1p(most)).toFixed(3));
                row.title = `line ${i + 1} ran ${runs} time${runs === 1 ? "" : "s"} (warps, whole run)`;
            }
            if (times.has(i + 1)) {
                const [share, reason] = times.get(i + 1), bar = make("span", "estimate", share < 0.0095 ? "" : `≈ ${Math.round(share * 100)} %`);
                bar.style.setProperty("--share", (share / longest).toFixed(3));
                row.title += `\n≈ ${Math.round(share * 100)} % of the time, estimated; most of it: a warp ${reason}`;
                row.prepend(bar);
            } else if (times.size) {
                row.prepend(make("span", "estimate"));
            }
            const code = make("span", "code");
            comment = highlight(code, text, comment);
            row.append(heat, make("span", "number", String(i + 1)), code, make("span", "who"));
            if (i < front) row.classList.add("front");
            this.rows.push(row);
            table.append(row);
        });
        if (front > 0) element.append(this.frontButton(table, front));
        element.append(table);
    }

    // What describes buffers and launches to Lanescope is folded away.
    frontButton(table, count) {
        const button = make("button", "fold", `▸ front matter: ${count} lines`);
        button.setAttribute("aria-expanded", "false");
        table.classList.add("folded");
        button.onclick = () => {
            const folded = table.classList.toggle("folded");
            button.textContent = `${folded ? "▸" : "▾"} front matter: ${count} lines`;
            button.setAttribute("aria-expanded", String(!folded));
        };
        return button;
    }

    show(step) {
        for (const row of this.marked) {
            row.classList.remove("current");
            row.removeAttribute("aria-current");
            row.lastChild.textContent = "";
        }
        this.marked = [];
        const row = this.rows[step[0] - 1];
        if (!row) return;
        const warps = new Set();
        for (let i = 0; i < step[3].length; i += 3) warps.add(step[3][i]);
        row.classList.add("current");
        row.setAttribute("aria-current", "step");
        row.lastChild.textContent = warpNames([...warps].sort((a, b) => a - b));
        this.marked.push(row);
        this.follow(row);
    }

    follow(row) {
        const box = this.element, top = row.offsetTop - box.offsetTop, margin = 3 * row.offsetHeight;
        if (box.scrollHeight <= box.clientHeight) return;
        if (top < box.scrollTop + margin) box.scrollTop = top - margin;
        else if (top + row.offsetHeight > box.scrollTop + box.clientHeight - margin)
            box.scrollTop = top + row.offsetHeight - box.clientHeight + margin;
    }
}

function frontMatterEnd(lines) {
    const begin = lines.findIndex(line => line.trim() !== "");
    if (begin < 0 || !lines[begin].includes("/*--- lanescope")) return 0;
    const end = lines.findIndex(line => line.includes("---*/"));
    return end < 0 ? 0 : end + 1;
}

// Returns whether the line ends inside a comment over several lines.
function highlight(element, text, comment) {
    if (comment || text.trimStart().startsWith("/*")) {
        element.append(make("span", "comment", text || " "));
        return !text.includes("*/");
    }
    let end = 0;
    for (const match of text.matchAll(TOKEN)) {
        const [whole, remark, string, number, word] = match;
        const kind = remark ? "comment" : string ? "string" : number ? "digits" : KEYWORDS.has(word) ? "keyword" : "";
        if (!kind) continue;
        element.append(text.slice(end, match.index), make("span", kind, whole));
        end = match.index + whole.length;
    }
    element.append(text.slice(end));
    return false;
}

// "w0 w1", "w0–w31"
function warpNames(warps) {
    const parts = [];
    for (let i = 0; i < warps.length;) {
        let j = i;
        while (j + 1 < warps.length && warps[j + 1] === warps[j] + 1) j++;
        parts.push(j > i + 1 ? `w${warps[i]}–w${warps[j]}` : j > i ? `w${warps[i]} w${warps[j]}` : "w" + warps[i]);
        i = j + 1;
    }
    return parts.length > 4 ? parts.slice(0, 4).join(" ") + " …" : parts.join(" ");
}

