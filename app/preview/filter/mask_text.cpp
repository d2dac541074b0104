#include <charconv>
#include <cmath>

#include "preview/filter/mask.h"

namespace lanescope::preview {

namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == ',';
}

// The numbers of one line; false with `problem` set.
bool read_row(std::string_view line, int number, const std::string& file, std::vector<double>& row,
              Diagnostic& problem) {
    line = line.substr(0, line.find('#'));
    for (std::size_t at = 0; at < line.size();) {
        if (is_blank(line[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < line.size() && !is_blank(line[end]))
            ++end;
        const std::string_view word = line.substr(at, end - at);
        double value = 0;
        const std::size_t sign = word.starts_with('+') ? 1 : 0;
        const auto [stopped, status] = std::from_chars(word.data() + sign, word.data() + word.size(), value);
        if (status != std::errc{} || stopped != word.data() + word.size() || !std::isfinite(value) ||
            std::abs(value) > 1e6) {
            problem = error_at(file, number, static_cast<int>(at) + 1,
                               "'" + std::string(word) + "' must be a number between -1000000 and 1000000",
                               "write a mask as rows of numbers");
            return false;
        }
        row.push_back(value);
        at = end;
    }
    return true;
}

bool possible_side(std::size_t side) {
    return side % 2 == 1 && side <= max_mask_side;
}

}  // namespace

Result<Mask> parse_mask(std::string_view text, const std::string& file) {
    Mask mask;
    mask.rows = mask.columns = 0;
    mask.values.clear();
    int number = 0, first_line = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::vector<double> row;
        Diagnostic problem;
        if (!read_row(text.substr(begin, end - begin), ++number, file, row, problem)) return problem;
        begin = end + 1;
        if (row.empty()) continue;
        if (mask.rows == 0) first_line = number;
        if (mask.rows != 0 && row.size() != mask.columns)
            return error_at(file, number, 1,
                            "this row has length " + std::to_string(row.size()) +
                                ", but the first row has length " + std::to_string(mask.columns));
        if (!possible_side(row.size()))
            return error_at(file, number, 1, "this row has length " + std::to_string(row.size()),
                            "use an odd length from 1 to 15");
        mask.columns = static_cast<std::uint32_t>(row.size());
        ++mask.rows;
        mask.values.insert(mask.values.end(), row.begin(), row.end());
        if (mask.rows > max_mask_side) return error_at(file, number, 1, "the mask has more than 15 rows");
    }
    if (mask.rows == 0)
        return error_at(file, 0, 0, "the file has no mask", "write rows of numbers, one row per line");
    if (!possible_side(mask.rows))
        return error_at(file, first_line, 1, "the mask has " + std::to_string(mask.rows) + " rows",
                        "use an odd number from 1 to 15");
    return mask;
}

std::string to_text(const Mask& mask) {
    std::string text;
    for (std::uint32_t r = 0; r < mask.rows; ++r)
        for (std::uint32_t c = 0; c < mask.columns; ++c) {
            char number[32];
            const auto [end, status] = std::to_chars(number, number + sizeof number, mask.at(r, c));
            (void)status;  // the shortest form of a double has at most 24 characters
            text.append(number, end);
            text += c + 1 == mask.columns ? '\n' : ' ';
        }
    return text;
}

}  // namespace lanescope::preview
