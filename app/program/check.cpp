#include "program/check.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

namespace lanescope::program {

namespace {

class List {
  public:
    void add(Finding finding) {
        const auto key =
            std::make_tuple(finding.kind, finding.message, finding.file, finding.line, finding.place.text());
        const auto [known, added] = known_.emplace(key, findings_.size());
        if (added)
            findings_.push_back(std::move(finding));
        else
            ++findings_[known->second].occurrences;
    }
    std::vector<Finding> take() { return std::move(findings_); }

  private:
    std::vector<Finding> findings_;
    std::map<std::tuple<std::string, std::string, std::string, std::uint32_t, std::string>, std::size_t>
        known_;
};

void add_kernels(const ProgramRun& run, List& list) {
    for (const ProgramLaunch& launch : run.launches) {
        for (const LaunchProblem& problem : launch.problems) {
            Finding made;
            made.kind = problem.message.find(", which was freed") != std::string::npos ? "use_after_free"
                                                                                       : problem.kind;
            made.note = problem.note;
            made.message = (problem.kernel.empty() ? launch.kernel : problem.kernel) + ": " + problem.message;
            made.file = problem.file;
            made.line = problem.line;
            made.place = launch.place;
            made.launch = static_cast<std::int64_t>(launch.number);
            made.block = problem.block;
            made.thread = problem.thread;
            list.add(std::move(made));
        }
        if (!launch.problems.empty() || launch.ending == "finished" || launch.ending == "refused") continue;
        Finding made;
        made.kind = launch.ending;
        made.message = launch.kernel + ": " + launch.ending;
        made.place = launch.place;
        made.launch = static_cast<std::int64_t>(launch.number);
        list.add(std::move(made));
    }
}

std::string work_text(const ProgramRun& run, const StreamRace::Work& work) {
    std::string text = work.function;
    if (work.launch >= 0)
        for (const ProgramLaunch& launch : run.launches)
            if (launch.number == static_cast<std::uint64_t>(work.launch))
                text = "launch " + std::to_string(launch.number) + " of " + launch.kernel;
    text += " on " + (work.stream == 0 ? "the default stream" : "stream " + std::to_string(work.stream));
    if (work.place.line != 0) text += " (" + work.place.text() + ")";
    return text;
}

std::string verb_of(const StreamRace::Work& work) {
    if (work.what == "free") return "frees";
    if (work.what == "allocation") return "allocates";
    return work.writes ? "writes" : "reads";
}

void add_streams(const ProgramRun& run, List& list) {
    for (const StreamRace& race : run.stream_races) {
        Finding made;
        made.kind = "stream_race";
        std::string at = race.at.name.empty() ? "memory" : race.at.name;
        if (race.at.name.empty() && race.at.buffer >= 0) at = "buffer " + std::to_string(race.at.buffer);
        if (race.at.offset_bytes != 0) at += " + " + std::to_string(race.at.offset_bytes) + " bytes";
        made.message = work_text(run, race.second) + " " + verb_of(race.second) + " " + at + ", which " +
                       work_text(run, race.first) + " " + verb_of(race.first) +
                       "; no event and no wait orders the two streams";
        made.place = race.second.place;
        made.other = race.first.place;
        made.launch = race.second.launch;
        list.add(std::move(made));
    }
}

void add_host(const ProgramRun& run, bool leaks_fail, List& list) {
    for (const ProgramError& error : run.errors) {
        const bool frees = error.function.starts_with("cudaFree");
        const bool freed_before = error.reason.find("was freed before") != std::string::npos;
        if (!freed_before && error.seen) continue;
        Finding made;
        made.kind = freed_before ? frees ? "double_free" : "use_after_free" : "unchecked_error";
        made.message = error.function + " returned " + error.name +
                       (error.reason.empty() ? "" : ": " + error.reason) +
                       (made.kind == "unchecked_error" ? "; the program did not look" : "");
        made.place = error.place;
        list.add(std::move(made));
    }
    for (const ProgramRun::Unsupported& each : run.unsupported) {
        Finding made;
        made.kind = "unsupported";
        made.message = each.message;
        made.place = each.place;
        list.add(std::move(made));
    }
    if (!run.lost_error.empty()) {
        Finding made;
        made.kind = "lost_error";
        made.message = "a kernel ended with " + run.lost_error +
                       ", and no call returned it: the program did not wait for the device";
        list.add(std::move(made));
    }
    for (const ProgramBuffer& buffer : run.buffers) {
        if (!buffer.leaked) continue;
        Finding made;
        made.kind = "leak";
        made.note = !leaks_fail;
        made.message = (buffer.name.empty() ? "a buffer" : buffer.name) + " (" +
                       std::to_string(buffer.size_bytes) + " bytes, " + buffer.kind +
                       ") was not freed at the end";
        made.place = buffer.place;
        list.add(std::move(made));
    }
}

}  // namespace

std::vector<Finding> findings_of(const ProgramRun& run, bool leaks_fail) {
    List list;
    add_kernels(run, list);
    add_streams(run, list);
    add_host(run, leaks_fail, list);
    return list.take();
}

bool any_problem(const std::vector<Finding>& findings) {
    return std::any_of(findings.begin(), findings.end(), [](const Finding& each) { return !each.note; });
}

std::string text_of(const std::vector<Finding>& findings) {
    constexpr std::size_t most = 50;
    std::ostringstream out;
    for (std::size_t i = 0; i < findings.size() && i < most; ++i) {
        const Finding& each = findings[i];
        out << (each.note ? "note         " : "problem      ") << each.kind << ": ";
        if (each.line != 0) out << each.file << ":" << each.line << ": ";
        out << each.message;
        if (each.launch >= 0 && each.kind != "stream_race") out << "; launch " << each.launch;
        if (each.place.line != 0 && each.kind != "stream_race") out << " at " << each.place.text();
        if (each.occurrences > 1) out << " (" << each.occurrences << " times)";
        out << "\n";
    }
    if (findings.size() > most) out << "             and " << findings.size() - most << " more\n";
    const auto problems =
        std::count_if(findings.begin(), findings.end(), [](const Finding& each) { return !each.note; });
    out << "checked      " << problems << (problems == 1 ? " problem" : " problems") << "\n";
    return out.str();
}

Diagnostics diagnostics_of(const std::vector<Finding>& findings) {
    Diagnostics made;
    for (const Finding& each : findings) {
        Diagnostic diagnostic;
        diagnostic.severity = each.note ? Severity::note : Severity::error;
        diagnostic.file = each.line != 0 ? each.file : each.place.file;
        diagnostic.line = each.line != 0 ? static_cast<int>(each.line) : each.place.line;
        diagnostic.message = each.kind + ": " + each.message;
        if (each.line != 0 && each.place.line != 0)
            diagnostic.message += " (launched at " + each.place.text() + ")";
        made.push_back(std::move(diagnostic));
    }
    return made;
}

}  // namespace lanescope::program
