#include "session/session.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "session/state.h"
#include "session/step_remapping.h"
#include "trace/io.h"

namespace lanescope::session {

namespace fs = std::filesystem;

// --- What is shown -----------------------------------------------------------------------------------------

PreparedTrace::PreparedTrace(RunResult run, std::uint32_t wanted_block, trace::Granularity wanted)
    : result(std::move(run)), block(wanted_block), granularity(wanted) {
    if (!result.trace || result.trace->turns.empty()) return;
    replay = std::make_unique<trace::Replay>(result.trace);
    const std::jthread indexing([this] { replay->turns(); });
    steps = steps_of(*result.trace, result.turn_log.get(), block, granularity);
    lanes_on = analysis::lanes_on(*result.trace, steps);
}

bool Session::State::fits(const PreparedTrace& prepared) const {
    return prepared.block == selection.block && prepared.granularity == granularity;
}

void Session::State::adopt(PreparedTrace prepared) {
    const std::vector<trace::Step> old_steps = std::move(steps);
    const bool same_file = run && run->file == prepared.result.file;
    const std::string old_source = same_file ? run->source : std::string();
    diagnostics.clear();
    stop_counting();
    free_run();
    run = std::make_unique<RunResult>(std::move(prepared.result));
    parameters = run->instance.parameters;
    ++generation;
    playing = false;
    stop_search();
    replay = std::move(prepared.replay);
    steps.clear();
    step_state.reset();
    lanes_on.clear();
    if (!replay) return;
    if (!same_file) selection = {};
    clamp_selection();
    if (!shows(selection.block)) selection.block = run->trace->launches.front().recorded_blocks.front();
    if (!run->counted) {  // the first of these steps is near, that of others perhaps not
        granularity = prepared.granularity;
        selection.block = prepared.block;
    }
    if (fits(prepared)) {
        steps = std::move(prepared.steps);
        lanes_on = std::move(prepared.lanes_on);
    } else {
        steps = steps_of(*run->trace, run->turn_log.get(), selection.block, granularity);
        lanes_on = analysis::lanes_on(*run->trace, steps);
    }
    if (same_file && !old_steps.empty() && !steps.empty()) {
        const LineMap lines(old_source, run->source);
        step = same_place(old_steps, std::min(step, old_steps.size() - 1), steps, lines);
        selection.line = lines.moved(selection.line);
    } else if (!same_file) {
        step = 0;
    }
    seek(std::exchange(wanted_step, std::nullopt).value_or(step));
    if (selection.label_variable.empty()) selection.label_variable = default_label();
    go_to_chosen();
}

// Another file's run must not stand beside this file's source or errors.
void Session::State::drop_run() {
    stop_search();
    stop_counting();
    free_run();
    steps.clear();
    lanes_on.clear();
    step_state.reset();
    concealed = false;
    diagnostics.clear();
    parameters.clear();
    playing = false;
    ++generation;
}

void Session::State::clamp_selection() {
    std::uint64_t blocks = 1;
    unsigned warps = 1;
    for (const trace::Launch& launch : run->trace->launches) {
        blocks = std::max(blocks, launch.grid.count());
        warps = std::max(warps, launch.warps_per_block());
    }
    selection.block = static_cast<std::uint32_t>(std::min<std::uint64_t>(selection.block, blocks - 1));
    selection.warp = std::min(selection.warp, warps - 1);
}

// Whether some launch recorded the block.
bool Session::State::shows(std::uint32_t block) const {
    const std::vector<trace::Launch>& launches = run->trace->launches;
    return launches.empty() ||
           std::any_of(launches.begin(), launches.end(), [&](const trace::Launch& launch) {
               return launch.recorded_blocks.empty() ||
                      std::binary_search(launch.recorded_blocks.begin(), launch.recorded_blocks.end(), block);
           });
}

// --- Position ----------------------------------------------------------------------------------------------

void Session::State::seek(std::size_t index_of_step) {
    awaited.reset();
    if (!steps.empty() && replay) {
        index_of_step = std::min(index_of_step, steps.size() - 1);
        if (index_of_step != 0 && !is_near(steps[index_of_step])) {
            if (!step_state) seek(0);
            return await(SeekStep{index_of_step});
        }
    }
    step_state.reset();
    before_first_turn = false;
    hit.reset();
    search_note.clear();
    instruction = 0;
    if (steps.empty() || !replay) return;
    step = index_of_step;
    auto made = std::make_unique<StepState>();
    made->index = step;
    made->step = steps[step];
    made->launch = &run->trace->launches[made->step.launch];
    made->details = replay->details(made->step.first, made->step.end, made->step.block);
    for (unsigned warp = 0; warp < made->launch->warps_per_block(); ++warp)
        made->warps.push_back(replay->lanes(made->step.launch, made->step.block, warp, made->step.first));
    made->metrics = analysis::measure_turns(made->details, *run->trace);
    step_state = std::move(made);
    conceal();
    if (by_instruction) show_instruction(false);
}

void Session::State::step_by(int count) {
    if (steps.empty()) return;
    if (count > 0 && concealed) return reveal();
    if (before_first_turn) return count > 0 ? seek(std::size_t(count - 1)) : void();
    if (by_instruction) {
        const std::size_t turn = step;
        step_instructions(count);
        if (count < 0 && step != turn) reveal();  // it was seen before
        return;
    }
    const auto last = static_cast<std::int64_t>(steps.size()) - 1;
    seek(
        static_cast<std::size_t>(std::clamp<std::int64_t>(static_cast<std::int64_t>(step) + count, 0, last)));
    if (count < 0) reveal();  // it was seen before
}

// Forward: the first step of the next phase. Backward: the first step of this phase, or of the one before.
void Session::State::phase_by(int count) {
    if (steps.empty()) return;
    auto same_phase = [&](std::size_t a, std::size_t b) {
        return steps[a].phase == steps[b].phase && steps[a].launch == steps[b].launch;
    };
    std::size_t at = step;
    for (; count > 0; --count) {
        std::size_t next = at;
        while (next < steps.size() && same_phase(next, at))
            ++next;
        at = next < steps.size() ? next : steps.size() - 1;
    }
    for (; count < 0 && at > 0; ++count) {
        --at;
        while (at > 0 && same_phase(at, at - 1))
            --at;
    }
    seek(at);
}

void Session::State::set_granularity(trace::Granularity wanted) {
    if (wanted != trace::Granularity::turn) by_instruction = false;
    if (granularity == wanted) return;
    if (!replay || show_steps(selection.block, wanted))
        granularity = wanted;
    else
        await(SetGranularity{wanted});
}

// Of another block, or of another kind. False, and nothing changed: where they lead is not near yet.
bool Session::State::show_steps(std::uint32_t block, trace::Granularity kind) {
    const std::uint64_t turn = step_state ? step_state->step.first : 0;
    std::vector<trace::Step> made = steps_of(*run->trace, run->turn_log.get(), block, kind);
    const std::size_t at = trace::step_at(made, turn);
    if (at < made.size() && !is_near(made[at])) return false;
    steps = std::move(made);
    lanes_on = analysis::lanes_on(*run->trace, steps);
    step_state.reset();
    seek(at);
    return true;
}

void Session::State::focus_block(std::uint32_t block) {
    if (!replay) return;
    const std::uint32_t before = selection.block;
    selection.block = block;
    clamp_selection();
    if (show_steps(selection.block, granularity)) return;
    await(FocusBlock{selection.block});
    selection.block = before;
}

// --- Commands ----------------------------------------------------------------------------------------------

namespace {

template <class... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace

void Session::apply(const Command& command) {
    State& s = *state_;
    std::visit(
        Overloaded{
            [&](const OpenFile& c) { s.open(c.path); },
            [&](const SetParameter& c) { s.set_parameter(c.name, c.value); },
            [&](const ResetParameters&) {
                s.history.remember(s.snapshot(), "reset of the parameters");
                s.overrides.clear(), s.start_changed_run();
            },
            [&](const SetCode& c) {
                s.history.remember(s.snapshot(), "kind of code");
                s.code = c.code, s.start_changed_run();
            },
            [&](const UseGpu& c) { s.use_gpu(c.gpu); },
            [&](const SetSchedule& c) { s.schedule = c.schedule, s.chosen.reset(), s.start_run(); },
            [&](const EditSource& c) { s.edit(c.text, c.base); },
            [&](const RevertSource&) { s.revert(); },
            [&](const SaveSource& c) { s.save(c.path); },
            [&](const StepBy& c) { s.step_by(c.steps); },
            [&](const PhaseBy& c) { s.phase_by(c.phases); },
            [&](const SeekStep& c) { s.seek(c.step); },
            [&](const SeekTurn& c) { s.seek(trace::step_at(s.steps, c.turn)); },
            [&](const SetGranularity& c) { s.set_granularity(c.granularity); },
            [&](const Play& c) { s.play(c.playing); },
            [&](const SetSpeed& c) { s.speed = std::clamp(c.steps_per_second, 0.1f, 100.0f); },
            [&](const FocusBlock& c) { s.focus_block(c.block); },
            [&](const PinLane& c) {
                s.selection.warp = c.warp, s.selection.lane = c.lane % trace::warp_size;
            },
            [&](const HoverLane& c) { s.hover_lane(c.warp, c.lane); },
            [&](const HoverCell& c) { s.hover_cell(c.symbol, c.index); },
            [&](const ClearHover&) { s.selection.lane_hovered = false, s.selection.hovered_symbol.clear(); },
            [&](const SelectLine& c) { s.selection.line = c.line; },
            [&](const LabelVariable& c) { s.selection.label_variable = c.name; },
            [&](const HideResults& c) { s.hide_results(c.hidden); },
            [&](const Reveal&) { s.reveal(); },
            [&](const ToggleBreakpoint& c) { s.toggle_breakpoint(c.line); },
            [&](const SetBreakpoint& c) { s.set_breakpoint(c.breakpoint); },
            [&](const ClearBreakpoints&) { s.marks_here().breakpoints.clear(); },
            [&](const Continue& c) { s.start_search(s.marks_here().breakpoints, c.back); },
            [&](const RunToLine& c) { s.run_to_line(c.line, c.back); },
            [&](const StopSearch&) { s.stop_search(); },
            [&](const SetWatches& c) { s.marks_here().watches = c.watches; },
            [&](const StepInstructions& c) { s.set_instruction_steps(c.on); },
            [&](const CancelRun&) { s.cancel_run(); },
            [&](const ChooseTurns& c) { s.choose_turns(c.turns); },
            [&](const ExploreSchedules&) { s.start_exploring(); },
            [&](const CancelExploration&) { s.jobs.cancel(explore_tag); },
            [&](const FindGpu&) { s.find_gpu(); },
            [&](const MeasureTimings& c) { s.start_measuring(c.elements); },
            [&](const CancelMeasuring&) { s.jobs.cancel(measure_tag); },
            [&](const ShowRecording&) { s.prefer_recording = true; },
            [&](const Undo&) { s.undo(); },
            [&](const Redo&) { s.redo(); },
            [&](const AnswerQuestion& c) { s.answer(c.first); },
        },
        command);
}

void Session::State::play(bool wanted) {
    // Playing from the end starts again, as every player does.
    if (wanted && !steps.empty() && step + 1 == steps.size() && !concealed) seek(0);
    playing = wanted && !steps.empty();
    next_step_s = 0;
}

void Session::State::hover_lane(std::uint32_t warp, std::uint32_t lane) {
    selection.lane_hovered = true;
    selection.hovered_warp = warp;
    selection.hovered_lane = lane;
    selection.hovered_symbol.clear();
}

void Session::State::hover_cell(const std::string& symbol, std::uint64_t cell) {
    selection.lane_hovered = false;
    selection.hovered_symbol = symbol;
    selection.hovered_index = cell;
}

bool Session::State::advance_playback(double time_s) {
    if (!playing) return false;
    if (next_step_s == 0) next_step_s = time_s + 1.0 / speed;
    if (time_s < next_step_s) return false;
    // After a stall, go on from now instead of catching up in a burst.
    next_step_s = std::max(next_step_s + 1.0 / speed, time_s);
    step_by(1);
    if (step + 1 >= steps.size() && !concealed) playing = false;
    return true;
}

// --- The public face ---------------------------------------------------------------------------------------

Session::Session(fs::path kernels_folder) : state_(std::make_unique<State>()) {
    state_->registry = lesson::load_registry(kernels_folder);
    state_->load_recording();
}

Session::~Session() {
    state_->keep_draft();
}

bool Session::update(double now_s) {
    constexpr std::chrono::microseconds slice(6000);  // leaves most of a frame's time to the views
    state_->now_s = now_s;
    const bool finished = state_->jobs.poll();
    state_->check_disk();
    if (state_->draft_due && now_s >= state_->draft_s) state_->keep_draft();
    const bool arrived = state_->arrive();
    const bool searched = state_->advance_search(slice);
    return state_->advance_playback(now_s) || finished || searched || arrived;
}

bool Session::wait() {
    do {  // an outdated run on the device is followed by another one
        for (const char* tag : {open_tag, run_tag, device_tag, explore_tag, gpu_tag, count_tag})
            state_->jobs.wait(tag);
        state_->jobs.poll();
    } while (state_->device_busy || state_->jobs.busy(count_tag));
    state_->arrive();
    while (state_->advance_search(std::chrono::seconds(1))) {
    }
    return state_->diagnostics.empty();
}

void Session::adopt(RunResult result) {
    state_->path = result.file;
    state_->source = state_->saved_source = result.source;
    state_->lesson = state_->registry.find(result.file);
    state_->adopt(state_->prepare(std::move(result)));
}

void Session::adopt(Exploration exploration) {
    state_->exploration = std::make_unique<Exploration>(std::move(exploration));
}

const Exploration* Session::exploration() const {
    return state_->exploration.get();
}
bool Session::exploring() const {
    return state_->jobs.busy(explore_tag);
}
float Session::explore_progress() const {
    return state_->jobs.share(explore_tag);
}

const lesson::Registry& Session::registry() const {
    return state_->registry;
}
const lesson::LessonEntry* Session::lesson() const {
    return state_->lesson;
}
const fs::path& Session::path() const {
    return state_->path;
}
const std::string& Session::source() const {
    return state_->source;
}
bool Session::edited() const {
    return state_->source != state_->saved_source;
}
bool Session::busy() const {
    return state_->jobs.busy(run_tag) || state_->device_busy || opening();
}
bool Session::opening() const {
    return state_->jobs.busy(open_tag);
}
bool Session::shows_last_good() const {
    const State& s = *state_;
    if (!s.run || s.diagnostics.empty() || trace::is_trace_name(s.path)) return false;
    const lesson::ParameterValues& ran = s.run->instance.parameters;
    const auto changed = [&](const auto& setting) {
        const auto of_run = ran.find(setting.first);
        return of_run == ran.end() || of_run->second != setting.second;
    };
    return s.run->source != s.source || s.run->code != s.code ||
           std::any_of(s.overrides.begin(), s.overrides.end(), changed);
}
float Session::progress() const {
    if (opening()) return state_->jobs.share(open_tag);
    if (!busy() && counting()) return state_->jobs.share(count_tag);
    return state_->jobs.share(state_->device_busy ? device_tag : run_tag);
}
const Diagnostics& Session::diagnostics() const {
    return state_->diagnostics;
}
compile::Code Session::code() const {
    return state_->code;
}
void Session::set_device_source(DeviceSource* source) {
    if (state_->device_busy) {  // its buffers belong to the source that is taken back
        state_->cancel_run();
        state_->jobs.wait(device_tag);
        state_->jobs.poll();
    }
    state_->source_of_devices = source;
    if (source == nullptr) state_->on_gpu = false;
}
bool Session::on_gpu() const {
    return state_->on_gpu;
}
const simt::Schedule& Session::schedule() const {
    return state_->schedule;
}
const lesson::ParameterValues& Session::parameters() const {
    return state_->parameters;
}
const RunResult* Session::run() const {
    return state_->run.get();
}
const trace::Trace* Session::trace() const {
    return state_->run ? state_->run->trace.get() : nullptr;
}
const trace::Replay* Session::replay() const {
    return state_->replay.get();
}
const trace::TurnIndex* Session::turn_index() const {
    return state_->replay ? &state_->replay->turns() : nullptr;
}
const std::vector<trace::Step>& Session::steps() const {
    return state_->steps;
}
const std::vector<float>& Session::lanes_on() const {
    return state_->lanes_on;
}
const StepState* Session::step_state() const {
    return state_->step_state.get();
}
const Selection& Session::selection() const {
    return state_->selection;
}
trace::Granularity Session::granularity() const {
    return state_->granularity;
}
bool Session::playing() const {
    return state_->playing;
}
float Session::speed() const {
    return state_->speed;
}
std::uint64_t Session::generation() const {
    return state_->generation;
}

const lesson::Topic* Session::topic() const {
    for (const lesson::Topic& topic : state_->registry.topics)
        for (const lesson::LessonEntry& entry : topic.lessons)
            if (&entry == state_->lesson) return &topic;
    return nullptr;
}

}  // namespace lanescope::session
