"""The tiles of a Triton program: each variable as the whole block of values that its threads hold together.

Triton keeps a tile in registers, and its optimised IR (TTGIR) says which register of which lane holds which element. A
second build of the kernel gets a store behind each assignment: every thread writes the elements that it holds, in the
tile's order, to a buffer with the variable's name. The store keeps the layout, so the Layout tab and `Tile.owner` show it
as the run has it; what the kernel computes stays the same. Counts and problems are those of the build without stores.
"""

from __future__ import annotations

import ast
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Tile", "TileVariable", "Tiles", "with_tile_stores"]

# Operations that give the value before them another layout or place.
MOVES = ("ttg.convert_layout", "ttg.local_load", "ttg.local_alloc", "ttg.memdesc")
# TTGIR's types of elements, as the stores write them: NumPy's type, that of front matter, and the conversion.
ELEMENTS = {"f16": ("f2", "half", ""), "f32": ("f4", "float", ""), "f64": ("f8", "double", ""), "i64": ("i8", "long", ""),
            "i32": ("i4", "int", ""), "i16": ("i2", "short", ""), "i8": ("i1", "char", ""), "i1": ("u1", "uchar", "arith.extui"),
            "bf16": ("f4", "float", "arith.extf")}
STORED = {"i1": "i8", "bf16": "f32"}
RESULT = re.compile(r"^(\s+)(%[\w#]+) = (\"?[\w.]+\"?).* loc\((#loc\d*|.*)\)$")
TENSOR = re.compile(r"tensor<((?:\d+x)+)([^,<>]+), (.+)>$")


@dataclass(frozen=True)
class TileVariable:
    """A variable of the source with a tile: its buffer, and for each line that assigns it the layout there."""

    name: str
    buffer: str
    element: str  # TTGIR's: "f32"
    shape: tuple[int, ...]
    layouts: dict[int, str] = field(default_factory=dict)

    @property
    def dtype(self) -> str:
        return ELEMENTS[self.element][0]

    @property
    def buffer_type(self) -> str:
        return ELEMENTS[self.element][1]


@dataclass(frozen=True)
class Assigned:
    name: str
    first: int
    last: int
    column: int  # of the value, from 1; 0: any


class Tile:
    """The values of one variable over all threads of each program, as they were last assigned."""

    def __init__(self, variable: TileVariable, values: np.ndarray) -> None:
        self.name = variable.name
        self.values = values
        """Its first axes are those of the grid (without extents of 1): `values[tl.program_id(0)]`; the others are those of the tile."""
        self.layouts = dict(variable.layouts)
        """For each line that assigns the variable Triton's layout there, in the words of TTGIR."""
        self.buffer = variable.buffer
        """The name under which the run shows it."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.values.astype(dtype) if dtype is not None else self.values

    def __repr__(self) -> str:
        extents = "×".join(map(str, self.values.shape))
        return f"Tile({self.name}: {extents} {self.values.dtype}, " + "; ".join(f"line {line}: {layout}" for line, layout in self.layouts.items()) + ")"


class Tiles(Mapping[str, Tile]):
    """Tiles by the name of their variable, as they are at the end or `at` a step. `run` is the run that stored them: its pictures show each
    as an array, and its view "layout" which thread holds which element.

    >>> run.tiles["x"].values.shape
    (256,)
    >>> run.tiles.run.step(5).picture()
    """

    def __init__(self, run: Any, variables: list[TileVariable], grid: tuple[int, ...], files: dict[str, Any]) -> None:
        import numpy as np

        self.run, self._variables, self._grid = run, variables, grid
        self._tiles: dict[str, Tile] = {}
        for each in variables:
            programs = (grid + (1, 1))[:3]
            values = np.load(files[each.buffer], allow_pickle=False).reshape(*reversed(programs), *each.shape)
            values = values.transpose(2, 1, 0, *range(3, values.ndim)).reshape(*(n for n in programs if n > 1), *each.shape)
            if each.element == "i1":
                values = values.astype(bool)
            self._tiles[each.name if each.name not in self._tiles else each.buffer] = Tile(each, values)

    def at(self, step: int) -> Tiles:
        """The tiles as they are after this step of `run`; zeros where nothing is assigned yet."""
        with tempfile.TemporaryDirectory(prefix="lanescope-") as folder:
            files = {each.buffer: f"{folder}/{number}.npy" for number, each in enumerate(self._variables)}
            self.run._call("run", "--json", *(f"--dump={name}@{step}={file}" for name, file in files.items()))
            return Tiles(self.run, self._variables, self._grid, files)

    def held_by(self, name: str) -> str:
        """From (thread, its n-th register) to the element, in CuTe's words, as the first block's stores show it; empty: no rule describes it."""
        for launch in self.run.layout["launches"]:
            for each in launch["owners"]:
                if each["array"] == self[name].buffer:
                    return str(each["name"])
        return ""

    def __getitem__(self, name: str) -> Tile:
        return self._tiles[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tiles)

    def __len__(self) -> int:
        return len(self._tiles)

    def __repr__(self) -> str:
        return "\n".join(map(repr, self._tiles.values())) or "no tiles"


def assignments(source: str, first_line: int) -> list[Assigned]:
    """The assignments to names in a function, with the lines that they have in its file."""
    made = []
    for node in ast.walk(ast.parse(source)):
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else getattr(node, "target", None)
        if not isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) or not isinstance(target, ast.Name) or node.value is None:
            continue
        column = 0 if isinstance(node, ast.AugAssign) else node.value.col_offset + 1
        made.append(Assigned(target.id, node.lineno + first_line - 1, node.end_lineno + first_line - 1, column))
    return made


class Locations:
    """What `#loc12` of TTGIR stands for: a variable's name, and a place in a file."""

    def __init__(self, ttgir: str) -> None:
        self._texts = dict(re.findall(r"^(#loc\d*) = loc\((.*)\)$", ttgir, re.M))

    def place(self, location: str) -> str:
        """The location without the variable's name, so that debug information does not take a store for a value of the variable."""
        named = re.fullmatch(r'"[^"]*"\((.*)\)', self._texts.get(location, location))
        return named.group(1) if named else location

    def of(self, location: str) -> tuple[str, str, int, int]:
        """Name, file, line, column; empty and 0 where it has none, as in inlined functions."""
        text, name = self._texts.get(location, location), ""
        named = re.fullmatch(r'"([^"]*)"\((.*)\)', text)
        if named:
            name, text = named.group(1), self._texts.get(named.group(2), named.group(2))
        place = re.fullmatch(r'"([^"]*)":(\d+):(\d+)', text)
        if not place:
            called = re.fullmatch(r"callsite\((\S+) at (\S+)\)", text)  # a call: the place of the caller
            if called:
                inner = self.of(called.group(2))
                return name or inner[0], *inner[1:]
            return name, "", 0, 0
        return name, place.group(1), int(place.group(2)), int(place.group(3))


def tensor_of(line: str, operation: str) -> tuple[tuple[int, ...], str, str] | None:
    """Shape, element and encoding of an operation's result."""
    text = line[:line.rindex(" loc(")]
    text = text[text.rindex(" -> ") + 4:] if " -> " in text else text[text.rindex(" : ") + 3:]
    # Several types stand for operands; the result of a load is what its pointers point to.
    first = re.match(r"tensor<(?:[^<>]|<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>)*>", text)
    found = TENSOR.match(first.group(0)) if first else None
    pointer = re.match(r"tensor<((?:\d+x)+)!tt\.ptr<([\w]+)>, (.+)>$", first.group(0)) if first else None
    if pointer and operation == "tt.load":
        found = pointer
    elif pointer or not found:
        return None
    if operation in ("arith.cmpi", "arith.cmpf"):  # the type is that of the operands
        return shape_of(found.group(1)), "i1", found.group(3)
    return shape_of(found.group(1)), found.group(2), found.group(3)


def shape_of(text: str) -> tuple[int, ...]:
    return tuple(int(extent) for extent in text.split("x") if extent)


def chosen_lines(lines: list[str], locations: Locations, wanted: list[Assigned], file: str) -> dict[int, Assigned]:
    """For each assignment the line of the operation that gives its value: the last one that has its name and place, except
    moves to another layout."""
    found: dict[Assigned, tuple[bool, int]] = {}
    for number, line in enumerate(lines):
        matched = RESULT.match(line)
        if not matched or line.rstrip().endswith("({"):
            continue
        name, where, row, column = locations.of(matched.group(4))
        for each in wanted:
            # Where the compiler merged equal values, the name may be another variable's; the place is that of the first.
            if name != each.name or where != file or not each.first <= row <= each.last or (each.column and column != each.column):
                continue
            moves = matched.group(3).startswith(MOVES)
            if tensor_of(line, matched.group(3)) and not (moves and each in found and not found[each][0]):
                found[each] = (moves, number)
    return {number: each for each, (_, number) in found.items()}


def store_lines(indent: str, value: str, variable: TileVariable, encoding: str, pointer: str, loc: str, prefix: str) -> list[str]:
    """TTGIR that stores a tile in row-major order. The program's part of the buffer begins at `pointer`."""
    shape, rank, element = variable.shape, len(variable.shape), STORED.get(variable.element, variable.element)
    made: list[str] = []

    def add(text: str, name: str) -> str:
        made.append(f"{indent}%{prefix}_{name} = {text} loc({loc})")
        return f"%{prefix}_{name}"

    if variable.element in STORED:
        value = add(f"{ELEMENTS[variable.element][2]} {value} : tensor<{'x'.join(map(str, shape))}x{variable.element}, {encoding}> to "
                    f"tensor<{'x'.join(map(str, shape))}x{element}, {encoding}>", "value")
    whole = "x".join(map(str, shape)) + "x"
    offsets = ""
    for dim in range(rank):
        layers = [encoding]
        for other in reversed(range(rank)):
            if other != dim:
                layers.append(f"#ttg.slice<{{dim = {other}, parent = {layers[-1]}}}>")
        index = add(f"tt.make_range {{end = {shape[dim]} : i32, start = 0 : i32}} : tensor<{shape[dim]}xi32, {layers[-1]}>", f"range{dim}")
        now = [shape[dim]]
        kind = f"tensor<{shape[dim]}xi32, {layers[-1]}>"
        for axis in range(rank):
            if axis == dim:
                continue
            layers.pop()
            now.insert(axis, 1)
            wider = f"tensor<{'x'.join(map(str, now))}xi32, {layers[-1]}>"
            index = add(f"tt.expand_dims {index} {{axis = {axis} : i32}} : {kind} -> {wider}", f"axis{dim}_{axis}")
            kind = wider
        stride = 1
        for extent in shape[dim + 1:]:
            stride *= extent
        if stride > 1:
            factor = add(f"arith.constant dense<{stride}> : {kind}", f"stride{dim}")
            index = add(f"arith.muli {index}, {factor} : {kind}", f"scaled{dim}")
        if rank > 1:
            index = add(f"tt.broadcast {index} : {kind} -> tensor<{whole}i32, {encoding}>", f"wide{dim}")
        offsets = index if not offsets else add(f"arith.addi {offsets}, {index} : tensor<{whole}i32, {encoding}>", f"sum{dim}")
    start = add(f"tt.splat {pointer} : !tt.ptr<{element}> -> tensor<{whole}!tt.ptr<{element}>, {encoding}>", "start")
    places = add(f"tt.addptr {start}, {offsets} : tensor<{whole}!tt.ptr<{element}>, {encoding}>, tensor<{whole}i32, {encoding}>", "places")
    made.append(f"{indent}tt.store {places}, {value} : tensor<{whole}!tt.ptr<{element}>, {encoding}> loc({loc})")
    return made


def with_tile_stores(ttgir: str, source: str, first_line: int, file: str, taken: set[str]) -> tuple[str, list[TileVariable]]:
    """TTGIR with a store behind each assignment, whose buffers are further parameters in the order of the variables.

    `source` is the function, which begins at `first_line` of `file`. Names in `taken` are not used for buffers."""
    lines = ttgir.splitlines()
    locations = Locations(ttgir)
    variables: dict[tuple[str, str, tuple[int, ...]], TileVariable] = {}
    taken = set(taken)
    chosen = chosen_lines(lines, locations, assignments(source, first_line), file)
    head = next((number for number, line in enumerate(lines) if re.match(r"\s*tt\.func public ", line)), None)
    if head is None:
        return ttgir, []
    stores: dict[int, list[str]] = {}
    for number in sorted(chosen):
        assigned = chosen[number]
        matched = RESULT.match(lines[number])
        indent, value, operation, loc = matched.groups()
        shape, element, encoding = tensor_of(lines[number], operation)
        if element not in ELEMENTS:
            continue
        key = (assigned.name, element, shape)
        if key not in variables:
            buffer = assigned.name
            while buffer in taken:
                buffer += "_"
            taken.add(buffer)
            variables[key] = TileVariable(assigned.name, buffer, element, shape)
        variables[key].layouts[assigned.first] = encoding
        pointer = f"%lanescope__at_{variables[key].buffer}"
        stores[number] = store_lines(indent, value, variables[key], encoding, pointer, locations.place(loc), f"lanescope{number}")
    if not variables:
        return ttgir, []
    kept = list(variables.values())
    return "\n".join(with_parameters(lines, head, kept, stores)) + "\n", kept


def with_parameters(lines: list[str], head: int, variables: list[TileVariable], stores: dict[int, list[str]]) -> list[str]:
    aliases = dict(re.findall(r"^(#\w+) = (#ttg\..*)$", "\n".join(lines), re.M))
    for each in variables:
        for line, encoding in each.layouts.items():
            each.layouts[line] = re.sub(r"#\w+(?![\w.<])", lambda m: aliases.get(m.group(0), m.group(0)), encoding)
    loc = re.search(r"^#loc = ", "\n".join(lines), re.M) and "#loc" or "unknown"
    parameters = "".join(f", %lanescope_{each.buffer}: !tt.ptr<{STORED.get(each.element, each.element)}> {{tt.divisibility = 16 : i32}} loc({loc})"
                         for each in variables)
    made: list[str] = []
    for number, line in enumerate(lines):
        if number == head:
            end = line.rindex(") attributes")
            joined = parameters if not line[:end].endswith("(") else parameters[2:]
            made.append(line[:end] + joined + line[end:])
            made += program_lines(variables, loc)
        else:
            made.append(line)
        made += stores.get(number, [])
    return made


def program_lines(variables: list[TileVariable], loc: str) -> list[str]:
    """The number of the program, x fastest, and its part of each buffer."""
    made = [f"    %lanescope__{kind}{axis} = tt.get_{what} {axis} : i32 loc({loc})"
            for kind, what in (("id", "program_id"), ("n", "num_programs")) for axis in "xyz"]
    steps = [("row", "arith.muli %lanescope__idz, %lanescope__ny"), ("rows", "arith.addi %lanescope__row, %lanescope__idy"),
             ("cell", "arith.muli %lanescope__rows, %lanescope__nx"), ("program", "arith.addi %lanescope__cell, %lanescope__idx")]
    made += [f"    %lanescope__{name} = {text} : i32 loc({loc})" for name, text in steps]
    for each in variables:
        size = 1
        for extent in each.shape:
            size *= extent
        element = STORED.get(each.element, each.element)
        made += [f"    %lanescope__size_{each.buffer} = arith.constant {size} : i32 loc({loc})",
                 f"    %lanescope__first_{each.buffer} = arith.muli %lanescope__program, %lanescope__size_{each.buffer} : i32 loc({loc})",
                 f"    %lanescope__at_{each.buffer} = tt.addptr %lanescope_{each.buffer}, %lanescope__first_{each.buffer} : "
                 f"!tt.ptr<{element}>, i32 loc({loc})"]
    return made
