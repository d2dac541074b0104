"""A frame of the window, read from its description (`lanescope --describe`; app/ui/kit/frame_text.h)."""

import difflib
import re
from functools import cached_property
from typing import NamedTuple

TEXT = re.compile(r'  text (-?\d+),(-?\d+) (\d+)x(\d+) (\S+) (\S+) "(.*)')
NEXT_TEXT = re.compile(r'"( clipped)?, (-?\d+) "')
FIGURE = re.compile(r"  (box|shape|picture) (\d+)x(\d+)(?: (\S+))?(?: (\S+))? at y (-?\d+), x (.*)")
WIDGET = re.compile(r"widget (-?\d+),(-?\d+) (\d+)x(\d+) (.*)")


class Place(NamedTuple):
    """A rectangle of the window, in pixels."""

    x: int
    y: int
    width: int
    height: int

    def at(self, across=0.5, down=0.5):
        return int(self.x + self.width * across), int(self.y + self.height * down)


class Text(NamedTuple):
    panel: str
    place: Place
    colour: str
    font: str
    words: str


class Figure(NamedTuple):
    panel: str
    kind: str       # box, shape, picture
    width: int
    height: int
    colours: tuple  # fill, edge
    y: int
    x: str          # "75 ×3 +38, 262"


class Frame:
    def __init__(self, text):
        self.text = text
        first, _, self.drawn = text.partition("\n")
        head, _, state = first.partition(" state ")
        # What compares equal when the window shows the same.
        self.body = state + "\n" + self.drawn
        fields = dict(part.partition("=")[::2] for part in head.split())
        self.events, self.busy = int(fields["events"]), fields["busy"] == "yes"
        found = re.fullmatch(r"size=(\d+)x(\d+) page=(\w+) file=(.*) step=(\d+)/(\d+)", state)
        if not found:
            raise ValueError(f"the description begins with an unknown line: {first}")
        self.width, self.height, self.step, self.steps = (int(found[i]) for i in (1, 2, 5, 6))
        self.page, self.file = found[3], found[4]

    @cached_property
    def widgets(self):
        """(name, place), in the order in which they are drawn; a name can occur more than once."""
        return [(found[5], Place(*(int(found[i]) for i in range(1, 5))))
                for found in map(WIDGET.fullmatch, self.drawn.splitlines()) if found]

    @cached_property
    def parsed(self):
        texts, figures, panel = [], [], ""
        for line in self.drawn.splitlines():
            if line.startswith("panel "):
                panel = line[len("panel "):]
            elif found := TEXT.fullmatch(line):
                texts += texts_of(panel, found)
            elif found := FIGURE.fullmatch(line):
                colours = tuple(colour for colour in (found[4], found[5]) if colour)
                figures.append(Figure(panel, found[1], int(found[2]), int(found[3]), colours, int(found[6]), found[7]))
        return texts, figures

    @property
    def texts(self):
        return self.parsed[0]

    @property
    def figures(self):
        return self.parsed[1]

    @property
    def panels(self):
        return list(dict.fromkeys(each.panel for each in (*self.texts, *self.figures)))

    def words(self, panel=None):
        """All text of a panel, with that of its parts; of the whole window without one."""
        return " ".join(text.words for text in self.texts if panel is None or within(text.panel, panel))

    def shows(self, words, panel=None):
        return words in self.words(panel)

    def figures_in(self, panel, colour=None, kind=None):
        return [each for each in self.figures if within(each.panel, panel) and (colour is None or colour in each.colours)
                and (kind is None or each.kind == kind)]

    def has(self, name):
        return any(known == name for known, _ in self.widgets)

    def lines_of(self, panel):
        """What is drawn in a panel and its parts, line by line, to compare it between frames."""
        return [line for part, line in self.lines_by_panel if within(part, panel)]

    @cached_property
    def lines_by_panel(self):
        lines, panel = [], ""
        for line in self.drawn.splitlines():
            if line.startswith("panel "):
                panel = line[len("panel "):]
            elif line.startswith("  "):
                lines.append((panel, line))
        return lines

    def changed_panels(self, other):
        """Names of the panels that are not drawn alike in the two frames."""
        names = dict.fromkeys(panel for frame in (self, other) for panel, _ in frame.lines_by_panel)
        def own(frame, name):
            return [line for panel, line in frame.lines_by_panel if panel == name]
        return [name for name in names if own(self, name) != own(other, name)]

    def find(self, name):
        """The place of a widget, or of a text if no widget has this name or begins with it."""
        exact = [place for known, place in self.widgets if known == name]
        if exact:
            return exact[-1]
        begins = [place for known, place in self.widgets if re.match(re.escape(name) + r"[: ]", known)]
        texts = [text.place for text in self.texts if text.words == name] or [text.place for text in self.texts if name in text.words]
        for found in (begins, texts):
            if len(found) == 1:
                return found[0]
            if found:
                raise LookupError(f"{len(found)} widgets or texts are called '{name}'")
        names = [known for known, _ in self.widgets] + [text.words for text in self.texts]
        near = difflib.get_close_matches(name, names, 6, 0.5)
        raise LookupError(f"no widget or text is called '{name}'; near it: {', '.join(near) or 'none'}")

    def summary(self):
        """What a person reads in it, panel by panel."""
        lines = [self.text.partition("\n")[0]]
        for panel in self.panels:
            if words := self.words(panel):
                lines.append(f"{panel}: {words if len(words) < 200 else words[:200] + ' …'}")
        return "\n".join(lines)

    def difference(self, other, most=16):
        lines = [line for line in difflib.unified_diff(other.body.splitlines(), self.body.splitlines(), "expected", "shown", "", "", 0)
                 if not line.startswith("@@")]
        return "\n".join(lines[:most] + ([f"… {len(lines) - most} more lines"] if len(lines) > most else []))


def within(panel, wanted):
    return panel == wanted or panel.startswith(wanted + "/")


def texts_of(panel, found):
    """Pieces that follow each other in one line of the description."""
    x, y, width, height = (int(found[i]) for i in range(1, 5))
    rest, pieces = found[7], []
    while True:
        after = NEXT_TEXT.search(rest)
        words = rest[:after.start()] if after else re.sub(r'"( clipped)?$', "", rest)
        pieces.append(Text(panel, Place(x, y, width, height), found[5], found[6], words))
        if not after:
            return pieces
        x, width, rest = int(after[2]), height // 2, rest[after.end():]
