#include "gpu/clean/timing.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/number_text.h"
#include "gpu/driver/context.h"
#include "gpu/driver/memory.h"
#include "gpu/driver/stream.h"

namespace lanescope::gpu {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t max_copies = 32;
constexpr int least_runs = 3;

double quantile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

class Measurement {
  public:
    Measurement(Context& context, const Work& work, const MeasureOptions& options)
        : context_(context), work_(work), options_(options) {}

    Result<Timing> run() {
        if (Result<void> current = context_.make_current(); !current) return current.diagnostics();
        if (Result<void> made = make_scratch(); !made) return made.diagnostics();
        const Result<double> first_ms = warm_up();
        if (!first_ms) return first_ms.diagnostics();
        const double affordable = options_.total_limit_s * 1000 / std::max(*first_ms, 1e-6);
        const int runs = std::clamp(static_cast<int>(std::min(affordable, 1e6)), least_runs,
                                    std::max(options_.runs, least_runs));
        Result<std::vector<double>> times = timed_runs(runs);
        if (!times) return times.diagnostics();
        Timing timing = statistics(std::move(*times));
        timing.copies = work_.copies;
        return timing;
    }

  private:
    // Copies that fit in the cache together do not evict each other.
    Result<void> make_scratch() {
        const std::uint64_t cache = context_.device().l2_bytes;
        if (work_.copy_bytes == 0 || work_.copy_bytes * (work_.copies - 1) >= cache) return {};
        Result<DeviceBuffer> scratch = DeviceBuffer::allocate(context_, 2 * cache);
        if (!scratch) return scratch.diagnostics();
        scratch_ = std::move(*scratch);
        return {};
    }

    Result<void> flush() {
        if (scratch_.size_bytes() == 0) return {};
        const CUresult status = context_.driver().memset_d8_async(scratch_.address(), 0,
                                                                  scratch_.size_bytes(), context_.stream());
        return context_.check(status, "emptying the L2 cache");
    }

    Result<void> wait(double limit_s) { return wait_for_runs(context_, limit_s, options_); }

    // Milliseconds of the last warm-up run, on the host's clock; long ones are not repeated.
    Result<double> warm_up() {
        double ms = 0;
        for (int i = 0; i < std::max(1, options_.warm_up); ++i) {
            const Clock::time_point start = Clock::now();
            if (Result<void> launched = work_.launch(next_); !launched) return launched.diagnostics();
            if (Result<void> ended = wait(options_.run_limit_s); !ended) return ended.diagnostics();
            ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
            if (Result<void> restored = restore(); !restored) return restored.diagnostics();
            if (ms > 200) break;
        }
        return ms;
    }

    Result<void> restore() {
        const std::size_t copy = next_;
        next_ = (next_ + 1) % work_.copies;
        return work_.restore ? work_.restore(copy) : Result<void>();
    }

    Result<std::vector<double>> timed_runs(int runs) {
        std::vector<Event> events;
        for (int i = 0; i < 2 * runs; ++i) {
            Result<Event> event = Event::create(context_);
            if (!event) return event.diagnostics();
            events.push_back(std::move(*event));
        }
        for (int i = 0; i < runs; ++i)
            if (Result<void> ran = timed_run(events[2 * i], events[2 * i + 1], i + 1 == runs); !ran)
                return ran.diagnostics();
        if (Result<void> ended = wait(options_.run_limit_s * runs); !ended) return ended.diagnostics();
        std::vector<double> times;
        for (int i = 0; i < runs; ++i) {
            const Result<double> ms = events[2 * i + 1].milliseconds_since(events[2 * i]);
            if (!ms) return ms.diagnostics();
            times.push_back(*ms);
        }
        return times;
    }

    Result<void> timed_run(Event& begin, Event& end, bool last) {
        if (Result<void> flushed = flush(); !flushed) return flushed;
        if (Result<void> recorded = begin.record(context_.stream()); !recorded) return recorded;
        if (Result<void> launched = work_.launch(next_); !launched) return launched;
        if (Result<void> recorded = end.record(context_.stream()); !recorded) return recorded;
        return last ? Result<void>() : restore();
    }

    Context& context_;
    const Work& work_;
    const MeasureOptions& options_;
    DeviceBuffer scratch_;
    std::size_t next_ = 0;  // the copy whose turn it is
};

}  // namespace

Timing statistics(std::vector<double> milliseconds) {
    Timing timing;
    if (milliseconds.empty()) return timing;
    std::sort(milliseconds.begin(), milliseconds.end());
    timing.median_ms = quantile(milliseconds, 0.5);
    timing.minimum_ms = milliseconds.front();
    timing.maximum_ms = milliseconds.back();
    timing.lower_quartile_ms = quantile(milliseconds, 0.25);
    timing.upper_quartile_ms = quantile(milliseconds, 0.75);
    timing.runs = static_cast<int>(milliseconds.size());
    return timing;
}

std::size_t rotating_copies(std::uint64_t bytes, std::uint64_t cache_bytes, std::uint64_t memory_bytes) {
    if (bytes == 0) return 1;
    const std::uint64_t wanted = 1 + (cache_bytes + bytes - 1) / bytes;
    const std::uint64_t fitting = std::max<std::uint64_t>(1, memory_bytes / bytes);
    return static_cast<std::size_t>(std::min<std::uint64_t>({wanted, fitting, max_copies}));
}

Result<void> wait_for_runs(Context& context, double limit_s, const MeasureOptions& options) {
    const Result<Waited> waited = context.wait(context.stream(), {limit_s, nullptr});
    if (!waited) return waited.diagnostics();
    if (*waited == Waited::finished) return {};
    const std::string words = "did not end within " + seconds_text(limit_s);
    if (options.stuck) options.stuck(words);
    return error(words, "a GPU cannot be asked to stop a kernel: it goes on until its process ends");
}

Result<Timing> measure(Context& context, const Work& work, const MeasureOptions& options) {
    return Measurement(context, work, options).run();
}

}  // namespace lanescope::gpu
