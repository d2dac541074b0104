// Adapter: what a person types in the debug console.
#include <charconv>

#include "base/text.h"
#include "dap/adapter.h"
#include "program/report.h"
#include "scene/words/problem_words.h"
#include "session/lane_explanation.h"
#include "session/report/report.h"

namespace lanescope::dap {

namespace {

constexpr const char* help =
    "focus lane|thread|warp|block N   choose which thread the variables belong to\n"
    "step N                           go to this step, from 1\n"
    "lanes EXPRESSION                 a value in every lane of the warp\n"
    "why                              what this lane does, and why it waits\n"
    "problems, report, launches       what the run found, counted, and what a program launched\n"
    "launch N                         step through another launch of the program\n"
    "Everything else is an expression in the lane: s[t] + 1, threadIdx.x, popc(mask)";

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(value)
                                                                           : std::nullopt;
}

Json said(const std::string& text) {
    return {{"result", text}, {"variablesReference", 0}};
}

}  // namespace

std::optional<Result<Json>> Adapter::command(const std::string& line) {
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::string name = line.substr(0, blank), rest(trimmed(std::string_view(line).substr(blank)));
    const execution::RunResult& run = *session_.run();
    const Result<LanePick> pick = pick_asked({});
    if (name == "help" && rest.empty()) return said(help);
    if (name == "report" && rest.empty()) return said(session::report_text(run));
    if (name == "why" && rest.empty())
        return said(session::lane_explanation(session_, pick->warp, pick->lane));
    if (name == "problems" && rest.empty()) {
        std::string text;
        for (const trace::Problem& each : run.problems)
            text += (text.empty() ? "" : "\n") + scene::site_words(each.first) + ": " + each.message;
        return said(text.empty() ? "no problem was found" : text);
    }
    if (name == "lanes" && !rest.empty()) {
        const Result<Json> value = values_.evaluate(rest, *pick, false);
        if (!value) return value;
        std::string text;
        for (std::uint32_t lane = 0; lane < trace::warp_size; ++lane) {
            const session::LaneValue each = session_.values().value(rest, pick->warp, lane);
            text += (lane == 0 ? "" : " ") + (each.set ? each.text : std::string("–"));
        }
        return said(text);
    }
    const session::OpenedProgram* program = session_.launches().program();
    if (name == "launches" && rest.empty())
        return program ? Result<Json>(said(program::report_text(program->run, "")))
                       : Result<Json>(error("the run is not one of a program with main()"));
    if (name == "launch" && whole_number(rest)) {
        if (!program) return Result<Json>(error("the run is not one of a program with main()"));
        then_ = [this, number = *whole_number(rest)] {
            session_.apply(session::RecordLaunch{static_cast<std::uint64_t>(number)});
            state_ = State::running;
            opening_ = true;
        };
        return said("launch " + rest + " is recorded");
    }
    if (name == "step" && whole_number(rest)) {
        const Result<Json> done = seek({{"step", *whole_number(rest)}});
        return done ? Result<Json>(said("step " + rest)) : done;
    }
    if (name != "focus") return std::nullopt;
    const std::size_t space = std::min(rest.find(' '), rest.size());
    const std::string what = rest.substr(0, space);
    const auto number = whole_number(trimmed(std::string_view(rest).substr(space)));
    if (!number || !one_of(what, {"lane", "thread", "warp", "block"}))
        return Result<Json>(error("'" + line + "' must be: focus lane|thread|warp|block NUMBER"));
    Json wanted = {{what, *number}};
    if (what == "lane") wanted["warp"] = pick->warp;
    if (what == "thread")
        wanted = {{"warp", *number / trace::warp_size}, {"lane", *number % trace::warp_size}};
    const Result<Json> done = focus(wanted);
    return done ? Result<Json>(said(what + " " + std::to_string(*number))) : done;
}

}  // namespace lanescope::dap
