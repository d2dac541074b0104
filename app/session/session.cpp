#include "session/session.h"

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

#include "base/files.h"
#include "image/decode.h"
#include "lesson/front_matter.h"
#include "session/playhead/step_remapping.h"
#include "session/ptx/ptx_file.h"
#include "trace/io.h"

namespace lanescope::session {

namespace fs = std::filesystem;

namespace {

// Returns the remembered values that the file still allows.
lesson::ParameterValues still_valid(lesson::ParameterValues values, const Document& document) {
    const Result<lesson::FrontMatter> front =
        lesson::parse_front_matter(document.text(), document.path().string());
    std::erase_if(values, [&](const auto& value) {
        if (!front) return true;
        const auto found =
            std::find_if(front->parameters.begin(), front->parameters.end(),
                         [&](const lesson::Parameter& parameter) { return parameter.name == value.first; });
        return found == front->parameters.end() || !lesson::why_not(*found, value.second).empty();
    });
    return values;
}

template <class... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace

Session::Session(const fs::path& kernels_folder, Options options)
    : Session(std::make_shared<const lesson::Registry>(lesson::load_registry(kernels_folder)), options) {}

Session::Session(std::shared_ptr<const lesson::Registry> registry, Options options)
    : registry_(std::move(registry)) {
    runner_.count_later_above(options.count_later_above_bytes);
}

Session::~Session() {
    jobs_.reset();  // jobs end before the members that their completions touch
}

// --- Commands ----------------------------------------------------------------------------------------------

void Session::apply(const Command& command) {
    std::visit(Overloaded{
                   [&](const OpenFile& c) { open(c.path, c.settings); },
                   [&](const SaveSource& c) { save(c.path); },
                   [&](const RevertSource&) { revert(); },
                   [&](const EditSource& c) { edit(c); },
                   [&](const Undo&) { undo_or_redo(&Document::undo); },
                   [&](const Redo&) { undo_or_redo(&Document::redo); },
                   [&](const AnswerQuestion& c) {
                       const bool writes = c.first && document_.question().kind == Question::Kind::gone;
                       if (document_.answer(c.first)) start_changed_run();
                       if (writes) save(document_.path());
                   },

                   [&](const SetParameter& c) { set_parameter(c.name, c.value); },
                   [&](const ResetParameters&) {
                       Settings settings = settings_now();
                       settings.parameters.clear();
                       set(std::move(settings), "reset of the parameters");
                   },
                   [&](const SetCode& c) {
                       Settings settings = settings_now();
                       settings.code = c.code;
                       set(std::move(settings), "kind of code");
                   },
                   [&](const SetSchedule& c) {
                       Settings settings = settings_now();
                       settings.schedule = c.schedule;
                       document_.set(std::move(settings));
                       playhead_.after_next_run({playhead_.next().step, {}});
                       start_run();
                   },
                   [&](const UseGpu& c) { use_gpu(c.gpu); },
                   [&](const ChooseTurns& c) { choose_turns(c.turns); },
                   [&](const RunAgain&) { start_run(); },
                   [&](const CancelRun&) {
                       host_code_.cancel();
                       if (runner_.counting())
                           search_.stop();  // it would wait for turns that are no longer played
                       playhead_.stay();
                       runner_.cancel();
                   },
                   [&](const ExploreSchedules&) { explorer_.start(request()); },
                   [&](const CancelExploration&) { explorer_.cancel(); },

                   [&](const StepBy& c) { playhead_.step_by(c.steps); },
                   [&](const PhaseBy& c) { playhead_.phase_by(c.phases); },
                   [&](const SeekStep& c) { playhead_.seek(c.step); },
                   [&](const SeekStart&) { playhead_.seek_start(); },
                   [&](const SeekTurn& c) { playhead_.seek(trace::step_at(playhead_.steps(), c.turn)); },
                   [&](const SetGranularity& c) { playhead_.set_granularity(c.granularity); },
                   [&](const StepInstructions& c) { playhead_.step_instructions(c.on); },
                   [&](const FocusBlock& c) { playhead_.focus_block(c.block); },
                   [&](const HideResults& c) { playhead_.hide_results(c.hidden); },
                   [&](const Reveal&) { playhead_.reveal(); },
                   [&](const ShowBefore& c) { playhead_.show_before(c.before); },
                   [&](const Play& c) { playback_.play(c.playing); },
                   [&](const SetSpeed& c) { playback_.set_speed(c.steps_per_second); },

                   [&](const PinLane& c) { selection_.pin(c.warp, c.lane); },
                   [&](const HoverLane& c) { selection_.hover_lane(c.warp, c.lane); },
                   [&](const HoverCell& c) { selection_.hover_cell(c.symbol, c.index); },
                   [&](const ClearHover&) { selection_.clear_hover(); },
                   [&](const SelectLine& c) { selection_.line = c.line; },
                   [&](const LabelVariable& c) { selection_.label_variable = c.name; },

                   [&](const ToggleBreakpoint& c) { toggle_breakpoint(c.line); },
                   [&](const ToggleCellBreakpoint& c) { marks_.toggle_cell(c.cell); },
                   [&](const SetBreakpoint& c) { marks_.set(c.breakpoint); },
                   [&](const ClearBreakpoints&) { marks_.clear(); },
                   [&](const SetWatches& c) { marks_.set_watches(c.watches); },
                   [&](const Continue& c) {
                       playback_.play(false);
                       search_.start(marks_.breakpoints(), c.back);
                   },
                   [&](const RunToLine& c) { run_to_line(c); },
                   [&](const StopSearch&) { search_.stop(); },

                   [&](const FindGpu&) { timings_.find_gpu(); },
                   [&](const MeasureTimings& c) {
                       timings_.measure(files_to_measure(topic(), timings_.shown().get(), c.elements,
                                                         {document_.path().string(), parameters_}));
                   },
                   [&](const CancelMeasuring&) { timings_.cancel(); },
                   [&](const ShowRecording&) { timings_.show_recording(); },

                   [&](const Predict& c) { predictions_.type(c.place, c.typed); },
                   [&](const SeeLesson& c) { learner_.see(*c.lesson); },
                   [&](const TypeAnswer& c) { learner_.answer(*c.lesson, c.question, c.typed); },
                   [&](const JudgeExercise& c) {
                       learner_.judge(*c.exercise, {document_.path().string(), document_.text()});
                   },
                   [&](const CancelJudging&) { learner_.cancel(); },
                   [&](const RecordLaunch& c) {
                       launches_.record(c.number);
                       take_launches();
                   },
                   [&](const CancelRecording&) { launches_.cancel(); },
                   [&](const RunProgram& c) {
                       ProgramRequest wanted = host_code_.request();
                       wanted.arguments = c.arguments;
                       wanted.check = c.check;
                       wanted.launches.clear();
                       host_code_.agree(std::move(wanted));
                       start_run();
                   },
                   [&](const DeclineProgram&) {
                       host_code_.decline();
                       if (launches_.program() == nullptr) return;
                       launches_.close();
                       drop_run();
                       start_run();
                   },
                   [&](const ForgetProgress&) { learner_.forget(); },
                   [&](const RestoreProgress&) { learner_.restore(); },
               },
               command);
    predictions_.follow();
    count_when_needed();
}

bool Session::update(double now_s) {
    constexpr std::chrono::microseconds slice(6000);  // leaves most of a frame's time to the views
    const bool finished = jobs_->poll();
    take_launches();
    take_finished();
    if (document_.update(now_s)) start_changed_run();
    const bool arrived = playhead_.arrive();
    const bool searched = search_.advance(slice);
    count_when_needed();
    const bool played = playback_.update(now_s);
    predictions_.follow();
    return played || finished || searched || arrived;
}

bool Session::wait() {
    do {
        explorer_.wait();
        timings_.wait();
        learner_.wait();
        host_code_.wait();
        launches_.wait();
        take_launches();
        runner_.wait();
        take_finished();
        count_when_needed();
    } while (runner_.busy() || runner_.counting());
    playhead_.arrive();
    while (search_.advance(std::chrono::seconds(1))) {
    }
    return diagnostics().empty();
}

// --- Files -------------------------------------------------------------------------------------------------

void Session::open(const fs::path& file, const std::optional<Settings>& wanted) {
    if (image::is_image_name(file))
        return fail(error(file.filename().string() + " is an image; open a .cu file or a saved .trace",
                          "a .cu file uses an image with `image = \"…\"` in its buffers"));
    if (trace::is_trace_name(file)) return runner_.open_trace(file, playhead_.granularity());
    if (file == document_.path() && document_.edited()) return;  // what was typed stays
    Result<std::string> text = read_text_file(file);
    if (!text) return runner_.report(text.diagnostics());
    runner_.cancel_opening();
    const bool first = document_.path().empty();
    if (file != document_.path()) {
        if (!first) recent_.put(file_memory());
        drop_run();
    }
    document_.open(file, std::move(*text));
    file_changed();
    if (wanted) {
        document_.set(*wanted);
    } else if (const FileMemory* known = recent_.find(file); known && !runner_.run()) {
        Settings settings = settings_now();
        settings.parameters = still_valid(known->parameters, document_);
        settings.flags = known->flags;
        settings.kernel = known->kernel;
        document_.set(std::move(settings));
        playhead_.after_next_run({known->step, {}});
    }
    first ? start_run() : start_changed_run();
}

// A recorded launch is opened as any recording.
void Session::take_launches() {
    if (std::optional<Result<OpenedProgram>> ended = host_code_.take()) {
        if (*ended)
            take_program(std::move(**ended));
        else
            runner_.report(ended->diagnostics());
    }
    if (const std::optional<fs::path> trace = launches_.take())
        runner_.open_trace(*trace, playhead_.granularity());
}

void Session::save(fs::path file) {
    if (file.extension().empty()) file += is_ptx_name(document_.path()) ? ".ptx" : ".cu";
    if (registry_->is_of_course(file) || trace::is_trace_name(file))
        return fail(error(file.filename().string() +
                              (trace::is_trace_name(file) ? " is a trace" : " is a lesson") +
                              ", which is never overwritten",
                          "save under another name"));
    const FileMemory before = file_memory();
    const Result<Document::Saved> saved = document_.save(file);
    if (!saved) return runner_.report(saved.diagnostics());
    if (saved->replaced) start_changed_run();
    if (saved->asked) return;  // the window asks
    if (file != before.path) recent_.put(before);
    file_changed();
    if (runner_.run()) runner_.run()->file = file.string();
    if (host_code_.runs()) return start_run();
    // Images and headers beside the file may be missing beside its copy.
    if (file.parent_path() != before.path.parent_path()) start_run();
}

void Session::revert() {
    const Result<void> done = document_.revert(lesson_ ? "reset to the lesson" : "reset to the file");
    if (!done) return runner_.report(done.diagnostics());
    file_changed();
    start_changed_run();
}

void Session::edit(const EditSource& wanted) {
    if (wanted.text == document_.text()) return;
    if (document_.read_only())
        return fail(error("a saved trace cannot be edited", "save its source as a .cu file, then edit that"));
    const std::string before = document_.text();
    document_.edit(wanted.text, wanted.base);
    marks_.follow_edit(before, wanted.text);
    start_changed_run();
}

void Session::undo_or_redo(bool (Document::*move)()) {
    const FileMemory before = file_memory();
    const auto program = [&] {
        return std::tuple(document_.path(), document_.text(), document_.settings().parameters,
                          document_.settings().code);
    };
    const auto program_before = program();
    if (!(document_.*move)()) return;
    if (program() != program_before) explorer_.forget();
    if (document_.path() != before.path) {
        recent_.put(before);
        drop_run();
        file_changed();
        if (const FileMemory* known = recent_.find(document_.path()))
            playhead_.after_next_run({known->step, {}});
    }
    if (!runner_.use_device(document_.settings().on_gpu)) (void)runner_.use_device(false);
    start_run();
}

// The document holds another file now, or its file has another name.
void Session::file_changed() {
    if (auto more = lesson::with_topic_beside(*registry_, document_.path())) {
        earlier_registries_.push_back(std::move(registry_));
        registry_ = std::make_shared<const lesson::Registry>(std::move(*more));
    }
    launches_.follow(document_.path());
    lesson_ = registry_->find(document_.path());
    of_course_ = registry_->is_of_course(document_.path());
    host_code_.follow(document_.path(), document_.text(), of_course_);
    marks_.go_to(document_.path());
    playhead_.after_next_run({});
}

FileMemory Session::file_memory() const {
    const StepState* now = playhead_.step_state();
    return {document_.path(), now ? now->index : playhead_.next().step.value_or(0),
            document_.settings().parameters, document_.settings().flags, document_.settings().kernel};
}

void Session::restore(Memory memory) {
    recent_.restore(std::move(memory.recent));
    if (!memory.drafts.empty()) document_.keep_drafts(memory.drafts);
    if (!memory.progress.empty()) learner_.keep_in(memory.progress);
    marks_.set_all(std::move(memory.marks));
}

Memory Session::memory() const {
    return {recent_.with(file_memory()), marks_.all(), {}};
}

const lesson::Topic* Session::topic() const {
    for (const lesson::Topic& topic : registry_->topics)
        for (const lesson::LessonEntry& entry : topic.lessons)
            if (&entry == lesson_) return &topic;
    return nullptr;
}

// --- Runs --------------------------------------------------------------------------------------------------

RunRequest Session::request() const {
    RunRequest request;
    request.file = document_.path().string();
    request.source = document_.text();
    request.parameters = document_.settings().parameters;
    request.code = document_.settings().code;
    request.flags = document_.settings().flags;
    request.kernel = document_.settings().kernel;
    request.schedule = document_.settings().schedule;
    request.limits = document_.settings().limits;
    request.recorded_blocks = document_.settings().recorded_blocks;
    return request;
}

void Session::start_run() {
    if (document_.path().empty() || document_.read_only())
        return;  // a schedule may be set before a file is open
    host_code_.follow(document_.path(), document_.text(), of_course_);
    if (host_code_.runs()) return run_program();
    launches_.close();  // the file was edited and is a program no more
    runner_.start(request(), {playhead_.block(), playhead_.granularity()});
}

// --- Whole programs ----------------------------------------------------------------------------------------

void Session::set_program(OpenedProgram program, ProgramRequest request) {
    request.file = program.file;
    request.launches.clear();
    host_code_.agree(std::move(request));
    launches_.open(std::move(program));
}

// The file on disk is what runs: a text that is being edited waits until it is saved.
void Session::run_program() {
    if (document_.edited()) return;
    program_text_ = document_.text();
    if (launches_.program() != nullptr && !launches_.shown() && !host_code_.running() && run() == nullptr &&
        !launches_.program()->trace.empty())
        return;  // it has just run, and its recording is about to be opened
    runner_.cancel();
    runner_.report({});
    host_code_.start();
}

void Session::take_program(OpenedProgram program) {
    const bool recorded = !program.trace.empty();
    launches_.open(std::move(program));
    if (!recorded) drop_run();
}

// The open file stays: it is the program's source, and the recording is its run.
void Session::show_recording(Runner::Finished finished) {
    const std::optional<std::uint64_t> before = launches_.shown();
    launches_.show(*finished.opened);
    RunResult& run = *finished.prepared.result;
    const std::string file = document_.path().string(), kernels = run.trace->program.source.path;
    if (!kernels.empty() && fs::path(kernels).lexically_normal() != document_.path()) {
        run.lines_file = kernels;
        run.lines_text = run.source;
    }
    run.file = file;
    run.source = program_text_;
    explorer_.forget();
    show(std::move(finished.prepared), before != launches_.shown());
    runner_.count();
}

// The program has changed: what was found out about its schedules, and the chosen turns of its threads, are
// void.
void Session::start_changed_run() {
    if (host_code_.runs() && launches_.program() != nullptr && document_.text() == program_text_)
        return;  // an edit was taken back: what the program did still holds
    explorer_.forget();
    if (document_.settings().schedule.kind == simt::Schedule::Kind::threads) {
        Settings settings = settings_now();
        settings.schedule = {};
        document_.set(std::move(settings));
    }
    playhead_.after_next_run({playhead_.next().step, {}});
    start_run();
}

void Session::set(Settings settings, const std::string& label) {
    document_.set(std::move(settings), label);
    start_changed_run();
}

void Session::set_parameter(const std::string& name, std::int64_t value) {
    Settings settings = settings_now();
    settings.parameters[name] = value;
    parameters_[name] = value;
    set(std::move(settings), name + " = " + std::to_string(value));
}

void Session::use_gpu(bool wanted) {
    if (wanted == runner_.on_device()) return;
    if (const Result<void> used = runner_.use_device(wanted); !used)
        return runner_.report(used.diagnostics());
    start_run();
    if (runner_.on_device() != wanted) return;  // the GPU is not available
    Settings settings = document_.settings();
    settings.on_gpu = wanted;
    document_.set(std::move(settings), wanted ? "the GPU as the engine" : "the CPU as the engine");
}

// The settings with the engine in use: a run that failed on the GPU goes back to the CPU.
Settings Session::settings_now() const {
    Settings settings = document_.settings();
    settings.on_gpu = runner_.on_device();
    return settings;
}

void Session::choose_turns(std::vector<simt::ThreadTurns> turns) {
    std::uint64_t count = 0;
    for (const simt::ThreadTurns& each : turns)
        count += each.count;
    Settings settings = settings_now();
    settings.schedule.kind = simt::Schedule::Kind::threads;
    settings.schedule.turns = std::move(turns);
    document_.set(std::move(settings));
    playhead_.after_next_run({playhead_.next().step, count});
    if (playhead_.granularity() > trace::Granularity::line)  // a turn is a step
        playhead_.set_granularity(trace::Granularity::line);
    (void)runner_.use_device(false);  // a GPU orders its threads itself
    start_run();
}

bool Session::take_finished() {
    if (runner_.run() == nullptr && playhead_.run() != nullptr) drop_run();  // the run could not be counted
    std::optional<Runner::Finished> finished = runner_.take();
    if (!finished) return false;
    if (finished->opened && launches_.is_recording(*finished->opened)) {
        show_recording(std::move(*finished));
        return true;
    }
    if (finished->opened) {
        if (!document_.path().empty()) recent_.put(file_memory());
        drop_run();
        explorer_.forget();
        document_.open(*finished->opened, finished->prepared.result->source, Document::Access::read_only);
        file_changed();
        if (const FileMemory* known = recent_.find(*finished->opened))
            playhead_.after_next_run({known->step, {}});
        selection_ = {};
    }
    show(std::move(finished->prepared));
    if (finished->opened) runner_.count();
    return true;
}

void Session::set_run(RunResult result) {
    const std::string source = result.source;
    explorer_.forget();
    document_.open(
        result.file, source,
        trace::is_trace_name(result.file) ? Document::Access::read_only : Document::Access::editable);
    file_changed();
    show(PreparedTrace(std::move(result), playhead_.block(), playhead_.granularity()));
}

// `another`: the run is not a newer one of what was shown before, although the file is the same.
void Session::show(PreparedTrace prepared, bool another) {
    const RunResult* before = playhead_.run();
    const bool same_file = before && before->file == prepared.result->file && !another;
    const std::optional<LineMap> lines =
        same_file ? std::optional<LineMap>(LineMap(before->text_of_lines(), prepared.result->text_of_lines()))
                  : std::nullopt;
    search_.stop();
    playback_.play(false);
    parameters_ = prepared.result->instance.parameters;
    runner_.show(prepared.result, playhead_.release());
    const std::optional<std::uint32_t> thread =
        playhead_.show(std::move(prepared), lines ? &*lines : nullptr);
    if (!playhead_.replay()) return;
    if (!same_file) selection_ = {};
    selection_.clamp(*playhead_.run()->trace);
    if (lines) selection_.line = lines->moved(selection_.line);
    if (selection_.label_variable.empty()) selection_.label_variable = values_.default_label();
    if (thread) selection_.pin_thread(*thread);
}

// Another file's run must not stand beside this file's source or errors.
void Session::drop_run() {
    search_.stop();
    playback_.play(false);
    parameters_.clear();
    runner_.drop(playhead_.clear());
}

bool Session::shows_last_good() const {
    const bool failed = !runner_.diagnostics().empty() || runner_.cancelled() || host_code_.cancelled();
    if (!run() || !failed || document_.read_only()) return false;
    const lesson::ParameterValues& ran = run()->instance.parameters;
    const auto changed = [&](const auto& setting) {
        const auto of_run = ran.find(setting.first);
        return of_run == ran.end() || of_run->second != setting.second;
    };
    const Settings& settings = document_.settings();
    return run()->source != document_.text() || run()->code != settings.code ||
           std::any_of(settings.parameters.begin(), settings.parameters.end(), changed);
}

// A move or a search that reaches a part of a large trace that was not played yet waits for it: play it now.
void Session::count_when_needed() {
    if (playhead_.awaiting() || search_.searching()) runner_.count();
}

// --- Breakpoints -------------------------------------------------------------------------------------------

// Without a run it is not known which lines have code: the breakpoint stays where it was put.
void Session::toggle_breakpoint(std::uint32_t line) {
    marks_.toggle(line, trace() ? line_with_code(*trace(), line) : line);
}

void Session::run_to_line(const RunToLine& wanted) {
    const std::uint32_t line = trace() ? line_with_code(*trace(), wanted.line) : 0;
    if (line == 0) return;
    playback_.play(false);
    search_.start({{line, {}, true}}, wanted.back, line);
}

}  // namespace lanescope::session
