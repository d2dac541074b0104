#include "program/check.h"

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "base/temporary_folder.h"
#include "program/report.h"

namespace lanescope::program {

namespace {

// What a finding has in common with those that it stands for; the message of a kernel's problem may name
// other cells and threads.
using Key =
    std::tuple<std::string, bool, std::string, std::string, std::uint32_t, std::uint32_t, std::string>;

class List {
  public:
    void begin_run(std::size_t run) { run_ = run; }
    void add(Finding finding, const Key& key) {
        const std::string place = finding.line != 0 ? "" : finding.place.text();
        const auto [known, added] = known_.emplace(std::pair(key, place), findings_.size());
        if (added)
            findings_.push_back(std::move(finding));
        else
            findings_[known->second].occurrences += finding.occurrences;
        std::vector<std::size_t>& runs = findings_[known->second].runs;
        if (runs.empty() || runs.back() != run_) runs.push_back(run_);
    }
    void add(Finding finding) {
        const Key key{finding.kind, finding.note, finding.message, finding.file, finding.line, 0, ""};
        add(std::move(finding), key);
    }
    std::vector<Finding> take() { return std::move(findings_); }

  private:
    std::vector<Finding> findings_;
    std::map<std::pair<Key, std::string>, std::size_t> known_;
    std::size_t run_ = 0;  // what is added is of this one
};

Key key_of(const std::string& kernel, const LaunchProblem& problem) {
    // Without a line, the message is all that tells two problems apart. Which access of a race comes first
    // depends on the schedule.
    const std::string& text = problem.line == 0 ? problem.message : kernel;
    const bool swapped = problem.second_line != 0 && problem.second_line < problem.line;
    return {problem.kind,
            problem.note,
            text,
            problem.file,
            swapped ? problem.second_line : problem.line,
            swapped ? problem.line : problem.second_line,
            problem.variable};
}

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
            made.why = problem.why;
            made.schedule = problem.schedule;
            Key key = key_of(launch.kernel, problem);
            std::get<0>(key) = made.kind;
            list.add(std::move(made), key);
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

constexpr const char* launch_timeout = "cudaErrorLaunchTimeout";

const ProgramLaunch* launch_of(const ProgramRun& run, std::int64_t number) {
    const auto found = std::find_if(
        run.launches.begin(), run.launches.end(),
        [&](const ProgramLaunch& launch) { return static_cast<std::int64_t>(launch.number) == number; });
    return found == run.launches.end() ? nullptr : &*found;
}

std::string work_text(const ProgramRun& run, const StreamRace::Work& work) {
    std::string text = work.function;
    if (const ProgramLaunch* launch = launch_of(run, work.launch))
        text = "launch " + std::to_string(launch->number) + " of " + launch->kernel;
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
        const bool by_host = race.second.what == "host";
        if (by_host) made.kind = "host_race";
        made.message = by_host ? "the host " + std::string(race.second.writes ? "writes " : "reads ") + at +
                                     ", which " + work_text(run, race.first) +
                                     " writes, and has not waited for it: call " +
                                     (race.first.stream == 0 ? "cudaDeviceSynchronize()"
                                                             : "cudaStreamSynchronize() for this stream") +
                                     " before"
                               : work_text(run, race.second) + " " + verb_of(race.second) + " " + at +
                                     ", which " + work_text(run, race.first) + " " + verb_of(race.first) +
                                     "; no event and no wait orders the two streams";
        made.place = race.second.place;
        made.other = race.first.place;
        made.launch = race.second.launch;
        list.add(std::move(made));
    }
}

std::string extent_text(const trace::Dim3& extent) {
    std::string text = std::to_string(extent.x);
    if (extent.y > 1 || extent.z > 1) text += " × " + std::to_string(extent.y);
    if (extent.z > 1) text += " × " + std::to_string(extent.z);
    return text;
}

void add_unwritten(const ProgramRun& run, List& list) {
    for (const UnwrittenCopy& each : run.unwritten) {
        const std::string name = each.name.empty() ? "buffer " + std::to_string(each.buffer) : each.name;
        Finding made;
        made.kind = "unwritten";
        made.note = true;
        made.message = each.function + " copies " + std::to_string(each.of) + " elements of " + name +
                       " to the host, and nothing wrote " + std::to_string(each.count) + " of them, " + name +
                       "[" + std::to_string(each.first) + "] first";
        if (const ProgramLaunch* launch = launch_of(run, each.launch)) {
            const std::uint64_t threads = launch->grid.count() * launch->block.count();
            made.message += ": launch " + std::to_string(launch->number) + " of " + launch->kernel +
                            ", with " + extent_text(launch->grid) + " blocks of " +
                            extent_text(launch->block) + " threads, wrote " + std::to_string(each.written);
            // One element a thread, and then no more threads.
            if (threads == each.written && each.first == each.written)
                made.message +=
                    ", one for each thread; divide the elements by the threads of a block, and "
                    "round up, to get the blocks";
            made.other = launch->place;
        }
        made.place = each.place;
        list.add(std::move(made));
    }
}

// Errors of kernels, which every later call returns again, until the program ends.
bool lasts(int code) {
    return code == 700 || code == 702 || code == 710 || (code >= 714 && code <= 719);
}

bool has_ending(const ProgramRun& run, const std::string& ending) {
    return std::any_of(run.launches.begin(), run.launches.end(),
                       [&](const ProgramLaunch& launch) { return launch.ending == ending; });
}

void add_host(const ProgramRun& run, bool leaks_fail, List& list) {
    const bool stopped = has_ending(run, "timeout") || has_ending(run, "step_limit");
    const bool faulted = has_ending(run, "faulted");
    std::set<int> known;
    for (const ProgramError& error : run.errors) {
        // A limit of this machine is not the program's error, and the calls after a fault are not further
        // ones.
        if (stopped && error.name == launch_timeout) continue;
        if (faulted && error.reason.empty() && lasts(error.code) && !known.insert(error.code).second)
            continue;
        const bool frees = error.function.starts_with("cudaFree");
        const bool freed_before = error.reason.find("was freed before") != std::string::npos;
        // An event or a stream that is not ready yet is an answer, and only checks tell what the program saw.
        const bool answer = error.name == "cudaErrorNotReady" || run.schedules.empty();
        if (!freed_before && error.seen && answer) continue;
        Finding made;
        made.note = !freed_before && error.seen;
        made.kind = freed_before ? frees ? "double_free" : "use_after_free"
                    : error.seen ? "failed_call"
                                 : "unchecked_error";
        made.message = error.function + " returned " + error.name +
                       (error.reason.empty() ? "" : ": " + error.reason) +
                       (made.kind == "unchecked_error" ? "; the program did not look"
                        : made.kind == "failed_call"   ? "; the program looked at the result"
                                                       : "");
        made.place = error.place;
        list.add(std::move(made));
    }
    const auto add_remark = [&](const char* kind, const ProgramRun::Remark& each) {
        Finding made;
        made.kind = kind;
        made.message = each.message;
        made.place = each.place;
        list.add(std::move(made));
    };
    if (run.host_access) add_remark("host_access", *run.host_access);
    for (const ProgramRun::Remark& each : run.unsupported)
        add_remark("unsupported", each);
    if (!run.lost_error.empty() && !(stopped && run.lost_error == launch_timeout)) {
        Finding made;
        made.kind = "lost_error";
        made.message = "a kernel ended with " + run.lost_error +
                       ", and no call returned it: the program did not wait for the device";
        list.add(std::move(made));
    }
    for (const ProgramBuffer& buffer : run.buffers) {
        if (!buffer.leaked || faulted || stopped) continue;  // after a fault, nothing can be freed
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

std::vector<Finding> findings_of(std::span<const ProgramRun> runs, bool leaks_fail) {
    List list;
    const auto add = [&](const auto& of_run) {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            list.begin_run(i);
            of_run(runs[i]);
        }
    };
    add([&](const ProgramRun& run) { add_kernels(run, list); });
    add([&](const ProgramRun& run) { add_streams(run, list); });
    add([&](const ProgramRun& run) { add_unwritten(run, list); });
    add([&](const ProgramRun& run) { add_host(run, leaks_fail, list); });
    return list.take();
}

namespace {

// Further schedules; more of one kind show less and less that is new.
constexpr const char* more_schedules[] = {"warp", "seed:1", "seed:2", "seed:3", "seed:4"};

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string seconds_text(double seconds) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << seconds << " s";
    return text.str();
}

// The launch of the first run that a launch of a later one is to be compared with.
ProgramLaunch& counterpart(ProgramRun& run, const ProgramLaunch& launch) {
    const auto same = [&](const ProgramLaunch& each) {
        return each.kernel == launch.kernel && each.number == launch.number;
    };
    const auto found = std::find_if(run.launches.begin(), run.launches.end(), same);
    if (found != run.launches.end()) return *found;
    ProgramLaunch& added = run.launches.emplace_back(launch);
    added.problems.clear();
    return added;
}

// Whether a problem of another schedule is known in other words: it has the same kind and line, or it is a
// read of unset memory whose write, a known race, comes later under this schedule.
bool is_known_otherwise(const ProgramRun& run, const std::string& kernel, const LaunchProblem& problem) {
    for (const ProgramLaunch& launch : run.launches)
        for (const LaunchProblem& known : launch.problems) {
            if (known.file != problem.file) continue;
            const bool race = known.kind == "race" || known.kind == "unsynced_lanes";
            if (problem.kind == "uninitialised" && race &&
                (known.line == problem.line || known.second_line == problem.line))
                return true;
            if (!race && launch.kernel == kernel && known.kind == problem.kind && known.line == problem.line)
                return true;
        }
    return false;
}

// A kernel that was stopped because the time was over says nothing about this schedule.
bool was_cut_off(const ProgramRun& run, const ProgramRun& later) {
    const auto cut = [](const ProgramRun& of) {
        return std::any_of(of.launches.begin(), of.launches.end(),
                           [](const ProgramLaunch& each) { return each.ending == "timeout"; });
    };
    return later.process.was_killed() || (cut(later) && !cut(run));
}

void add_problems(ProgramRun& run, const ProgramRun& later, const std::string& schedule) {
    std::set<Key> known;
    for (const ProgramLaunch& launch : run.launches)
        for (const LaunchProblem& problem : launch.problems)
            known.insert(key_of(launch.kernel, problem));
    for (const ProgramLaunch& launch : later.launches)
        for (const LaunchProblem& problem : launch.problems) {
            if (known.contains(key_of(launch.kernel, problem)) ||
                is_known_otherwise(run, launch.kernel, problem))
                continue;
            LaunchProblem added = problem;
            added.schedule = schedule;
            counterpart(run, launch).problems.push_back(std::move(added));
        }
}

// The run of the same program in an earlier list; null: the command did not start it then. The first of
// several programs with the same words belongs to the first one there, and so on.
ProgramRun* same_program(std::vector<ProgramRun>& runs, const std::vector<ProgramRun>& later,
                         const ProgramRun& run) {
    if (runs.size() == 1 && later.size() == 1) return &runs.front();
    const auto of_words = [&](const ProgramRun& each) { return each.words == run.words; };
    auto before = std::count_if(later.data(), &run, of_words);
    for (ProgramRun& each : runs)
        if (of_words(each) && before-- == 0) return &each;
    return nullptr;
}

bool any_launch(const std::vector<ProgramRun>& runs) {
    return std::any_of(runs.begin(), runs.end(), [](const ProgramRun& run) { return !run.launches.empty(); });
}

}  // namespace

Result<std::vector<ProgramRun>> check_programs(const std::vector<std::string>& argv,
                                               const RunOptions& options, const CheckLimits& limits) {
    const auto begin = std::chrono::steady_clock::now();
    RunOptions wanted = options;
    wanted.check = true;
    Result<std::vector<ProgramRun>> runs = run_programs(argv, wanted);
    if (!runs) return runs;
    std::vector<std::string> schedules{options.schedule.empty() ? "rr" : options.schedule};
    const auto result = [&](std::string left_out) {
        for (ProgramRun& run : *runs)
            run.schedules = schedules, run.schedules_left_out = left_out;
        return runs;
    };
    if (!options.schedule.empty() || !any_launch(*runs)) return result("");
    if (std::none_of(runs->begin(), runs->end(), [](const ProgramRun& run) { return run.ended; }))
        return result("the program did not come to its end");
    const double first = seconds_since(begin);
    if (first > limits.share * limits.seconds)
        return result("the first run took " + seconds_text(first) + " of the " +
                      seconds_text(limits.seconds) + " that a check may take");
    for (const char* schedule : more_schedules) {
        const double left = limits.seconds - seconds_since(begin);
        if (left < 1.5 * first)
            return result("the " + seconds_text(limits.seconds) + " that a check may take are over");
        const Result<TemporaryFolder> folder = TemporaryFolder::create();
        if (!folder) return folder.diagnostics();
        wanted.folder = folder->path();
        wanted.record.clear();
        wanted.schedule = schedule;
        wanted.capture = true;
        wanted.seconds = wanted.kernel_seconds = left;
        const Result<std::vector<ProgramRun>> later = run_programs(argv, wanted);
        if (!later) return later;
        const ProcessOutcome& ending = later->front().process;
        ProgramRun& one = runs->front();
        if (ending.cancelled) break;
        schedules.emplace_back(schedule);
        bool cut_off = false;
        for (const ProgramRun& run : *later) {
            ProgramRun* known = same_program(*runs, *later, run);
            if (known != nullptr && was_cut_off(*known, run)) cut_off = true;
            if (known != nullptr && !cut_off) add_problems(*known, run, schedule);
        }
        if (cut_off)
            return result(std::string("with --schedule ") + schedule + " the program did not end in time");
        if (ending.exit_code != one.process.exit_code || ending.signal != one.process.signal)
            one.warnings.push_back(std::string("with --schedule ") + schedule +
                                   " the program ends otherwise: " + ending_words(later->front()));
    }
    return result("");
}

bool any_problem(const std::vector<Finding>& findings) {
    return std::any_of(findings.begin(), findings.end(), [](const Finding& each) { return !each.note; });
}

std::string text_of(const std::vector<Finding>& findings, std::size_t programs) {
    constexpr std::size_t most = 50;
    std::ostringstream out;
    for (std::size_t i = 0; i < findings.size() && i < most; ++i) {
        const Finding& each = findings[i];
        out << (each.note ? "note         " : "problem      ") << each.kind << ": ";
        if (each.line != 0) out << each.file << ":" << each.line << ": ";
        out << each.message;
        if (each.launch >= 0 && each.kind != "stream_race") out << "; launch " << each.launch;
        if (programs > 1) out << (each.launch >= 0 ? " of" : "; of") << " program " << each.runs.front();
        if (each.place.line != 0 && each.kind != "stream_race") out << " at " << each.place.text();
        if (!each.schedule.empty()) out << "; found with --schedule " << each.schedule;
        if (each.occurrences > 1) {
            out << " (" << each.occurrences << " times";
            if (each.runs.size() > 1) out << " in " << each.runs.size() << " programs";
            out << ")";
        }
        out << "\n";
        if (!each.why.empty()) out << "             " << each.why << "\n";
    }
    if (findings.size() > most) out << "             and " << findings.size() - most << " more\n";
    const auto problems =
        std::count_if(findings.begin(), findings.end(), [](const Finding& each) { return !each.note; });
    const auto notes = static_cast<std::ptrdiff_t>(findings.size()) - problems;
    out << "checked      " << problems << (problems == 1 ? " problem" : " problems");
    if (notes != 0) out << ", " << notes << (notes == 1 ? " note" : " notes");
    if (programs > 1) out << " in " << programs << " programs";
    out << "\n";
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
        diagnostic.hint = each.why;
        made.push_back(std::move(diagnostic));
    }
    return made;
}

}  // namespace lanescope::program
