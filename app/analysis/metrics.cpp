#include "analysis/metrics.h"

#include <algorithm>

namespace lanescope::analysis {

double Metrics::simt_efficiency() const {
    if (warp_instructions == 0) return 1;
    return static_cast<double>(thread_instructions) / (32.0 * static_cast<double>(warp_instructions));
}

std::span<const MetricField> metric_fields() {
    using M = Metrics;
    static constexpr MetricField fields[] = {
        {"warp_instructions", &M::warp_instructions},
        {"thread_instructions", &M::thread_instructions},
        {"branches", &M::branches},
        {"divergent_branches", &M::divergent_branches},
        {"global_load_requests", &M::global_load_requests},
        {"global_load_sectors", &M::global_load_sectors},
        {"global_load_ideal_sectors", &M::global_load_ideal_sectors},
        {"global_load_lanes", &M::global_load_lanes},
        {"global_store_requests", &M::global_store_requests},
        {"global_store_sectors", &M::global_store_sectors},
        {"global_store_ideal_sectors", &M::global_store_ideal_sectors},
        {"global_store_lanes", &M::global_store_lanes},
        {"shared_load_requests", &M::shared_load_requests},
        {"shared_load_wavefronts", &M::shared_load_wavefronts},
        {"shared_load_ideal_wavefronts", &M::shared_load_ideal_wavefronts},
        {"shared_load_lanes", &M::shared_load_lanes},
        {"shared_store_requests", &M::shared_store_requests},
        {"shared_store_wavefronts", &M::shared_store_wavefronts},
        {"shared_store_ideal_wavefronts", &M::shared_store_ideal_wavefronts},
        {"shared_store_lanes", &M::shared_store_lanes},
        {"shared_conflict_degree", &M::shared_conflict_degree, true},
        {"remote_load_requests", &M::remote_load_requests},
        {"remote_store_requests", &M::remote_store_requests},
        {"remote_atomic_requests", &M::remote_atomic_requests},
        {"remote_lanes", &M::remote_lanes},
        {"constant_load_requests", &M::constant_load_requests},
        {"constant_generic_requests", &M::constant_generic_requests},
        {"constant_generic_sectors", &M::constant_generic_sectors},
        {"local_load_requests", &M::local_load_requests},
        {"local_store_requests", &M::local_store_requests},
        {"atomics", &M::atomics},
        {"global_atomic_requests", &M::global_atomic_requests},
        {"global_atomic_sectors", &M::global_atomic_sectors},
        {"shared_atomic_requests", &M::shared_atomic_requests},
        {"shared_atomic_wavefronts", &M::shared_atomic_wavefronts},
        {"atomic_passes", &M::atomic_passes},
        {"atomic_worst", &M::atomic_worst, true},
        {"barriers", &M::barriers},
    };
    return fields;
}

Metrics& Metrics::operator+=(const Metrics& other) {
    for (const MetricField& field : metric_fields()) {
        std::uint64_t& own = this->*field.value;
        own = field.largest ? std::max(own, other.*field.value) : own + other.*field.value;
    }
    operations += other.operations;
    data_operations += other.data_operations;
    return *this;
}

const LineMetrics* Report::line(std::uint32_t number) const {
    const auto found =
        std::lower_bound(lines.begin(), lines.end(), number,
                         [](const LineMetrics& at, std::uint32_t line) { return at.line < line; });
    return found != lines.end() && found->line == number ? &*found : nullptr;
}

}  // namespace lanescope::analysis
