#include "program/run.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/races.h"
#include "base/files.h"
#include "base/folders.h"
#include "program/build.h"
#include "program/host_lines.h"
#include "trace/io.h"

namespace lanescope::program {

namespace {

using nlohmann::ordered_json;

constexpr double hour_s = 3600;
// The limit of a kernel comes before that of the whole program, so that the report names the line.
constexpr double after_kernels_s = 2;

// The names of files that were compiled under other ones; null if there are none.
ordered_json own_names_of(const std::string& program) {
    const Result<std::string> text = read_file(own_names_beside(program));
    return text ? ordered_json::parse(*text, nullptr, false) : ordered_json();
}

// `processes`: each process of the command has a journal of its own.
Result<void> write_request(const std::string& program, const RunOptions& options,
                           const ordered_json& own_names, bool processes) {
    ordered_json request{{"owner", ::getpid()}};
    if (processes) request["processes"] = true;
    std::error_code failed;
    if (const std::filesystem::path types = shared_types_beside(program);
        std::filesystem::exists(types, failed))
        request["shared_types"] = types.string();
    if (own_names.is_object()) request["own_names"] = own_names;
    if (!options.record.empty()) request["record"] = options.record;
    if (options.kernel_seconds > 0) request["max_seconds"] = options.kernel_seconds;
    if (options.kernel_steps > 0) request["max_steps"] = options.kernel_steps;
    if (options.check) request["check"] = true;
    if (!options.schedule.empty()) request["schedule"] = options.schedule;
    if (options.on_gpu) request["compiler"] = executable_path().string();  // of code that launches kernels
    if (options.memory_bytes > 0) request["memory_bytes"] = options.memory_bytes;
    return write_file(options.folder / "request.json", request.dump() + "\n");
}

// "first:before", where $NAME is `before`.
std::string in_front(const std::string& first, const char* name) {
    const char* before = std::getenv(name);
    return before == nullptr || *before == '\0' ? first : first + ":" + before;
}

// The machine's library stands in the place of CUDA's runtime.
Result<Environment> environment_of(const RunOptions& options) {
    const Result<std::filesystem::path> library = runtime_folder();
    if (!library) return library.diagnostics();
    return Environment{{"LANESCOPE_PROGRAM", options.folder.string()},
                       {"LD_LIBRARY_PATH", in_front(library->string(), "LD_LIBRARY_PATH")}};
}

// CUDA's runtime stays, and calls to it pass through a library in front of it.
Result<Environment> gpu_environment(const RunOptions& options) {
    const Result<std::filesystem::path> library = watch_library();
    if (!library) return library.diagnostics();
    const char* before = std::getenv("LD_LIBRARY_PATH");
    std::string search = before == nullptr ? "" : before;
    for (const std::filesystem::path& folder : cuda_library_folders())
        search += (search.empty() ? "" : ":") + folder.string();
    return Environment{{"LANESCOPE_GPU_PROGRAM", options.folder.string()},
                       {"LD_PRELOAD", in_front(library->string(), "LD_PRELOAD")},
                       {"LD_LIBRARY_PATH", search}};
}

trace::Dim3 dims_of(const ordered_json& value) {
    trace::Dim3 dims;
    if (value.is_array() && value.size() == 3) dims = {value[0], value[1], value[2]};
    return dims;
}

LaunchProblem problem_of(const ordered_json& event) {
    LaunchProblem made;
    made.kind = event.value("kind", "");
    made.message = event.value("message", "");
    made.variable = event.value("variable", "");
    made.index = event.value("index", std::int64_t{0});
    made.line = event.value("line", 0u);
    made.block = event.value("block", trace::none);
    made.thread = event.value("thread", trace::none);
    made.occurrences = event.value("occurrences", std::uint64_t{1});
    made.note = event.value("note", false);
    made.file = event.value("file", "");
    made.kernel = event.value("kernel", "");
    made.why = event.value("why", "");
    if (event.contains("second") && event["second"].is_object())
        made.second_line = event["second"].value("line", 0u);
    return made;
}

// "device 3" of the runtime library: the name that the host's code gives, or the kernel.
std::map<std::string, std::string> buffer_names(const ProgramRun& run, const ProgramLaunch& launch) {
    std::map<std::string, std::string> names;
    std::map<std::string, int> used;
    for (const ProgramBuffer& buffer : run.buffers) {
        std::string name = buffer.name;
        if (const auto known = launch.parameters.find(buffer.number);
            name.empty() && known != launch.parameters.end())
            name = known->second;
        if (name.empty()) continue;
        if (const int before = used[name]++; before > 0) name += " (" + std::to_string(before + 1) + ")";
        names[buffer.kind + " " + std::to_string(buffer.number)] = name;
    }
    return names;
}

// Replaces "device 3" where it stands as words of their own.
std::string with_names(const std::string& text, const std::map<std::string, std::string>& names) {
    std::string made;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        for (const char* kind : {"device ", "managed ", "pinned "}) {
            if (text.compare(at, std::strlen(kind), kind) != 0 || (at > 0 && std::isalnum(text[at - 1])))
                continue;
            end = at + std::strlen(kind);
            while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
                ++end;
        }
        const auto known = names.find(text.substr(at, end - at));
        if (end > at && known != names.end()) {
            made += known->second;
            at = end;
        } else {
            made += text[at++];
        }
    }
    return made;
}

// In the order of HostEvent::Kind.
constexpr const char* host_kinds[] = {"allocate",     "free",           "copy",          "memset",
                                      "launch",       "launch_graph",   "host_function", "synchronise",
                                      "record_event", "wait_for_event", "create_stream", "destroy_stream",
                                      "library"};

// Turns the journal's lines into a run.
class Reader {
  public:
    Reader(ProgramRun& run, const std::filesystem::path& folder, ordered_json own_names)
        : run_(run), folder_(folder), lines_(std::move(own_names)) {}

    void take(const std::string& line) {
        const ordered_json event = ordered_json::parse(line, nullptr, false);
        if (!event.is_object()) return;  // the last line of a program that crashed
        const std::string kind = event.value("event", "");
        if (kind == "process") return process(event);
        run_.used_the_machine = true;
        if (kind == "launch") launch(event);
        if (kind == "allocate") allocate(event);
        if (kind == "stack") stack(event);
        if (kind == "asked") asked(event);
        if (kind == "stream_race") stream_race(event);
        if (kind == "unwritten") unwritten(event);
        if (kind == "error") error(event);
        if (kind == "host_access") host_access_ = event;
        if (kind == "warning") run_.warnings.push_back(event.value("message", ""));
        if (kind == "unsupported") run_.unsupported.push_back({event.value("message", ""), place_of(event)});
        if (kind == "inexact") {
            ProgramRun::Inexact made{event.value("instruction", ""), event.value("kind", ""),
                                     event.value("why", "")};
            if (std::find(run_.inexact.begin(), run_.inexact.end(), made) == run_.inexact.end())
                run_.inexact.push_back(std::move(made));
        }
        if (kind == "trace") traces_[event.value("launch", std::uint64_t{0})] = event;
        if (kind == "device") run_.device = event.value("name", "");
        if (kind == "time") times_[event.value("launch", std::uint64_t{0})] = event.value("us", 0.0);
        if (kind == "fault") faults_[event.value("launch", std::uint64_t{0})] = event;
        if (kind == "left_out" && event.contains("kinds"))
            for (const auto& [name, count] : event["kinds"].items())
                run_.left_out[name] = count.get<std::uint64_t>();
        if (kind == "end") end(event);
        host(kind, event);
    }

    // What the library kept beside the journal of a program that did not come to its end.
    void take_state(const ordered_json& state) {
        if (!state.is_object()) return;
        if (state.contains("left_out") && state["left_out"].is_object())
            for (const auto& [name, count] : state["left_out"].items())
                run_.left_out[name] = count.get<std::uint64_t>();
        if (!state.contains("running") || !state["running"].is_object()) return;
        ordered_json event = state["running"];
        const std::uint64_t number = event.value("number", std::uint64_t{0});
        // Killed between the event of its end and the state that follows.
        if (!run_.launches.empty() && run_.launches.back().number == number) return;
        event["ending"] = "interrupted";
        launch(event);
        host("launch", event);
    }

    void finish() {
        for (ProgramLaunch& each : run_.launches)
            if (const auto found = traces_.find(each.number); found != traces_.end()) {
                each.trace = folder_ / found->second.value("file", "");
                if (found->second.contains("parameters"))
                    for (const auto& [number, name] : found->second["parameters"].items())
                        each.parameters[std::strtoull(number.c_str(), nullptr, 10)] = name.get<std::string>();
            }
        for (ProgramLaunch& each : run_.launches) {
            if (const auto found = times_.find(each.number); found != times_.end()) each.us = found->second;
            if (const auto found = faults_.find(each.number); found != faults_.end()) {
                each.ending = "faulted";
                if (each.problems.empty()) each.problems.push_back(problem_of(found->second));
            }
        }
        for (ProgramLaunch& each : run_.launches)
            for (LaunchProblem& problem : each.problems) {
                const std::map<std::string, std::string> names = buffer_names(run_, each);
                problem.message = with_names(problem.message, names);
                problem.variable = with_names(problem.variable, names);
            }
        const std::map<std::string, std::string> names = buffer_names(run_, {});
        for (ProgramError& each : run_.errors)
            each.reason = with_names(each.reason, names);
        if (host_access_.is_object())
            run_.host_access = {with_names(words_of(host_access_), names), place_of(host_access_)};
        for (StreamRace& each : run_.stream_races)
            if (const auto known = buffers_.find(each.at.buffer); known != buffers_.end())
                each.at.name = run_.buffers[known->second].name;
        for (UnwrittenCopy& each : run_.unwritten)
            if (const auto known = buffers_.find(each.buffer); known != buffers_.end())
                each.name = run_.buffers[known->second].name;
        for (HostEvent& each : run_.host)
            for (HostEvent::End* end : {&each.to, &each.from})
                if (const auto known = buffers_.find(end->buffer); known != buffers_.end())
                    end->name = run_.buffers[known->second].name;
    }

  private:
    void process(const ordered_json& event) {
        run_.began = event.value("began", std::int64_t{0});
        if (event.contains("words"))
            for (const ordered_json& word : event["words"])
                run_.words.push_back(word);
    }

    void error(const ordered_json& event) {
        ProgramError made{event.value("function", ""), event.value("name", ""), event.value("code", 0),
                          place_of(event), event.value("reason", "")};
        made.seen = !lines_.ignores_result(made.place, made.function);
        made.before_event = run_.host.size();
        const std::uint64_t thread = event.value("thread", std::uint64_t{0});
        if (made.seen)
            for (const std::size_t earlier : unseen_[thread])
                run_.errors[earlier].seen =
                    run_.errors[earlier].seen || run_.errors[earlier].code == made.code;
        else
            unseen_[thread].push_back(run_.errors.size());
        run_.errors.push_back(std::move(made));
    }

    std::string words_of(const ordered_json& access) const {
        const std::string freed = access.value("freed", "");
        if (!freed.empty())
            return "the host accesses " + freed + ", memory of the device which was freed before";
        const HostEvent::End at = end_of(access.value("at", ordered_json()));
        const std::string name = at.buffer >= 0 ? "device " + std::to_string(at.buffer) : at.name;
        if (name.empty()) return "the host accesses an address at which only the device has memory";
        const std::string offset =
            at.offset_bytes == 0 ? "" : " (byte " + std::to_string(at.offset_bytes) + ")";
        return "the host accesses " + name + offset +
               ", which is memory of the device: copy it with cudaMemcpy";
    }

    void asked(const ordered_json& event) {
        for (const std::size_t each : unseen_[event.value("thread", std::uint64_t{0})])
            run_.errors[each].seen = true;
        unseen_.erase(event.value("thread", std::uint64_t{0}));
    }

    void stream_race(const ordered_json& event) {
        const auto work = [&](const ordered_json& side) {
            return StreamRace::Work{side.value("what", ""),
                                    side.value("function", ""),
                                    side.value("launch", std::int64_t{-1}),
                                    side.value("stream", std::uint64_t{0}),
                                    side.value("writes", false),
                                    place_of(side)};
        };
        if (!event.contains("first") || !event.contains("second")) return;
        StreamRace made{work(event["first"]), work(event["second"]), {}};
        if (event.contains("place")) made.at = end_of(event["place"]);
        run_.stream_races.push_back(std::move(made));
    }

    void unwritten(const ordered_json& event) {
        run_.unwritten.push_back(
            {event.value("function", ""), place_of(event), event.value("buffer", std::int64_t{-1}), "",
             event.value("first", std::uint64_t{0}), event.value("count", std::uint64_t{0}),
             event.value("of", std::uint64_t{0}), event.value("launch", std::int64_t{-1}),
             event.value("written", std::uint64_t{0})});
    }

    void stack(const ordered_json& event) {
        std::vector<CallFrame>& frames = stacks_[event.value("number", std::uint64_t{0})];
        if (!event.contains("frames")) return;
        for (const ordered_json& frame : event["frames"])
            frames.push_back({frame.value("file", ""), frame.value("offset", std::uint64_t{0})});
    }

    HostPlace place_of(const ordered_json& event) {
        if (!event.contains("call") || !event["call"].is_number()) return {};
        const std::uint64_t stack = event["call"];
        // A launch that is refused is an event of its own, before the error.
        const bool of_launch = event.value("function", "").starts_with("cudaLaunch");
        if (event.contains("symbol")) symbol_ = event.value("symbol", "");
        const std::string kernel = event.contains("symbol") || of_launch ? symbol_ : "";
        const auto [known, added] = places_.try_emplace({stack, kernel});
        if (added) known->second = lines_.place_of(stacks_[stack], kernel);
        return known->second;
    }

    void host(const std::string& name, const ordered_json& event) {
        const auto kind = std::find(std::begin(host_kinds), std::end(host_kinds), name);
        if (kind == std::end(host_kinds)) return;
        HostEvent made;
        made.kind = static_cast<HostEvent::Kind>(kind - std::begin(host_kinds));
        made.function = event.value("function", "");
        made.place = place_of(event);
        made.at_ms = event.value("at_ms", 0.0);
        made.ms = event.value("ms", 0.0);
        made.stream = event.value("stream", std::int64_t{-1});
        made.cuda_event = event.value("cuda_event", std::int64_t{-1});
        made.bytes = event.value("bytes", std::uint64_t{0});
        made.direction = event.value("direction", "");
        made.blocking = event.value("blocking", true);
        made.of = event.value("of", "");
        if (made.kind == HostEvent::Kind::launch) made.launch = event.value("number", std::int64_t{-1});
        if (made.kind == HostEvent::Kind::allocate) made.to.buffer = event.value("number", std::int64_t{-1});
        if (made.kind == HostEvent::Kind::free) made.to.buffer = event.value("buffer", std::int64_t{-1});
        if (event.contains("to")) made.to = end_of(event["to"]);
        if (event.contains("from")) made.from = end_of(event["from"]);
        run_.host.push_back(std::move(made));
    }

    static HostEvent::End end_of(const ordered_json& place) {
        HostEvent::End made;
        if (!place.is_object()) return made;
        made.buffer = place.value("buffer", std::int64_t{-1});
        made.offset_bytes = place.value("offset", std::uint64_t{0});
        made.name = place.value("variable", "");
        return made;
    }

    void launch(const ordered_json& event) {
        ProgramLaunch made;
        made.number = event.value("number", std::uint64_t{0});
        made.kernel = event.value("kernel", "");
        made.of_kernel = event.value("of_kernel", std::uint64_t{0});
        if (event.contains("grid")) made.grid = dims_of(event["grid"]);
        if (event.contains("block")) made.block = dims_of(event["block"]);
        if (event.contains("cluster")) made.cluster = dims_of(event["cluster"]);
        made.shared_bytes = event.value("shared", std::uint64_t{0});
        made.stream = event.value("stream", std::uint64_t{0});
        made.ending = event.value("ending", "");
        made.warp_instructions = event.value("warp_instructions", std::uint64_t{0});
        made.thread_instructions = event.value("thread_instructions", std::uint64_t{0});
        made.ms = event.value("ms", 0.0);
        if (event.contains("problems"))
            for (const ordered_json& each : event["problems"])
                made.problems.push_back(problem_of(each));
        if (event.contains("buffers"))
            for (const ordered_json& each : event["buffers"])
                made.buffers.push_back(each);
        made.place = place_of(event);
        run_.launches.push_back(std::move(made));
    }

    void allocate(const ordered_json& event) {
        ProgramBuffer made;
        made.number = event.value("number", std::uint64_t{0});
        made.kind = event.value("kind", "");
        made.address = event.value("address", std::uint64_t{0});
        made.size_bytes = event.value("bytes", std::uint64_t{0});
        made.place = place_of(event);
        made.name = lines_.first_argument(made.place, allocations_[{made.place.file, made.place.line}]++);
        buffers_[static_cast<std::int64_t>(made.number)] = run_.buffers.size();
        run_.buffers.push_back(std::move(made));
    }

    void end(const ordered_json& event) {
        run_.ended = true;
        run_.lost_output = event.value("lost_output", false);
        run_.lost_error = event.value("lost_fault", "");
        if (!event.contains("leaks")) return;
        for (const ordered_json& leak : event["leaks"]) {
            const auto known = buffers_.find(leak.value("number", std::int64_t{0}));
            if (known != buffers_.end()) run_.buffers[known->second].leaked = true;
        }
    }

    ProgramRun& run_;
    std::filesystem::path folder_;
    HostLines lines_;
    std::map<std::uint64_t, std::vector<std::size_t>> unseen_;  // errors by thread
    std::string symbol_;                                        // of the last launch
    std::map<std::uint64_t, std::vector<CallFrame>> stacks_;
    std::map<std::pair<std::uint64_t, std::string>, HostPlace> places_;  // by stack and kernel
    std::map<std::int64_t, std::size_t> buffers_;                        // by number
    std::map<std::pair<std::string, int>, std::size_t> allocations_;     // by file and line
    std::map<std::uint64_t, ordered_json> traces_, faults_;
    ordered_json host_access_;
    std::map<std::uint64_t, double> times_;
};

}  // namespace

const char* to_text(HostEvent::Kind kind) {
    return host_kinds[static_cast<std::size_t>(kind)];
}

bool ProgramLaunch::has_problem() const {
    return std::any_of(problems.begin(), problems.end(),
                       [](const LaunchProblem& each) { return !each.note; });
}

const ProgramLaunch* ProgramRun::first_choice() const {
    for (const ProgramLaunch& each : launches)
        if (each.has_problem()) return &each;
    const auto most = std::max_element(launches.begin(), launches.end(), [](const auto& a, const auto& b) {
        return std::pair(a.us.value_or(0), a.warp_instructions) <
               std::pair(b.us.value_or(0), b.warp_instructions);
    });
    return most == launches.end() ? nullptr : &*most;
}

bool ProgramRun::fine() const {
    return process.succeeded() && lost_error.empty() &&
           std::none_of(launches.begin(), launches.end(), [](const ProgramLaunch& each) {
               return each.has_problem() || each.ending != "finished";
           });
}

Result<void> save_trace(const ProgramRun& run, const ProgramLaunch& launch, const std::filesystem::path& to) {
    if (launch.trace.empty()) return error("launch " + std::to_string(launch.number) + " was not recorded");
    const Result<std::shared_ptr<const trace::Trace>> opened = trace::open_unplayed(launch.trace);
    if (!opened) return opened.diagnostics();
    trace::Trace named = **opened;
    const std::map<std::string, std::string> names = buffer_names(run, launch);
    for (trace::Symbol& symbol : named.symbols)
        if (const auto known = names.find(symbol.name); known != names.end()) symbol.name = known->second;
    for (trace::Problem& problem : named.problems) {
        problem.message = with_names(problem.message, names);
        problem.variable = with_names(problem.variable, names);
    }
    const analysis::Code code(named.program);
    for (trace::Problem& race : analysis::find_races(named, code).problems)
        named.problems.push_back(std::move(race));
    return trace::save(named, to);
}

namespace {

Result<ProcessOutcome> start(const std::vector<std::string>& argv, const RunOptions& options,
                             const ordered_json& own_names, bool processes) {
    if (const Result<void> written = write_request(argv.front(), options, own_names, processes); !written)
        return written.diagnostics();
    const Result<Environment> environment =
        options.on_gpu ? gpu_environment(options) : environment_of(options);
    if (!environment) return environment.diagnostics();
    if (!options.capture) return run_attached(argv, *environment);
    const double seconds = options.seconds > 0 ? options.seconds + after_kernels_s : hour_s;
    return run_process(argv, "", static_cast<int>(std::min(seconds, 2e6) * 1000), 256ull << 20,
                       options.cancel, *environment, options.cancel == nullptr);
}

// What a process wrote into its folder.
ProgramRun read_run(const std::string& program, const std::filesystem::path& folder,
                    const ordered_json& own_names, ProcessOutcome outcome) {
    ProgramRun run;
    run.process = std::move(outcome);
    Reader reader(run, folder, own_names);
    if (const Result<std::string> journal = read_file(folder / journal_name, 4ull << 30)) {
        run.journal_bytes = journal->size();
        std::istringstream lines(*journal);
        for (std::string line; std::getline(lines, line);)
            reader.take(line);
    }
    if (!run.ended && (run.used_the_machine || run.process.signal != 0 || run.process.was_killed())) {
        if (const Result<std::string> state = read_file(folder / "state.json"))
            reader.take_state(ordered_json::parse(*state, nullptr, false));
        if (!run.buffers.empty() || !run.launches.empty()) run.left_out["end"] = 1;
    }
    reader.finish();
    if (!run.used_the_machine) run.linked = linked_runtime(program);
    return run;
}

}  // namespace

Result<ProgramRun> run_program(const std::vector<std::string>& argv, const RunOptions& options) {
    const ordered_json own_names = own_names_of(argv.front());
    Result<ProcessOutcome> outcome = start(argv, options, own_names, false);
    if (!outcome) return outcome.diagnostics();
    return read_run(argv.front(), options.folder, own_names, std::move(*outcome));
}

Result<std::vector<ProgramRun>> run_programs(const std::vector<std::string>& argv,
                                             const RunOptions& options) {
    const ordered_json own_names = own_names_of(argv.front());
    const Result<ProcessOutcome> outcome = start(argv, options, own_names, true);
    if (!outcome) return outcome.diagnostics();
    std::vector<ProgramRun> runs;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(options.folder, failed))
        if (entry.is_directory(failed))
            if (ProgramRun run = read_run(argv.front(), entry.path(), own_names, *outcome);
                run.used_the_machine)
                runs.push_back(std::move(run));
    std::sort(runs.begin(), runs.end(),
              [](const ProgramRun& a, const ProgramRun& b) { return a.began < b.began; });
    if (runs.empty()) runs.push_back(read_run(argv.front(), options.folder, own_names, *outcome));
    return runs;
}

}  // namespace lanescope::program
