// A GPU as the estimate of cycles knows it: the figures of assets/devices/NAME.toml, which also names their
// sources.
#pragma once

#include <span>
#include <string>

namespace lanescope::analysis {

// Latencies and durations are in cycles of the multiprocessors' clock unless the name says otherwise.
struct DeviceModel {
    std::string name;

    // clocks and sizes
    double multiprocessors = 0, clock_ghz = 0;
    // limits of a multiprocessor
    double schedulers = 0, threads = 0, blocks = 0, registers = 0;
    double shared_bytes = 0, reserved_shared_bytes = 0;
    double first_launch_us = 0, next_launch_us = 0;

    // blocks
    double blocks_per_cycle = 0;   // that the whole GPU can start
    double block_turnaround = 0;   // from the end of a block until the next one runs in its place
    double warp_interval = 0;      // between the starts of two warps of a block
    double first_instruction = 0;  // from a warp's start until it can issue
    double cold_instructions = 0;  // the first fetch of a cache line of code
    double instructions_per_line = 0;
    double cold_constants = 0;  // the first access to the constant bank

    // arithmetic
    double alu_latency = 0, fma_latency = 0, wide_latency = 0, double_latency = 0;
    double function_latency = 0, convert_latency = 0, special_register = 0;
    double alu_interval = 0, wide_interval = 0, double_interval = 0;  // of one scheduler's unit
    double function_interval = 0, convert_interval = 0;
    double integer_divide = 0, float_divide = 0;  // instructions that the assembler makes of one
    double matrix_latency = 0, matrix_interval = 0;
    double branch = 0;

    // between the lanes and warps of a block
    double shuffle_latency = 0, vote_latency = 0, warp_sync = 0, barrier = 0, fence = 0;

    // memory of a multiprocessor
    double l1_bytes = 0;  // shared memory is taken off
    double shared_latency = 0, shared_atomic = 0, l1_latency = 0, constant_latency = 0;
    double line_interval = 0;     // of one request, between two lines
    double request_interval = 0;  // between two requests that reach the unit
    double queued_requests = 0;   // of the multiprocessor, before its warps have to wait
    double queued_stores = 0;     // cycles of stores that may wait for L2

    // L2 and DRAM
    double l2_bytes = 0, l2_latency = 0, l2_bytes_per_cycle = 0, port_bytes_per_cycle = 0;
    double dram_latency = 0, dram_gb_per_s = 0, dram_bytes = 0;  // the last: that one access fetches
    double dram_spread = 0;                        // up to so much longer than the latency, by chance
    double store_latency = 0, store_interval = 0;  // the last: of a sector
    double slice_bytes = 0;                        // neighbouring bytes that one slice of L2 keeps
    // Of atomics: between lanes at one address, between sectors of a slice, between requests.
    double atomic_interval = 0, atomic_sector = 0, atomic_request = 0;

    // Estimates compared with so many recorded runs: half of them differ by at most this share, and nine of
    // ten by at most that.
    double recorded_runs = 0, half_within = 0, nine_of_ten_within = 0;
};

struct DeviceField {
    const char* name;  // as the file names it
    double DeviceModel::*value;
};
// All figures, in the order of the file.
std::span<const DeviceField> device_fields();

}  // namespace lanescope::analysis
