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
    ("attention/subtract_the_maximum", ("float m = lowest", "float m = 0"), {"result (hidden sizes)"}),
    ("attention/subtract_the_maximum", ("m = fmaxf(m, in[i])", "m = in[0]"), {"result (hidden sizes)"}),
    ("attention/correct_the_sum", ("* expf(other - m);", ";"), {"result"}),
    ("attention/correct_the_sum", ("float m = lowest", "float m = -INFINITY"), {"result"}),
    ("attention/careful_variance", ("        mean += __shfl_xor_sync(whole_warp, mean, stride);", "        ;"), {"result (given size)", "result (hidden sizes)"}),
    ("attention/careful_variance", (" + 1e-5f", ""), {"result (hidden sizes)"}),
    ("attention/weight_the_values", ("row >= n || col >= d", "row >= n"), {"result", "no_problem", "loads", "stores"}),
    ("attention/weight_the_values", ("v[(size_t)key * d + col]", "v[(size_t)key * n + col]"), {"result", "no_problem"}),
    ("attention/rescale_the_output", ("so[y][c] *= shrink", "so[y][c] /= shrink"), {"result"}),
    ("attention/rescale_the_output", ("        __syncthreads();  // the tiles are used up\n", ""), {"result", "no_problem"}),
    ("attention/causal", ("first + x <= row", "first + x < row"), {"result"}),
    ("attention/causal", (" && first < (blockIdx.x + 1) * tile", ""), {"loads"}),
    ("attention/padding", ("row >= 0 && row < rows && col >= 0 && col < cols", "row < rows && col < cols"), {"result", "no_problem"}),
    ("attention/padding", ("if (row >= 0 && row < rows && col >= 0 && col < cols)", "row = min(max(row, 0), rows - 1), col = min(max(col, 0), cols - 1);"), {"result"}),
    ("sorting/find_the_start", ("b[begin - 1 - middle]", "b[begin - middle]"), {"result", "no_problem"}),
    ("sorting/find_the_start", ("    while (low < high) {", "    while (low < high && a[low] <= b[begin - 1 - low])\n        ++low;\n    high = low;\n    while (low < high) {"), {"loads"}),
    ("sorting/order_of_the_counts", ("counts[t * gridDim.x + blockIdx.x]", "counts[blockIdx.x * digits + t]"), {"result"}),
    ("sorting/order_of_the_counts", ("same & ((1u << lane) - 1)", "same & ~((2u << lane) - 1)"), {"result"}),
    ("stencil/one_step", ("row > 0", "row >= 0"), {"result", "no_problem", "loads"}),
    ("stencil/one_step", ("    out[i] = u;", "    const_cast<float*>(in)[i] = out[i] = u;"), {"result", "no_problem"}),
    ("stencil/wide_enough", (" - 2 * steps", " - 2", "x - steps", "x - 1", "y - steps", "y - 1", ">= steps", "> 0"), {"result"}),
    ("stencil/wide_enough", (" / 8;\n        __syncthreads();", " / 8;"), {"result", "no_problem"}),
    ("stencil/in_space", ("z > 0 && z < planes - 1 && ", ""), {"result", "no_problem", "loads"}),
    ("stencil/in_space", ("rows * cols;", "cols * cols;"), {"result", "no_problem"}),
    ("stencil/shift_the_queue", ("        below = here;\n        here = above;\n", "        here = above;\n        below = here;\n"), {"result"}),
    ("stencil/shift_the_queue", ("        below = here;\n", "        below = inside ? in[i] : 0;\n"), {"loads"}),
    ("sparse/a_row_each", ("    y[row] = sum;", "    if (sum != 0)\n        y[row] = sum;"), {"result"}),
    ("sparse/a_row_each", ("i < offsets[row + 1]", "i <= offsets[row + 1]"), {"result", "no_problem"}),
    ("sparse/all_lanes_load", ("        sum += __shfl", "        if (offsets[row] + lane < offsets[row + 1]) sum += __shfl"), {"no_problem", "efficiency"}),
    ("sparse/all_lanes_load", ("    if (lane == 0)\n", ""), {"result", "no_problem", "uses shuffle"}),
    ("sparse/share_the_long_rows", ("end - begin > limit", "true"), {"instructions"}),
    ("sparse/share_the_long_rows", ("bool is_long = end - begin > limit", "bool is_long = false"), {"efficiency"}),
    ("sparse/visit_once", ("atomicCAS(&level[w], -1, d + 1) == -1", "level[w] == -1 && atomicExch(&level[w], d + 1) == -1"), {"no_problem"}),
    ("sparse/visit_once", ("next[atomicAdd(&counts[d + 1], 1)] = w", "next[counts[d + 1]++] = w"), {"result", "no_problem"}),
    ("matmul/coalesce", ("16 + t / 16", "16 + t % 16"), {"result", "coalescing", "loads"}),
    ("matmul/coalesce", ("sum += a[row * n + k] * b[k * n + col];", "sum += a[row * n + k] * b[k * n + col] + 0 * a[col * n + k];"), {"coalescing", "loads"}),
    ("matmul/any_n", ("row < n && first + x < n ?", "row < n ?"), {"result", "no_problem", "uses shared"}),
    ("matmul/any_n", ("sa[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0;",
                      "if (row < n && first + x < n) sa[y][x] = a[row * n + first + x];"), {"no_problem"}),
    ("matmul/four_results", ("a[(row + r) * n + k] * rb", "a[(row + r) * n + k] * b[k * n + col]"), {"loads"}),
    ("matmul/four_results", ("            if (row + r < n)\n                sum", "                sum"), {"result", "no_problem"}),
    ("matmul/four_at_once", ("i += 4 * 64", "i += 64"), {"loads"}),
    ("matmul/four_at_once", ("int i = 4 * t", "int i = t"), {"result", "no_problem", "loads", "uses shared"}),
    ("matmul/remove_the_conflicts", ("sa[x][r ^ x]", "sa[x][r ^ x / 2]", "(4 * y + i) ^ k]", "(4 * y + i) ^ k / 2]"), {"conflicts"}),
    ("matmul/remove_the_conflicts", ("sa[x][r ^ x] = a[(row + r) * n + first + x]", "sa[r][x] = a[(row + x) * n + first + r]", "sa[k][(4 * y + i) ^ k]", "sa[k][4 * y + i]"),
     {"coalescing"}),
    ("matmul/wait_for_the_copies", ("        __pipeline_wait_prior(0);\n        __syncthreads();", "        __syncthreads();\n        __pipeline_wait_prior(0);"), {"result", "no_problem"}),
    ("matmul/wait_for_the_copies", ("        __syncthreads();\n", ""), {"result", "no_problem"}),
    ("matmul/along_k", ("    fill_fragment(sum, 0);\n", "", "        mma_sync", "        fill_fragment(sum, 0);\n        mma_sync"), {"result", "instructions"}),
    ("matmul/along_k", ("sum);\n    }\n    store_matrix_sync(c + row * n + col, sum, n, mem_row_major);\n",
                        "sum);\n        store_matrix_sync(c + row * n + col, sum, n, mem_row_major);\n    }\n"), {"stores"}),
    ("matmul/whose_sum", ("(g + 8)", "(g + 1)"), {"result", "no_problem"}),
    ("matmul/whose_sum", ("c[g * n + p + 1] = sum.y", "c[g * n + p] = sum.y"), {"result"}),
    ("pipelines/wait_for_the_copy", ("    __pipeline_wait_prior(0);\n    __syncthreads();\n", "    __syncthreads();\n    __pipeline_wait_prior(0);\n"),
     {"result", "no_problem"}),
    ("pipelines/wait_for_the_copy", ("= s[x][y]", "= in[x * n + y]"), {"uses shared", "loads"}),
    ("pipelines/the_oldest_tile", ("        __pipeline_commit();", "        if (i < n)\n            __pipeline_commit();"), {"result", "no_problem"}),
    ("pipelines/the_oldest_tile", ("next]);\n        __syncthreads();\n", "next]);\n"), {"no_problem"}),
    ("pipelines/change_the_parity", ("(k + 1) % 2", "k % 2"), {"result", "no_problem", "phases", "uses shared"}),
    ("pipelines/change_the_parity", ("            wait(&empty, (k + 1) % 2);\n", ""), {"result", "no_problem"}),
    ("pipelines/count_the_bytes", ("        arrive_and_expect(&full, count * sizeof(int));", "        __mbarrier_arrive(&full);"), {"result", "no_problem"}),
    ("pipelines/count_the_bytes", ("&full, 0)", "&full, 1)"), {"result", "no_problem", "phases", "uses shared"}),
    ("pipelines/do_not_leave_early", ("[31 - t];\n    cluster.sync();\n", "[31 - t];\n"), {"result", "no_problem"}),
    ("pipelines/do_not_leave_early", ("cluster.map_shared_rank(tile, other)", "(in + (blockIdx.x ^ 1) * 32)"), {"uses shared", "loads"}),
    ("pipelines/count_the_rounds", ("    __syncthreads();\n", ""), {"no_problem"}),
    ("pipelines/count_the_rounds", ("        ++*round;", "        *round += 2;"), {"result"}),
    ("pipelines/join_the_warps", ("            s[lane] = b[i];\n        __mbarrier_arrive(&event);", "            s[lane] = b[i], __mbarrier_arrive(&event);"), {"result", "no_problem", "phases", "uses shared"}),
    ("pipelines/join_the_warps", ("__mbarrier_arrive(&event)", "__syncthreads()", "        while (!__mbarrier_test_wait_parity(&event, 0)) {\n        }\n", "        __syncthreads();\n"), {"no_problem", "phases"}),
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
