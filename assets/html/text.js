// Elements from texts. Nothing that comes from a run is ever parsed as HTML.

function make(tag, classes = "", text = "") {
    const element = document.createElement(tag);
    if (classes) element.className = classes;
    if (text !== "") element.textContent = text;
    return element;
}

function fill(element, ...children) {
    element.replaceChildren(...children);
    return element;
}

function threadsText(threads) {
    const distinct = [...new Set(threads)];
    const names = distinct.slice(0, 4).map(thread => "t" + thread).join(", ");
    return distinct.length > 4 ? `${names} and ${distinct.length - 4} more` : names;
}

// `code`, **strong**, *emphasis* and [links](to lessons, which lie elsewhere), as the lessons use them.
function inline(text) {
    const parts = [], pattern = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\([^)]*\)/g;
    let end = 0;
    for (const match of text.matchAll(pattern)) {
        parts.push(text.slice(end, match.index));
        const [whole, code, strong, emphasis, link] = match;
        parts.push(code !== undefined ? make("code", "", code)
                   : strong !== undefined ? make("strong", "", strong) : make("em", "", emphasis ?? link));
        end = match.index + whole.length;
    }
    parts.push(text.slice(end));
    return parts.filter(part => part !== "");
}

// Paragraphs, lists, fenced code and tables' rows as they stand: as much Markdown as the lessons have.
function markdown(text) {
    const parts = [];
    for (const chunk of text.trim().split(/\n\s*\n/)) {
        const lines = chunk.split("\n");
        if (chunk.startsWith("```")) {
            parts.push(make("pre", "", chunk.replace(/^```.*\n?/, "").replace(/\n?```\s*$/, "")));
        } else if (/^!\[.*\]\(.*\)$/.test(chunk.trim())) {
            parts.push(make("p", "quiet", "Figure: " + chunk.trim().slice(2).split("](")[0]));
        } else if (lines.every(line => line.startsWith("|"))) {
            parts.push(make("pre", "", chunk));
        } else if (/^\s*([-*]|\d+\.)\s/.test(lines[0])) {
            const list = make(/^\s*\d/.test(lines[0]) ? "ol" : "ul");
            for (const item of chunk.split(/\n(?=\s*(?:[-*]|\d+\.)\s)/)) {
                const entry = make("li");
                entry.append(...inline(item.replace(/^\s*([-*]|\d+\.)\s+/, "").replace(/\s*\n\s*/g, " ")));
                list.append(entry);
            }
            parts.push(list);
        } else {
            const heading = /^#+\s+(.*)$/.exec(chunk);
            const paragraph = make(heading ? "h3" : "p");
            paragraph.append(...inline((heading ? heading[1] : chunk).replace(/\s*\n\s*/g, " ")));
            parts.push(paragraph);
        }
    }
    return parts;
}

