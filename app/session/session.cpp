#include "session/session.h"

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

#include "base/file_kind.h"
#include "base/files.h"
#include "base/outputs.h"
#include "execution/run/input_files.h"
#include "execution/run/named_schedule.h"
#include "lesson/front_matter.h"
#include "session/playhead/step_remapping.h"

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

}  // namespace

Session::Session(const fs::path& kernels_folder, Options options)
    : Session(std::make_shared<const lesson::Registry>(lesson::load_registry(kernels_folder)), options) {}

Session::Session(std::shared_ptr<const lesson::Registry> registry, Options options)
    : registry_(std::move(registry)),
      timings_(*jobs_, options.gpu.possible),
      file_times_(*jobs_, options.gpu.time) {
    runner_.count_later_above(options.count_later_above_bytes);
}

Session::~Session() {
    jobs_.reset();  // jobs end before the members that their completions touch
}

// --- Commands ----------------------------------------------------------------------------------------------

void Session::apply(const Command& command) {
    command.carry_out_(*this, command.what_);
    predictions_.follow();
    count_when_needed();
}

bool Session::update(double now_s) {
    constexpr std::chrono::microseconds slice(6000);  // leaves most of a frame's time to the views
    const bool finished = jobs_->poll();
    file_times_.update(now_s, timings_.gpu() == GpuState::usable);
    take_launches();
    take_finished();
    follow_engine();
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
        follow_engine();
        count_when_needed();
        if (clock_.wanted()) clock_.wait();
        jobs_->poll();
    } while (runner_.busy() || runner_.counting() || clock_.busy());
    playhead_.arrive();
    while (search_.advance(std::chrono::seconds(1))) {
    }
    return diagnostics().empty() && !(not_opened_ && not_opened_->kind == FileProblem::Kind::open);
}

// --- Files -------------------------------------------------------------------------------------------------

void Session::carry_out(const OpenFile& wanted) {
    const fs::path& file = wanted.path;
    if (is_image(kind_of(file)))
        return not_opened(FileProblem::Kind::open,
                          {error(file.filename().string() + " is an image; open a .cu file or a saved .trace",
                                 "a .cu file uses an image with `image = \"…\"` in its buffers")});
    if (kind_of(file) == FileKind::trace) return runner_.open_trace(file, playhead_.granularity());
    if (file == document_.path() && document_.edited()) return;  // what was typed stays
    Result<TextFile> read = read_text(file);
    if (!read) return not_opened(FileProblem::Kind::open, read.diagnostics());
    runner_.cancel_opening();
    const std::string schedule_before = lesson_ ? lesson_->schedule : "";
    const bool first = document_.path().empty();
    if (file != document_.path()) {
        if (!first) recent_.put(file_memory());
        drop_run();
    }
    document_.open(file, std::move(read->text), Document::Access::editable, read->form);
    file_changed();
    follow_schedule(schedule_before);
    if (wanted.settings) {
        document_.set(*wanted.settings);
    } else if (const FileMemory* known = recent_.find(file); known && !runner_.run()) {
        Settings settings = settings_now();
        settings.parameters = still_valid(known->parameters, document_);
        settings.flags = known->flags;
        settings.kernel = known->kernel;
        settings.launch = known->launch;
        document_.set(std::move(settings));
        playhead_.after_next_run({known->step, {}});
    }
    first ? start_run() : start_changed_run();
}

Result<fs::path> Session::save_target(fs::path file) const {
    const FileKind own = kind_of(document_.path());
    if (file.extension().empty()) file += own == FileKind::ptx ? ".ptx" : ".cu";
    if (registry_->is_of_course(file))
        return error_at(file.string(), 0, 0, "it is a lesson, which is never overwritten",
                        "save under another name");
    std::error_code ignored;
    const bool itself = file == document_.path() || fs::equivalent(file, document_.path(), ignored);
    if (itself && own != FileKind::trace) return file;  // whatever its name is
    std::vector<FileKind> kinds{FileKind::ptx};
    if (own != FileKind::ptx) kinds = {FileKind::cuda, FileKind::cpp};
    if (Result<void> fine = check_outputs({{"saving the source", file, kinds, true}},
                                          execution::input_files(document_.path()));
        !fine)
        return fine.diagnostics();
    return file;
}

void Session::carry_out(const SaveSource& wanted) {
    const Result<fs::path> target = save_target(wanted.path);
    const FileMemory before = file_memory();
    const Result<Document::Saved> saved =
        target ? document_.save(*target) : Result<Document::Saved>(target.diagnostics());
    not_opened_.reset();
    unsaved_.reset();
    if (!saved) {
        unsaved_ = {FileProblem::Kind::save, saved.diagnostics().front()};
        return;
    }
    const fs::path& file = *target;
    if (saved->replaced) start_changed_run();
    if (saved->asked) return;  // the window asks
    if (file != before.path) recent_.put(before);
    file_changed();
    if (runner_.run()) runner_.run()->file = file.string();
    if (host_code_.runs()) return start_run();
    // Images and headers beside the file may be missing beside its copy.
    if (file.parent_path() != before.path.parent_path()) start_run();
}

void Session::carry_out(const RevertSource&) {
    const Result<void> done = document_.revert(lesson_ ? "reset to the lesson" : "reset to the file");
    if (!done) return not_opened(FileProblem::Kind::open, done.diagnostics());
    file_changed();
    start_changed_run();
}

void Session::carry_out(const EditSource& wanted) {
    if (wanted.text == document_.text()) return;
    if (document_.read_only())
        return not_opened(FileProblem::Kind::edit, {error("a saved trace cannot be edited",
                                                          "save its source as a .cu file, then edit that")});
    const std::string before = document_.text();
    document_.edit(wanted.text, wanted.base);
    marks_.follow_edit(before, wanted.text);
    start_changed_run();
}

void Session::carry_out(const AnswerQuestion& answer) {
    const bool writes = answer.first && document_.question().kind == Question::Kind::gone;
    if (document_.answer(answer.first)) start_changed_run();
    if (writes) carry_out(SaveSource{document_.path()});
}

void Session::undo_or_redo(bool (Document::*move)()) {
    const auto program = [&] {
        return std::tuple(document_.text(), document_.settings().parameters, document_.settings().code);
    };
    const auto program_before = program();
    if (!(document_.*move)()) return;
    if (program() != program_before) explorer_.forget();
    if (!runner_.use_device(document_.settings().on_gpu)) (void)runner_.use_device(false);
    start_run();
}

// A lesson may open with a schedule of its own, which the next file does not keep. `before`: that of the file
// before this one.
void Session::follow_schedule(const std::string& before) {
    const std::string own = lesson_ ? lesson_->schedule : "";
    if (own == before) return;
    const Result<simt::Schedule> schedule = execution::find_schedule(own, document_.path());
    if (!schedule) return;  // "lesson check" reports it
    Settings settings = settings_now();
    settings.schedule = *schedule;
    document_.set(std::move(settings));
}

// Without an open file the message takes the place of a run.
void Session::not_opened(FileProblem::Kind kind, const Diagnostics& why) {
    if (document_.path().empty()) return runner_.report(why);
    not_opened_ = {kind, why.front()};
}

// The document holds another file now, or its file has another name.
void Session::file_changed() {
    unsaved_.reset();
    not_opened_.reset();
    const auto course = earlier_registries_.empty() ? registry_ : earlier_registries_.front();
    if (registry_ != course && course->is_of_course(document_.path())) {
        earlier_registries_.push_back(
            std::exchange(registry_, course));  // a checkout's topic had taken its place
    } else if (auto more = lesson::with_topic_beside(*registry_, document_.path())) {
        earlier_registries_.push_back(std::move(registry_));
        registry_ = std::make_shared<const lesson::Registry>(std::move(*more));
    }
    launches_.follow(document_.path());
    lesson_ = registry_->find(document_.path());
    of_course_ = registry_->is_of_course(document_.path());
    host_code_.follow(document_.path(), document_.text(), of_course_, document_.edited());
    marks_.go_to(document_.path());
    playhead_.after_next_run({});
}

FileMemory Session::file_memory() const {
    const StepState* now = playhead_.step_state();
    return {document_.path(),
            now ? now->index : playhead_.next().step.value_or(0),
            document_.settings().parameters,
            document_.settings().flags,
            document_.settings().kernel,
            document_.settings().launch};
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

// --- Breakpoints -------------------------------------------------------------------------------------------

// Without a run it is not known which lines have code: the breakpoint stays where it was put.
void Session::carry_out(const ToggleBreakpoint& wanted) {
    marks_.toggle(wanted.line, trace() ? line_with_code(*trace(), wanted.line) : wanted.line);
}

void Session::carry_out(const Continue& wanted) {
    playback_.play(false);
    search_.start(marks_.breakpoints(), wanted.back);
}

void Session::carry_out(const RunToLine& wanted) {
    const std::uint32_t line = trace() ? line_with_code(*trace(), wanted.line) : 0;
    if (line == 0) return;
    playback_.play(false);
    search_.start({{line, {}, true}}, wanted.back, line);
}

// --- Times and exercises -----------------------------------------------------------------------------------

void Session::carry_out(const MeasureTimings& wanted) {
    timings_.measure(files_to_measure(topic(), timings_.shown().get(), wanted.elements,
                                      {document_.path().string(), parameters_}));
}

void Session::carry_out(const JudgeExercise& wanted) {
    learner_.judge(*wanted.exercise, {document_.path().string(), document_.text()});
}

}  // namespace lanescope::session
