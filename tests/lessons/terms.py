"""The order of the course: no lesson uses a term of the glossary before the lesson that introduces it.

`introduced = "TOPIC/LESSON"` in assets/glossary.toml names that lesson. A lesson may explain a term in its own text
earlier: then the term is emphasised there (*warp* or **warp**), and the lesson and all later ones may use it. Code blocks,
figures and the titles of lessons and topics in quotation marks do not count.
"""

import re
import tomllib
from pathlib import Path

from harness import ROOT

IGNORED = (r"```.*?```", r"^!\[.*?$", r"\"[^\"\n]{1,80}\"", r"\]\([^)\s]*\)")


def read_terms(path):
    return [(term["name"], [term["name"], *term.get("also", [])], term.get("introduced"))
            for term in tomllib.loads(path.read_text())["term"]]


def read_lessons(kernels):
    """Returns (name, texts) of all lessons in the order of the course."""
    topics = [(tomllib.loads(path.read_text()), path.parent.name) for path in kernels.glob("*/lesson.toml")]
    return [(f"{name}/{Path(lesson['file']).stem}", [lesson.get("text", ""), lesson.get("look", ""), *lesson.get("goals", [])])
            for topic, name in sorted(topics, key=lambda each: each[0]["order"]) for lesson in topic["lesson"]]


def uses(texts, terms):
    """Returns the terms that the texts use, as the window finds them (the longest word wins), each with the first word,
    and the terms that the texts emphasise."""
    owner = {word.lower(): name for name, words, _ in terms for word in words}
    any_word = "|".join(re.escape(word) for word in sorted(owner, key=len, reverse=True))
    pattern = re.compile(rf"(?<![A-Za-z0-9_])({any_word})(?:s|es)?(?![A-Za-z0-9_])", re.IGNORECASE)
    used, explained = {}, set()
    for text in map(plain, texts):
        for found in pattern.finditer(text):
            used.setdefault(owner[found[1].lower()], found[0])
        for emphasised in re.findall(r"\*+([^*\n]+)\*+", text):
            explained.update(owner[found[1].lower()] for found in pattern.finditer(emphasised))
    return used, explained


def plain(text):
    for ignored in IGNORED:
        text = re.sub(ignored, " ", text, flags=re.DOTALL | re.MULTILINE)
    return text


def complaints(terms, lessons):
    """Returns one text for each term that a lesson uses too early, and for each lesson that does not exist."""
    names = [name for name, _ in lessons]
    waiting, found = {}, []
    for term, _, introduced in terms:
        if introduced in names:
            waiting[term] = introduced
        elif introduced:
            found.append(f"'{term}': there is no lesson '{introduced}'")
    for name, texts in lessons:
        used, explained = uses(texts, terms)
        waiting = {term: introduced for term, introduced in waiting.items() if term not in explained and introduced != name}
        found += [f"{name} uses '{word}', which {waiting[term]} introduces" for term, word in used.items() if term in waiting]
    return found


def check_order(report):
    found = complaints(read_terms(ROOT / "assets" / "glossary.toml"), read_lessons(ROOT / "kernels"))
    report.verdict("lessons: terms in the order of the course", "failed" if found else "passed", "\n".join(found))
    lessons = [("a/one", ["The warp size. A warp waits."]), ("a/two", ["The *lane* of a thread.", "\"Warps\""]), ("a/three", ["A warp, a lane."])]
    wrong = complaints([("warp", ["warp"], "a/three"), ("lane", ["lane"], "a/three"), ("warp size", ["warp size"], None), ("x", ["x"], "a/four")], lessons)
    right = ["'x': there is no lesson 'a/four'", "a/one uses 'warp', which a/three introduces"]
    report.verdict("lessons: terms too early are found", "passed" if wrong == right else "failed", f"{wrong}")
