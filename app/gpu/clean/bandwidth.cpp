#include "gpu/clean/bandwidth.h"

#include <algorithm>
#include <chrono>
#include <functional>

#include "gpu/driver/memory.h"
#include "gpu/driver/stream.h"

namespace lanescope::gpu {

namespace {

constexpr int warm_up_runs = 3;

using Copy = std::function<CUresult()>;  // enqueued in the context's stream, or done when it returns

Result<double> by_events(const Context& context, const Copy& copy) {
    Result<Event> begin = Event::create(context);
    if (!begin) return begin.diagnostics();
    Result<Event> end = Event::create(context);
    if (!end) return end.diagnostics();
    if (const Result<void> done = begin->record(context.stream()); !done) return done.diagnostics();
    if (const Result<void> done = context.check(copy(), "copying"); !done) return done.diagnostics();
    if (const Result<void> done = end->record(context.stream()); !done) return done.diagnostics();
    if (const Result<void> done = end->synchronize(); !done) return done.diagnostics();
    return end->milliseconds_since(*begin);
}

Result<double> by_clock(const Context& context, const Copy& copy) {
    const auto begin = std::chrono::steady_clock::now();
    CUresult status = copy();
    if (status == CUDA_SUCCESS) status = context.driver().ctx_synchronize();
    const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin;
    if (const Result<void> done = context.check(status, "copying"); !done) return done.diagnostics();
    return passed.count();
}

using Stopwatch = Result<double> (*)(const Context&, const Copy&);

// Adds the figures of `runs` copies to what `transfer` says about them.
Result<Transfer> measured(const Context& context, Transfer transfer, int runs, Stopwatch stopwatch,
                          const Copy& copy) {
    const double moved =
        static_cast<double>(transfer.bytes) * (transfer.memory == std::string("device") ? 2 : 1);
    std::vector<double> rates;
    for (int run = -warm_up_runs; run < runs; ++run) {
        const Result<double> milliseconds = stopwatch(context, copy);
        if (!milliseconds) return milliseconds.diagnostics();
        if (run >= 0 && *milliseconds > 0) rates.push_back(moved / *milliseconds / 1e6);
    }
    if (rates.empty()) return error("copies of " + size_text(transfer.bytes) + " are too short to be timed");
    std::sort(rates.begin(), rates.end());
    transfer.runs = static_cast<int>(rates.size());
    transfer.median = (rates[(rates.size() - 1) / 2] + rates[rates.size() / 2]) / 2;
    transfer.minimum = rates.front();
    transfer.maximum = rates.back();
    return transfer;
}

struct Copies {
    const Context& context;
    const BandwidthPlan& plan;
    std::vector<Transfer> transfers;

    Result<void> add(const Transfer& transfer, Stopwatch stopwatch, const Copy& copy) {
        Result<Transfer> result = measured(context, transfer, plan.runs, stopwatch, copy);
        if (!result) return result.diagnostics();
        transfers.push_back(*result);
        return {};
    }

    Result<void> with_host(const DeviceBuffer& device, std::byte* host, const char* memory,
                           Stopwatch stopwatch) {
        const Driver& driver = context.driver();
        const bool pinned = memory == std::string("pinned");
        if (const Result<void> added =
                add({"host_to_device", memory, plan.bytes}, stopwatch,
                    [&] {
                        return pinned ? driver.memcpy_htod_async(device.address(), host, plan.bytes,
                                                                 context.stream())
                                      : driver.memcpy_htod(device.address(), host, plan.bytes);
                    });
            !added)
            return added;
        return add({"device_to_host", memory, plan.bytes}, stopwatch, [&] {
            return pinned ? driver.memcpy_dtoh_async(host, device.address(), plan.bytes, context.stream())
                          : driver.memcpy_dtoh(host, device.address(), plan.bytes);
        });
    }

    Result<void> within_device(std::uint64_t bytes) {
        Result<DeviceBuffer> from = DeviceBuffer::allocate(context, bytes);
        if (!from) return from.diagnostics();
        Result<DeviceBuffer> to = DeviceBuffer::allocate(context, bytes);
        if (!to) return to.diagnostics();
        if (const Result<void> filled = from->fill(std::byte{0x5a}); !filled) return filled;
        return add({"device_to_device", "device", bytes}, by_events, [&] {
            return context.driver().memcpy_dtod_async(to->address(), from->address(), bytes,
                                                      context.stream());
        });
    }
};

// Two buffers of this size leave half of the free memory to others.
std::uint64_t large_size(const Context& context, const BandwidthPlan& plan) {
    std::size_t free_bytes = 0, total_bytes = 0;
    if (context.driver().mem_get_info(&free_bytes, &total_bytes) != CUDA_SUCCESS) return 0;
    const std::uint64_t most = free_bytes / 4 >> 20 << 20;
    return std::min(plan.large_bytes, most);
}

}  // namespace

Result<std::vector<Transfer>> measure_bandwidth(const Context& context, const BandwidthPlan& plan) {
    const CurrentContext current(*context.life());
    Copies copies{context, plan, {}};
    {
        Result<DeviceBuffer> device = DeviceBuffer::allocate(context, plan.bytes);
        if (!device) return device.diagnostics();
        Result<HostBuffer> pinned = HostBuffer::allocate(context, plan.bytes);
        if (!pinned) return pinned.diagnostics();
        std::fill_n(pinned->data(), plan.bytes, std::byte{1});
        if (const Result<void> done = copies.with_host(*device, pinned->data(), "pinned", by_events); !done)
            return done.diagnostics();
        std::vector<std::byte> pageable(plan.bytes, std::byte{1});
        if (const Result<void> done = copies.with_host(*device, pageable.data(), "pageable", by_clock); !done)
            return done.diagnostics();
    }
    if (const Result<void> done = copies.within_device(plan.bytes); !done) return done.diagnostics();
    if (const std::uint64_t large = large_size(context, plan); large > plan.bytes)
        if (const Result<void> done = copies.within_device(large); !done) return done.diagnostics();
    return std::move(copies.transfers);
}

}  // namespace lanescope::gpu
