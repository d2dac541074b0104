"""Runs kernels of Numba and Triton on the CPU machine, without a GPU.

Their compilers write the PTX; this module writes it beside its launch (``NAME.toml``), its arrays (``.npy``) and its
source, and opens it as any other file.
"""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import linecache
import math
import numbers
import os
import re
import struct
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Sequence

from .program import BadInput
from .run import Extent, Folder, Run, options_of
from .tiles import Tiles, TileVariable, with_tile_stores

if TYPE_CHECKING:
    import numpy as np

__all__ = ["KernelRun", "trace"]


ELEMENT_TYPES = {"b1": "uchar", "i1": "char", "i2": "short", "i4": "int", "i8": "long", "u1": "uchar", "u2": "ushort",
                 "u4": "uint", "u8": "ulong", "f2": "half", "f4": "float", "f8": "double", "c8": "float2",
                 "c16": "double2"}


def element_type(dtype: np.dtype, name: str) -> str:
    found = ELEMENT_TYPES.get(f"{dtype.kind}{dtype.itemsize}")
    if found is None or not dtype.isnative:
        raise BadInput(f"'{name}' has elements of type {dtype}, which kernels cannot take; use .astype")
    return found


@dataclass
class Array:
    """An argument in the host's memory: NumPy's view of it, and where results go."""

    name: str
    given: Any
    view: np.ndarray
    copied: bool = False  # a Torch tensor of a GPU: `view` is a copy of it
    stored_as: str = ""  # Triton's name of elements that NumPy does not know: "bf16"

    def bounds(self) -> tuple[int, int]:
        low = high = self.view.__array_interface__["data"][0]
        for extent, stride in zip(self.view.shape, self.view.strides):
            if extent == 0:
                return low, low
            low, high = low + min(0, stride * (extent - 1)), high + max(0, stride * (extent - 1))
        return low, high + self.view.itemsize

    def put_back(self) -> None:
        if self.copied:
            self.given.copy_(self.given.new_tensor(self.view) if not self.stored_as else
                             _torch_of(self.view).view(self.given.dtype))


def _torch_of(view: np.ndarray) -> Any:
    import torch

    return torch.from_numpy(view)


def array_of(name: str, given: Any) -> Array | None:
    """The array behind an argument; None: it is a number."""
    import numpy as np

    if isinstance(given, np.ndarray):
        return Array(name, given, given)
    if type(given).__module__.split(".")[0] == "torch" and hasattr(given, "detach"):
        tensor, kind = given.detach(), str(given.dtype).removeprefix("torch.")
        copied = tensor.device.type != "cpu"
        if copied:
            tensor = tensor.cpu()
        stored_as = {"bfloat16": "bf16", "float8_e4m3fn": "fp8e4nv", "float8_e5m2": "fp8e5"}.get(kind, "")
        if stored_as:
            import torch

            tensor = tensor.view(torch.int16 if stored_as == "bf16" else torch.uint8)
        return Array(name, given, tensor.numpy(), copied, stored_as)
    if hasattr(given, "__array_interface__") and not isinstance(given, np.generic):
        return Array(name, given, np.asarray(given))
    return None


@dataclass
class Buffer:
    """Memory of the launch. Arguments that overlap lie in one buffer."""

    name: str
    dtype: np.dtype
    low: int
    high: int
    arrays: list[Array] = field(default_factory=list)

    def count(self) -> int:
        return (self.high - self.low) // self.dtype.itemsize

    def contents(self) -> np.ndarray:
        """The memory as it is now, in the shape of its array where one array fills it in C order."""
        import numpy as np

        raw = (ctypes.c_char * (self.high - self.low)).from_address(self.low) if self.high > self.low else b""
        items = np.frombuffer(raw, dtype=self.dtype)
        view = self.arrays[0].view
        whole = len({each.bounds() for each in self.arrays}) == 1 and view.flags.c_contiguous
        return items.reshape(view.shape) if whole and view.ndim else items

    def put_back(self, made: np.ndarray) -> None:
        import numpy as np

        there = self.contents()
        made = np.ascontiguousarray(made).view(self.dtype).reshape(there.shape)
        if there.tobytes() == made.tobytes():
            return
        for each in self.arrays:
            if not each.view.flags.writeable:
                raise BadInput(f"the kernel writes to '{each.name}', which is a read-only array; pass a copy")
        ctypes.memmove(self.low, made.tobytes(), self.high - self.low)
        for each in self.arrays:
            each.put_back()


def buffers_of(arrays: Sequence[Array]) -> dict[str, tuple[Buffer, int]]:
    """For each array its buffer, and its first element there."""
    buffers: list[Buffer] = []
    for each in arrays:
        low, high = each.bounds()
        mine = Buffer(each.name, each.view.dtype, low, high, [each])
        element_type(mine.dtype, each.name)
        for other in [b for b in buffers if b.low < high and low < b.high]:
            if other.dtype.itemsize != mine.dtype.itemsize or (other.low - mine.low) % mine.dtype.itemsize:
                raise BadInput(f"'{each.name}' and '{other.name}' overlap, but their elements differ; pass a copy")
            mine = Buffer(other.name, other.dtype, min(mine.low, other.low), max(mine.high, other.high),
                          other.arrays + mine.arrays)
            buffers.remove(other)
        buffers.append(mine)
    return {each.name: (b, (each.view.__array_interface__["data"][0] - b.low) // b.dtype.itemsize)
            for b in buffers for each in b.arrays}


@dataclass
class Compiled:
    ptx: str
    symbol: str  # of the kernel
    arguments: list[str]  # of the launch, as front matter writes them
    block: tuple[int, ...]
    shared: int
    ttgir: str = ""
    rebuild: Callable[[str], tuple[str, int]] | None = None  # other TTGIR: its PTX and shared bytes


# ---- numbers as the kernel's parameters take them

FORMATS = {"f16": "e", "f32": "f", "f64": "d"}


def as_argument(value: Any, width: int, real: bool) -> str:
    """`width` in bits. Numbers that a decimal cannot give exactly go as bits."""
    if not real:
        value = int(value)
        if not -(2 ** (width - 1)) <= value < 2 ** width:
            raise BadInput(f"{value} does not fit in {width} bits")
        return str(value - 2 ** 64 if value >= 2 ** 63 else value)
    bits = struct.unpack("<" + {16: "h", 32: "i", 64: "q"}[width],
                         struct.pack("<" + FORMATS[f"f{width}"], float(value)))[0]
    return str(bits)


def parameter_types(ptx: str, symbol: str) -> list[str]:
    entry = re.search(r"\.entry\s+" + re.escape(symbol) + r"\s*\((.*?)\)", ptx, re.S)
    return re.findall(r"\.param\s+\.(?:align\s+\d+\s+\.)?(\w+)", entry.group(1)) if entry else []


def fit_reals(compiled: Compiled, reals: dict[int, float]) -> None:
    """Parameters declared as .f32 or .f64 take the number, others (.b32) its bits."""
    kinds = parameter_types(compiled.ptx, compiled.symbol)
    for index, value in reals.items():
        if index < len(kinds) and kinds[index] in ("f32", "f64"):
            if not math.isfinite(value):
                raise BadInput(f"argument {index + 1} is {value}; pass it in an array of one element")
            compiled.arguments[index] = repr(float(value))


# ---- Numba

def is_numba(kernel: Any) -> bool:
    return type(kernel).__module__.startswith(("numba.cuda", "numba_cuda")) and hasattr(kernel, "py_func")


def compile_numba(kernel: Any, given: dict[str, Any], places: dict[str, tuple[Buffer, int]], arrays: dict[str, Array],
                  block: tuple[int, ...], shared: int, optimized: bool, arch: tuple[int, int]) -> Compiled:
    from numba import cuda, types
    from numba import typeof

    arguments: list[str] = []
    reals: dict[int, float] = {}

    def add(value: Any, kind: Any, name: str) -> None:
        if isinstance(kind, types.Array):
            view, (buffer, first) = arrays[name].view, places[name]
            arguments.extend(["0", "0", str(view.size), str(view.itemsize),
                              buffer.name if first == 0 else f"{buffer.name} + {first}"])
            arguments.extend(str(each) for each in view.shape + view.strides)
        elif isinstance(kind, types.Boolean):
            arguments.append(str(int(value)))
        elif isinstance(kind, types.Integer):
            arguments.append(as_argument(value, kind.bitwidth, False))
        elif isinstance(kind, types.Float):
            reals[len(arguments)] = float(value)
            arguments.append(as_argument(value, kind.bitwidth, True))
        elif isinstance(kind, types.Complex):
            for part in (value.real, value.imag):
                reals[len(arguments)] = float(part)
                arguments.append(as_argument(part, kind.underlying_float.bitwidth, True))
        elif isinstance(kind, types.BaseTuple):
            for each, inner in zip(value, kind):
                if isinstance(inner, types.Array):
                    raise BadInput(f"'{name}' is a tuple with an array; pass the array itself")
                add(each, inner, name)
        else:
            raise BadInput(f"'{name}' is of Numba's type {kind}, which cannot be traced; pass arrays and numbers")

    signature = []
    for name, value in given.items():
        kind = typeof(arrays[name].view if name in arrays else value)
        if isinstance(kind, types.Array):
            kind = kind.copy(readonly=False)
        signature.append(kind)
        add(value, kind, name)
    options = {key: value for key, value in kernel.targetoptions.items() if key in ("fastmath",)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ptx, _ = cuda.compile_ptx(kernel.py_func, tuple(signature), cc=arch, debug=not optimized, opt=optimized,
                                      lineinfo=optimized, **options)
        except RuntimeError as error:
            if "multiple PTX files" not in str(error):
                raise
            raise BadInput("Numba compiles a function that the kernel calls into a file of its own, which cannot be traced",
                           hint="write x * x instead of x ** 2, and call functions of cuda.jit") from error
    symbols = re.findall(r"\.visible\s+\.entry\s+([\w$]+)", ptx)
    compiled = Compiled(ptx, symbols[-1], arguments, block, shared)
    fit_reals(compiled, reals)
    return compiled


# ---- Triton

def is_triton(kernel: Any) -> bool:
    return any(each.__module__.startswith("triton.") and each.__name__ in ("JITFunction", "Autotuner", "Heuristics")
               for each in type(kernel).__mro__)


def triton_type(value: Any, array: Array | None) -> str:
    if array is not None:
        if array.stored_as:
            return "*" + array.stored_as
        kind, bits = array.view.dtype.kind, 8 * array.view.dtype.itemsize
        if kind not in "biuf":
            raise BadInput(f"'{array.name}' has elements of type {array.view.dtype}, which Triton does not know")
        return "*i1" if kind == "b" else f"*{'fp' if kind == 'f' else kind}{bits}"
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):
        return "i1"
    if hasattr(value, "dtype") and value.dtype.kind in "iuf":
        kind = value.dtype.kind
        return f"{'fp' if kind == 'f' else kind}{8 * value.dtype.itemsize}"
    if isinstance(value, int):
        return "i32" if -2 ** 31 <= value < 2 ** 31 else "i64" if value < 2 ** 63 else "u64"
    if isinstance(value, float):
        return "fp32"
    raise BadInput(f"an argument of type {type(value).__name__} cannot be traced; pass arrays and numbers")


@contextlib.contextmanager
def _environment(**values: str):
    before = {key: os.environ.get(key) for key in values}
    os.environ.update(values)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for key, value in before.items():
            if value is None:
                del os.environ[key]
            else:
                os.environ[key] = value


def unwrapped(kernel: Any, keywords: dict[str, Any]) -> tuple[Any, str]:
    """The function below @triton.autotune and @triton.heuristics, with what they add to `keywords`."""
    note = ""
    while not hasattr(kernel, "arg_names") or hasattr(kernel, "configs") or type(kernel).__name__ == "Heuristics":
        if getattr(kernel, "configs", None):
            config = kernel.configs[0]
            note = f"the first of {len(kernel.configs)} configurations of @triton.autotune: {config}"
            for key, value in config.all_kwargs().items():
                keywords.setdefault(key, value)
        elif type(kernel).__name__ == "Heuristics":
            for key, compute in kernel.values.items():
                keywords.setdefault(key, compute(dict(keywords)))
        kernel = kernel.fn
    return kernel, note


def compile_triton(kernel: Any, given: dict[str, Any], options: dict[str, Any],
                   places: dict[str, tuple[Buffer, int]], arrays: dict[str, Array],
                   arch: tuple[int, int]) -> Compiled:
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    constants: dict[str, Any] = {}
    signature: dict[str, str] = {}
    attributes: dict[tuple[int, ...], list[Any]] = {}
    arguments: list[str] = []
    reals: dict[int, float] = {}
    for index, parameter in enumerate(kernel.params):
        name, value, array = parameter.name, given[parameter.name], arrays.get(parameter.name)
        free = not getattr(parameter, "do_not_specialize", False)
        if parameter.is_constexpr or value is None or (type(value) is int and value == 1 and free):
            constants[name] = value
            signature[name] = "constexpr"
            continue
        kind = signature[name] = triton_type(value, array)
        if array is not None:
            buffer, first = places[name]
            arguments.append(buffer.name if first == 0 else f"{buffer.name} + {first}")
            divisible = first * buffer.dtype.itemsize % 16 == 0
        elif kind.startswith("fp"):
            width = int(kind[2:])
            reals[len(arguments)] = float(value)
            arguments.append(as_argument(value, width, True))
            divisible = False
        else:
            arguments.append(as_argument(value, int(kind[1:]), False) if kind != "i1" else str(int(value)))
            divisible = kind != "i1" and int(value) % 16 == 0
        if divisible and free:
            attributes[(index,)] = [["tt.divisibility", 16]]
    target = GPUTarget("cuda", arch[0] * 10 + arch[1], 32)
    def build(source: Any) -> Any:
        # A cache of its own: Triton's takes code of another file with the same text, whose lines then have that file's name.
        with tempfile.TemporaryDirectory(prefix="lanescope-") as cache:
            with _environment(LLVM_EXTRACT_DI_LOCAL_VARIABLES="1", TRITON_CACHE_DIR=cache,
                              TRITON_DEFAULT_FP_FUSION=os.environ.get("TRITON_DEFAULT_FP_FUSION", "1")):
                return triton.compile(source, target=target, options=dict(options))

    def rebuild(ttgir: str) -> tuple[str, int]:
        with tempfile.TemporaryDirectory(prefix="lanescope-") as folder:
            path = Path(folder) / f"{made.metadata.name}.ttgir"
            path.write_text(ttgir, encoding="utf-8")
            again = build(str(path))
        return again.asm["ptx"], again.metadata.shared

    made = build(ASTSource(fn=kernel, signature=signature, constexprs=constants, attrs=attributes))
    if getattr(made.metadata, "num_ctas", 1) != 1:
        raise BadInput("a kernel with num_ctas above 1 cannot be traced")
    ptx, symbol = made.asm["ptx"], made.metadata.name
    threads = re.search(r"\.(?:req|max)ntid\s+(\d+)", ptx)
    block = int(threads.group(1)) if threads else 32 * made.metadata.num_warps
    compiled = Compiled(ptx, symbol, arguments, (block,), made.metadata.shared, ttgir=made.asm["ttgir"],
                        rebuild=rebuild)
    fit_reals(compiled, reals)
    return compiled


# ---- the folder of a run

def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def write_source(folder: Path, function: Any, ptx: str) -> str:
    """Puts the source beside the PTX where the PTX names a file that is not there, as for notebooks."""
    path = inspect.getsourcefile(function) or function.__code__.co_filename
    if os.path.exists(path):
        return ptx
    lines = linecache.getlines(path) or linecache.getlines(function.__code__.co_filename)
    if not lines:
        raise BadInput(f"the source of '{function.__name__}' is not known; define it in a file or a notebook's cell")
    name = re.sub(r"[^\w.-]", "_", Path(path).name).strip("_") or "kernel"
    name = name if name.endswith(".py") else name + ".py"
    (folder / name).write_text("".join(lines))
    directory, base = os.path.split(path)
    for spelled in {path, base, f"{directory}/{base}"}:
        ptx = ptx.replace(f'"{spelled}"', f'"{folder / name}"')
    return ptx


@dataclass
class Launch:
    name: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared: int
    arguments: list[str]


def write_toml(path: Path, title: str, launch: Launch, buffers: Sequence[Buffer], tiles: Sequence[str] = ()) -> None:
    import numpy as np

    lines = [f"title = {quoted(title)}", "", "[buffers]"]
    for each in buffers:
        kind = element_type(each.dtype, each.name)
        if each.count() == 0:
            lines.append(f'{each.name} = {{ type = "{kind}", count = "0" }}')
            continue
        contents = each.contents()
        np.save(path.with_name(f"{each.name}.npy"), contents if contents.ndim else contents.reshape(1))
        lines.append(f'{each.name} = {{ type = "{kind}", file = "{each.name}.npy" }}')
    lines += tiles
    grid, block = (", ".join(quoted(str(n)) for n in extents) for extents in (launch.grid, launch.block))
    lines += ["", "[[launch]]", f"kernel = {quoted(launch.name)}", f"grid = [{grid}]", f"block = [{block}]",
              f'shared = "{launch.shared}"', f"args = [{', '.join(quoted(each) for each in launch.arguments)}]"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def extents_of(given: Any, what: str) -> tuple[int, ...]:
    extents = tuple(given) if isinstance(given, (tuple, list)) else (given,)
    if not 1 <= len(extents) <= 3 or not all(isinstance(n, numbers.Integral) and n > 0 for n in extents):
        raise BadInput(f"{what} = {given!r} is not an extent", hint="pass one to three numbers from 1")
    return tuple(int(n) for n in extents)


def target_of(arch: str) -> tuple[int, int]:
    found = re.fullmatch(r"(?:sm_)?(\d+)(\d)a?", arch)
    if not found:
        raise BadInput(f"arch = {arch!r} is not a target", hint="write it as in 'sm_80'")
    return int(found.group(1)), int(found.group(2))


# ---- the run

class Kept(Folder):
    """The folder of a run, and where its buffers go."""

    def __init__(self) -> None:
        super().__init__()
        self.dumps: dict[str, Path] = {}


class KernelRun(Run):
    """The run of a kernel of Python. Its file is the PTX, its lines are those of the Python file."""

    _again: Callable[[], Tiles] | None

    def _call(self, command: str, *more: str, **others: Any) -> Any:
        if command == "run" and self._keep.dumps and "report" not in self.__dict__:
            more += tuple(f"--dump={name}={path}" for name, path in self._keep.dumps.items())
        return super()._call(command, *more, **others)

    @cached_property
    def text(self) -> str:
        """The Python source, whose lines are the steps."""
        return Path(self.report.get("lines_file") or self._file).read_text(encoding="utf-8", errors="replace")

    @property
    def folder(self) -> Path:
        """The PTX, its launch (`.toml`), its arrays (`.npy`): it can be copied and opened with `lanescope NAME.ptx`. It lives as long as
        this run."""
        return self._keep.path

    @cached_property
    def tiles(self) -> Tiles:
        """The tile of each variable of a Triton kernel, from a second run with a store behind each assignment."""
        if self._again is None:
            raise BadInput("tiles are the variables of a Triton kernel", hint="the variables of a Numba kernel are numbers of a thread: run.step(n)")
        return self._again()


def start(compiled: Compiled, ptx: str, function: Any, title: str, grid: tuple[int, ...], shared: int, buffers: Sequence[Buffer],
          options: Sequence[str], timeout: float | None, tiles: Sequence[TileVariable] = ()) -> KernelRun:
    keep = Kept()
    ptx = write_source(keep.path, function, ptx)
    name = re.sub(r"\W", "_", function.__name__)
    file = keep.path / f"{name}.ptx"
    file.write_text(ptx, encoding="utf-8")
    programs = math.prod(grid)
    entries = []
    for each in tiles:
        rows = [programs * math.prod(each.shape[:-1]), each.shape[-1]]
        shape = f'shape = ["{rows[0]}", "{rows[1]}"]' if rows[0] > 1 else f'count = "{rows[1]}"'
        entries.append(f'{each.buffer} = {{ type = "{each.buffer_type}", {shape} }}')
        keep.dumps[each.buffer] = keep.path / f"{each.buffer}.tile.npy"
    arguments = compiled.arguments + [each.buffer for each in tiles]
    arguments += ["0"] * (len(parameter_types(ptx, compiled.symbol)) - len(arguments))  # Triton's scratch memory
    write_toml(file.with_suffix(".toml"), title, Launch(compiled.symbol, grid, compiled.block, shared, arguments), buffers, entries)
    for buffer in buffers:
        if buffer.count():
            keep.dumps[buffer.name] = keep.path / f"{buffer.name}.after.npy"
    run = KernelRun._of(file, options, timeout=timeout, keep=keep)
    run._again = None
    return run


def trace(kernel: Any, grid: Any, block: Extent | None = None, *, shared: int = 0, code: str = "debug", arch: str | None = None,
          timeout: float | None = None, **options: Any) -> Callable[..., KernelRun]:
    """Returns a function that runs one launch of a kernel of Numba or Triton with its arguments.

    `kernel` is a function of `numba.cuda.jit` or `triton.jit`; `grid` is in blocks, `block` in threads (Numba only), `shared` in bytes of
    dynamic shared memory. For Triton `grid` may be a function of the constants, and the arguments include `num_warps`, `num_stages` and the
    other options of `kernel[grid](…)`. Arguments are NumPy arrays, Torch tensors and numbers. Results go back into the arrays.

    `code` is "debug" (Numba: every variable has a value at every line) or "optimized", as a GPU runs it; Triton's code is always
    optimised. `arch` is the target, by default sm_90, for Triton sm_80: the machine does not know `wgmma`. `schedule`, `engine`,
    `max_steps` and the like are those of `lanescope.run`.

    >>> run = ls.trace(add, 2, 32)(a, b, out)
    >>> run.problems
    []
    """
    if code not in ("debug", "optimized"):
        raise BadInput(f"code = {code!r} is not a way to compile", hint="write 'debug' or 'optimized'")
    words = options_of(**options)
    if is_numba(kernel):
        if block is None:
            raise BadInput("a kernel of Numba needs its block", hint="ls.trace(kernel, grid, block)(…)")
        fixed = extents_of(grid, "grid"), extents_of(block, "block")
        return lambda *arguments: trace_numba(kernel, *fixed, shared, code == "optimized", target_of(arch or "sm_90"), words, timeout, arguments)
    if is_triton(kernel):
        if block is not None or shared:
            raise BadInput("Triton chooses the threads of a block and its shared memory", hint="ls.trace(kernel, grid)(…, num_warps=4)")
        return lambda *arguments, **named: trace_triton(kernel, grid, target_of(arch or "sm_80"), words, timeout, arguments, named)
    raise BadInput(f"{kernel!r} is not a kernel of numba.cuda.jit or triton.jit", hint="ls.run(…) runs CUDA C++")


def trace_numba(kernel: Any, grid: tuple[int, ...], block: tuple[int, ...], shared: int, optimized: bool, arch: tuple[int, int],
                options: Sequence[str], timeout: float | None, arguments: Sequence[Any]) -> KernelRun:
    function = kernel.py_func
    given = bound(function, inspect.signature(function), arguments, {})
    arrays = {name: array for name, value in given.items() if (array := array_of(name, value))}
    places = buffers_of(list(arrays.values()))
    compiled = compile_numba(kernel, given, places, arrays, block, shared, optimized, arch)
    # The file names the kernel as Python does; the mangled name has all its types.
    name = re.sub(r"\W", "_", function.__name__)
    compiled.ptx, compiled.symbol = compiled.ptx.replace(compiled.symbol, name), name
    buffers = list({id(b): b for b, _ in places.values()}.values())
    run = start(compiled, compiled.ptx, function, f"{name} of Numba", grid, shared, buffers, options, timeout)
    put_back(run, buffers)
    return run


def trace_triton(kernel: Any, grid: Any, arch: tuple[int, int], options: Sequence[str], timeout: float | None, arguments: Sequence[Any],
                 named: dict[str, Any]) -> KernelRun:
    outer = kernel
    while not hasattr(kernel, "arg_names") or hasattr(kernel, "configs"):
        kernel = kernel.fn
    names = [parameter.name for parameter in kernel.params]
    keywords = dict(zip(names, arguments), **named)
    kernel, note = unwrapped(outer, keywords)
    compile_options = {key: keywords.pop(key) for key in list(keywords) if key not in names}
    given = bound(kernel.fn, inspect.signature(kernel.fn), (), keywords)
    arrays = {name: array for name, value in given.items() if (array := array_of(name, value))}
    places = buffers_of(list(arrays.values()))
    compiled = compile_triton(kernel, given, compile_options, places, arrays, arch)
    extents = extents_of(grid(given) if callable(grid) else grid, "grid")
    buffers = list({id(b): b for b, _ in places.values()}.values())
    inputs = [(buffer, buffer.contents().copy()) for buffer in buffers if buffer.count()]
    title = f"{kernel.fn.__name__} of Triton" + (f", {note}" if note else "")
    run = start(compiled, compiled.ptx, kernel.fn, title, extents, compiled.shared, buffers, options, timeout)
    put_back(run, buffers)
    run._again = lambda: tiles_of(compiled, kernel.fn, title, extents, buffers, inputs, options, timeout)
    return run


def tiles_of(compiled: Compiled, function: Any, title: str, grid: tuple[int, ...], buffers: Sequence[Buffer],
             inputs: Sequence[tuple[Buffer, np.ndarray]], options: Sequence[str], timeout: float | None) -> Tiles:
    lines, first = inspect.getsourcelines(function)
    path = inspect.getsourcefile(function) or function.__code__.co_filename
    ttgir, variables = with_tile_stores(compiled.ttgir, "".join(lines), first, path, {each.name for each in buffers})
    assert compiled.rebuild
    ptx, shared = compiled.rebuild(ttgir)
    with contents_of(inputs):
        run = start(compiled, ptx, function, f"{title}, with tiles", grid, shared, buffers, options, timeout, variables)
    return Tiles(run, variables, grid, {each.buffer: run._keep.dumps[each.buffer] for each in variables})


@contextlib.contextmanager
def contents_of(inputs: Sequence[tuple[Buffer, np.ndarray]]) -> Iterator[None]:
    """The memory as it was before the launch, for as long as the block runs."""
    now = [(buffer, buffer.contents().copy()) for buffer, _ in inputs]
    try:
        for buffer, contents in inputs:
            ctypes.memmove(buffer.low, contents.tobytes(), buffer.high - buffer.low)
        yield
    finally:
        for buffer, contents in now:
            ctypes.memmove(buffer.low, contents.tobytes(), buffer.high - buffer.low)


def bound(function: Any, signature: inspect.Signature, arguments: Sequence[Any], named: dict[str, Any]) -> dict[str, Any]:
    try:
        found = signature.bind(*arguments, **named)
    except TypeError as error:
        raise BadInput(f"{function.__name__}{signature}: {error}") from None
    found.apply_defaults()
    return dict(found.arguments)


def put_back(run: KernelRun, buffers: Sequence[Buffer]) -> None:
    import numpy as np

    for buffer in buffers:
        path = run._keep.dumps.get(buffer.name)
        if path and path.exists():
            buffer.put_back(np.load(path, allow_pickle=False))
