#include "ptx/names.h"

namespace lanescope::ptx {

bool NameScopes::declare_range(std::string_view prefix, std::uint32_t first, std::uint32_t count) {
    return add(ranges_, prefix, {{}, first, count});
}

bool NameScopes::add(Table& table, std::string_view name, Meaning meaning) {
    const Entry entry{meaning, depth_};
    const auto [found, inserted] = table.try_emplace(name, entry);
    if (!inserted && found->second.depth == depth_) return false;
    undo_.push_back({&table, name, inserted ? std::nullopt : std::optional(found->second), depth_});
    found->second = entry;
    return true;
}

void NameScopes::leave() {
    for (; !undo_.empty() && undo_.back().depth == depth_; undo_.pop_back()) {
        const Undo& last = undo_.back();
        if (last.before)
            (*last.table)[last.name] = *last.before;
        else
            last.table->erase(last.name);
    }
    --depth_;
}

std::optional<NameScopes::Meaning> NameScopes::find(std::string_view name) const {
    std::optional<Entry> numbered = find_numbered(name);
    const auto exact = names_.find(name);
    if (exact != names_.end() && (!numbered || exact->second.depth >= numbered->depth))
        return exact->second.meaning;
    if (!numbered) return std::nullopt;
    return numbered->meaning;
}

// "%r12" may be number 12 of "%r<…>" or number 2 of "%r1<…>". Numbers have no leading zeros.
std::optional<NameScopes::Entry> NameScopes::find_numbered(std::string_view name) const {
    constexpr std::size_t max_digits = 7;
    std::optional<Entry> best;
    std::uint32_t number = 0, weight = 1;
    for (std::size_t digits = 1; digits <= max_digits && digits < name.size(); ++digits, weight *= 10) {
        const char c = name[name.size() - digits];
        if (c < '0' || c > '9') break;
        number += static_cast<std::uint32_t>(c - '0') * weight;
        if (c == '0' && digits > 1) continue;
        const auto range = ranges_.find(name.substr(0, name.size() - digits));
        if (range == ranges_.end() || number >= range->second.meaning.count) continue;
        if (best && best->depth >= range->second.depth) continue;
        best = range->second;
        best->meaning.first += number;
        best->meaning.count = 1;
    }
    return best;
}

}  // namespace lanescope::ptx
