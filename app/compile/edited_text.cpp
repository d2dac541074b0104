#include "compile/edited_text.h"

#include <algorithm>

namespace lanescope::compile {

void EditedText::keep(std::size_t begin, std::size_t end) {
    kept_.emplace_back(begin, end);
}

void EditedText::blank(std::size_t begin, std::size_t end) {
    end = std::min(end, blanked_.size());
    auto kept = std::partition_point(kept_.begin(), kept_.end(),
                                     [&](const auto& range) { return range.second <= begin; });
    for (std::size_t i = begin; i < end; ++i) {
        if (kept != kept_.end() && i >= kept->first) {
            i = kept->second - 1;
            ++kept;
        } else if (blanked_[i] != '\n' && blanked_[i] != '\r') {
            blanked_[i] = ' ';
        }
    }
}

void EditedText::insert(std::size_t at, std::string words) {
    auto place = std::upper_bound(insertions_.begin(), insertions_.end(), at,
                                  [](std::size_t value, const Insertion& other) { return value < other.at; });
    insertions_.insert(place, {at, std::move(words)});
}

std::string EditedText::text() const {
    std::string out;
    std::size_t from = 0;
    for (const Insertion& insertion : insertions_) {
        out.append(blanked_, from, insertion.at - from);
        out += insertion.words;
        from = insertion.at;
    }
    out.append(blanked_, from, std::string::npos);
    return out;
}

const std::vector<std::size_t>& EditedText::line_starts() const {
    if (line_starts_.empty()) {
        line_starts_.push_back(0);
        for (std::size_t i = 0; i < original_.size(); ++i)
            if (original_[i] == '\n') line_starts_.push_back(i + 1);
    }
    return line_starts_;
}

int EditedText::original_column(int line, int column) const {
    const auto& starts = line_starts();
    if (line < 1 || column < 1 || static_cast<std::size_t>(line) > starts.size()) return column;
    const std::size_t start = starts[static_cast<std::size_t>(line) - 1];
    const std::size_t end = static_cast<std::size_t>(line) < starts.size()
                                ? starts[static_cast<std::size_t>(line)]
                                : original_.size() + 1;
    std::size_t at = start + static_cast<std::size_t>(column) - 1;  // in the line with insertions so far
    for (const Insertion& insertion : insertions_) {
        if (insertion.at < start || insertion.at >= end) continue;
        if (at < insertion.at) break;
        at = std::max(insertion.at, at - std::min(at, insertion.words.size()));
    }
    return static_cast<int>(at - start) + 1;
}

std::size_t EditedText::original_offset(int line, int column) const {
    const auto& starts = line_starts();
    if (line < 1 || static_cast<std::size_t>(line) > starts.size()) return original_.size();
    const std::size_t start = starts[static_cast<std::size_t>(line) - 1];
    const int original = column < 1 ? 1 : original_column(line, column);
    return std::min(start + static_cast<std::size_t>(original) - 1, original_.size());
}

}  // namespace lanescope::compile
