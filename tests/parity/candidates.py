"""Lists instruction forms that may exist, by family; make_forms.py keeps the forms that the assembler accepts.

A form is PTX with placeholders. "NAME | " stands before it if the instruction under test is not the first one. <a:s32>
is an input of the lane of that type, <d:s32> an output; a later <a> is the same register. Inputs are named a b c f g h
i, outputs d or e and a digit. A type may name a flavour of values: <b:u32~small>. <m:16> is the address of the lane's
own 16 bytes in global memory, <s:16> in shared and <l:16> in local memory. <w:16> (global) and <v:16> (shared) are the
address of 16 bytes that the warp shares. The contents of this memory are input before the form, and output after it.
"""
from itertools import product

INTS = ["u16", "u32", "u64", "s16", "s32", "s64"]
SIGNED = ["s16", "s32", "s64"]
BITS = ["b16", "b32", "b64"]
ROUNDINGS = ["rn", "rz", "rm", "rp"]
HALVES = ["f16", "f16x2", "bf16", "bf16x2"]


def form(opcode, *operands):
    return f"{opcode} {', '.join(operands)};"


def op2(opcode, kind):
    return form(opcode, f"<d:{kind}>", f"<a:{kind}>")


def op3(opcode, kind):
    return form(opcode, f"<d:{kind}>", f"<a:{kind}>", f"<b:{kind}>")


def op4(opcode, kind):
    return form(opcode, f"<d:{kind}>", f"<a:{kind}>", f"<b:{kind}>", f"<c:{kind}>")


def integers():
    for kind in INTS + ["u16x2", "s16x2"]:
        for name in ("add", "sub", "div", "rem", "min", "max", "mul.lo", "mul.hi"):
            yield op3(f"{name}.{kind}", kind)
        yield op4(f"mad.lo.{kind}", kind)
        yield op4(f"mad.hi.{kind}", kind)
        yield op4(f"sad.{kind}", kind)
    for name in ("add.sat.s32", "sub.sat.s32", "min.relu.s32", "max.relu.s32"):
        yield op3(name, "s32")
    for name in ("min.relu.s16x2", "max.relu.s16x2"):
        yield op3(name, "s16x2")
    yield op4("mad.hi.sat.s32", "s32")
    for kind, wide in (("u16", "u32"), ("s16", "s32"), ("u32", "u64"), ("s32", "s64")):
        yield form(f"mul.wide.{kind}", f"<d:{wide}>", f"<a:{kind}>", f"<b:{kind}>")
        yield form(f"mad.wide.{kind}", f"<d:{wide}>", f"<a:{kind}>", f"<b:{kind}>", f"<c:{wide}>")
    for kind, half in product(("u32", "s32"), ("lo", "hi")):
        yield op3(f"mul24.{half}.{kind}", kind)
        yield op4(f"mad24.{half}.{kind}", kind)
    yield op4("mad24.hi.sat.s32", "s32")
    for kind in SIGNED:
        yield op2(f"abs.{kind}", kind)
        yield op2(f"neg.{kind}", kind)
    yield from carries()
    yield from bit_fields()


def carries():
    for kind in ("u32", "s32", "u64", "s64"):
        for name in ("add", "sub"):
            yield (f"{name}.cc.{kind} <d:{kind}>, <a:{kind}>, <b:{kind}>; "
                   f"{name}c.cc.{kind} <d1:{kind}>, <c:{kind}>, <f:{kind}>; {name}c.{kind} <d2:{kind}>, <a>, <f>;")
        for half in ("lo", "hi"):
            yield (f"mad.{half}.cc.{kind} <d:{kind}>, <a:{kind}>, <b:{kind}>, <c:{kind}>; "
                   f"madc.{half}.cc.{kind} <d1:{kind}>, <b>, <c>, <f:{kind}>; "
                   f"madc.{half}.{kind} <d2:{kind}>, <a>, <f>, <c>; addc.{kind} <d3:{kind}>, <a>, 0;")


def bit_fields():
    for kind in ("b32", "b64"):
        yield form(f"popc.{kind}", "<d:u32>", f"<a:{kind}>")
        yield form(f"clz.{kind}", "<d:u32>", f"<a:{kind}>")
        yield op2(f"brev.{kind}", kind)
        yield form(f"bfi.{kind}", f"<d:{kind}>", f"<a:{kind}>", f"<b:{kind}>", "<c:u32~small>", "<f:u32~small>")
    for kind in ("u32", "s32", "u64", "s64"):
        yield form(f"bfind.{kind}", "<d:u32>", f"<a:{kind}>")
        yield form(f"bfind.shiftamt.{kind}", "<d:u32>", f"<a:{kind}>")
        yield form(f"bfe.{kind}", f"<d:{kind}>", f"<a:{kind}>", "<b:u32~small>", "<c:u32~small>")
    yield form("fns.b32", "<d:b32>", "<a:b32>", "<b:u32~lane>", "<c:s32~offset>")
    for mode in ("clamp", "wrap"):
        yield form(f"bmsk.{mode}.b32", "<d:b32>", "<a:u32~small>", "<b:u32~small>")
        for kind in ("u32", "s32"):
            yield form(f"szext.{mode}.{kind}", f"<d:{kind}>", f"<a:{kind}>", "<b:u32~small>")
    for x, y in product(("u32", "s32"), repeat=2):
        result = "s32" if "s32" in (x, y) else "u32"
        yield form(f"dp4a.{x}.{y}", f"<d:{result}>", f"<a:{x}>", f"<b:{y}>", f"<c:{result}>")
        for half in ("lo", "hi"):
            yield form(f"dp2a.{half}.{x}.{y}", f"<d:{result}>", f"<a:{x}>", f"<b:{y}>", f"<c:{result}>")


def logic():
    for kind in ["pred"] + BITS:
        for name in ("and", "or", "xor"):
            yield op3(f"{name}.{kind}", kind)
        yield op2(f"not.{kind}", kind)
        if kind != "pred":
            yield op2(f"cnot.{kind}", kind)
            yield form(f"shl.{kind}", f"<d:{kind}>", f"<a:{kind}>", "<b:u32~small>")
            yield form(f"shr.{kind}", f"<d:{kind}>", f"<a:{kind}>", "<b:u32~small>")
    for kind in INTS:
        yield form(f"shr.{kind}", f"<d:{kind}>", f"<a:{kind}>", "<b:u32~small>")
    for table in ("0x80", "0x1a", "0x96", "0xe8", "0x00", "0xff", "0xca"):
        yield form("lop3.b32", "<d:b32>", "<a:b32>", "<b:b32>", "<c:b32>", table)
    for gate in ("and", "or"):
        yield form(f"lop3.{gate}.b32", "<d:b32>|<e:pred>", "<a:b32>", "<b:b32>", "<c:b32>", "0x96", "<f:pred>")
    for way, mode in product("lr", ("wrap", "clamp")):
        yield form(f"shf.{way}.{mode}.b32", "<d:b32>", "<a:b32>", "<b:b32>", "<c:u32~small>")
    yield op4("prmt.b32", "b32")
    for mode in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        yield op4(f"prmt.b32.{mode}", "b32")


def floats():
    for ftz, sat, rounding in product(("", ".ftz"), ("", ".sat"), [""] + ["." + r for r in ROUNDINGS]):
        for name in ("add", "sub", "mul"):
            yield op3(f"{name}{rounding}{ftz}{sat}.f32", "f32")
        yield op4(f"fma{rounding}{ftz}{sat}.f32", "f32")
        yield op4(f"mad{rounding}{ftz}{sat}.f32", "f32")
    for rounding in [""] + ["." + r for r in ROUNDINGS]:
        for name in ("add", "sub", "mul", "div"):
            yield op3(f"{name}{rounding}.f64", "f64")
        yield op4(f"fma{rounding}.f64", "f64")
        yield op4(f"mad{rounding}.f64", "f64")
        yield op2(f"rcp{rounding}.f64", "f64")
        yield op2(f"sqrt{rounding}.f64", "f64")
    for ftz in ("", ".ftz"):
        for rounding in ROUNDINGS + ["approx", "full"]:
            yield op3(f"div.{rounding}{ftz}.f32", "f32")
            yield op2(f"rcp.{rounding}{ftz}.f32", "f32")
            yield op2(f"sqrt.{rounding}{ftz}.f32", "f32")
            yield op2(f"rsqrt.{rounding}{ftz}.f32", "f32")
        for name in ("sin", "cos", "lg2", "ex2", "tanh"):
            yield op2(f"{name}.approx{ftz}.f32", "f32")
        for name, nan, xor in product(("min", "max"), ("", ".NaN"), ("", ".xorsign.abs")):
            yield op3(f"{name}{ftz}{nan}{xor}.f32", "f32")
            yield op4(f"{name}{ftz}{nan}{xor}.f32", "f32")
        for name in ("neg", "abs"):
            yield op2(f"{name}{ftz}.f32", "f32")
    yield op2("rcp.approx.ftz.f64", "f64")
    yield op2("rsqrt.approx.f64", "f64")
    yield op2("rsqrt.approx.ftz.f64", "f64")
    for kind in ("f32", "f64"):
        yield op3(f"copysign.{kind}", kind)
        for test in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
            yield form(f"testp.{test}.{kind}", "<d:pred>", f"<a:{kind}>")
    for name in ("min", "max"):
        yield op3(f"{name}.f64", "f64")
    for name in ("neg", "abs"):
        yield op2(f"{name}.f64", "f64")


def halves():
    for kind in HALVES:
        for name, rounding, ftz, sat in product(("add", "sub", "mul"), ("", ".rn"), ("", ".ftz"), ("", ".sat")):
            yield op3(f"{name}{rounding}{ftz}{sat}.{kind}", kind)
        for ftz, sat in product(("", ".ftz"), ("", ".sat", ".relu")):
            yield op4(f"fma.rn{ftz}{sat}.{kind}", kind)
        yield op4(f"fma.rn.oob.{kind}", kind)
        yield op4(f"fma.rn.oob.relu.{kind}", kind)
        for ftz in ("", ".ftz"):
            for name, nan, xor in product(("min", "max"), ("", ".NaN"), ("", ".xorsign.abs")):
                yield op3(f"{name}{ftz}{nan}{xor}.{kind}", kind)
            for name in ("neg", "abs", "ex2.approx", "tanh.approx"):
                yield op2(f"{name}{ftz}.{kind}", kind)


def comparisons():
    orders = ["eq", "ne", "lt", "le", "gt", "ge"]
    unordered = orders + ["equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]
    for kind in BITS + INTS:
        for order in orders + ["lo", "ls", "hi", "hs"]:
            yield form(f"setp.{order}.{kind}", "<d:pred>|<e:pred>", f"<a:{kind}>", f"<b:{kind}>")
    for kind in ("f32", "f64", "f16", "bf16"):
        results = "<d:pred>|<e:pred>" if kind in ("f32", "f64") else "<d:pred>"
        for order, ftz in product(unordered, ("", ".ftz")):
            yield form(f"setp.{order}{ftz}.{kind}", results, f"<a:{kind}>", f"<b:{kind}>")
    for kind, order in product(("f16x2", "bf16x2"), unordered):
        yield form(f"setp.{order}.{kind}", "<d:pred>|<e:pred>", f"<a:{kind}>", f"<b:{kind}>")
    for gate, kind in product(("and", "or", "xor"), ("s32", "f32", "u64", "f16")):
        results = "<d:pred>" if kind == "f16" else "<d:pred>|<e:pred>"
        yield form(f"setp.lt.{gate}.{kind}", results, f"<a:{kind}>", f"<b:{kind}>", "<c:pred>")
        yield form(f"setp.ne.{gate}.{kind}", results, f"<a:{kind}>", f"<b:{kind}>", "!<c:pred>")
        yield form(f"set.gt.{gate}.u32.{kind}", "<d:u32>", f"<a:{kind}>", f"<b:{kind}>", "<c:pred>")
    for result, kind in product(("u32", "s32", "f32"), BITS + INTS + ["f32", "f64"]):
        for order in ("eq", "lt", "ge"):
            yield form(f"set.{order}.{result}.{kind}", f"<d:{result}>", f"<a:{kind}>", f"<b:{kind}>")
    for order, ftz, result in product(unordered, ("", ".ftz"), ("u32", "f32")):
        yield form(f"set.{order}{ftz}.{result}.f32", f"<d:{result}>", "<a:f32>", "<b:f32>")
    for result, kind in product(("f16", "u16", "s16", "u32", "s32", "f16x2", "bf16", "bf16x2"), HALVES):
        for order in ("eq", "ltu", "nan"):
            yield form(f"set.{order}.{result}.{kind}", f"<d:{result}>", f"<a:{kind}>", f"<b:{kind}>")
    for kind in BITS + INTS + ["f32", "f64"]:
        yield form(f"selp.{kind}", f"<d:{kind}>", f"<a:{kind}>", f"<b:{kind}>", "<c:pred>")
        for by in ("s32", "f32"):
            yield form(f"slct.{kind}.{by}", f"<d:{kind}>", f"<a:{kind}>", f"<b:{kind}>", f"<c:{by}>")
    yield form("slct.ftz.b32.f32", "<d:b32>", "<a:b32>", "<b:b32>", "<c:f32>")


def conversions():
    whole = ["u8", "s8"] + INTS
    real = ["f16", "bf16", "f32", "f64"]
    for to, source, sat in product(whole, whole, ("", ".sat")):
        yield form(f"cvt{sat}.{to}.{source}", f"<d:{to}>", f"<a:{source}>")
    for to, source, rounding, ftz, sat in product(whole, real, ("rni", "rzi", "rmi", "rpi"), ("", ".ftz"), ("", ".sat")):
        yield form(f"cvt.{rounding}{ftz}{sat}.{to}.{source}", f"<d:{to}>", f"<a:{source}>")
    for to, source, rounding, sat in product(real, whole, ROUNDINGS, ("", ".sat")):
        yield form(f"cvt.{rounding}{sat}.{to}.{source}", f"<d:{to}>", f"<a:{source}>")
    ways = [""] + ["." + r for r in ROUNDINGS + ["rni", "rzi", "rmi", "rpi", "rna"]]
    for to, source, rounding, ftz, sat in product(real, real, ways, ("", ".ftz"), ("", ".sat", ".relu", ".satfinite")):
        yield form(f"cvt{rounding}{ftz}{sat}.{to}.{source}", f"<d:{to}>", f"<a:{source}>")
    for to, rounding, relu in product(("f16x2", "bf16x2"), ("rn", "rz"), ("", ".relu")):
        yield form(f"cvt.{rounding}{relu}.{to}.f32", f"<d:{to}>", "<a:f32>", "<b:f32>")
    for rounding, relu in product(("rna", "rn", "rz"), ("", ".relu")):
        yield form(f"cvt.{rounding}{relu}.tf32.f32", "<d:b32>", "<a:f32>")
        yield form(f"cvt.{rounding}{relu}.satfinite.tf32.f32", "<d:b32>", "<a:f32>")
    for to, relu in product(("e4m3x2", "e5m2x2"), ("", ".relu")):
        yield form(f"cvt.rn.satfinite{relu}.{to}.f32", "<d:b16>", "<a:f32>", "<b:f32>")
        yield form(f"cvt.rn.satfinite{relu}.{to}.f16x2", "<d:b16>", "<a:f16x2>")
        yield form(f"cvt.rn{relu}.f16x2.{to}", "<d:f16x2>", "<a:b16>")
    for to in ("u16", "s16"):
        yield form(f"cvt.pack.sat.{to}.s32", "<d:b32>", "<a:s32>", "<b:s32>")
    for to in ("u8", "s8", "u4", "s4", "u2", "s2"):
        yield form(f"cvt.pack.sat.{to}.s32.b32", "<d:b32>", "<a:s32>", "<b:s32>", "<c:b32>")


def moves():
    for kind in ["pred"] + BITS + INTS + ["f32", "f64"]:
        yield op2(f"mov.{kind}", kind)
    yield "mov.b32 <d:b32>, {<a:b16>, <b:b16>};"
    yield "mov.b32 {<d:b16>, <e:b16>}, <a:b32>;"
    yield "mov.b64 <d:b64>, {<a:b32>, <b:b32>};"
    yield "mov.b64 {<d:b32>, <e:b32>}, <a:b64>;"
    yield "mov.b64 {_, <e:b32>}, <a:b64>;"
    yield "mov.b64 <d:b64>, {<a:b16>, <b:b16>, <c:b16>, <f:b16>};"
    yield "mov.b64 {<d:b16>, <d1:b16>, <d2:b16>, <d3:b16>}, <a:b64>;"
    yield "{ .reg .b128 %q; mov.b128 %q, {<a:b64>, <b:b64>}; mov.b128 {<d:b64>, <e:b64>}, %q; }"
    for name in ("tid.x", "ntid.x", "ctaid.x", "nctaid.x", "laneid", "lanemask_eq", "lanemask_le", "lanemask_lt",
                 "lanemask_ge", "lanemask_gt", "tid.y", "tid.z", "ntid.y", "ntid.z", "ctaid.y", "ctaid.z", "nctaid.y",
                 "nctaid.z", "clusterid.x", "cluster_ctarank", "cluster_nctarank", "cluster_ctaid.x",
                 "dynamic_smem_size"):
        yield f"mov.u32 <d:u32>, %{name};"
    yield "mov.u32 <d:u32>, WARP_SZ;"
    for space, place in (("global", "m"), ("shared", "s"), ("local", "l")):
        address = "cvt.u64.u32 %rd2, <s:16>;" if space == "shared" else f"mov.u64 %rd2, <{place}:16>;"
        yield (f"cvta.to.{space}.u64 | {address} cvta.{space}.u64 %rd0, %rd2; cvta.to.{space}.u64 %rd1, %rd0; "
               f"ld.u32 <d:u32>, [%rd0]; ld.{space}.u32 <e:u32>, [%rd1+4];")
        for asked in ("global", "shared", "shared::cta", "local", "const"):
            yield f"isspacep.{asked} | {address} cvta.{space}.u64 %rd0, %rd2; isspacep.{asked} <d:pred>, %rd0;"
    yield "@<f:pred> mov.b32 <d:b32>, <a:b32>; @!<f> mov.b32 <d>, <b:b32>;"
    yield "mov.b32 <d:b32>, <a:b32>; @<f:pred> add.s32 <d>, <a>, <b:s32>; @!<f> mul.lo.s32 <d>, <d>, 3;"


def memory():
    sizes = {"8": 1, "16": 2, "32": 4, "64": 8}
    kinds = [f"{letter}{size}" for letter in "bus" for size in sizes] + ["f32", "f64"]
    for place, space in (("m", ".global"), ("s", ".shared"), ("l", ".local")):
        for kind in kinds:
            yield f"ld{space}.{kind} <d:{kind}>, [<{place}:16>];"
            yield f"st{space}.{kind} [<{place}:16>], <a:{kind}>;"
        for kind, count in product(("b8", "u8", "s8", "u16", "s16", "b32", "f32", "b64", "f64"), (2, 4)):
            size = sizes[kind[1:]] * count
            if size > 16:
                continue
            outs = ", ".join(f"<d{i}:{kind}>" for i in range(count))
            ins = ", ".join(f"<{name}:{kind}>" for name in "abcf"[:count])
            yield f"ld{space}.v{count}.{kind} {{{outs}}}, [<{place}:16>];"
            yield f"st{space}.v{count}.{kind} [<{place}:16>], {{{ins}}};"
    yield "ld.global.s8 <d:s32>, [<m:16>+1];"
    yield "ld.global.u16 <d:u64>, [<m:16>+2];"
    yield "ld.global.s16 <d:s64>, [<m:16>+2];"
    yield "ld.global.v4.u32 {<d0:u32>, _, <d2:u32>, _}, [<m:16>];"
    yield "ld.global.b128 | { .reg .b128 %q; ld.global.b128 %q, [<m:16>]; mov.b128 {<d:b64>, <e:b64>}, %q; }"
    yield "st.global.b128 | { .reg .b128 %q; mov.b128 %q, {<a:b64>, <b:b64>}; st.global.b128 [<m:16>], %q; }"
    for how in (".ca", ".cg", ".cs", ".lu", ".cv", ".nc", ".L1::evict_last", ".L1::no_allocate", ".L2::128B"):
        yield f"ld.global{how}.u32 <d:u32>, [<m:16>];"
    for how in (".wb", ".cg", ".cs", ".wt", ".L1::evict_first"):
        yield f"st.global{how}.u32 [<m:16>], <a:u32>;"
    yield "ldu.global.u32 <d:u32>, [<m:16>];"
    for order, scope in product((".relaxed", ".acquire"), (".cta", ".gpu", ".sys", ".cluster")):
        yield f"ld{order}{scope}.global.u32 <d:u32>, [<m:16>];"
        yield f"st{order.replace('acquire', 'release')}{scope}.global.u32 [<m:16>], <a:u32>;"
    yield "ld.volatile.global.u32 <d:u32>, [<m:16>];"
    yield "st.volatile.global.u32 [<m:16>], <a:u32>;"
    yield "ld.weak.global.u64 <d:u64>, [<m:16>+8];"
    yield "prefetch.global.L1 [<m:16>]; mov.u32 <d:u32>, 1;"
    yield "prefetch.global.L2 [<m:16>]; mov.u32 <d:u32>, 2;"


def atomics():
    for place, space in (("m", ".global"), ("s", ".shared")):
        for kind in ("u32", "s32", "u64", "s64", "f32", "f64", "f16x2", "bf16x2", "f16", "bf16"):
            noftz = ".noftz" if "f16" in kind else ""
            for what in ("add", "min", "max", "inc", "dec"):
                yield f"atom{space}.{what}{noftz}.{kind} <d:{kind}>, [<{place}:16>], <a:{kind}>;"
                yield f"red{space}.{what}{noftz}.{kind} [<{place}:16>], <a:{kind}>;"
        for kind in ("b32", "b64"):
            for what in ("and", "or", "xor", "exch"):
                yield f"atom{space}.{what}.{kind} <d:{kind}>, [<{place}:16>], <a:{kind}>;"
                yield f"red{space}.{what}.{kind} [<{place}:16>], <a:{kind}>;"
        for kind in ("b16", "b32", "b64"):
            load = f"atom{space}.cas.{kind} | ld{space}.{kind} <e:{kind}>, [<{place}:16>];"
            yield f"atom{space}.cas.{kind} <d:{kind}>, [<{place}:16>], <a:{kind}>, <b:{kind}>;"
            yield f"{load} atom{space}.cas.{kind} <d:{kind}>, [<{place}>], <e>, <b:{kind}>;"
        yield (f"atom{space}.exch.b128 | " "{ .reg .b128 %q, %p2, %x2; mov.b128 %q, {<a:b64>, <b:b64>}; "
               f"atom{space}.exch.b128 %x2, [<{place}:16>], %q; mov.b128 {{<d:b64>, <e:b64>}}, %x2; }}")
        for what, kind in product(("add", "min", "max", "and", "or", "xor", "inc", "dec"), ("u32", "s32", "b32", "u64", "b64")):
            together = "w" if place == "m" else "v"
            yield f"red{space}.{what}.{kind} [<{together}:16>], <a:{kind}>;"
    for order, scope in product((".relaxed", ".acquire", ".release", ".acq_rel"), (".cta", ".gpu", ".sys", ".cluster")):
        yield f"atom{order}{scope}.global.add.u32 <d:u32>, [<m:16>], <a:u32>;"
    yield "atom.add.u32 <d:u32>, [<m:16>], <a:u32>;"
    for count, kind in ((2, "f32"), (4, "f32"), (2, "f16"), (4, "f16"), (2, "f16x2"), (4, "f16x2"), (2, "bf16x2")):
        noftz = ".noftz" if "f16" in kind else ""
        ins = ", ".join(f"<{name}:{kind}>" for name in "abcf"[:count])
        outs = ", ".join(f"<d{i}:{kind}>" for i in range(count))
        yield f"atom.global.v{count}.{kind}.add{noftz} {{{outs}}}, [<m:16>], {{{ins}}};"
        yield f"atom.global.add{noftz}.v{count}.{kind} {{{outs}}}, [<m:16>], {{{ins}}};"
        yield f"red.global.add{noftz}.v{count}.{kind} [<m:16>], {{{ins}}};"


def warps():
    for mode, clamp in (("up", "0"), ("down", "31"), ("bfly", "31"), ("idx", "31"), ("up", "0x1800"), ("down", "0x181f"),
                        ("idx", "0x101f"), ("bfly", "0x1c1f")):
        yield f"shfl.sync.{mode}.b32 <d:b32>|<e:pred>, <a:b32>, <b:u32~lane>, {clamp}, -1;"
    yield "shfl.sync.idx.b32 <d:b32>, <a:b32>, 3, 31, -1;"
    yield "shfl.sync.bfly.b32 | setp.lt.u32 %p0, %x4, 16; @%p0 shfl.sync.bfly.b32 <d:b32>, <a:b32>, 8, 31, 0xffff;"
    for mode in ("all", "any", "uni"):
        yield f"vote.sync.{mode}.pred <d:pred>, <a:pred>, -1;"
        yield f"vote.sync.{mode}.pred <d:pred>, !<a:pred>, -1;"
    yield "vote.sync.ballot.b32 <d:b32>, <a:pred>, -1;"
    yield "vote.sync.ballot.b32 | and.b32 %r0, %x4, 3; setp.eq.u32 %p0, %r0, 1; mov.b32 <d:b32>, 0; @%p0 vote.sync.ballot.b32 <d>, <a:pred>, 0x22222222;"
    for kind in ("b32", "b64"):
        yield f"match.any.sync.{kind} | and.{kind} <e:{kind}>, <a:{kind}>, 3; match.any.sync.{kind} <d:b32>, <e>, -1;"
        yield f"match.all.sync.{kind} <d:b32>|<e:pred>, <a:{kind}>, -1;"
        yield f"match.all.sync.{kind} | and.{kind} <d1:{kind}>, <a:{kind}>, 0; match.all.sync.{kind} <d:b32>|<e:pred>, <d1>, -1;"
    for what, kind in product(("add", "min", "max", "and", "or", "xor"), ("u32", "s32", "b32")):
        yield f"redux.sync.{what}.{kind} <d:{kind}>, <a:{kind}>, -1;"
    yield "activemask.b32 <d:b32>;"
    yield ("barrier.arrive | setp.lt.u32 %p1, %x6, 64; @%p1 bra PRODUCE; barrier.sync 7, 128; bra DONE; "
           "PRODUCE: barrier.arrive 7, 128; DONE: mov.u32 <d:u32>, %x6;")
    yield ("mapa.shared::cluster.u32 | st.shared.u32 [<s:16>], <a:u32>; mapa.shared::cluster.u32 %r0, <s>, 0; "
           "ld.shared::cluster.u32 <d:u32>, [%r0]; getctarank.shared::cluster.u32 <d1:u32>, %r0;")
    yield "prefetchu.L1 | cvta.to.global.u64 %rd0, <m:16>; prefetchu.L1 [%rd0]; mov.u32 <d:u32>, 3;"
    yield "createpolicy.fractional.L2::evict_last.b64 %rd0, 1.0; ld.global.L2::cache_hint.u32 <d:u32>, [<m:16>], %rd0;"
    yield "applypriority.global.L2::evict_normal | cvta.global.u64 %rd0, <m:16>; and.b64 %rd0, %rd0, -128; applypriority.global.L2::evict_normal [%rd0], 128; mov.u32 <d:u32>, 4;"
    yield ("alloca.u64 | stacksave.u64 %rd0; alloca.u64 %rd1, 16, 8; st.local.u32 [%rd1], <a:u32>; ld.local.u32 <d:u32>, [%rd1]; "
           "stackrestore.u64 %rd0; mov.u32 <e:u32>, 1;")
    yield "membar.proxy.alias; mov.u32 <d:u32>, 6;"
    yield "elect.sync <d:b32>|<e:pred>, -1;"
    yield "bar.warp.sync -1; mov.u32 <d:u32>, 1;"
    for what in ("popc.u32", "and.pred", "or.pred"):
        kind = what.split(".")[1]
        for name in ("bar", "barrier"):
            yield f"{name}.red.{what} <d:{kind}>, 0, <a:pred>;"
        yield f"barrier.cta.red.aligned.{what} <d:{kind}>, 1, !<a:pred>;"
    for name in ("bar.sync 0", "bar.sync 1, 128", "barrier.sync 2", "barrier.cta.sync.aligned 3, 128", "bar.cta.sync 4"):
        yield (f"{name.split(' ')[0]} | st.shared.u32 [<s:16>], <a:u32>; {name}; sub.u32 %r0, %x7, %x5; ld.shared.u32 <d:u32>, [%r0];")
    yield ("bar.arrive | setp.lt.u32 %p0, %x4, 32; st.shared.u32 [<s:16>], <a:u32>; setp.lt.u32 %p1, %x6, 64; "
           "@%p1 bra PRODUCE; bar.sync 5, 128; bra DONE; PRODUCE: bar.arrive 5, 128; DONE: "
           "bar.sync 6; mov.u32 <d:u32>, %x6;")
    for fence in ("membar.cta", "membar.gl", "membar.sys", "fence.sc.cta", "fence.sc.gpu", "fence.acq_rel.gpu",
                  "fence.acq_rel.sys", "fence.proxy.async", "fence.proxy.alias", "nanosleep.u32 20", "griddepcontrol.wait",
                  "griddepcontrol.launch_dependents", "barrier.cluster.arrive; barrier.cluster.wait", "pmevent 1"):
        yield f"{fence.split(' ')[0].split(';')[0]} | st.global.u32 [<m:16>], <a:u32>; {fence}; ld.global.u32 <d:u32>, [<m>];"


def control():
    yield "bra | setp.lt.s32 %p0, <a:s32>, 0; mov.u32 <d:u32>, 1; @%p0 bra SKIP; mov.u32 <d>, 2; SKIP: add.u32 <d>, <d>, 4;"
    yield "bra | mov.u32 <d:u32>, 0; and.b32 %r0, <a:u32>, 15; LOOP: add.u32 <d>, <d>, %r0; sub.s32 %r0, %r0, 1; setp.ge.s32 %p0, %r0, 0; @%p0 bra LOOP;"
    yield ("brx.idx | and.b32 %r0, <a:u32>, 3; TABLE: .branchtargets L0, L1, L2, L3; brx.idx %r0, TABLE; "
           "L0: mov.u32 <d:u32>, 10; bra.uni DONE; L1: mov.u32 <d>, 11; bra.uni DONE; L2: mov.u32 <d>, 12; bra.uni DONE; "
           "L3: mov.u32 <d>, 13; DONE: add.u32 <d>, <d>, 1;")
    yield "bra.uni | mov.u32 <d:u32>, 7; setp.ne.u32 %p0, <a:u32>, 0; @%p0 bra.uni NEXT; NEXT: add.u32 <d>, <d>, 1;"
    yield "call.uni | { .param .b32 x; .param .b32 y; st.param.b32 [x], <a:u32>; call.uni (y), twice, (x); ld.param.b32 <d:u32>, [y]; }"
    yield "call | { .param .b32 x; .param .b32 y; and.b32 %r0, <a:u32>, 7; st.param.b32 [x], %r0; call (y), factorial, (x); ld.param.b32 <d:u32>, [y]; }"
    yield ("call.indirect | { .reg .b64 %fp; .param .b32 x; .param .b32 y; st.param.b32 [x], <a:u32>; mov.u64 %fp, twice; "
           "PROTO: .callprototype (.param .b32 _) _ (.param .b32 _); call (y), %fp, (x), PROTO; ld.param.b32 <d:u32>, [y]; }")
    yield ("call.uni | { .param .align 8 .b8 x[16]; .param .b64 y; st.param.v2.b64 [x], {<a:u64>, <b:u64>}; "
           "call.uni (y), pair_sum, (x); ld.param.b64 <d:u64>, [y]; }")


    yield "exit | setp.lt.s32 %p0, <a:s32>, 0; mov.u32 <d:u32>, 5; @%p0 st.global.u32 [%y2], 9; @%p0 exit; add.u32 <d>, <d>, 1;"
    yield "ret | setp.lt.s32 %p0, <a:s32>, 0; mov.u32 <d:u32>, 5; @%p0 st.global.u32 [%y2], 8; @%p0 ret; add.u32 <d>, <d>, 2;"


def asynchronous():
    for how, size in (("ca", 4), ("ca", 8), ("ca", 16), ("cg", 16)):
        yield (f"cp.async.{how}.shared.global [<s:16>], [<m:16>], {size}; cp.async.commit_group; cp.async.wait_group 0; "
               "ld.shared.u32 <d:u32>, [<s>];")
        yield f"cp.async.{how}.shared.global | and.b32 %r0, <a:u32>, 3; cp.async.{how}.shared.global [<s:16>], [<m:16>], {size}, %r0; cp.async.wait_all;"
    yield ("mbarrier.try_wait.shared.b64 | { .shared .align 8 .b64 bar; setp.eq.u32 %p0, %x6, 0; @%p0 mbarrier.init.shared.b64 [bar], 128; bar.sync 0; "
           "mbarrier.arrive.shared.b64 %rd0, [bar]; WAIT: mbarrier.try_wait.shared.b64 %p1, [bar], %rd0; @!%p1 bra WAIT; "
           "mov.u32 <d:u32>, 1; }")
    one = ".shared .align 8 .b64 bar; setp.ne.u32 %p0, %x6, 0; @%p0 bra DONE; mbarrier.init.shared.b64 [bar], 5; "
    yield ("mbarrier.pending_count.b64 | { " + one + "mbarrier.arrive.shared.b64 %rd0, [bar]; mbarrier.pending_count.b64 <d:u32>, %rd0; "
           "mbarrier.arrive.shared.b64 %rd0, [bar], 2; mbarrier.pending_count.b64 <d1:u32>, %rd0; "
           "mbarrier.arrive.noComplete.shared.b64 %rd0, [bar], 1; mbarrier.pending_count.b64 <d2:u32>, %rd0; DONE: }")
    yield ("mbarrier.test_wait.shared.b64 | { " + one + "mbarrier.arrive.shared.b64 %rd0, [bar], 4; mbarrier.test_wait.shared.b64 %p1, [bar], %rd0; "
           "selp.u32 <d:u32>, 1, 0, %p1; mbarrier.arrive.shared.b64 %rd1, [bar]; mbarrier.test_wait.shared.b64 %p1, [bar], %rd0; "
           "selp.u32 <d1:u32>, 1, 0, %p1; mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0; selp.u32 <d2:u32>, 1, 0, %p1; "
           "mbarrier.test_wait.parity.shared.b64 %p1, [bar], 1; selp.u32 <d3:u32>, 1, 0, %p1; DONE: }")
    yield ("mbarrier.arrive_drop.shared.b64 | { " + one + "mbarrier.arrive_drop.shared.b64 %rd0, [bar]; mbarrier.arrive.shared.b64 %rd1, [bar], 4; "
           "mbarrier.test_wait.shared.b64 %p1, [bar], %rd0; selp.u32 <d:u32>, 1, 0, %p1; mbarrier.arrive.shared.b64 %rd0, [bar], 4; "
           "mbarrier.test_wait.shared.b64 %p1, [bar], %rd0; selp.u32 <d1:u32>, 1, 0, %p1; mbarrier.inval.shared.b64 [bar]; DONE: }")
    yield ("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 | { " + one + "mbarrier.arrive.shared.b64 %rd0, [bar], 5; "
           "mbarrier.test_wait.shared.b64 %p1, [bar], %rd0; selp.u32 <d:u32>, 1, 0, %p1; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 8; "
           "mbarrier.arrive.shared.b64 %rd0, [bar], 5; mbarrier.test_wait.shared.b64 %p1, [bar], %rd0; selp.u32 <d1:u32>, 1, 0, %p1; "
           "mbarrier.complete_tx.shared::cta.b64 [bar], 8; mbarrier.test_wait.shared.b64 %p1, [bar], %rd0; selp.u32 <d2:u32>, 1, 0, %p1; DONE: }")
    yield ("mbarrier.arrive_drop.expect_tx.shared.b64 | { " + one + "mbarrier.arrive.shared.b64 %rd0, [bar], 4; "
           "mbarrier.arrive_drop.expect_tx.shared.b64 %rd1, [bar], 16; mbarrier.test_wait.shared.b64 %p1, [bar], %rd0; "
           "selp.u32 <d:u32>, 1, 0, %p1; mbarrier.complete_tx.shared::cta.b64 [bar], 16; mbarrier.arrive.shared.b64 %rd0, [bar], 4; "
           "mbarrier.test_wait.shared.b64 %p1, [bar], %rd0; selp.u32 <d1:u32>, 1, 0, %p1; DONE: }")
    yield ("cp.async.bulk.global.shared::cta.bulk_group | { .shared .align 16 .b8 tile[2048]; mov.u32 %r1, tile; shl.b32 %r3, %x6, 4; "
           "add.u32 %r1, %r1, %r3; st.shared.v4.u32 [%r1], {<a:u32>, <b:u32>, <c:u32>, <f:u32>}; fence.proxy.async; bar.sync 0; "
           "cp.async.bulk.global.shared::cta.bulk_group [<m:16>], [%r1], 16; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; }")
    yield "cp.async.bulk.prefetch.L2.global [<m:16>], 16; mov.u32 <d:u32>, 7;"
    yield ("mbarrier.arrive.expect_tx.shared.b64 | { " + one + "mbarrier.arrive.shared.b64 %rd0, [bar], 4; mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 16; "
           "mbarrier.test_wait.shared.b64 %p1, [bar], %rd0; selp.u32 <d:u32>, 1, 0, %p1; mbarrier.complete_tx.shared::cta.b64 [bar], 16; "
           "mbarrier.test_wait.shared.b64 %p1, [bar], %rd0; selp.u32 <d1:u32>, 1, 0, %p1; DONE: }")
    yield ("cp.async.mbarrier.arrive.noinc.shared.b64 | { .shared .align 8 .b64 bar; setp.eq.u32 %p0, %x6, 0; @%p0 mbarrier.init.shared.b64 [bar], 128; bar.sync 0; "
           "cp.async.ca.shared.global [<s:16>], [<m:16>], 16; cp.async.mbarrier.arrive.noinc.shared.b64 [bar]; "
           "WAIT: mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra WAIT; ld.shared.u32 <d:u32>, [<s>+4]; }")
    yield ("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes | { .shared .align 8 .b64 bar; .shared .align 16 .b8 tile[2048]; setp.eq.u32 %p0, %x6, 0; "
           "@!%p0 bra READY; mbarrier.init.shared.b64 [bar], 1; fence.mbarrier_init.release.cluster; "
           "mov.u32 %r1, tile; mov.u32 %r2, bar; mbarrier.arrive.expect_tx.shared.b64 %rd0, [bar], 2048; "
           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [<m:16>], 2048, [%r2]; READY: bar.sync 0; "
           "WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra WAIT; mov.u32 %r1, tile; shl.b32 %r3, %x6, 4; "
           "add.u32 %r1, %r1, %r3; ld.shared.u32 <d:u32>, [%r1]; ld.shared.u32 <d1:u32>, [%r1+12]; }")


def matrices():
    yield from wmma()
    for kind in ("f16", "bf16"):
        value = f"{kind}x2~unit"
        yield (f"mma.sync.aligned.m16n8k8.row.col.f32.{kind}.{kind}.f32 {{<d0:f32>, <d1:f32>, <d2:f32>, <d3:f32>}}, "
               f"{{<a:{value}>, <b:{value}>}}, {{<c:{value}>}}, {{<f:f32~unit>, <g:f32~unit>, <f>, <g>}};")
        yield (f"mma.sync.aligned.m16n8k16.row.col.f32.{kind}.{kind}.f32 {{<d0:f32>, <d1:f32>, <d2:f32>, <d3:f32>}}, "
               f"{{<a:{value}>, <b:{value}>, <c:{value}>, <f:{value}>}}, {{<g:{value}>, <h:{value}>}}, {{<i:f32~unit>, <i>, <i>, <i>}};")
    yield ("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {<d0:f16x2>, <d1:f16x2>}, "
           "{<a:f16x2~unit>, <b:f16x2~unit>, <c:f16x2~unit>, <f:f16x2~unit>}, {<g:f16x2~unit>, <h:f16x2~unit>}, {<i:f16x2~unit>, <i>};")
    for kind in ("s8", "u8"):
        yield (f"mma.sync.aligned.m16n8k16.row.col.s32.{kind}.{kind}.s32 {{<d0:s32>, <d1:s32>, <d2:s32>, <d3:s32>}}, "
               "{<a:b32>, <b:b32>}, {<c:b32>}, {<f:s32>, <g:s32>, <f>, <g>};")
        yield (f"mma.sync.aligned.m16n8k32.row.col.s32.{kind}.{kind}.s32 {{<d0:s32>, <d1:s32>, <d2:s32>, <d3:s32>}}, "
               "{<a:b32>, <b:b32>, <c:b32>, <f:b32>}, {<g:b32>, <h:b32>}, {<i:s32>, <i>, <i>, <i>};")
    yield ("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {<d0:f32>, <d1:f32>, <d2:f32>, <d3:f32>}, "
           "{<a:b32~tf32>, <b:b32~tf32>, <c:b32~tf32>, <f:b32~tf32>}, {<g:b32~tf32>, <h:b32~tf32>}, {<i:f32~unit>, <i>, <i>, <i>};")
    for count, regs in (("x1", "<d0:b32>"), ("x2", "<d0:b32>, <d1:b32>"), ("x4", "<d0:b32>, <d1:b32>, <d2:b32>, <d3:b32>")):
        for trans in ("", ".trans"):
            yield f"ldmatrix.sync.aligned.m8n8.{count}{trans}.shared.b16 {{{regs}}}, [<s:16>];"
    for trans in ("", ".trans"):
        yield f"stmatrix.sync.aligned.m8n8.x1{trans}.shared.b16 [<s:16>], {{<a:b32>}};"
        yield f"stmatrix.sync.aligned.m8n8.x4{trans}.shared.b16 [<s:16>], {{<a:b32>, <b:b32>, <c:b32>, <f:b32>}};"
    yield "movmatrix.sync.aligned.m8n8.trans.b16 <d:b32>, <a:b32>;"


def wmma():
    """Yields whole products. Fragments are opaque, so the matrices lie in the warp's part of shared memory."""
    for shape, result in product(("m16n16k16", "m32n8k16", "m8n32k16"), ("f32", "f16")):
        registers = 8 if result == "f32" else 4
        kind = "f32" if result == "f32" else "f16x2"
        accumulators = ", ".join(f"%wd{i}" for i in range(registers))
        inputs_a = ", ".join(f"%wa{i}" for i in range(8))
        inputs_b = ", ".join(f"%wb{i}" for i in range(8))
        m, n, k = {"m16n16k16": (16, 16, 16), "m32n8k16": (32, 8, 16), "m8n32k16": (8, 32, 16)}[shape]
        words = m * n * (4 if result == "f32" else 2) // 128
        outputs = " ".join(f"ld.shared.b32 <d{i}:b32>, [%r5+{128 * i}];" for i in range(words))
        register_kind = ".f32" if result == "f32" else ".b32"
        for rows_a, rows_b in (("row", "col"), ("col", "row"), ("row", "row")):
            yield (f"wmma.mma.sync.aligned.{rows_a}.{rows_b}.{shape}.{result}.{result} | {{ .shared .align 32 .b8 wma[8192]; .shared .align 32 .b8 wmd[8192]; .reg .b32 {inputs_a}, {inputs_b}; .reg {register_kind} {accumulators}; "
                   "shr.u32 %r0, %x6, 5; shl.b32 %r1, %r0, 11; mov.u32 %r2, wma; add.u32 %r1, %r1, %r2; "
                   "shl.b32 %r3, %x4, 2; add.u32 %r4, %r1, %r3; "
                   "st.shared.b32 [%r4], <a:f16x2~unit>; st.shared.b32 [%r4+128], <b:f16x2~unit>; st.shared.b32 [%r4+256], <c:f16x2~unit>; st.shared.b32 [%r4+384], <f:f16x2~unit>; "
                   "st.shared.b32 [%r4+512], <g:f16x2~unit>; st.shared.b32 [%r4+640], <h:f16x2~unit>; st.shared.b32 [%r4+768], <b>; st.shared.b32 [%r4+896], <f>; "
                   "st.shared.b32 [%r4+1024], <c>; st.shared.b32 [%r4+1152], <a>; st.shared.b32 [%r4+1280], <g>; st.shared.b32 [%r4+1408], <h>; bar.sync 0; "
                   f"wmma.load.a.sync.aligned.{rows_a}.{shape}.shared.f16 {{{inputs_a}}}, [%r1]; "
                   f"add.u32 %r2, %r1, 512; wmma.load.b.sync.aligned.{rows_b}.{shape}.shared.f16 {{{inputs_b}}}, [%r2]; "
                   + "".join(f"mov.b32 %wd{i}, <i:{kind}~unit>; " for i in range(1))
                   + "".join(f"mov.b32 %wd{i}, %wd0; " for i in range(1, registers)) +
                   f"wmma.mma.sync.aligned.{rows_a}.{rows_b}.{shape}.{result}.{result} {{{accumulators}}}, {{{inputs_a}}}, {{{inputs_b}}}, {{{accumulators}}}; "
                   "mov.u32 %r5, wmd; shl.b32 %r0, %r0, 10; add.u32 %r5, %r5, %r0; "
                   f"wmma.store.d.sync.aligned.row.{shape}.shared.{result} [%r5], {{{accumulators}}}; bar.sync 0; add.u32 %r5, %r5, %r3; {outputs} }}")


def nans():
    """Yields forms that show which NaN results from which input NaNs."""
    def inputs(kind, count):
        return [f"<{name}:{kind}~nan>" for name in "abc"[:count]]
    for kind in ("f16", "bf16", "f32", "f64"):
        rounding = ".rn" if kind in ("f32", "f64") else ""
        for name in ("add", "sub", "mul", "min", "max", "copysign"):
            yield form(f"{name}.{kind}", f"<d:{kind}>", *inputs(kind, 2))
        yield form(f"fma.rn.{kind}", f"<d:{kind}>", *inputs(kind, 3))
        yield form(f"fma.rn.relu.{kind}", f"<d:{kind}>", *inputs(kind, 3))
        yield form(f"div.rn.{kind}", f"<d:{kind}>", *inputs(kind, 2))
        for name in ("neg", "abs", f"sqrt{rounding}", f"rcp{rounding}"):
            yield form(f"{name}.{kind}", f"<d:{kind}>", *inputs(kind, 1))
        for other in ("f16", "bf16", "f32", "f64"):
            for way in ("", ".rn", ".rz", ".rni", ".ftz", ".sat", ".rn.sat", ".rn.relu", ".rn.satfinite"):
                yield form(f"cvt{way}.{other}.{kind}", f"<d:{other}>", *inputs(kind, 1))
        for other in ("s8", "u16", "s32", "u32", "s64", "u64"):
            yield form(f"cvt.rzi.{other}.{kind}", f"<d:{other}>", *inputs(kind, 1))
        noftz = "" if kind in ("f32", "f64") else ".noftz"
        for space, place in (("global", "m"), ("shared", "s")):
            yield f"atom.{space}.add{noftz}.{kind} <d:{kind}>, [<{place}:16>], <a:{kind}~nan>;"
    for rounding in ("rn", "rna", "rz"):
        yield f"cvt.{rounding}.tf32.f32 <d:b32>, <a:f32~nan>;"
    yield "cvt.rn.f16x2.f32 <d:f16x2>, <a:f32~nan>, <b:f32~nan>;"
    yield "cvt.rn.relu.bf16x2.f32 <d:bf16x2>, <a:f32~nan>, <b:f32~nan>;"
    yield "rcp.approx.ftz.f64 <d:f64>, <a:f64~nan>;"
    yield "rsqrt.approx.ftz.f64 <d:f64>, <a:f64~nan>;"
    yield "rsqrt.approx.f64 <d:f64>, <a:f64~nan>;"


FAMILIES = [integers, logic, floats, nans, halves, comparisons, conversions, moves, memory, atomics, warps, control, asynchronous,
            matrices]
