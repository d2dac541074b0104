#include "session/document/history.h"

#include <algorithm>
#include <utility>

namespace lanescope::session {
namespace {

constexpr std::size_t max_entries = 500, max_bytes = 64u << 20;
constexpr double typing_pause_s = 1.0;

// Returns the newest entry of the file.
template <class Entries>
auto newest(Entries& entries, const std::filesystem::path& file) {
    return std::find_if(entries.rbegin(), entries.rend(),
                        [&](const auto& entry) { return entry.state.path == file; });
}

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
    std::erase_if(redo_, [&](const Entry& entry) { return entry.state.path == before.path; });
    typing_ = false;
    undo_.push_back({std::move(before), std::move(label)});
    trim();
}

void History::remember_typing(Snapshot before, const std::string& typed, double now_s) {
    const Change change = change_between(before.source, typed);
    const std::size_t end = change.begin + change.inserted;
    const bool insertion = change.removed == 0;
    const std::string_view added = std::string_view(typed).substr(change.begin, change.inserted);
    const bool goes_on = typing_ && now_s - typed_s_ < typing_pause_s && added.find('\n') == added.npos &&
                         (insertion ? change.begin == caret_ : change.begin + change.removed == caret_);
    if (!goes_on) remember(std::move(before), "typing");
    typing_ = true;
    typed_s_ = now_s;
    caret_ = end;
}

std::string History::label_of(const Entries& entries, const std::filesystem::path& file) {
    const auto entry = newest(entries, file);
    return entry == entries.rend() ? std::string() : entry->label;
}

std::string History::undo_label(const std::filesystem::path& file) const {
    return label_of(undo_, file);
}

std::string History::redo_label(const std::filesystem::path& file) const {
    return label_of(redo_, file);
}

std::optional<Snapshot> History::move(Entries& from, Entries& to, const Snapshot& now) {
    const auto entry = newest(from, now.path);
    if (entry == from.rend()) return std::nullopt;
    typing_ = false;
    to.push_back({now, entry->label});
    Snapshot wanted = std::move(entry->state);
    from.erase(std::next(entry).base());
    return wanted;
}

std::optional<Snapshot> History::undo(const Snapshot& now) {
    return move(undo_, redo_, now);
}

std::optional<Snapshot> History::redo(const Snapshot& now) {
    return move(redo_, undo_, now);
}

void History::rename(const std::filesystem::path& from, const std::filesystem::path& to) {
    for (Entries* entries : {&undo_, &redo_})
        for (Entry& entry : *entries)
            if (entry.state.path == from) entry.state.path = to;
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
