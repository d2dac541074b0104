#include "cudart/runtime/problems.h"

#include "trace/names.h"

namespace lanescope::cudart {

std::string assertion_text(const trace::Problem& problem, const std::string& file, const trace::Dim3& grid,
                           const trace::Dim3& block) {
    const std::string& message = problem.message;
    const std::string begin = "failed the assertion `", middle = "' in line ", end = " of ";
    const std::size_t first = message.find(begin), line = message.rfind(middle);
    if (problem.kind != trace::ProblemKind::trap || first == message.npos || line == message.npos) return {};
    const std::size_t function = message.find(end, line + middle.size());
    if (function == message.npos || problem.first.thread == trace::none) return {};
    const auto index = [](std::uint32_t number, const trace::Dim3& size) {
        return "[" + std::to_string(number % size.x) + "," + std::to_string(number / size.x % size.y) + "," +
               std::to_string(number / size.x / size.y) + "]";
    };
    return file + ":" + message.substr(line + middle.size(), function - line - middle.size()) + ": " +
           message.substr(function + end.size()) + ": block: " + index(problem.first.block, grid) +
           ", thread: " + index(problem.first.thread, block) + " Assertion `" +
           message.substr(first + begin.size(), line - first - begin.size()) + "` failed.";
}

nlohmann::ordered_json json_of(const trace::Problem& problem, const std::string& kernel,
                               const std::string& file) {
    nlohmann::ordered_json made{{"kind", trace::to_text(problem.kind)},
                                {"message", problem.message},
                                {"line", problem.first.line},
                                {"occurrences", problem.occurrences}};
    if (problem.first.line != 0) made["file"] = file;
    if (!kernel.empty()) made["kernel"] = kernel;
    if (problem.second.line != 0) {
        made["second"] = {{"line", problem.second.line},
                          {"block", problem.second.block},
                          {"thread", problem.second.thread}};
    }
    if (problem.first.block != trace::none) made["block"] = problem.first.block;
    if (problem.first.thread != trace::none) made["thread"] = problem.first.thread;
    if (!problem.variable.empty()) made["variable"] = problem.variable, made["index"] = problem.index;
    if (problem.note) made["note"] = true;
    if (const std::string why = trace::why_text(problem); !why.empty()) made["why"] = why;
    return made;
}

}  // namespace lanescope::cudart
