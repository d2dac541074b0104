// Files of a session: opening, editing, saving, what changes on disk, and taking changes back.
#include <algorithm>
#include <utility>

#include "base/files.h"
#include "image/decode.h"
#include "session/state.h"
#include "trace/io.h"

namespace lanescope::session {

namespace fs = std::filesystem;

namespace {

constexpr double disk_check_period_s = 0.5, draft_delay_s = 0.5;
constexpr std::size_t most_memories = 30;

fs::file_time_type time_of(const fs::path& path) {
    std::error_code code;
    const fs::file_time_type time = fs::last_write_time(path, code);
    return code ? fs::file_time_type{} : time;
}

fs::path whole(const fs::path& path) {
    std::error_code failed;
    fs::path made = fs::weakly_canonical(path, failed);
    return failed || path.empty() ? path : made;
}

// Of what was set the last time, what the file still allows.
lesson::ParameterValues still_valid(lesson::ParameterValues values, const std::string& source,
                                    const fs::path& file) {
    const Result<lesson::FrontMatter> front = lesson::parse_front_matter(source, file.string());
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

// --- Opening -----------------------------------------------------------------------------------------------

void Session::State::open(const fs::path& file) {
    if (image::is_image_name(file)) {
        diagnostics = {
            error(file.filename().string() + " is an image; here .cu files and saved .trace files open",
                  "a file uses it by `image = \"…\"` in its buffers")};
        return;
    }
    if (trace::is_trace_name(file)) return open_trace(file);
    if (file == path && source != saved_source) return;  // what was typed stays
    Result<std::string> text = read_text_file(file);
    if (!text) {
        diagnostics = text.diagnostics();
        return;
    }
    jobs.cancel(open_tag);
    const bool first = path.empty();
    if (file != path) {
        leave_file();
        drop_run();
    }
    become(file, *text, *text);
    overrides.clear();
    if (const FileMemory* known = remembered(file); known && !run) {
        overrides = still_valid(known->parameters, source, file);
        wanted_step = known->step;
    }
    offer_draft();
    first ? start_run() : start_changed_run();
}

void Session::State::become(const fs::path& file, std::string text, std::string on_disk) {
    path = file;
    source = std::move(text);
    saved_source = std::move(on_disk);
    disk_time = time_of(file);
    lesson = registry.find(file);
    question = {};
    draft_due = false;
    wanted_step.reset();
    chosen.reset();
}

// The file that is open stays until the trace has been read.
void Session::State::open_trace(const fs::path& file) {
    jobs.start(open_tag,
               [this, file, wanted = granularity,
                at_once = counted_at_once_bytes](JobContext& context) -> Jobs::Completion {
                   std::error_code unknown;
                   const std::uintmax_t size_bytes = fs::file_size(file, unknown);
                   const bool large = !unknown && size_bytes > at_once;
                   Result<RunResult> opened =
                       large ? open_trace_uncounted(file.string()) : session::open_trace(file.string());
                   if (!opened) return [this, why = opened.diagnostics()] { diagnostics = why; };
                   if (context.cancelled()) return {};
                   auto prepared = std::make_shared<PreparedTrace>(std::move(*opened), 0, wanted);
                   if (const Result<void> ready = prepared->make_first_step_near(context); !ready)
                       return [this, why = ready.diagnostics()] { diagnostics = why; };
                   return [this, file, prepared] {
                       leave_file();
                       jobs.cancel(run_tag);
                       drop_run();
                       become(file, prepared->result.source, prepared->result.source);
                       overrides.clear();
                       if (const FileMemory* known = remembered(file)) wanted_step = known->step;
                       selection = {};
                       adopt(std::move(*prepared));
                       if (run && !run->counted && !jobs.busy(count_tag)) start_counting();
                   };
               });
}

void Session::State::leave_file() {
    if (path.empty()) return;
    if (!trace::is_trace_name(path) && (source != saved_source || !overrides.empty()))
        history.remember(snapshot(), "closing of " + path.filename().string());
    keep_draft();
    memorise();
}

// --- Where a person was ------------------------------------------------------------------------------------

const FileMemory* Session::State::remembered(const fs::path& file) const {
    const auto known = std::find_if(memories.begin(), memories.end(),
                                    [&](const FileMemory& each) { return whole(each.path) == whole(file); });
    return known == memories.end() ? nullptr : &*known;
}

FileMemory Session::State::memory() const {
    return {path, step_state ? step_state->index : wanted_step.value_or(0), overrides};
}

void Session::State::memorise() {
    std::erase_if(memories, [&](const FileMemory& each) { return whole(each.path) == whole(path); });
    memories.insert(memories.begin(), memory());
    if (memories.size() > most_memories) memories.resize(most_memories);
}

void Session::restore(std::vector<FileMemory> recent) {
    state_->memories = std::move(recent);
}

std::vector<FileMemory> Session::recent() const {
    std::vector<FileMemory> files = state_->memories;
    if (state_->path.empty()) return files;
    std::erase_if(files, [&](const FileMemory& each) { return whole(each.path) == whole(state_->path); });
    files.insert(files.begin(), state_->memory());
    return files;
}

// --- Editing -----------------------------------------------------------------------------------------------

void Session::State::edit(const std::string& text, const std::optional<std::string>& base) {
    if (text == source) return;
    if (trace::is_trace_name(path)) {
        diagnostics = {
            error("a saved trace cannot be edited", "save its source as a .cu file, then edit that")};
        return;
    }
    if (question.kind == Question::Kind::draft_found) answer(false);
    // The disk's text was taken over while a key was on its way.
    if (base && *base != source && source == saved_source)
        question = {Question::Kind::changed_on_disk, source};
    history.remember_typing(snapshot(), text, now_s);
    FileMarks& here = marks_here();
    here.breakpoints = after_edit(std::move(here.breakpoints), source, text);
    source = text;
    draft_due = true;
    draft_s = now_s + draft_delay_s;
    start_changed_run();
}

void Session::State::set_parameter(const std::string& name, std::int64_t value) {
    history.remember(snapshot(), name + " = " + std::to_string(value));
    overrides[name] = value;
    parameters[name] = value;
    start_changed_run();
}

void Session::State::revert() {
    const Result<std::string> text = read_text_file(path);
    if (!text) {
        diagnostics = text.diagnostics();
        return;
    }
    if (question.kind == Question::Kind::draft_found) answer(false);
    history.remember(snapshot(), lesson ? "reset to the lesson" : "reset to the file");
    become(path, *text, *text);
    overrides.clear();
    keep_draft();
    start_changed_run();
}

void Session::State::save(const fs::path& wanted) {
    fs::path file = wanted;
    if (file.extension().empty()) file += ".cu";
    next_disk_check_s = 0;
    if (file == path) check_disk();
    if (file == path && question.kind == Question::Kind::changed_on_disk) return;  // the window asks
    if (registry.find(file) || trace::is_trace_name(file)) {
        diagnostics = {error(file.filename().string() +
                                 (trace::is_trace_name(file) ? " is a trace" : " is a lesson") +
                                 ", which is never overwritten",
                             "save under another name")};
        return;
    }
    std::error_code failed;
    if (!file.parent_path().empty()) fs::create_directories(file.parent_path(), failed);
    if (const Result<void> written = write_file(file, source); !written) {
        diagnostics = written.diagnostics();
        return;
    }
    drafts.drop(path);
    if (file != path) memorise();
    const bool moved = file.parent_path() != path.parent_path();
    std::string text = source;
    become(file, text, text);
    if (run) run->file = file.string();
    drafts.drop(path);
    if (moved) start_run();  // what stands beside a file, images and headers, may not stand beside its copy
}

// A file changed by another editor reloads; when it was edited here too, the person is asked.
void Session::State::check_disk() {
    if (path.empty() || trace::is_trace_name(path) || now_s < next_disk_check_s) return;
    next_disk_check_s = now_s + disk_check_period_s;
    const fs::file_time_type time = time_of(path);
    if (time == disk_time || time == fs::file_time_type{}) return;
    disk_time = time;
    const Result<std::string> text = read_text_file(path);
    if (!text) return;
    const bool asked = question.kind == Question::Kind::changed_on_disk;
    if (*text == saved_source) {  // as it was before it changed
        if (asked) question = {};
        return;
    }
    if (*text != source && source != saved_source) {
        question = {Question::Kind::changed_on_disk, *text};
        return;
    }
    if (asked) question = {};
    saved_source = *text;
    if (*text == source) return keep_draft();
    source = *text;
    start_changed_run();
}

void Session::State::answer(bool first) {
    const Question asked = std::exchange(question, {});
    if (asked.kind == Question::Kind::none) return;
    if (asked.kind == Question::Kind::draft_found && !first) {
        Snapshot draft = snapshot();
        draft.source = asked.text;
        history.remember(std::move(draft), "leaving the draft");
        drafts.drop(path);
        return;
    }
    if (asked.kind == Question::Kind::draft_found) {
        history.remember(snapshot(), "taking up the draft");
        source = asked.text;
        return start_changed_run();
    }
    saved_source = asked.text;
    if (first) {  // saving will overwrite the disk's
        Snapshot disk = snapshot();
        disk.source = asked.text;
        history.remember(std::move(disk), "keeping mine");
        return;
    }
    history.remember(snapshot(), "taking the file from the disk");
    source = asked.text;
    keep_draft();
    start_changed_run();
}

// --- Drafts ------------------------------------------------------------------------------------------------

void Session::keep_drafts(const fs::path& folder) {
    state_->drafts = Drafts(folder);
}

bool Session::has_draft(const fs::path& file) const {
    return state_->drafts.has(file);
}

void Session::State::offer_draft() {
    const std::optional<std::string> draft = drafts.find(path);
    if (!draft) return;
    if (*draft == source)
        drafts.drop(path);
    else
        question = {Question::Kind::draft_found, *draft};
}

// That a draft cannot be written is no reason to keep a person from typing: the text is still in the window.
void Session::State::keep_draft() {
    draft_due = false;
    if (path.empty() || trace::is_trace_name(path) || question.kind == Question::Kind::draft_found) return;
    if (source == saved_source)
        drafts.drop(path);
    else
        (void)drafts.keep(path, source);
}

// --- Taking back -------------------------------------------------------------------------------------------

Snapshot Session::State::snapshot() const {
    return {path, source, {overrides, code, schedule, on_gpu}};
}

void Session::State::restore(const Snapshot& wanted) {
    if (wanted.path != path) {
        keep_draft();
        memorise();
        drop_run();
        const Result<std::string> on_disk = read_text_file(wanted.path);
        become(wanted.path, wanted.source, on_disk ? *on_disk : std::string());
        if (const FileMemory* known = remembered(path)) wanted_step = known->step;
    }
    source = wanted.source;
    if (question.kind == Question::Kind::changed_on_disk && question.text == source) {
        saved_source = source;
        question = {};
    }
    overrides = wanted.settings.parameters;
    code = wanted.settings.code;
    schedule = wanted.settings.schedule;
    on_gpu = wanted.settings.on_gpu && source_of_devices != nullptr;
    keep_draft();
    start_run();
}

void Session::State::undo() {
    if (history.can_undo()) restore(history.undo(snapshot()));
}

void Session::State::redo() {
    if (history.can_redo()) restore(history.redo(snapshot()));
}

std::string Session::undo_label() const {
    return state_->history.can_undo() ? state_->history.undo_label() : std::string();
}

std::string Session::redo_label() const {
    return state_->history.can_redo() ? state_->history.redo_label() : std::string();
}

const Question& Session::question() const {
    return state_->question;
}

}  // namespace lanescope::session
