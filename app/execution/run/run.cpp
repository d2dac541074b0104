#include "execution/run/run.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <set>

#include "analysis/barrier_points.h"
#include "execution/run/addition_order.h"
#include "execution/run/engine.h"
#include "execution/run/findings.h"
#include "execution/run/guess_questions.h"
#include "execution/run/hidden.h"
#include "execution/run/launch_arguments.h"
#include "execution/run/prepared_file.h"
#include "execution/run/recorded_run.h"
#include "execution/run/stop_at.h"
#include "execution/run/textures.h"
#include "simt/inspect/independence.h"
#include "trace/recorder.h"

namespace lanescope::execution {

namespace {

using Clock = std::chrono::steady_clock;

// One run on one machine: buffers, launches, results.
class Execution {
  public:
    // `prepared`: what is known before the first launch, or the result of an earlier execution.
    Execution(const RunRequest& request, RunResult prepared, const Compiled& compiled,
              std::unique_ptr<Engine> engine, LoggedTurns* logged = nullptr)
        : request_(request),
          result_(std::move(prepared)),
          logged_(logged),
          module_(compiled.module),
          program_(compiled.program),
          types_(compiled.types),
          engine_(std::move(engine)) {}

    // `blocks`: the blocks to record; empty: all.
    Result<void> run(const std::vector<std::uint32_t>& blocks, const std::atomic<bool>* cancel,
                     const RunProgress& progress) {
        if (Result<void> made = make_buffers(); !made) return made;
        result_.launch_lines.clear();
        result_.child_launches.clear();
        trace::Recorder recorder({request_.trace_bytes});
        if (logged_ != nullptr) logged_->watch(recorder);
        if (request_.traced) engine_->record_into(&recorder);
        if (Result<void> launched = launch_all(blocks, cancel, progress); !launched) return launched;
        EngineResults left = engine_->finish();
        if (Result<void> used = check_schedule(left.turns_left); !used) return used;
        if (logged_ != nullptr) result_.turn_log = logged_->finish();
        if (request_.traced) {
            recorded_ = recorder.finish();
            result_.instructions = std::make_shared<const analysis::Code>(recorded_->program, module_);
        }
        make_schedules(left.streams);
        result_.problems = std::move(left.problems);
        origins_ = std::move(left.origins);
        result_.console = std::move(left.console);
        result_.notes = std::move(left.notes);
        result_.device_records = std::move(left.records);
        if (request_.device != nullptr) {
            result_.device = request_.device->name();
            result_.driver = request_.device->driver();
            result_.multiprocessors = request_.device->multiprocessors();
        }
        return for_trace_ ? Result<void>() : read_results();
    }
    // Reads and checks no results. `only_recorded`: leaves out the other blocks.
    void run_for_trace(bool only_recorded) {
        for_trace_ = true;
        only_recorded_ = only_recorded;
    }
    // Also valid after an error: what was known before stays.
    RunResult take() { return std::move(result_); }

    const simt::Outcome& total() const { return total_; }
    const std::vector<trace::GridOrigin>& origins() const { return origins_; }
    std::shared_ptr<trace::Trace> recorded() const { return recorded_; }  // null when not traced

  private:
    struct Place {
        simt::DeviceAddress address = 0;
        std::uint64_t size_bytes = 0;
    };

    // A schedule that names more turns than there are was meant for another run.
    Result<void> check_schedule(std::uint64_t turns_left) const {
        const std::uint64_t left = logged_ != nullptr ? logged_->left() : turns_left;
        if (result_.outcome.ending != simt::Ending::finished || left == 0) return {};
        return error("the schedule goes on for " + std::to_string(left) + (left == 1 ? " turn" : " turns") +
                         " after the last thread has ended",
                     "'lanescope run " + request_.file + " --steps' lists the steps");
    }

    Result<void> make_buffers() {
        for (const lesson::BufferInstance& buffer : result_.instance.buffers) {
            Result<Place> place = buffer.space == "global" ? allocate(buffer) : find_symbol(buffer);
            if (!place) return place.diagnostics();
            places_[buffer.name] = *place;
        }
        for (const lesson::BufferInstance& buffer : result_.instance.buffers) {
            if (!buffer.initialised || buffer.contents.empty()) continue;
            if (Result<void> written = write_contents(buffer); !written) return written;
        }
        const auto handles = add_textures(*engine_, result_.instance, [&](const std::string& buffer) {
            return places_.at(buffer).address;
        });
        if (!handles) return handles.diagnostics();
        for (const auto& [name, handle] : *handles)
            places_[name] = {handle, 0};
        return {};
    }

    Result<void> write_contents(const lesson::BufferInstance& buffer) {
        const simt::DeviceAddress at = places_.at(buffer.name).address;
        if (buffer.addresses.empty()) return engine_->write(at, buffer.contents);
        std::vector<std::byte> contents = buffer.contents;
        put_addresses(contents, buffer.addresses,
                      [&](const std::string& name) { return places_.at(name).address; });
        return engine_->write(at, contents);
    }

    Result<Place> allocate(const lesson::BufferInstance& buffer) {
        trace::Symbol symbol;
        symbol.name = buffer.name;
        symbol.space = trace::Space::global;
        symbol.element = types_.named(buffer.type);
        symbol.size_bytes = buffer.count * buffer.element_bytes;
        symbol.extents = buffer.extents;
        symbol.buffer = true;
        symbol.text = buffer.text;
        const std::uint64_t size_bytes = symbol.size_bytes;
        Result<simt::DeviceAddress> address = engine_->allocate(size_bytes, std::move(symbol));
        if (!address) return address.diagnostics();
        return Place{*address, size_bytes};
    }

    Result<Place> find_symbol(const lesson::BufferInstance& buffer) {
        Result<simt::Machine::SymbolAddress> found = engine_->symbol(buffer.name);
        if (!found) return found.diagnostics();
        const std::uint64_t wanted = buffer.count * buffer.element_bytes;
        if (wanted > found->size_bytes)
            return error_at(request_.file, 0, 0,
                            "buffer '" + buffer.name + "' has " + std::to_string(wanted) +
                                " bytes, but the variable has " + std::to_string(found->size_bytes));
        return Place{found->address, wanted};
    }

    Result<void> launch_all(const std::vector<std::uint32_t>& blocks, const std::atomic<bool>* cancel,
                            const RunProgress& progress) {
        const std::vector<simt::KernelInfo> kernels = simt::kernels(*program_);
        const std::vector<lesson::LaunchInstance>& launches = result_.instance.launches;
        for (std::size_t i = 0; i < launches.size(); ++i) {
            Result<simt::LaunchRequest> launch = prepare(launches[i], kernels);
            if (!launch) return launch.diagnostics();
            for (const std::uint32_t block : blocks)
                if (block < launch->grid.count()) launch->recorded_blocks.push_back(block);
            if (!blocks.empty() && launch->recorded_blocks.empty()) launch->recorded_blocks = {0};
            launch->only_recorded = only_recorded_;
            launch->watch = request_.watch.get();
            if (cancel && cancel->load()) return error("cancelled");
            if (progress)
                progress(RunPhase::running, static_cast<float>(i) / static_cast<float>(launches.size()));
            Result<simt::Outcome> launched = engine_->launch(*launch, cancel);
            if (!launched) return launched.diagnostics();
            result_.outcome = *launched;
            for (std::size_t child = result_.launch_lines.size() + 1; child < engine_->launch_count();
                 ++child)
                result_.child_launches.push_back(static_cast<std::uint32_t>(child));
            result_.launch_lines.resize(engine_->launch_count(), launches[i].line);
            if (result_.outcome.ending == simt::Ending::refused)
                result_.launch_lines.push_back(launches[i].line);
            total_.warp_instructions += result_.outcome.warp_instructions;
            total_.thread_instructions += result_.outcome.thread_instructions;
            if (result_.outcome.ending == simt::Ending::cancelled) return error("cancelled");
            if (result_.outcome.ending != simt::Ending::finished) break;
        }
        return {};
    }

    // The real schedule also needs the whole trace.
    void make_schedules(const std::vector<trace::RecordStreams>& streams) {
        result_.schedules.clear();
        for (std::uint32_t launch = 0; launch < streams.size(); ++launch) {
            const bool kept =
                recorded_ && launch < recorded_->launches.size() && streams[launch].threads() != 0;
            result_.schedules.push_back(
                kept ? std::make_shared<const analysis::Schedule>(analysis::schedule_of(
                           streams[launch],
                           analysis::barrier_points(*recorded_, *result_.instructions, launch),
                           recorded_->launches[launch].grid.count()))
                     : nullptr);
        }
    }

    Result<simt::LaunchRequest> prepare(const lesson::LaunchInstance& launch,
                                        const std::vector<simt::KernelInfo>& kernels) const {
        Result<PreparedLaunch> prepared =
            prepare_launch(launch, result_.instance, kernels, result_.compiled.symbols,
                           front_file(request_, result_.instance.front));
        if (!prepared) return prepared.diagnostics();
        return machine_launch(launch, std::move(*prepared),
                              [&](const std::string& buffer) { return places_.at(buffer).address; });
    }

    Result<void> read_results() {
        lesson::Results results;
        result_.buffers.clear();
        for (const lesson::BufferInstance& buffer : result_.instance.buffers) {
            BufferView view{buffer.name, buffer.type, buffer.count, {}, {}};
            view.contents.resize(places_.at(buffer.name).size_bytes);
            const std::unique_ptr<bool[]> set(new bool[view.contents.size()]());
            const Result<void> read = engine_->read(places_.at(buffer.name).address, view.contents,
                                                    {set.get(), view.contents.size()});
            if (!read) return read;
            view.set.assign(set.get(), set.get() + view.contents.size());
            results[buffer.name] = {view.contents, view.set};
            result_.buffers.push_back(std::move(view));
        }
        if (result_.outcome.ending != simt::Ending::finished) return {};
        Result<std::vector<lesson::ExpectOutcome>> checked =
            lesson::check(result_.instance, results, front_file(request_, result_.instance.front));
        if (!checked) return checked.diagnostics();
        result_.expectations = std::move(*checked);
        return {};
    }

    const RunRequest& request_;
    RunResult result_;
    LoggedTurns* logged_;  // null: the schedule's turns are not logged
    std::shared_ptr<const ptx::Module> module_;
    std::shared_ptr<const simt::Program> program_;
    TypeTable types_;
    std::unique_ptr<Engine> engine_;
    std::map<std::string, Place> places_;
    simt::Outcome total_;
    std::shared_ptr<trace::Trace> recorded_;
    std::vector<trace::GridOrigin> origins_;
    bool for_trace_ = false, only_recorded_ = false;
};

// Returns those of the chosen blocks (none chosen: of the largest grid) that fit in the trace, judged by the
// share of the run that fitted.
std::vector<std::uint32_t> blocks_that_fit(const trace::Trace& trace, std::uint64_t warp_instructions,
                                           const std::vector<std::uint32_t>& chosen) {
    std::uint64_t recorded = 0, blocks = 1;
    for (const trace::Turn& turn : trace.turns)
        recorded += turn.instructions;
    for (const trace::Launch& launch : trace.launches)
        blocks = std::max(blocks, launch.grid.count());
    const double share =
        static_cast<double>(recorded) / static_cast<double>(std::max<std::uint64_t>(1, warp_instructions));
    const auto count =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(0.8 * share * static_cast<double>(blocks)));
    std::vector<std::uint32_t> fitting(std::min(count, chosen.empty() ? blocks : chosen.size()));
    for (std::uint32_t i = 0; i < fitting.size(); ++i)
        fitting[i] = chosen.empty() ? i : chosen[i];
    return fitting;
}

}  // namespace

void RunResult::set_trace(std::shared_ptr<const trace::Trace> opened) {
    trace = std::move(opened);
    instructions = std::make_shared<const analysis::Code>(trace->program);
    flow = std::make_shared<analysis::SharedFlow>(trace, instructions);
}

std::string RunResult::unseen() const {
    if (!on_device()) return {};
    return "not checked on a GPU: reads of memory that was never written, and barriers that not all threads "
           "reach (--engine cpu checks them)";
}

bool RunResult::on_device() const {
    return !device.empty();
}

bool RunResult::fine() const {
    std::set<std::string> found,
        expected(instance.front.expected_problems.begin(), instance.front.expected_problems.end());
    for (const trace::Problem& problem : problems)
        if (!problem.note) found.insert(trace::to_text(problem.kind));
    // Lanes without synchronisation are a special kind of race, which an expected race may turn out to be.
    // Lanes that take turns one by one race like any other threads.
    const auto merge_kinds = [](std::set<std::string>& kinds) {
        if (kinds.erase(trace::to_text(trace::ProblemKind::unsynced_lanes)) != 0)
            kinds.insert(trace::to_text(trace::ProblemKind::race));
    };
    if (by_thread || expected.contains(trace::to_text(trace::ProblemKind::race)))
        merge_kinds(found), merge_kinds(expected);
    // A run on a GPU reports only races in its trace, and faults without their kind.
    if (on_device()) std::erase_if(expected, [&](const std::string& kind) { return !found.contains(kind); });
    const bool met =
        std::all_of(expectations.begin(), expectations.end(), [](const auto& each) { return each.ok; });
    const bool shows = hollow.empty() || !expected.empty();
    // A problem that only a guess caused does not make the run fail.
    const bool asked =
        proposed && found.empty() && !problems.empty() && outcome.ending != simt::Ending::refused;
    const bool ended =
        outcome.ending == simt::Ending::finished || asked || !instance.front.expected_problems.empty();
    return met && shows && found == expected && ended;
}

namespace {

// `logged` chooses the thread of each turn; null: the schedule does.
Result<std::unique_ptr<Engine>> make_engine(const RunRequest& request, const simt::Limits& limits,
                                            const Compiled& compiled, LoggedTurns* logged) {
    if (request.device == nullptr) {
        simt::Schedule schedule = request.schedule;
        if (logged != nullptr) schedule.chooser = logged;
        return make_machine_engine(compiled.program, limits, schedule);
    }
    return make_traced_engine(compiled.module, compiled.program, request.file, *request.device, limits);
}

// Looks for a schedule in which locks that are taken in two orders stop the run; the note then becomes a
// problem.
void prove_deadlocks(const RunRequest& request, double seconds, RunResult& result,
                     const std::atomic<bool>* cancel) {
    constexpr int most_schedules = 64;
    constexpr double most_seconds = 2;
    const auto is_order = [](const trace::Problem& problem) {
        return problem.note && problem.kind == trace::ProblemKind::deadlock;
    };
    if (request.device != nullptr || std::none_of(result.problems.begin(), result.problems.end(), is_order))
        return;
    RunRequest again = request;
    again.traced = false;
    Result<PreparedRun> prepared = PreparedRun::make(again);
    if (!prepared) return;
    const Clock::time_point start = Clock::now();
    for (int seed = 1; seed <= most_schedules; ++seed) {
        const double left = std::min(most_seconds, seconds) - milliseconds_since(start) / 1000;
        const std::string name = "seed:" + std::to_string(seed);
        if (left <= 0 || !prepared->run(*simt::parse_schedule(name), left, cancel)) return;
        if (prepared->result().outcome.ending != simt::Ending::deadlock) continue;
        for (trace::Problem& problem : result.problems) {
            if (!is_order(problem)) continue;
            problem.note = false;
            problem.message += "; --schedule " + name + " shows it";
        }
        return;
    }
}

// Runs a proposed launch with other guesses, to see which problems depend on them.
void question_guesses(const RunRequest& request, const Compiled& compiled, const Guesses& guesses,
                      double seconds, RunResult& result, const std::atomic<bool>* cancel) {
    constexpr double most_seconds = 3;
    constexpr std::uint64_t most_instructions = 3'000'000;
    const Clock::time_point start = Clock::now();
    const RunVaried run =
        [&](const lesson::FrontMatter& front) -> std::optional<std::vector<trace::Problem>> {
        const double left = std::min(most_seconds, seconds) - milliseconds_since(start) / 1000;
        if (left <= 0) return std::nullopt;
        Result<lesson::Instance> instance = lesson::instantiate(front, request.parameters, request.file);
        if (!instance) return std::nullopt;
        RunRequest varied = request;
        varied.traced = true;
        varied.limits.seconds = left;
        varied.limits.warp_instructions = most_instructions;
        RunResult begun;
        begun.compiled = result.compiled;
        begun.instance = std::move(*instance);
        Execution execution(varied, std::move(begun), compiled,
                            make_machine_engine(compiled.program, varied.limits, varied.schedule));
        if (!execution.run({}, cancel, {})) return std::nullopt;
        const RunResult ended = execution.take();
        const std::shared_ptr<trace::Trace> recorded = execution.recorded();
        if (!recorded || recorded->truncated || ended.outcome.ending == simt::Ending::timeout ||
            ended.outcome.ending == simt::Ending::step_limit || ended.outcome.ending == simt::Ending::refused)
            return std::nullopt;
        std::vector<trace::Problem> problems = ended.problems;
        const StopAt stop(Clock::now() + std::chrono::seconds(2), cancel);
        const Findings found = find_all(*recorded, *ended.instructions, execution.origins(), stop.flag());
        if (stop.late()) return std::nullopt;
        problems.insert(problems.end(), found.races.problems.begin(), found.races.problems.end());
        return problems;
    };
    ask_about_guesses(result.problems, result.instance.front, guesses, run);
}

}  // namespace

Result<RunResult> execute(const RunRequest& request, const std::atomic<bool>* cancel,
                          const RunProgress& progress) {
    Result<Prepared> prepared = prepare_file(request);
    if (!prepared) return prepared.diagnostics();
    RunResult result = std::move(prepared->result);
    const Compiled& compiled = prepared->compiled;
    const Clock::time_point run_start = Clock::now();
    std::vector<std::uint32_t> blocks = request.recorded_blocks;
    std::shared_ptr<trace::Trace> recorded;
    std::vector<trace::GridOrigin> origins;
    simt::Limits limits = request.limits;
    const auto seconds_left = [&] { return request.limits.seconds - milliseconds_since(run_start) / 1000; };
    for (int attempt = 0; attempt < 3; ++attempt) {
        const Clock::time_point attempt_start = Clock::now();
        LoggedTurns turns(request.schedule.turns);
        LoggedTurns* logged =
            result.by_thread && request.traced && !request.schedule.chooser ? &turns : nullptr;
        Result<std::unique_ptr<Engine>> engine = make_engine(request, limits, compiled, logged);
        if (!engine) return engine.diagnostics();
        Execution execution(request, std::move(result), compiled, std::move(*engine), logged);
        const Result<void> ran = execution.run(blocks, cancel, progress);
        result = execution.take();
        if (!ran) return ran.diagnostics();
        result.warp_instructions = execution.total().warp_instructions;
        result.thread_instructions = execution.total().thread_instructions;
        recorded = execution.recorded();
        origins = execution.origins();
        if (!recorded || !recorded->truncated || result.outcome.ending == simt::Ending::timeout) break;
        // Another attempt, which records fewer blocks, takes about as long, and its analysis again.
        if (2.5 * milliseconds_since(attempt_start) / 1000 > seconds_left()) break;
        limits.seconds = seconds_left();
        blocks = blocks_that_fit(*recorded, execution.total().warp_instructions, blocks);
        result.narrowed = true;
    }
    result.run_ms = milliseconds_since(run_start);
    const std::vector<std::string>& guesses = result.instance.front.proposal.notes;
    result.notes.insert(result.notes.end(), guesses.begin(), guesses.end());
    if (std::string note = plain_copies_note(result); !note.empty()) result.notes.push_back(std::move(note));
    if (recorded) {
        const std::chrono::duration<double> time_limit(1.25 * request.limits.seconds + 1);
        if (progress) progress(RunPhase::analysing, 1);
        const StopAt stop(run_start + std::chrono::duration_cast<Clock::duration>(time_limit), cancel);
        Findings found = find_all(*recorded, *result.instructions, origins, stop.flag());
        if (stop.late() && *stop.flag())
            return error_at(request.file, 0, 0, "the analysis of the trace did not end within the time limit",
                            "raise --timeout, record fewer blocks with --record-blocks, or use --no-trace");
        const std::vector<trace::Problem>& races = found.races.problems;
        recorded->problems.insert(recorded->problems.end(), races.begin(), races.end());
        result.problems.insert(result.problems.end(), races.begin(), races.end());
        result.report = std::move(found.report);
        result.races_incomplete = std::move(found.races.incomplete);
    } else {
        result.races_incomplete = "races were not looked for: that needs a trace";
    }
    if (cancel && cancel->load()) return error("cancelled");
    prove_deadlocks(request, seconds_left(), result, cancel);
    if (recorded) note_addition_order(request, *recorded, seconds_left(), result, cancel);
    if (result.proposed && request.device == nullptr)
        question_guesses(request, compiled, prepared->guesses, seconds_left(), result, cancel);
    if (recorded && result.proposed) recorded->problems = result.problems;
    result.hollow = hollowness(result);
    result.trace = std::move(recorded);
    if (result.trace) result.flow = std::make_shared<analysis::SharedFlow>(result.trace, result.instructions);
    return result;
}

namespace {

// Whether each block of the one launch does the same without the others.
bool has_independent_blocks(const Prepared& prepared) {
    const std::vector<ptx::Function>& functions = prepared.compiled.module->functions;
    return prepared.result.instance.launches.size() == 1 &&
           !prepared.result.instance.launches[0].cooperative &&
           std::all_of(functions.begin(), functions.end(), [](const ptx::Function& function) {
               return !function.has_body || simt::keeps_blocks_apart(function);
           });
}

}  // namespace

Result<RunResult> record(const RunRequest& request, const std::atomic<bool>* cancel) {
    Result<Prepared> prepared = prepare_file(request);
    if (!prepared) return prepared.diagnostics();
    const bool independent =
        request.traced && !request.recorded_blocks.empty() && has_independent_blocks(*prepared);
    Execution execution(request, std::move(prepared->result), prepared->compiled,
                        make_machine_engine(prepared->compiled.program, request.limits, request.schedule));
    execution.run_for_trace(independent);
    const Result<void> ran = execution.run(request.recorded_blocks, cancel, {});
    RunResult result = execution.take();
    if (!ran) return ran.diagnostics();
    if (result.outcome.ending == simt::Ending::timeout)
        return error_at(request.file, 0, 0, "the run takes too long", "choose smaller parameters");
    if (result.outcome.ending != simt::Ending::finished)
        return error_at(request.file, 0, 0, "the run did not finish", "lanescope run says why");
    result.warp_instructions = execution.total().warp_instructions;
    result.thread_instructions = execution.total().thread_instructions;
    result.trace = execution.recorded();
    return result;
}

struct PreparedRun::State {
    RunRequest request;
    Prepared prepared;
};

PreparedRun::PreparedRun(std::unique_ptr<State> state) : state_(std::move(state)) {}
PreparedRun::PreparedRun(PreparedRun&&) noexcept = default;
PreparedRun::~PreparedRun() = default;

Result<PreparedRun> PreparedRun::make(const RunRequest& request) {
    auto state = std::make_unique<State>();
    state->request = request;
    state->request.traced = false;
    Result<Prepared> prepared = prepare_file(request);
    if (!prepared) return prepared.diagnostics();
    state->prepared = std::move(*prepared);
    return PreparedRun(std::move(state));
}

Result<void> PreparedRun::run(const simt::Schedule& schedule, double seconds,
                              const std::atomic<bool>* cancel) {
    return run(schedule, seconds, cancel, nullptr);
}

Result<std::optional<std::vector<trace::Problem>>> PreparedRun::find_races(const simt::Schedule& schedule,
                                                                           double seconds,
                                                                           const std::atomic<bool>* cancel) {
    std::optional<std::vector<trace::Problem>> races;
    if (Result<void> ran = run(schedule, seconds, cancel, &races); !ran) return ran.diagnostics();
    return races;
}

Result<void> PreparedRun::run(const simt::Schedule& schedule, double seconds, const std::atomic<bool>* cancel,
                              std::optional<std::vector<trace::Problem>>* races) {
    State& s = *state_;
    s.request.schedule = schedule;
    s.request.limits.seconds = seconds;
    s.request.traced = races != nullptr;
    s.prepared.result.expectations.clear();
    Execution execution(s.request, std::move(s.prepared.result), s.prepared.compiled,
                        make_machine_engine(s.prepared.compiled.program, s.request.limits, schedule));
    Result<void> ran = execution.run({}, cancel, {});
    s.prepared.result = execution.take();
    const std::shared_ptr<trace::Trace> recorded = execution.recorded();
    if (!ran || races == nullptr || recorded->truncated) return ran;
    const auto end = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    const StopAt stop(Clock::now() + end, cancel);
    Findings found = find_all(*recorded, *s.prepared.result.instructions, execution.origins(), stop.flag());
    if (!*stop.flag()) *races = std::move(found.races.problems);
    return {};
}

const RunResult& PreparedRun::result() const {
    return state_->prepared.result;
}

}  // namespace lanescope::execution
