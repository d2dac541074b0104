#include "session/playhead/step_remapping.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace lanescope::session {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

using Stretch = std::pair<std::uint32_t, std::uint32_t>;  // launch, phase

Stretch stretch_of(const trace::Step& step) {
    return {step.launch, step.phase};
}

// [first, end) of the steps in this launch and phase; where there are none, first == end is where they would
// be.
std::pair<std::size_t, std::size_t> steps_in(const std::vector<trace::Step>& steps, Stretch wanted) {
    const auto [first, end] =
        std::equal_range(steps.begin(), steps.end(), wanted, [](const auto& a, const auto& b) {
            const auto key = [](const auto& item) {
                if constexpr (std::is_same_v<std::decay_t<decltype(item)>, Stretch>)
                    return item;
                else
                    return stretch_of(item);
            };
            return key(a) < key(b);
        });
    return {std::size_t(first - steps.begin()), std::size_t(end - steps.begin())};
}

}  // namespace

LineMap::LineMap(const std::string& before, const std::string& after) {
    const std::vector<std::string_view> old_lines = lines_of(before), new_lines = lines_of(after);
    const std::size_t common = std::min(old_lines.size(), new_lines.size());
    std::size_t head = 0, tail = 0;
    while (head < common && old_lines[head] == new_lines[head])
        ++head;
    while (tail < common - head &&
           old_lines[old_lines.size() - 1 - tail] == new_lines[new_lines.size() - 1 - tail])
        ++tail;
    head_ = std::uint32_t(head);
    tail_begin_ = std::uint32_t(old_lines.size() - tail + 1);
    shift_ = std::int64_t(new_lines.size()) - std::int64_t(old_lines.size());
    // A single altered line still counts as the same line.
    if (shift_ == 0 && tail_begin_ - head_ == 2) head_ = tail_begin_ - 1;
}

std::uint32_t LineMap::moved(std::uint32_t line) const {
    if (line <= head_) return line;
    return line >= tail_begin_ ? std::uint32_t(line + shift_) : 0;
}

std::size_t same_place(const std::vector<trace::Step>& before, std::size_t at,
                       const std::vector<trace::Step>& after, const LineMap& lines) {
    const auto equal = [&](const trace::Step& a, const trace::Step& b) {
        return stretch_of(a) == stretch_of(b) && lines.moved(a.line) == b.line;
    };
    if (std::equal(before.begin(), before.end(), after.begin(), after.end(), equal)) return at;
    const auto [old_first, old_end] = steps_in(before, stretch_of(before[at]));
    const auto [first, end] = steps_in(after, stretch_of(before[at]));
    if (first == end) return first == 0 ? 0 : first - 1;
    const std::uint32_t line = lines.moved(before[at].line);
    const auto on = [](std::uint32_t wanted) {
        return [=](const trace::Step& step) { return step.line == wanted; };
    };
    const auto begin = before.begin() + std::ptrdiff_t(old_first);
    auto visits = std::count_if(begin, before.begin() + std::ptrdiff_t(at), on(before[at].line));
    std::size_t found = after.size();
    for (std::size_t step = first; line != 0 && step < end && visits >= 0; ++step)
        if (after[step].line == line) found = step, --visits;
    if (found != after.size()) return found;
    return first + (at - old_first) * (end - first) / std::max<std::size_t>(old_end - old_first, 1);
}

}  // namespace lanescope::session
