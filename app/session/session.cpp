#include "session/session.h"

#include <algorithm>
#include <utility>

#include "base/files.h"
#include "session/state.h"

namespace lanescope::session {

namespace fs = std::filesystem;

namespace {

constexpr double disk_check_period_s = 0.5;

fs::file_time_type time_of(const fs::path& path) {
    std::error_code code;
    const fs::file_time_type time = fs::last_write_time(path, code);
    return code ? fs::file_time_type{} : time;
}

}  // namespace

// --- What is shown
// ----------------------------------------------------------------------------------------------

void Session::State::adopt(RunResult result) {
    const bool same_file = run && run->file == result.file;
    diagnostics.clear();
    run = std::make_unique<RunResult>(std::move(result));
    parameters = run->instance.parameters;
    ++generation;
    playing = false;
    replay.reset();
    index.reset();
    steps.clear();
    moment.reset();
    lanes_on.clear();
    if (!run->trace || run->trace->turns.empty()) return;
    replay = std::make_unique<trace::Replay>(run->trace);
    index = std::make_unique<trace::TurnIndex>(*run->trace);
    if (!same_file) {
        step = 0;
        selection = {};
    }
    clamp_selection();
    if (!shows(selection.block)) selection.block = run->trace->launches.front().recorded_blocks.front();
    rebuild_steps();
    if (selection.label_variable.empty()) selection.label_variable = default_label();
}

// Another file's run must not stand beside this file's source or errors.
void Session::State::drop_run() {
    run.reset();
    replay.reset();
    index.reset();
    steps.clear();
    lanes_on.clear();
    moment.reset();
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
    return launches.empty() || std::any_of(launches.begin(), launches.end(), [&](const trace::Launch& launch) {
               return launch.recorded_blocks.empty() ||
                      std::binary_search(launch.recorded_blocks.begin(), launch.recorded_blocks.end(), block);
           });
}

void Session::State::rebuild_steps() {
    steps = trace::build_steps(*run->trace, selection.block, granularity);
    lanes_on = analysis::lanes_on(*run->trace, steps);
    seek(std::min(step, steps.empty() ? 0 : steps.size() - 1));
}

// --- Position
// ---------------------------------------------------------------------------------------------------

void Session::State::seek(std::size_t index_of_step) {
    moment.reset();
    if (steps.empty() || !replay) return;
    step = std::min(index_of_step, steps.size() - 1);
    auto made = std::make_unique<Moment>();
    made->index = step;
    made->step = steps[step];
    made->launch = &run->trace->launches[made->step.launch];
    made->details = replay->details(made->step.first, made->step.end, made->step.block);
    for (unsigned warp = 0; warp < made->launch->warps_per_block(); ++warp)
        made->warps.push_back(replay->lanes(made->step.launch, made->step.block, warp, made->step.first));
    made->metrics = analysis::measure_turns(made->details, *run->trace);
    moment = std::move(made);
}

void Session::State::step_by(int count) {
    if (steps.empty()) return;
    const auto last = static_cast<std::int64_t>(steps.size()) - 1;
    seek(
        static_cast<std::size_t>(std::clamp<std::int64_t>(static_cast<std::int64_t>(step) + count, 0, last)));
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
    if (granularity == wanted) return;
    granularity = wanted;
    if (!replay) return;
    const std::uint64_t turn = moment ? moment->step.first : 0;
    steps = trace::build_steps(*run->trace, selection.block, granularity);
    lanes_on = analysis::lanes_on(*run->trace, steps);
    seek(trace::step_at(steps, turn));
}

void Session::State::focus_block(std::uint32_t block) {
    if (!replay) return;
    const std::uint64_t turn = moment ? moment->step.first : 0;
    selection.block = block;
    clamp_selection();
    steps = trace::build_steps(*run->trace, selection.block, granularity);
    lanes_on = analysis::lanes_on(*run->trace, steps);
    seek(trace::step_at(steps, turn));
}

// --- Files
// ------------------------------------------------------------------------------------------------------

void Session::State::open(const fs::path& file) {
    Result<std::string> text = read_text_file(file);
    if (!text) {
        diagnostics = text.diagnostics();
        return;
    }
    const bool first = path.empty();
    if (file != path) drop_run();
    path = file;
    source = saved_source = *text;
    disk_time = time_of(file);
    overrides.clear();
    lesson = registry.find(file);
    first ? start_run() : start_changed_run();
}

// A file changed by another editor reloads, unless it was edited here too.
void Session::State::check_disk(double now_s) {
    if (path.empty() || now_s < next_disk_check_s) return;
    next_disk_check_s = now_s + disk_check_period_s;
    const fs::file_time_type time = time_of(path);
    if (time == disk_time || time == fs::file_time_type{} || source != saved_source) return;
    disk_time = time;
    const Result<std::string> text = read_text_file(path);
    if (!text || *text == source) return;
    source = saved_source = *text;
    start_changed_run();
}

void Session::State::save(const fs::path& file) {
    if (const Result<void> written = write_file(file, source); !written) {
        diagnostics = written.diagnostics();
        return;
    }
    path = file;
    saved_source = source;
    disk_time = time_of(file);
    lesson = registry.find(file);
}

// --- Commands
// ---------------------------------------------------------------------------------------------------

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
            [&](const SetParameter& c) {
                s.overrides[c.name] = c.value, s.parameters[c.name] = c.value, s.start_changed_run();
            },
            [&](const ResetParameters&) { s.overrides.clear(), s.start_changed_run(); },
            [&](const SetCode& c) { s.code = c.code, s.start_changed_run(); },
            [&](const UseGpu& c) { s.use_gpu(c.gpu); },
            [&](const SetSchedule& c) { s.schedule = c.schedule, s.start_run(); },
            [&](const EditSource& c) { s.source = c.text, s.start_changed_run(); },
            [&](const RevertSource&) { s.open(s.path); },
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
            [&](const CancelRun&) { s.cancel_run(); },
            [&](const ExploreSchedules&) { s.start_exploring(); },
            [&](const CancelExploration&) { s.jobs.cancel(explore_tag); },
            [&](const FindGpu&) { s.find_gpu(); },
            [&](const MeasureTimings& c) { s.start_measuring(c.elements); },
            [&](const CancelMeasuring&) { s.jobs.cancel(measure_tag); },
            [&](const ShowRecording&) { s.prefer_recording = true; },
        },
        command);
}

void Session::State::play(bool wanted) {
    // Playing from the end starts again, as every player does.
    if (wanted && !steps.empty() && step + 1 == steps.size()) seek(0);
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

bool Session::State::advance_playback(double now_s) {
    if (!playing) return false;
    if (next_step_s == 0) next_step_s = now_s + 1.0 / speed;
    if (now_s < next_step_s) return false;
    // After a stall, go on from now instead of catching up in a burst.
    next_step_s = std::max(next_step_s + 1.0 / speed, now_s);
    step_by(1);
    if (step + 1 >= steps.size()) playing = false;
    return true;
}

// --- The public face
// --------------------------------------------------------------------------------------------

Session::Session(fs::path kernels_folder) : state_(std::make_unique<State>()) {
    state_->registry = lesson::load_registry(kernels_folder);
    state_->load_recording();
}

Session::~Session() = default;

bool Session::update(double now_s) {
    const bool finished = state_->jobs.poll();
    state_->check_disk(now_s);
    return state_->advance_playback(now_s) || finished;
}

bool Session::wait() {
    do {  // an outdated run on the device is followed by another one
        for (const char* tag : {run_tag, device_tag, explore_tag, gpu_tag})
            state_->jobs.wait(tag);
        state_->jobs.poll();
    } while (state_->device_busy);
    return state_->diagnostics.empty();
}

void Session::adopt(RunResult result) {
    state_->path = result.file;
    state_->source = state_->saved_source = result.source;
    state_->lesson = state_->registry.find(result.file);
    state_->adopt(std::move(result));
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
    return state_->jobs.busy(run_tag) || state_->device_busy;
}
float Session::progress() const {
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
    return state_->index.get();
}
const std::vector<trace::Step>& Session::steps() const {
    return state_->steps;
}
const std::vector<float>& Session::lanes_on() const {
    return state_->lanes_on;
}
const Moment* Session::moment() const {
    return state_->moment.get();
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
