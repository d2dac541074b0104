#include "lesson/course/questions.h"

namespace lanescope::lesson {

namespace {

constexpr const char* kind_names[] = {
    "lanes", "warps",    "value",  "step",    "phase",           "steps", "phases", "operations",
    "depth", "problems", "result", "console", "simt_efficiency", "line",  "number", "buffer"};

}  // namespace

std::vector<std::string> measure_names() {
    return {std::begin(kind_names), std::end(kind_names)};
}

std::string to_text(const CodeLine& line) {
    if (line.number > 0) return "line " + std::to_string(line.number);
    return "the line with '" + line.code + "'";
}

Result<int> line_in(std::string_view source, const CodeLine& line) {
    // The front matter may quote code, too.
    const std::size_t head = source.starts_with("/*--- lanescope") ? source.find("---*/") : 0;
    int number = 1, found = 0;
    for (std::size_t begin = 0; begin <= source.size(); ++number) {
        const std::size_t end = std::min(source.find('\n', begin), source.size());
        if (line.number > 0 && number == line.number) return number;
        if (line.number == 0 && begin >= head &&
            source.substr(begin, end - begin).find(line.code) != std::string_view::npos) {
            if (found != 0)
                return error("lines " + std::to_string(found) + " and " + std::to_string(number) +
                                 " both contain '" + line.code + "'",
                             "give more of the line");
            found = number;
        }
        begin = end + 1;
    }
    if (line.number > 0) return error("the file has no line " + std::to_string(line.number));
    if (found == 0) return error("no line behind the front matter contains '" + line.code + "'");
    return found;
}

}  // namespace lanescope::lesson
