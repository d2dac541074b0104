#include "program/report.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/text.h"

namespace lanescope::program {

namespace {

using nlohmann::ordered_json;

// Rows of words, in columns; the first column and names stand left, numbers right.
std::string table(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths.resize(std::max(widths.size(), i + 1));
            widths[i] = std::max(widths[i], character_count(row[i]));
        }
    std::string text;
    for (const auto& row : rows) {
        std::string line = " ";
        for (std::size_t i = 0; i < row.size(); ++i)
            line += " " + (i == 1 ? padded_right(row[i], widths[i]) : padded_left(row[i], widths[i])) + " ";
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

// Names of templates fill a screen: without their arguments and namespaces, if they are long.
std::string short_name(const std::string& kernel) {
    constexpr std::size_t most = 40;
    if (kernel.size() <= most) return kernel;
    std::string name = kernel.substr(0, kernel.find('<'));
    if (const std::size_t scope = name.rfind("::"); scope != name.npos) name.erase(0, scope + 2);
    return name + (kernel.find('<') == kernel.npos ? "" : "<…>");
}

// The program and its arguments, without the program's folder.
std::string words_text(const ProgramRun& run) {
    constexpr std::size_t most = 60;
    std::string text;
    for (const std::string& word : run.words)
        text += text.empty() ? std::filesystem::path(word).filename().string() : " " + word;
    if (character_count(text) <= most) return text;
    const auto inside = [&] { return (static_cast<unsigned char>(text.back()) & 0xc0u) == 0x80u; };
    while (character_count(text) >= most) {
        while (inside())
            text.pop_back();
        text.pop_back();
    }
    return text + "…";
}

struct Group {
    const ProgramLaunch* first = nullptr;
    std::uint64_t launches = 0, instructions = 0, with_problems = 0;
    double us = 0;  // of all
};

std::vector<Group> groups_of(const ProgramRun& run) {
    std::vector<Group> groups;
    std::map<std::tuple<std::string, std::string, std::string, std::uint64_t>, std::size_t> known;
    for (const ProgramLaunch& each : run.launches) {
        const auto key = std::make_tuple(each.kernel, trace::size_text(each.grid),
                                         trace::size_text(each.block), each.shared_bytes);
        const auto [at, added] = known.emplace(key, groups.size());
        if (added) groups.push_back({&each});
        Group& group = groups[at->second];
        ++group.launches;
        group.instructions += each.warp_instructions;
        group.us += each.us.value_or(0);
        group.with_problems += each.has_problem() ? 1 : 0;
    }
    return groups;
}

const char* way_of_end(const ProcessOutcome& process) {
    if (process.too_much_output) return "output_limit";
    if (process.timed_out) return "time_limit";
    return process.signal != 0 ? "signal" : "exit";
}

std::string count(std::uint64_t number, const char* one) {
    return std::to_string(number) + " " + one +
           (number == 1                                           ? ""
            : one[std::char_traits<char>::length(one) - 1] == 'h' ? "es"
                                                                  : "s");
}

void tell_problems(const ProgramRun& run, std::ostream& out) {
    constexpr std::size_t most = 20;
    std::size_t told = 0;
    std::map<std::pair<std::string, std::string>, std::uint64_t> again;
    for (const ProgramLaunch& launch : run.launches)
        for (const LaunchProblem& problem : launch.problems) {
            if (again[{launch.kernel, problem.message}]++ != 0 || told++ >= most) continue;
            out << (problem.note ? "note         " : "problem      ") << "launch " << launch.number << ", "
                << short_name(launch.kernel) << ": " << problem.message << "\n";
        }
    if (told > most) out << "             and " << told - most << " more\n";
    for (const ProgramLaunch& launch : run.launches)
        if (launch.problems.empty() && launch.ending != "finished" && told++ < most)
            out << "problem      launch " << launch.number << ", " << short_name(launch.kernel) << ": "
                << launch.ending << "\n";
}

// `checked`: what is a finding is left out. `of`: "program 3: ", of one among several.
void tell_host(const ProgramRun& run, bool checked, std::ostream& out, const std::string& of = "") {
    constexpr std::size_t most = 10;
    const std::string note = "note         " + of;
    for (std::size_t i = 0; !checked && i < run.errors.size() && i < most; ++i) {
        const ProgramError& each = run.errors[i];
        out << "error        " << each.function << " returned " << each.name;
        if (each.place.line != 0) out << " (" << each.place.text() << ")";
        out << (each.reason.empty() ? "" : ": " + each.reason) << "\n";
    }
    if (!checked && run.errors.size() > most)
        out << "             and " << run.errors.size() - most << " more\n";
    if (!checked && !run.lost_error.empty())
        out << "error        a kernel ended with " << run.lost_error
            << ", and no call returned it: the program did not wait for the device\n";
    if (run.lost_output)
        out << note << "the program ended without waiting for its kernels: what they printed is lost\n";
    std::uint64_t leaked = 0, bytes = 0;
    for (const ProgramBuffer& each : run.buffers)
        if (each.leaked) ++leaked, bytes += each.size_bytes;
    if (!checked && leaked != 0)
        out << "note         " << count(leaked, "buffer") << " (" << bytes
            << " bytes) not freed at the end\n";
    const auto remark = [&](const char* head, const ProgramRun::Remark& each) {
        if (checked) return;  // it is a finding
        out << head << each.message << (each.place.line == 0 ? "" : " (" + each.place.text() + ")") << "\n";
    };
    if (run.host_access) remark("problem      ", *run.host_access);
    for (const ProgramRun::Remark& each : run.unsupported)
        remark("unsupported  ", each);
    for (const std::string& each : run.warnings)
        out << note << each << "\n";
    for (const auto& [kind, number] : run.left_out)
        if (kind == "end")
            out << note
                << "the program was ended: what it did not free, and errors and output of kernels for "
                   "which it did not wait, are not known\n";
        else
            out << note << number << " further events of the kind '" << kind << "' are not listed\n";
}

// "3 schedules: rr, warp, seed:1"
void tell_schedules(const ProgramRun& run, std::ostream& out) {
    if (run.schedules.empty()) return;
    out << "schedules    " << count(run.schedules.size(), "schedule") << ": ";
    for (std::size_t i = 0; i < run.schedules.size(); ++i)
        out << (i == 0 ? "" : ", ") << run.schedules[i];
    if (!run.schedules_left_out.empty()) out << "; not more: " << run.schedules_left_out;
    out << "\n";
}

ordered_json json_of(const HostPlace& place) {
    return place.line == 0
               ? ordered_json(nullptr)
               : ordered_json{{"file", place.file}, {"line", place.line}, {"function", place.function}};
}

ordered_json json_of(const LaunchProblem& problem) {
    ordered_json made{{"kind", problem.kind},
                      {"message", problem.message},
                      {"line", problem.line},
                      {"occurrences", problem.occurrences}};
    if (problem.block != trace::none) made["block"] = problem.block;
    if (problem.thread != trace::none) made["thread"] = problem.thread;
    if (!problem.variable.empty()) made["variable"] = problem.variable, made["index"] = problem.index;
    if (problem.note) made["note"] = true;
    if (!problem.why.empty()) made["why"] = problem.why;
    if (!problem.schedule.empty()) made["schedule"] = problem.schedule;
    return made;
}

ordered_json json_of(const ProgramLaunch& launch) {
    ordered_json problems = ordered_json::array();
    for (const LaunchProblem& each : launch.problems)
        problems.push_back(json_of(each));
    ordered_json made{{"number", launch.number},
                      {"kernel", launch.kernel},
                      {"of_kernel", launch.of_kernel},
                      {"grid", {launch.grid.x, launch.grid.y, launch.grid.z}},
                      {"block", {launch.block.x, launch.block.y, launch.block.z}},
                      {"shared", launch.shared_bytes},
                      {"stream", launch.stream},
                      {"ending", launch.ending},
                      {"warp_instructions", launch.warp_instructions},
                      {"thread_instructions", launch.thread_instructions},
                      {"ms", launch.ms},
                      {"place", json_of(launch.place)},
                      {"problems", std::move(problems)}};
    if (launch.cluster.count() > 1) made["cluster"] = {launch.cluster.x, launch.cluster.y, launch.cluster.z};
    if (launch.us) made["us"] = *launch.us;
    return made;
}

std::string microseconds(double us) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(us < 100 ? 2 : 0) << us;
    return text.str();
}

void tell_launches(const ProgramRun& run, std::ostream& out) {
    const bool gpu = !run.device.empty();
    std::uint64_t instructions = 0;
    for (const ProgramLaunch& each : run.launches)
        instructions += each.warp_instructions;
    if (gpu) out << "device       " << run.device << "\n";
    out << "launches     " << run.launches.size();
    if (!gpu) out << ", " << count(instructions, "warp instruction");
    out << "\n";
    const std::vector<Group> groups = groups_of(run);
    if (groups.empty()) return;
    std::vector<std::vector<std::string>> rows{{"first", "kernel", "grid", "block", "shared bytes",
                                                "launches", gpu ? "µs" : "warp instructions",
                                                "with problems"}};
    constexpr std::size_t most = 30;
    for (std::size_t i = 0; i < groups.size() && i < most; ++i) {
        const Group& group = groups[i];
        rows.push_back({std::to_string(group.first->number), short_name(group.first->kernel),
                        trace::size_text(group.first->grid), trace::size_text(group.first->block),
                        std::to_string(group.first->shared_bytes), std::to_string(group.launches),
                        gpu ? microseconds(group.us) : std::to_string(group.instructions),
                        group.with_problems == 0 ? "" : std::to_string(group.with_problems)});
    }
    out << table(rows);
    if (groups.size() > most) out << "  and " << groups.size() - most << " more kinds of launches\n";
}

ordered_json json_of(const HostEvent::End& end) {
    if (!end.on_device()) return nullptr;
    ordered_json made;
    if (end.buffer >= 0) made["buffer"] = end.buffer;
    made["name"] = end.name;
    if (end.offset_bytes != 0) made["offset"] = end.offset_bytes;
    return made;
}

ordered_json json_of(const HostEvent& event) {
    using Kind = HostEvent::Kind;
    ordered_json made{{"event", to_text(event.kind)}, {"function", event.function},
                      {"file", event.place.file},     {"line", event.place.line},
                      {"in", event.place.function},   {"at_ms", event.at_ms}};
    if (event.kind == Kind::copy || event.kind == Kind::memset || event.kind == Kind::launch ||
        (event.kind == Kind::synchronise && event.ms > 0))
        made["ms"] = event.ms;
    if (event.stream >= 0) made["stream"] = event.stream;
    if (!event.of.empty()) made["of"] = event.of;
    if (event.cuda_event >= 0) made["cuda_event"] = event.cuda_event;
    if (event.launch >= 0) made["launch"] = event.launch;
    if (event.kind == Kind::copy || event.kind == Kind::memset || event.kind == Kind::allocate)
        made["bytes"] = event.bytes;
    if (event.kind == Kind::copy)
        made["direction"] = event.direction, made["to"] = json_of(event.to),
        made["from"] = json_of(event.from);
    if (event.kind == Kind::memset) made["to"] = json_of(event.to);
    if (event.kind == Kind::allocate || event.kind == Kind::free)
        made["buffer"] = event.to.buffer, made["name"] = event.to.name;
    return made;
}

ordered_json json_of(const Finding& finding) {
    ordered_json made{{"kind", finding.kind},
                      {"severity", finding.note ? "note" : "error"},
                      {"message", finding.message},
                      {"occurrences", finding.occurrences},
                      {"place", json_of(finding.place)}};
    if (finding.line != 0) made["file"] = finding.file, made["line"] = finding.line;
    if (finding.other.line != 0) made["other"] = json_of(finding.other);
    if (finding.launch >= 0) made["launch"] = finding.launch;
    if (finding.block != trace::none) made["block"] = finding.block;
    if (finding.thread != trace::none) made["thread"] = finding.thread;
    if (!finding.why.empty()) made["why"] = finding.why;
    if (!finding.schedule.empty()) made["schedule"] = finding.schedule;
    return made;
}

}  // namespace

std::string ending_words(const ProgramRun& run) {
    const std::string passed =
        run.process.passed_signal == 0
            ? ""
            : ", after signal " + std::to_string(run.process.passed_signal) + " to lanescope was passed on";
    if (run.process.timed_out) return "ended by the time limit";
    if (run.process.too_much_output) return "ended because it printed more than 256 MiB";
    if (run.process.signal != 0) return "ended by signal " + std::to_string(run.process.signal) + passed;
    return "exit status " + std::to_string(run.process.exit_code) + passed;
}

std::string why_unused(const ProgramRun& run) {
    switch (run.linked) {
        case LinkedRuntime::in_the_program:
            return "the program contains CUDA's runtime (libcudart_static.a), so no other can take its "
                   "place; "
                   "link it with nvcc --cudart=shared, as `lanescope build -- …` does; with CMake, configure "
                   "through `lanescope build` in a new folder, or with "
                   "-DCMAKE_CUDA_RUNTIME_LIBRARY=Shared";
        case LinkedRuntime::shared:
            return "it ended before it called CUDA's runtime";
        case LinkedRuntime::unknown:
            break;
    }
    return "it called no function of the shared CUDA runtime: build it with `lanescope build -- …`";
}

std::string report_text(const ProgramRun& run, const std::string& again, bool checked) {
    std::ostringstream out;
    out << "program      " << ending_words(run) << "\n";
    if (!run.used_the_machine) {
        out << "note         " << why_unused(run) << "\n";
        return out.str();
    }
    tell_launches(run, out);
    if (!checked) tell_problems(run, out);
    tell_host(run, checked, out);
    tell_schedules(run, out);
    if (const ProgramLaunch* first = run.first_choice(); first != nullptr && !again.empty())
        out << "step by step " << again << " " << first->number << "\n";
    return out.str();
}

std::string report_text(std::span<const ProgramRun> runs) {
    constexpr std::size_t most = 50;
    std::ostringstream out;
    out << "command      " << ending_words(runs.front()) << "\n"
        << "programs     " << runs.size() << "\n";
    std::vector<std::vector<std::string>> rows{
        {"number", "program", "launches", "warp instructions", "with problems"}};
    for (std::size_t i = 0; i < runs.size() && i < most; ++i) {
        std::uint64_t instructions = 0;
        for (const ProgramLaunch& each : runs[i].launches)
            instructions += each.warp_instructions;
        const auto bad = std::count_if(runs[i].launches.begin(), runs[i].launches.end(),
                                       [](const ProgramLaunch& each) { return each.has_problem(); });
        rows.push_back({std::to_string(i), words_text(runs[i]), std::to_string(runs[i].launches.size()),
                        std::to_string(instructions), bad == 0 ? "" : std::to_string(bad)});
    }
    out << table(rows);
    if (runs.size() > most) out << "  and " << runs.size() - most << " more\n";
    for (std::size_t i = 0; i < runs.size(); ++i)
        tell_host(runs[i], true, out, "program " + std::to_string(i) + ": ");
    tell_schedules(runs.front(), out);
    return out.str();
}

namespace {

// How what was started ended.
ordered_json ending_json(const ProgramRun& run, const std::string& name) {
    const bool exited = run.process.signal == 0 && !run.process.was_killed();
    ordered_json program{{"file", name}, {"exit_status", nullptr}};
    if (exited) program["exit_status"] = run.process.exit_code;
    if (!run.used_the_machine) program["note"] = why_unused(run);
    if (!run.device.empty()) program["device"] = run.device;
    if (run.process.signal != 0) program["signal"] = run.process.signal;
    if (run.process.timed_out) program["timed_out"] = true;
    if (run.process.too_much_output) program["too_much_output"] = true;
    program["ended"] = way_of_end(run.process);
    if (run.process.passed_signal != 0) program["passed_signal"] = run.process.passed_signal;
    program["stdout"] = run.process.out;
    program["stderr"] = run.process.err;
    return program;
}

ordered_json json_of(const ProgramRun& run) {
    ordered_json launches = ordered_json::array(), buffers = ordered_json::array(),
                 errors = ordered_json::array(), host = ordered_json::array();
    for (const HostEvent& each : run.host)
        host.push_back(json_of(each));
    for (const ProgramLaunch& each : run.launches)
        launches.push_back(json_of(each));
    for (const ProgramBuffer& each : run.buffers)
        buffers.push_back({{"number", each.number},
                           {"name", each.name},
                           {"kind", each.kind},
                           {"bytes", each.size_bytes},
                           {"place", json_of(each.place)},
                           {"leaked", each.leaked}});
    for (const ProgramError& each : run.errors) {
        errors.push_back({{"function", each.function},
                          {"name", each.name},
                          {"code", each.code},
                          {"place", json_of(each.place)}});
        if (!each.reason.empty()) errors.back()["reason"] = each.reason;
    }
    ordered_json unsupported = ordered_json::array(), warnings = run.warnings;
    for (const ProgramRun::Remark& each : run.unsupported)
        warnings.push_back(each.message);
    const auto remark = [](const ProgramRun::Remark& each) {
        return ordered_json{{"message", each.message}, {"place", json_of(each.place)}};
    };
    for (const ProgramRun::Remark& each : run.unsupported)
        unsupported.push_back(remark(each));
    ordered_json made{{"launches", std::move(launches)},      {"host", std::move(host)},
                      {"buffers", std::move(buffers)},        {"errors", std::move(errors)},
                      {"warnings", std::move(warnings)},      {"lost_output", run.lost_output},
                      {"lost_error", run.lost_error},         {"left_out", run.left_out},
                      {"unsupported", std::move(unsupported)}};
    if (run.host_access) made["host_access"] = remark(*run.host_access);
    if (!run.device.empty()) return made;
    made["inexact"] = ordered_json::array();
    for (const ProgramRun::Inexact& each : run.inexact)
        made["inexact"].push_back(
            {{"instruction", each.instruction}, {"kind", each.kind}, {"why", each.why}});
    return made;
}

void add_check(ordered_json& made, const ProgramRun& run, const std::vector<Finding>* findings,
               bool several) {
    if (!run.schedules.empty()) made["schedules"] = run.schedules;
    if (!run.schedules_left_out.empty()) made["schedules_left_out"] = run.schedules_left_out;
    if (findings == nullptr) return;
    made["findings"] = ordered_json::array();
    for (const Finding& each : *findings) {
        made["findings"].push_back(json_of(each));
        if (several) made["findings"].back()["programs"] = each.runs;
    }
}

std::string text_of(const ordered_json& json) {
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string report_json(const ProgramRun& run, const std::string& name,
                        const std::vector<Finding>* findings) {
    ordered_json made{{"program", ending_json(run, name)}};
    made.update(json_of(run));
    add_check(made, run, findings, false);
    return text_of(made);
}

std::string report_json(std::span<const ProgramRun> runs, const std::string& name,
                        const std::vector<Finding>& findings) {
    ordered_json programs = ordered_json::array();
    for (const ProgramRun& run : runs) {
        ordered_json made{{"words", run.words}};
        made.update(json_of(run));
        programs.push_back(std::move(made));
    }
    ordered_json made{{"program", ending_json(runs.front(), name)}, {"programs", std::move(programs)}};
    add_check(made, runs.front(), &findings, true);
    return text_of(made);
}

}  // namespace lanescope::program
