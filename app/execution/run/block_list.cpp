#include "execution/run/block_list.h"

#include <charconv>
#include <set>
#include <string>

namespace lanescope::execution {

namespace {

constexpr std::size_t max_blocks = 65'536;

// Reads a number at the front of `text` and removes it.
bool take_number(std::string_view& text, std::uint32_t& number) {
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc{}) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

// "5" or "5-6" into the first and the last block.
bool read_range(std::string_view part, std::uint32_t& first, std::uint32_t& last) {
    if (!take_number(part, first)) return false;
    last = first;
    if (part.starts_with('-')) {
        part.remove_prefix(1);
        if (!take_number(part, last)) return false;
    }
    return part.empty() && first <= last;
}

}  // namespace

Result<std::vector<std::uint32_t>> parse_block_list(std::string_view text) {
    const std::string whole(text);
    std::set<std::uint32_t> blocks;
    while (true) {
        const std::size_t comma = text.find(',');
        std::uint32_t first = 0, last = 0;
        if (!read_range(text.substr(0, comma), first, last))
            return error("'" + whole + "' is not a list of blocks", "use numbers and ranges: 0,1,5-6");
        if (last - first >= max_blocks || blocks.size() + (last - first) >= max_blocks)
            return error(
                "'" + whole + "' names too many blocks",
                "use at most " + std::to_string(max_blocks) + ", or leave out --record-blocks to record all");
        for (std::uint64_t block = first; block <= last; ++block)
            blocks.insert(static_cast<std::uint32_t>(block));
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
    }
    return std::vector<std::uint32_t>(blocks.begin(), blocks.end());
}

}  // namespace lanescope::execution
