#!/usr/bin/env python3
"""Times PyTorch's operation beside the recorded lessons that do the same, on this machine's GPU.

    tests/timings/pytorch.py -o assets/timings/nvidia-h200.json [--only NAME]

Each timing of a lesson in OPERATIONS gets a `peer`: the median of 21 runs between two events, over inputs in rotation
that do not fit into the L2 cache together, as app/gpu/clean/timing.h times kernels. A delay on the GPU before each run
hides what Python takes to enqueue it.
"""
import argparse
import json
import pathlib
import statistics

import torch
import torch.nn.functional as F

RUNS, WARM_UP, MOST_COPIES, DELAY_CYCLES = 21, 3, 32, 1_000_000


def matrix(rows, columns):
    return torch.rand(rows, columns, device="cuda")


def softmax(p):
    x = matrix(p["rows"], p["cols"])
    return (x,), lambda x: torch.softmax(x, 1)


def layer_norm(p):
    x, gamma, beta = matrix(p["rows"], p["cols"]), torch.rand(p["cols"], device="cuda"), torch.rand(p["cols"], device="cuda")
    return (x, gamma, beta), lambda x, gamma, beta: F.layer_norm(x, (x.shape[1],), gamma, beta)


def attention(p):
    """In floats without TF32, as the lessons compute."""
    q, k, v = (torch.rand(1, 1, p["n"], p["d"], device="cuda") for _ in range(3))
    return (q, k, v), F.scaled_dot_product_attention


def convolution(p):
    x = torch.rand(p["images"], p["channels"], p["rows"], p["cols"], device="cuda")
    w = torch.rand(p["filters"], p["channels"], p["width"], p["width"], device="cuda")
    return (x, w), lambda x, w: F.conv2d(x, w, padding=p["width"] // 2)


def spmv(p):
    """Rows of 1, 2, 4, … entries as in the lessons' front matter; PyTorch calls cuSPARSE."""
    rows, kinds = torch.arange(p["rows"] + 1), p["kinds"]
    offsets = rows // kinds * (2**kinds - 1) + 2 ** (rows % kinds) - 1
    columns = torch.arange(int(offsets[-1])) * 7919 % p["cols"]
    values = torch.rand(len(columns), device="cuda")

    def multiply(offsets, columns, values, x):
        return torch.sparse_csr_tensor(offsets, columns, values, (p["rows"], p["cols"]), check_invariants=False) @ x
    return (offsets.int().cuda(), columns.int().cuda(), values, torch.rand(p["cols"], device="cuda")), multiply


# The lessons of a peer, and the operation for the parameters of a timing.
OPERATIONS = {"pytorch_softmax": (("softmax", "softmax_online"), softmax),
              "pytorch_layer_norm": (("layer_norm",), layer_norm),
              "pytorch_attention": (("attention", "attention_tiled"), attention),
              "pytorch_conv2d": (("convolution_as_matmul",), convolution),
              "pytorch_spmv": (("csr_scalar", "csr_vector", "csr_by_length"), spmv)}


def measure(inputs, operation):
    """Returns the fields of a timing in milliseconds."""
    taken = sum(x.numel() * x.element_size() for x in inputs)
    cache = torch.cuda.get_device_properties(0).L2_cache_size
    copies = max(1, min(MOST_COPIES, 1 + -(-cache // taken)))
    sets = [tuple(x.clone() for x in inputs) for _ in range(copies)]
    times = []
    for run in range(WARM_UP + RUNS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda._sleep(DELAY_CYCLES)
        begin.record()
        operation(*sets[run % copies])
        end.record()
        end.synchronize()
        if run >= WARM_UP:
            times.append(begin.elapsed_time(end))
    lower, median, upper = statistics.quantiles(times, n=4, method="inclusive")
    return {"median_ms": median, "minimum_ms": min(times), "lower_quartile_ms": lower, "upper_quartile_ms": upper,
            "maximum_ms": max(times), "runs": RUNS, "batch": 1, "copies": copies}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path)
    parser.add_argument("--only", default="", help="time only files whose name contains this")
    args = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    document = json.loads(args.output.read_text())
    if document["device"]["name"] != torch.cuda.get_device_name(0):
        parser.error(f"the recording is of {document['device']['name']}, not of {torch.cuda.get_device_name(0)}")
    timed = 0
    for timing in document["timings"]:
        for name, (lessons, make) in OPERATIONS.items():
            if pathlib.Path(timing["file"]).stem in lessons and args.only in timing["file"]:
                timing["peer"] = {"name": name, "library": f"PyTorch {torch.__version__}",
                                  **measure(*make(timing["parameters"])), "bytes": timing["bytes"]}
                timing["peer"]["gb_per_s"] = timing["bytes"] / timing["peer"]["median_ms"] / 1e6
                timed += 1
    args.output.write_text(json.dumps(document, indent=1) + "\n")
    print(f"{timed} timings of PyTorch {torch.__version__}")


if __name__ == "__main__":
    main()
