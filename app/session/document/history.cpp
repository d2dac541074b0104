#include "session/document/history.h"

#include <algorithm>
#include <utility>

namespace lanescope::session {
namespace {

constexpr std::size_t max_entries = 500, max_bytes = 64u << 20;
constexpr double typing_pause_s = 1.0;

}  // namespace

Change change_between(const std::string& before, const std::string& after) {
    const std::size_t common = std::min(before.size(), after.size());
    const auto head = std::size_t(
        std::mismatch(before.begin(), before.begin() + std::ptrdiff_t(common), after.begin()).first -
        before.begin());
    std::size_t tail = 0;
    while (tail < common - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
        ++tail;
    return {head, before.size() - head - tail, after.size() - head - tail};
}

void History::remember(Snapshot before, std::string label) {
    redo_.clear();
    typing_ = false;
    undo_.push_back({std::move(before), std::move(label)});
    trim();
}

void History::remember_typing(Snapshot before, const std::string& typed, double now_s) {
    const Change change = change_between(before.source, typed);
    const std::size_t end = change.begin + change.inserted;
    const bool insertion = change.removed == 0;
    const std::string_view added = std::string_view(typed).substr(change.begin, change.inserted);
    const bool goes_on = typing_ && redo_.empty() && now_s - typed_s_ < typing_pause_s &&
                         added.find('\n') == added.npos &&
                         (insertion ? change.begin == caret_ : change.begin + change.removed == caret_);
    if (!goes_on) remember(std::move(before), "typing");
    typing_ = true;
    typed_s_ = now_s;
    caret_ = end;
}

Snapshot History::undo(Snapshot now) {
    Entry entry = std::move(undo_.back());
    undo_.pop_back();
    typing_ = false;
    redo_.push_back({std::move(now), entry.label});
    return std::move(entry.state);
}

Snapshot History::redo(Snapshot now) {
    Entry entry = std::move(redo_.back());
    redo_.pop_back();
    typing_ = false;
    undo_.push_back({std::move(now), entry.label});
    return std::move(entry.state);
}

// Removes the oldest entries first; the newest one stays whatever its size.
void History::trim() {
    std::size_t bytes = 0, kept = 0;
    for (auto entry = undo_.rbegin(); entry != undo_.rend(); ++entry, ++kept) {
        bytes += entry->state.source.size();
        if (kept > 0 && (kept >= max_entries || bytes > max_bytes)) break;
    }
    undo_.erase(undo_.begin(), undo_.end() - std::ptrdiff_t(kept));
}

}  // namespace lanescope::session
