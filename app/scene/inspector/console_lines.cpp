#include "scene/inspector/console_lines.h"

#include <algorithm>
#include <string_view>

#include "scene/words/problem_words.h"

namespace lanescope::scene {

namespace {

trace::ProblemSite site_of(const trace::Print& print) {
    trace::ProblemSite site;
    site.turn = print.turn;
    site.launch = print.launch;
    site.line = print.line;
    site.block = print.block;
    site.thread = print.thread;
    return site;
}

// Text without an end of line goes on in the next piece, even if another thread printed it.
void add_piece(std::vector<ConsoleLine>& lines, bool& open, std::string_view text, const ConsoleLine& by) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (!open) lines.push_back(by);
        lines.back().text += text.substr(0, end);
        open = end == text.size();
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

}  // namespace

std::vector<ConsoleLine> console_lines(const execution::RunResult& run, std::uint64_t turns) {
    std::vector<ConsoleLine> lines;
    bool open = false, later = false;
    std::uint64_t at = 0;
    static const std::vector<trace::Print> none;
    const std::vector<trace::Print>& prints = run.trace ? run.trace->prints : none;
    for (const trace::Print& print : prints) {
        ConsoleLine by;
        by.site = site_of(print);
        if (was_recorded(by.site) && print.turn >= turns) {
            later = true;
            break;
        }
        by.known = true;
        add_piece(lines, open,
                  std::string_view(run.console)
                      .substr(std::min<std::size_t>(at, run.console.size()), print.end - at),
                  by);
        at = print.end;
    }
    if (!later && at < run.console.size())
        add_piece(lines, open, std::string_view(run.console).substr(at), {});
    for (const trace::Problem& problem : run.problems) {
        if (problem.kind != trace::ProblemKind::trap) continue;
        if (was_recorded(problem.first) && problem.first.turn >= turns) continue;
        ConsoleLine failure;
        failure.text = problem.message;
        failure.site = problem.first;
        failure.failure = failure.known = true;
        const auto after = std::find_if(lines.begin(), lines.end(), [&](const ConsoleLine& line) {
            return was_recorded(line.site) && line.site.turn > problem.first.turn;
        });
        lines.insert(after, failure);
    }
    return lines;
}

std::size_t lines_until(const std::vector<ConsoleLine>& lines, std::uint64_t turns) {
    // Lines of blocks that are not recorded count with the line before them.
    std::size_t count = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (was_recorded(lines[i].site) && lines[i].site.turn >= turns) break;
        count = i + 1;
    }
    return count;
}

std::string printer_words(const ConsoleLine& line, bool many_blocks) {
    if (!line.known) return {};
    std::string text;
    if (many_blocks && line.site.block != trace::none) text = "b" + std::to_string(line.site.block) + " ";
    if (line.site.thread != trace::none) text += "t" + std::to_string(line.site.thread);
    if (line.site.line != 0) text += " · " + std::to_string(line.site.line);
    return text;
}

std::string print_story(const ConsoleLine& line, bool many_blocks) {
    std::string text;
    if (line.site.thread != trace::none) text += "printed by t" + std::to_string(line.site.thread);
    if (many_blocks) text += " of block " + std::to_string(line.site.block);
    if (line.site.line != 0) text += " on line " + std::to_string(line.site.line);
    return text;
}

}  // namespace lanescope::scene
