"""The exercises of the course: each solution gets all points, each starter file misses a goal, and wrong solutions miss
the goals that they should miss."""

import json
import tempfile
from pathlib import Path

from harness import ROOT, clean_environment, run

LIMIT_S = 900
LEAST_EXERCISES = 40

# Wrong solutions: the exercise, what is replaced in its solution (old, new, …), and the goals that this misses. Goals
# that only wait for a right result are not listed.
VARIANTS = [
    ("first_steps/compute_the_index", ("blockIdx.x * blockDim.x", "blockIdx.x"), {"result", "loads"}),
    ("first_steps/compute_the_index", ("blockIdx.x * blockDim.x", "blockIdx.x * 32"), {"result", "loads"}),
    ("first_steps/add_the_guard", ("i < n", "i <= n"), {"result", "no_problem"}),
    ("first_steps/add_the_guard", ("i < n", "i + 1 < n"), {"result"}),
    ("first_steps/any_grid", ("unsigned threads = gridDim.x * blockDim.x", "unsigned threads = blockDim.x"), {"stores"}),
    ("first_steps/any_grid", ("i < n", "i <= n"), {"result", "no_problem", "stores", "coalescing"}),
    ("first_steps/reverse", ("n - 1 - i", "n - i"), {"result", "no_problem", "loads", "coalescing"}),
    ("first_steps/reverse", ("i < n", "i < n / 2"), {"result"}),
    ("memory/turn_it_round", ("row >= n || col >= n", "row > n || col > n"), {"result", "no_problem"}),
    ("memory/one_load", ("p.x + p.y + p.z + p.w", "p.x + p.y + p.z"), {"result"}),
    ("memory/one_load", ("int4 p = points[i];", "int4 p = points[i], q = points[i];", "p.w", "q.w"), {"loads"}),
    ("barriers/wait_for_the_tile", ("__syncthreads();", "__syncwarp();"), {"result", "no_problem"}),
    ("barriers/wait_for_the_tile", ("__syncthreads();", "__syncthreads();\n    __syncthreads();"), {"phases"}),
    ("barriers/all_threads_wait", ("    __syncthreads();\n", "    if (t < 32)\n        __syncthreads();\n"), {"no_problem", "result"}),
    ("reduction/fix_the_race", ("        __syncthreads();\n        if (t < stride)\n            s[t]",
                                "        if (t < stride) {\n            __syncthreads();\n            s[t]", "+ stride];\n    }", "+ stride];\n        }\n    }"),
     {"no_problem"}),
    ("reduction/fix_the_race", ("        __syncthreads();\n", "", "    for (unsigned stride", "    __syncthreads();\n    for (unsigned stride"), {"result", "no_problem"}),
    ("reduction/remove_the_divergence", ("index < 2 * blockDim.x", "index < blockDim.x"), {"result", "divergence"}),
    ("reduction/remove_the_divergence", ("if (index < 2 * blockDim.x)\n            s[index] += s[index + stride]",
                                         "index = 2 * t;\n        if (t % stride == 0)\n            s[index] += s[index + stride]"), {"divergence"}),
    ("reduction/any_n", ("i < n", "i <= n"), {"result", "no_problem", "loads", "conflicts", "depth"}),
    ("reduction/any_n", ("for (unsigned i = t; i < n; i += blockDim.x)", "if (unsigned i = t; i < n)"), {"result"}),
    ("reduction/neutral_element", ("INT_MIN", "-1000"), {"result"}),
    ("reduction/neutral_element", ("INT_MIN", "INT_MIN + 1"), {"result"}),
    ("reduction/neutral_element", ("INT_MIN", "in[0]"), {"loads"}),
    ("reduction/registers_only", ("stride = 16", "stride = 8"), {"result"}),
    ("reduction/registers_only", ("        sum += __shfl", "        if (i < n) sum += __shfl"), {"no_problem"}),
    ("reduction/one_atomic_per_block", ("        __syncthreads();\n", ""), {"result", "no_problem"}),
    ("reduction/one_atomic_per_block", ("        atomicAdd(out, s[0]);", "        for (unsigned k = 0; k < s[0]; ++k) atomicAdd(out, 1);"), {"result", "atomics"}),
    ("scan/fix_the_race", ("            left = s[t - stride];\n        __syncthreads();\n", "            left = s[t - stride];\n"), {"no_problem", "result"}),
    ("scan/make_it_exclusive", ("t > 0 ? in[t - 1] : 0", "t > 0 ? in[t - 1] : in[0]"), {"result"}),
    ("scan/make_it_exclusive", ("t > 0 ? in[t - 1] : 0", "in[t + 1]"), {"result", "no_problem", "depth"}),
    ("histogram/guard_the_bins", ("letter >= 0 && ", ""), {"result", "no_problem"}),
    ("histogram/guard_the_bins", ("letter >= 0", "letter > 0"), {"result"}),
    ("histogram/privatise", ("    if (t < 7)\n        s[t] = 0;\n", ""), {"no_problem"}),
    ("histogram/privatise", ("unsigned s[7]", "unsigned s[8]"), {"shared_bytes"}),
    ("convolution/mind_the_border", ("first + k >= 0", "first + k > 0"), {"result"}),
    ("convolution/mind_the_border", ("first + k < n", "first + k <= n"), {"result", "no_problem"}),
    ("transpose/remove_the_conflicts", ("TILE + 1", "TILE + 2"), {"conflicts"}),
    ("transpose/remove_the_conflicts", ("TILE + 1", "TILE + 32"), {"conflicts", "shared_bytes"}),
    ("atomics/compare_and_swap", ("        if (old == seen)\n            return;\n        seen = old;", "        return;"), {"result"}),
    ("atomics/compare_and_swap", ("int old = atomicCAS(address, seen, seen * factor);", "int old = seen; *address = seen * factor;"), {"result", "no_problem"}),
    ("cooperation/which_block_is_last", ("place == gridDim.x - 1", "place == 0"), {"result", "no_problem"}),
    ("cooperation/hand_over", ("            atomicExch(ready, 1);", "            atomicExch(ready, 0);"), {"result", "no_problem", "uses box"}),
    ("cooperation/hand_over", ("        __syncthreads();\n        if (t == 0)\n            atomicExch", "        if (t == 0)\n            atomicExch"), {"no_problem"}),
    ("sorting/which_direction", ("(i & size) == 0", "(t & size) == 0"), {"result"}),
    ("sorting/which_direction", ("            __syncthreads();\n            unsigned i", "            unsigned i"), {"result", "no_problem"}),
    ("sorting/keep_the_order", ("zeros + before", "zeros + t"), {"result", "no_problem"}),
    ("sorting/sort_by_rank", (" || (in[k] == in[i] && k < i)", ""), {"result"}),
    ("sorting/sort_by_rank", ("k < i)", "k <= i)"), {"result", "no_problem", "avoids atomics"}),
    ("performance/break_the_chain", ("a += in[k * n + i];", "a += in[k * n + i] + in[k * n + i] - in[k * n + i];"), {"loads"}),
    ("performance/break_the_chain", ("(k + 1) * n + i", "(k + 1) + n * i"), {"result", "no_problem"}),
    ("performance/one_tile_is_enough", ("tile[16][64]", "tile[17][64]"), {"shared_bytes"}),
    ("performance/one_tile_is_enough", ("__syncthreads", "__syncwarp"), {"result", "no_problem"}),
    ("performance/no_local_memory", ("        int factor = 1;\n        for (unsigned k = 0; k < i % 4; ++k)\n            factor *= 10;\n",
                                     "        int factors[4] = {1, 10, 100, 1000}, factor = factors[i % 4];\n"), {"avoids local"}),
    ("performance/no_local_memory", ("k < i % 4", "k <= i % 4"), {"result"}),
    ("performance/more_for_each_byte", ("3 * x[i] + y[i]", "x[i] + x[i] + x[i] + y[i]"), {"loads"}),
    ("performance/more_for_each_byte", ("out[i] = 3 * x[i] + y[i];", "{ int p = 3 * x[i]; products[i] = p; out[i] = p + y[i]; }"), {"stores"}),
    ("performance/equal_shares", ("n - 1 - t", "n / 2 + t"), {"result"}),
    ("performance/equal_shares", ("        out[t] = sum", "        out[t] = 0;\n        out[t] = sum"), {"stores"}),
    ("performance/one_launch_for_all", ("out + a, length", "out, length"), {"result", "no_problem"}),
    ("performance/one_launch_for_all", ("    int a = blockIdx.x;\n", "    for (int a = 0; a < arrays; ++a)\n"), {"result", "loads", "stores"}),
    ("performance/two_mistakes", ("s[128][33]", "s[128][32]"), {"conflicts"}),
    ("performance/two_mistakes", ("    __syncthreads();\n    if (row < rows) {", "    if (row < rows) {\n        __syncthreads();"), {"no_problem"}),
]


def check(build, *options):
    with tempfile.TemporaryDirectory(prefix="lanescope-exercises-") as home:
        return run([str(build / "lanescope"), "check", *options], cwd=ROOT, env=clean_environment(home), timeout_s=LIMIT_S)


def list_exercises(build):
    code, out, err = check(build, "--list", "--json")
    if code != 0:
        raise RuntimeError(f"lanescope check --list: exit {code}\n{err}")
    return json.loads(out)


def verdicts(build, files):
    """Returns the verdict on each file, by its path."""
    code, out, err = check(build, "--json", *map(str, files))
    if code not in (0, 1):
        raise RuntimeError(f"lanescope check: exit {code}\n{err}")
    return {Path(verdict["file"]): verdict for verdict in json.loads(out)}


def missed(verdict):
    """The goals that were missed, without those that only wait for a right result or judge some of the runs again."""
    return {goal["goal"] for goal in verdict["goals"] if not goal["ok"] and not goal["reason"].startswith("counts once")}


def told(verdict):
    return verdict.get("error", "") + "".join(f"\n{goal['goal']}: {goal['points']}/{goal['max_points']}: {goal['reason']}"
                                             for goal in verdict["goals"])


def write_variant(folder, number, exercise, replacements):
    text = Path(exercise["solution"]).read_text(encoding="utf-8")
    for old, new in zip(replacements[::2], replacements[1::2]):
        if old not in text:
            raise RuntimeError(f"{exercise['solution']} has no '{old}'")
        text = text.replace(old, new)
    path = folder / f"{number}_{exercise['exercise'].replace('/', '_')}.cu"
    path.write_text(text, encoding="utf-8")
    return path


def check_exercises(report, build, parts):
    """Judges the exercises whose name contains one of `parts`; all without parts."""
    course = list_exercises(build)
    if len(course) < LEAST_EXERCISES:
        report.failure("lessons: exercises", f"only {len(course)} exercises")
    known = {path for each in course for path in (Path(each["starter"]), Path(each["solution"]))}
    for path in sorted(set((ROOT / "kernels").glob("*/exercises/*")) - known):
        report.failure(f"lessons: {path.relative_to(ROOT)}", "no exercise names this file")
    chosen = {each["exercise"]: each for each in course if not parts or any(part in each["exercise"] for part in parts)}
    if not chosen:
        return
    with tempfile.TemporaryDirectory(prefix="lanescope-exercises-") as name:
        variants = [(write_variant(Path(name), number, chosen[exercise], replacements), goals)
                    for number, (exercise, replacements, goals) in enumerate(VARIANTS) if exercise in chosen]
        files = [Path(each[key]) for each in chosen.values() for key in ("starter", "solution")]
        found = verdicts(build, files + [path for path, _ in variants])
    for exercise, each in chosen.items():
        solution, starter = found[Path(each["solution"])], found[Path(each["starter"])]
        report.verdict(f"lessons: {exercise}: solution", "passed" if solution["points"] == solution["max_points"] else "failed", told(solution))
        report.verdict(f"lessons: {exercise}: starter", "passed" if starter["points"] < starter["max_points"] else "failed", told(starter))
        complete = len(each["hints"]) >= 2 and each["text"] and each["goals"]
        report.verdict(f"lessons: {exercise}: hints", "passed" if complete else "failed", "an exercise has at least two hints")
    for path, goals in variants:
        verdict = found[path]
        report.verdict(f"lessons: wrong solution {path.stem}", "passed" if missed(verdict) == goals and not verdict.get("error") else "failed",
                       f"expected to miss {sorted(goals)}, missed {sorted(missed(verdict))}{told(verdict)}")
