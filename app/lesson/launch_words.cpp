#include "lesson/launch_words.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "lesson/expression.h"

namespace lanescope::lesson {

namespace {

constexpr std::int64_t most_grid_x = 2147483647, most_grid = 65535, most_block_z = 64, most_threads = 1024;

struct Option {
    const char* name;
    std::string text;
    std::string shown() const { return std::string(name) + " " + text; }
};

Result<std::vector<std::int64_t>> extents_of(const Option& option) {
    const Diagnostic wrong =
        error(option.shown() + ": expected one to three whole numbers from 1 on", "write 8, 16x16 or 4,4,2");
    std::vector<std::int64_t> extents;
    std::string_view left = option.text;
    for (;;) {
        std::int64_t value = 0;
        const auto [end, failed] = std::from_chars(left.data(), left.data() + left.size(), value);
        if (failed != std::errc{} || value < 1 || extents.size() == 3) return wrong;
        extents.push_back(value);
        left.remove_prefix(static_cast<std::size_t>(end - left.data()));
        if (left.empty()) return extents;
        if (left.front() != ',' && left.front() != 'x') return wrong;
        left.remove_prefix(1);
    }
}

std::vector<std::string> texts_of(const std::vector<std::int64_t>& extents) {
    std::vector<std::string> texts;
    for (const std::int64_t each : extents)
        texts.push_back(std::to_string(each));
    return texts;
}

Result<std::vector<std::string>> grid_of(const std::string& text) {
    const Option option{"--grid", text};
    Result<std::vector<std::int64_t>> extents = extents_of(option);
    if (!extents) return extents.diagnostics();
    for (std::size_t axis = 0; axis < extents->size(); ++axis)
        if (const std::int64_t most = axis == 0 ? most_grid_x : most_grid; (*extents)[axis] > most)
            return error(option.shown() + ": a grid has at most " + std::to_string(most) + " blocks along " +
                         "xyz"[axis]);
    return texts_of(*extents);
}

Result<std::vector<std::string>> block_of(const std::string& text) {
    const Option option{"--block", text};
    Result<std::vector<std::int64_t>> extents = extents_of(option);
    if (!extents) return extents.diagnostics();
    std::int64_t threads = 1;
    for (const std::int64_t each : *extents)
        threads = each > most_threads ? most_threads + 1 : threads * each;
    if (threads > most_threads)
        return error(option.shown() + ": a block has at most 1024 threads", "state more blocks with --grid");
    if (extents->size() == 3 && (*extents)[2] > most_block_z)
        return error(option.shown() + ": a block has at most 64 threads along z");
    return texts_of(*extents);
}

Result<std::map<std::string, std::string>> entries_of(const char* name, const std::vector<std::string>& words,
                                                      const char* example) {
    std::map<std::string, std::string> entries;
    for (const std::string& each : words) {
        const Option option{name, each};
        const std::size_t equals = each.find('=');
        if (equals == std::string::npos || !is_identifier(each.substr(0, equals)) ||
            equals + 1 == each.size())
            return error(option.shown() + ": expected the name of a parameter, '=' and a value", example);
        if (!entries.emplace(each.substr(0, equals), each.substr(equals + 1)).second)
            return error(option.shown() + ": " + each.substr(0, equals) + " is stated twice");
    }
    return entries;
}

}  // namespace

bool LaunchWords::empty() const {
    return options().empty();
}

std::vector<std::pair<std::string, std::string>> LaunchWords::options() const {
    std::vector<std::pair<std::string, std::string>> made;
    if (!grid.empty()) made.emplace_back("--grid", grid);
    if (!block.empty()) made.emplace_back("--block", block);
    if (!shared.empty()) made.emplace_back("--shared", shared);
    for (const std::string& each : counts)
        made.emplace_back("--count", each);
    for (const std::string& each : fills)
        made.emplace_back("--fill", each);
    return made;
}

std::string LaunchWords::first() const {
    const auto all = options();
    return all.empty() ? "" : all.front().first;
}

Result<StatedParts> parts_of(const LaunchWords& words) {
    StatedParts parts;
    if (!words.grid.empty()) {
        auto grid = grid_of(words.grid);
        if (!grid) return grid.diagnostics();
        parts.grid = std::move(*grid);
    }
    if (!words.block.empty()) {
        auto block = block_of(words.block);
        if (!block) return block.diagnostics();
        parts.block = std::move(*block);
    }
    if (!words.shared.empty()) {
        const Result<std::int64_t> bytes = setting_value(words.shared);
        if (!bytes || *bytes < 0)
            return error("--shared " + words.shared + ": expected a number of bytes", "write --shared 4096");
        parts.shared = std::to_string(*bytes);
    }
    auto counts = entries_of("--count", words.counts, "write --count a=1024");
    if (!counts) return counts.diagnostics();
    auto fills = entries_of("--fill", words.fills, "write --fill a=iota");
    if (!fills) return fills.diagnostics();
    parts.counts = std::move(*counts);
    parts.fills = std::move(*fills);
    for (auto& [name, text] : parts.counts)
        if (const Result<std::int64_t> count = setting_value(text)) {
            if (*count < 1)
                return error("--count " + name + "=" + text + ": a buffer has at least 1 element");
            text = std::to_string(*count);
        }
    // A plain number is meant as the value of every element.
    for (auto& [name, text] : parts.fills)
        if (real_literal(text) || setting_value(text)) text = "constant(" + text + ")";
    return parts;
}

}  // namespace lanescope::lesson
