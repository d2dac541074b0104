#include "lesson/course/figure.h"

#include <array>
#include <charconv>

namespace lanescope::lesson {
namespace {

constexpr std::array<std::string_view, 6> option_names{"code", "line", "visit", "block", "array", "columns"};

// Code may contain "&": an option ends where the name of another one follows.
std::size_t end_of_option(std::string_view text) {
    for (std::size_t at = text.find('&'); at != text.npos; at = text.find('&', at + 1))
        for (const std::string_view name : option_names) {
            const std::string_view after = text.substr(at + 1);
            if (after.starts_with(name) && after.substr(name.size()).starts_with('=')) return at;
        }
    return text.size();
}

bool read_number(std::string_view text, int& number) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

std::vector<std::string> names_in(std::string_view text) {
    std::vector<std::string> names;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        if (end > 0) names.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return names;
}

// Errors: an unknown name, a value that is wrong for it.
Result<void> read_option(std::string_view option, Figure& figure, StepPlace& place) {
    const std::size_t middle = std::min(option.find('='), option.size());
    const std::string_view name = option.substr(0, middle),
                           value = option.substr(std::min(middle + 1, option.size()));
    bool good = !value.empty();
    if (name == "code")
        place.line.code = value;
    else if (name == "line")
        good = read_number(value, place.line.number) && place.line.number > 0;
    else if (name == "visit")
        good = read_number(value, place.visit) && place.visit != 0;
    else if (name == "block")
        good = read_number(value, place.block) && place.block >= 0;
    else if (name == "array")
        figure.arrays = names_in(value), good = !figure.arrays.empty();
    else if (name == "columns")
        figure.banks = good = value == "banks" && figure.kind == Figure::Kind::stage;
    else
        return error("unknown option '" + std::string(name) + "' of a figure",
                     "use code, line, visit, block, array or columns");
    if (!good) return error("bad value '" + std::string(value) + "' of a figure's " + std::string(name));
    return {};
}

}  // namespace

Result<Figure> parse_figure(std::string_view target) {
    Figure figure;
    const std::size_t end = std::min(target.find('?'), target.size());
    const std::string_view kind = target.substr(0, end);
    if (kind != "flow" && kind != "stage")
        return error("unknown figure '" + std::string(kind) + "'", "use flow or stage");
    figure.kind = kind == "flow" ? Figure::Kind::flow : Figure::Kind::stage;
    std::string_view rest = target.substr(std::min(end + 1, target.size()));
    StepPlace place;
    while (!rest.empty()) {
        const std::size_t length = end_of_option(rest);
        if (const Result<void> read = read_option(rest.substr(0, length), figure, place); !read)
            return read.diagnostics();
        rest.remove_prefix(std::min(length + 1, rest.size()));
    }
    if (!place.line.code.empty() && place.line.number != 0)
        return error("a figure's place has 'code' and 'line'", "leave out one of them");
    if (!place.line.code.empty() || place.line.number != 0)
        figure.at = place;
    else if (place.visit != 1)
        return error("a figure's 'visit' needs 'code' or 'line'");
    return figure;
}

}  // namespace lanescope::lesson
