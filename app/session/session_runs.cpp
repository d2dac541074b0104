// Session: runs of the open file, and what is shown of them.
#include <algorithm>
#include <utility>

#include "base/file_kind.h"
#include "base/files.h"
#include "session/session.h"

namespace lanescope::session {

execution::RunRequest Session::request() const {
    execution::RunRequest request;
    request.file = document_.path().string();
    request.source = document_.text();
    request.parameters = document_.settings().parameters;
    request.code = document_.settings().code;
    request.flags = document_.settings().flags;
    request.kernel = document_.settings().kernel;
    request.launch = document_.settings().launch;
    request.schedule = document_.settings().schedule;
    request.limits = document_.settings().limits;
    request.recorded_blocks = document_.settings().recorded_blocks;
    return request;
}

void Session::start_run() {
    if (document_.path().empty() || document_.read_only())
        return;  // a schedule may be set before a file is open
    not_opened_.reset();
    host_code_.follow(document_.path(), document_.text(), of_course_, document_.edited());
    if (host_code_.runs()) return run_program();
    launches_.close();  // the file was edited and is a program no more
    runner_.start(request(), {playhead_.block(), playhead_.granularity()});
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

void Session::carry_out(const SetParameter& wanted) {
    Settings settings = settings_now();
    settings.parameters[wanted.name] = wanted.value;
    parameters_[wanted.name] = wanted.value;
    set(std::move(settings), wanted.name + " = " + std::to_string(wanted.value));
}

void Session::carry_out(const ResetParameters&) {
    Settings settings = settings_now();
    settings.parameters.clear();
    set(std::move(settings), "reset of the parameters");
}

void Session::carry_out(const SetCode& wanted) {
    Settings settings = settings_now();
    settings.code = wanted.code;
    set(std::move(settings), "kind of code");
}

void Session::carry_out(const SetSchedule& wanted) {
    Settings settings = settings_now();
    settings.schedule = wanted.schedule;
    document_.set(std::move(settings));
    playhead_.after_next_run({playhead_.next().step, {}});
    start_run();
}

void Session::carry_out(const CancelRun&) {
    host_code_.cancel();
    if (runner_.counting()) search_.stop();  // it would wait for turns that are no longer played
    playhead_.stay();
    runner_.cancel();
}

void Session::carry_out(const UseGpu& wanted) {
    if (wanted.gpu == runner_.on_device()) return;
    if (const Result<void> used = runner_.use_device(wanted.gpu); !used)
        return runner_.report(used.diagnostics());
    start_run();
    if (runner_.on_device() != wanted.gpu) return;  // the GPU is not available
    Settings settings = document_.settings();
    settings.on_gpu = wanted.gpu;
    document_.set(std::move(settings), wanted.gpu ? "the GPU as the engine" : "the CPU as the engine");
}

// The settings with the engine in use: a run that failed on the GPU goes back to the CPU.
Settings Session::settings_now() const {
    Settings settings = document_.settings();
    settings.on_gpu = runner_.on_device();
    return settings;
}

// Undo must not go back to a GPU that could not be opened.
void Session::follow_engine() {
    if (document_.settings().on_gpu && !runner_.on_device()) document_.set(settings_now());
}

void Session::carry_out(const ChooseTurns& wanted) {
    std::uint64_t count = 0;
    for (const simt::ThreadTurns& each : wanted.turns)
        count += each.count;
    Settings settings = settings_now();
    settings.schedule.kind = simt::Schedule::Kind::threads;
    settings.schedule.turns = wanted.turns;
    document_.set(std::move(settings));
    playhead_.after_next_run({playhead_.next().step, count});
    if (playhead_.granularity() > trace::Granularity::line)  // a turn is a step
        playhead_.set_granularity(trace::Granularity::line);
    (void)runner_.use_device(false);  // a GPU orders its threads itself
    start_run();
}

bool Session::take_finished() {
    if (runner_.run() == nullptr && playhead_.run() != nullptr) drop_run();  // the run could not be counted
    if (const auto missing = runner_.take_not_opened(); missing && launches_.is_recording(missing->file))
        runner_.report(missing->why);  // the recording is the run
    else if (missing)
        not_opened(FileProblem::Kind::open, missing->why);
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

void Session::set_run(execution::RunResult result) {
    const std::string source = result.source;
    explorer_.forget();
    document_.open(
        result.file, source,
        kind_of(result.file) == FileKind::trace ? Document::Access::read_only : Document::Access::editable);
    file_changed();
    show(PreparedTrace(std::move(result), playhead_.block(), playhead_.granularity()));
}

// `another`: the run is not a newer one of what was shown before, although the file is the same.
void Session::show(PreparedTrace prepared, bool another) {
    const execution::RunResult* before = playhead_.run();
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
    follow_clock();
    follow_times();
    if (!playhead_.replay()) return;
    if (!same_file) selection_ = {};
    selection_.clamp(*playhead_.run()->trace);
    if (lines) selection_.line = lines->moved(selection_.line);
    if (selection_.label_variable.empty()) selection_.label_variable = values_.default_label();
    if (thread) selection_.pin_thread(*thread);
}

void Session::follow_clock() {
    if (document_.read_only() || launches_.shown()) return clock_.follow(runner_.run(), timings_.recording());
    execution::RunRequest shown = request();
    shown.parameters = parameters_;
    clock_.follow(shown, timings_.recording());
}

void Session::follow_times() {
    const bool kernels = kind_of(document_.path()) != FileKind::ptx && !host_code_.runs();
    if (!kernels || document_.read_only() || launches_.shown()) return file_times_.drop();
    execution::RunRequest shown = request();
    shown.source = runner_.run()->source;
    shown.parameters = parameters_;
    file_times_.follow(shown, why_not_timed(*runner_.run()));
}

MeasuredTime measured_time_of(const Session& session) {
    const execution::RunResult* run = session.run();
    if (run == nullptr) return {};
    if (const auto& own = session.file_times().measured()) return {own, &own->report.timings.front()};
    const std::shared_ptr<const Timings> recording = session.timings().recording();
    if (!recording || session.document().settings().flags != compile::Flags{}) return {};
    const std::string name = std::filesystem::path(run->file).filename().string();
    std::string hash;
    for (const TimingRecord& record : recording->report.timings) {
        if (!record.timed() || record.parameters != run->instance.parameters || !record.file.ends_with(name))
            continue;
        if (hash.empty()) hash = content_hash(run->source);
        if (record.text_hash == hash) return {recording, &record};
    }
    return {};
}

// Another file's run must not stand beside this file's source or errors.
void Session::drop_run() {
    search_.stop();
    playback_.play(false);
    parameters_.clear();
    clock_.drop();
    file_times_.drop();
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

}  // namespace lanescope::session
