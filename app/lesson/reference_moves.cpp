// Host references that choose elements or put them in another order.
#include <algorithm>
#include <vector>

#include "lesson/reference_parts.h"

namespace lanescope::lesson {

namespace {

template <class Value>
ReferenceFault gather(const Arguments& a, Sink& out) {
    const Source &in = a.sources[0], &index = a.sources[1];
    if (const ReferenceFault fault = wrong_size(out, index.size()); !fault.empty()) return fault;
    for (std::uint64_t i = 0; i < out.size(); ++i) {
        const std::uint64_t from = index.at<std::uint64_t>(i);  // a negative one is large
        if (from >= in.size())
            return "needs indices below " + std::to_string(in.size()) + ", but element " + std::to_string(i) +
                   " of '" + index.buffer->name + "' is " +
                   (index.type.kind == ElementType::Kind::signed_int
                        ? std::to_string(static_cast<std::int64_t>(from))
                        : std::to_string(from));
        out.put(i, in.at<Value>(from));
    }
    return {};
}

template <class Value>
ReferenceFault sort(const Arguments& a, Sink& out) {
    const Source& in = a.sources[0];
    if (!a.numbers.empty() && a.numbers[0] < 1)
        return "needs a section of at least 1 element, got " + std::to_string(a.numbers[0]);
    if (const ReferenceFault fault = wrong_size(out, in.size()); !fault.empty()) return fault;
    std::vector<Value> values(in.size());
    for (std::uint64_t i = 0; i < values.size(); ++i)
        values[i] = in.at<Value>(i);
    const std::uint64_t section =
        a.numbers.empty() ? std::max<std::uint64_t>(in.size(), 1) : static_cast<std::uint64_t>(a.numbers[0]);
    for (std::uint64_t first = 0; first < values.size(); first += std::min(section, values.size() - first)) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = begin + static_cast<std::ptrdiff_t>(std::min(section, values.size() - first));
        std::stable_sort(begin, end, [&](Value x, Value y) { return less(in.type, x, y); });
    }
    for (std::uint64_t i = 0; i < values.size(); ++i)
        out.put(i, values[i]);
    return {};
}

template <class Value>
ReferenceFault merge(const Arguments& a, Sink& out) {
    const std::uint64_t first = a.sources[0].size(), count = first + a.sources[1].size();
    if (const ReferenceFault fault = wrong_size(out, count); !fault.empty()) return fault;
    std::vector<Value> values(count);
    for (std::uint64_t i = 0; i < count; ++i)
        values[i] = i < first ? a.sources[0].at<Value>(i) : a.sources[1].at<Value>(i - first);
    // An unsigned source decides how the values compare, as in C++.
    const bool is_unsigned = a.sources[1].type.kind == ElementType::Kind::unsigned_int;
    const ElementType& type = a.sources[is_unsigned ? 1 : 0].type;
    const auto before = [&](Value x, Value y) { return less(type, x, y); };
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::is_sorted(values.begin(), middle, before) && std::is_sorted(middle, values.end(), before))
        std::inplace_merge(values.begin(), middle, values.end(), before);
    else
        std::stable_sort(values.begin(), values.end(), before);
    for (std::uint64_t i = 0; i < count; ++i)
        out.put(i, values[i]);
    return {};
}

// Calls `kept` for each element that meets the condition.
template <class Kept>
ReferenceFault choose(const Arguments& a, const Kept& kept) {
    const Source& in = a.sources[0];
    ElementCondition condition = a.conditions[0];
    for (std::uint64_t i = 0; i < in.size(); ++i) {
        const std::uint64_t element = in.at<std::uint64_t>(i);
        const Result<bool> holds = condition.holds(static_cast<std::int64_t>(element));
        if (!holds)
            return "fails for element " + std::to_string(i) + ": " + holds.diagnostics().front().message;
        if (*holds) kept(element);
    }
    return {};
}

}  // namespace

ReferenceFault compact(const Arguments& a, Sink& out) {
    std::uint64_t count = 0;
    const ReferenceFault fault = choose(a, [&](std::uint64_t element) {
        if (count < out.size()) out.put(count, element);
        ++count;
    });
    if (!fault.empty()) return fault;
    if (count > out.size()) return wrong_size(out, count);
    out.compare_only(count);
    return {};
}

ReferenceFault count_if(const Arguments& a, Sink& out) {
    if (const ReferenceFault fault = wrong_size(out, 1); !fault.empty()) return fault;
    std::uint64_t count = 0;
    const ReferenceFault fault = choose(a, [&](std::uint64_t) { ++count; });
    out.put(0, count);
    return fault;
}

ReferenceFault gather_integers(const Arguments& a, Sink& out) {
    return gather<std::uint64_t>(a, out);
}
ReferenceFault gather_reals(const Arguments& a, Sink& out) {
    return gather<double>(a, out);
}
ReferenceFault merge_integers(const Arguments& a, Sink& out) {
    return merge<std::uint64_t>(a, out);
}
ReferenceFault merge_reals(const Arguments& a, Sink& out) {
    return merge<double>(a, out);
}
ReferenceFault sort_integers(const Arguments& a, Sink& out) {
    return sort<std::uint64_t>(a, out);
}
ReferenceFault sort_reals(const Arguments& a, Sink& out) {
    return sort<double>(a, out);
}

}  // namespace lanescope::lesson
