#include "lesson/suggest.h"

#include <algorithm>
#include <numeric>

namespace lanescope::lesson {

namespace {

// Levenshtein distance, row by row.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& known) {
    constexpr std::size_t max_length = 64;
    std::string found;
    std::size_t best = (name.size() <= 2 ? 1 : std::max<std::size_t>(2, name.size() / 3)) + 1;
    for (const std::string& candidate : known) {
        if (name.size() > max_length || candidate.size() > max_length) continue;
        const std::size_t d = distance(name, candidate);
        if (d >= best || d >= candidate.size()) continue;
        best = d;
        found = candidate;
    }
    return found;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
    constexpr std::size_t max_listed = 24;
    if (known.empty()) return "no names are known";
    const std::string near = nearest(name, known);
    std::string text = near.empty() ? "" : "did you mean '" + near + "'? ";
    text += "known: ";
    for (std::size_t i = 0; i < known.size() && i < max_listed; ++i)
        text += (i ? ", " : "") + known[i];
    if (known.size() > max_listed) text += ", …";
    return text;
}

}  // namespace lanescope::lesson
