// Host references over compressed rows (CSR): offsets[r] to offsets[r + 1] are the places of row r's entries.
#include <vector>

#include "lesson/reference_parts.h"

namespace lanescope::lesson {

namespace {

std::uint64_t rows_in(const Source& offsets) {
    return offsets.size() - std::min<std::uint64_t>(offsets.size(), 1);
}

// Returns why these are not offsets into `entries` entries; empty if they are.
ReferenceFault unfit_offsets(const Source& offsets, std::uint64_t entries) {
    for (std::uint64_t r = 0; r < offsets.size(); ++r) {
        const auto at = offsets.at<std::uint64_t>(r);  // a negative one is large
        if (at <= entries && (r == 0 || offsets.at<std::uint64_t>(r - 1) <= at)) continue;
        return "needs offsets that never decrease, up to " + std::to_string(entries) + ", but element " +
               std::to_string(r) + " of '" + offsets.buffer->name + "' is " +
               std::to_string(static_cast<std::int64_t>(at));
    }
    return {};
}

ReferenceFault unfit_column(const Source& columns, std::uint64_t entry, std::uint64_t count) {
    return "needs columns below " + std::to_string(count) + ", but element " + std::to_string(entry) +
           " of '" + columns.buffer->name + "' is " +
           std::to_string(static_cast<std::int64_t>(columns.at<std::uint64_t>(entry)));
}

template <class Value>
ReferenceFault spmv(const Arguments& a, Sink& out) {
    const Source &offsets = a.sources[0], &columns = a.sources[1], &values = a.sources[2], &x = a.sources[3];
    if (const ReferenceFault fault = wrong_size(out, rows_in(offsets)); !fault.empty()) return fault;
    const std::uint64_t entries = std::min(columns.size(), values.size());
    if (const ReferenceFault fault = unfit_offsets(offsets, entries); !fault.empty()) return fault;
    for (std::uint64_t r = 0; r < out.size(); ++r) {
        Sum<Value> sum;
        for (std::uint64_t k = offsets.at<std::uint64_t>(r); k < offsets.at<std::uint64_t>(r + 1); ++k) {
            const auto column = columns.at<std::uint64_t>(k);
            if (column >= x.size()) return unfit_column(columns, k, x.size());
            sum.add(values.at<Value>(k) * x.at<Value>(column));
        }
        sum.store(out, r);
    }
    return {};
}

template <class Value>
ReferenceFault levels(const Arguments& a, Sink& out) {
    const Source &offsets = a.sources[0], &columns = a.sources[1];
    const std::uint64_t vertices = rows_in(offsets);
    if (const ReferenceFault fault = wrong_size(out, vertices); !fault.empty()) return fault;
    if (const ReferenceFault fault = unfit_offsets(offsets, columns.size()); !fault.empty()) return fault;
    const std::int64_t source = a.numbers[0];
    if (vertices == 0) return {};
    if (source < 0 || static_cast<std::uint64_t>(source) >= vertices)
        return "needs a source below " + std::to_string(vertices) + ", got " + std::to_string(source);
    std::vector<std::int64_t> level(vertices, -1);
    std::vector<std::uint64_t> queue{static_cast<std::uint64_t>(source)};
    level[queue[0]] = 0;
    for (std::uint64_t at = 0; at < queue.size(); ++at) {
        const std::uint64_t v = queue[at];
        for (std::uint64_t k = offsets.at<std::uint64_t>(v); k < offsets.at<std::uint64_t>(v + 1); ++k) {
            const auto to = columns.at<std::uint64_t>(k);
            if (to >= vertices) return unfit_column(columns, k, vertices);
            if (level[to] >= 0) continue;
            level[to] = level[v] + 1;
            queue.push_back(to);
        }
    }
    for (std::uint64_t v = 0; v < vertices; ++v)
        out.put(v, static_cast<Value>(level[v]));
    return {};
}

}  // namespace

ReferenceFault levels_integers(const Arguments& a, Sink& out) {
    return levels<std::uint64_t>(a, out);
}
ReferenceFault levels_reals(const Arguments& a, Sink& out) {
    return levels<double>(a, out);
}
ReferenceFault spmv_integers(const Arguments& a, Sink& out) {
    return spmv<std::uint64_t>(a, out);
}
ReferenceFault spmv_reals(const Arguments& a, Sink& out) {
    return spmv<double>(a, out);
}

}  // namespace lanescope::lesson
