#include "session/document/document.h"

#include <utility>

#include "base/files.h"

namespace lanescope::session {

namespace fs = std::filesystem;

namespace {

constexpr double disk_check_period_s = 0.5, draft_delay_s = 0.5;

fs::file_time_type time_of(const fs::path& path) {
    std::error_code code;
    const fs::file_time_type time = fs::last_write_time(path, code);
    return code ? fs::file_time_type{} : time;
}

}  // namespace

Document::~Document() {
    keep_draft();
}

// --- Opening and saving ------------------------------------------------------------------------------------

void Document::open(const fs::path& file, std::string text, Access access, TextForm form) {
    if (file != now_.path && !now_.path.empty()) {
        if (!read_only() && edited()) history_.remember(now_, "closing of " + now_.path.filename().string());
        keep_draft();
    }
    if (file != now_.path) now_.settings.flags = {}, now_.settings.kernel.clear(), now_.settings.launch = {};
    access_ = access;
    std::string on_disk = text;
    become(file, std::move(text), std::move(on_disk), form);
    now_.settings.parameters.clear();
    if (!read_only()) offer_draft();
}

void Document::become(const fs::path& file, std::string text, std::string on_disk, TextForm form) {
    now_.path = file;
    now_.source = std::move(text);
    saved_ = std::move(on_disk);
    form_ = form;
    disk_time_ = time_of(file);
    question_ = {};
    draft_due_ = false;
    missed_ = gone_ = false;
}

Result<void> Document::revert(const std::string& label) {
    const Result<TextFile> read = read_text(now_.path);
    if (!read) return read.diagnostics();
    if (question_.kind == Question::Kind::draft_found) answer(false);
    history_.remember(now_, label);
    become(now_.path, read->text, read->text, read->form);
    now_.settings.parameters.clear();
    keep_draft();
    return {};
}

Result<Document::Saved> Document::save(const fs::path& file) {
    Saved saved;
    next_disk_check_s_ = 0;
    if (file == now_.path) saved.replaced = check_disk();
    if (file == now_.path && question_.kind == Question::Kind::changed_on_disk) {
        saved.asked = true;
        return saved;
    }
    std::error_code failed;
    if (!file.parent_path().empty()) fs::create_directories(file.parent_path(), failed);
    if (const Result<void> written = write_file(file, encode_text(now_.source, form_)); !written)
        return written.diagnostics();
    drafts_.drop(now_.path);
    history_.rename(now_.path, file);
    std::string text = now_.source;
    access_ = Access::editable;
    become(file, text, text, form_);
    drafts_.drop(file);
    return saved;
}

// --- Editing -----------------------------------------------------------------------------------------------

void Document::edit(const std::string& text, const std::optional<std::string>& base) {
    if (question_.kind == Question::Kind::draft_found) answer(false);
    // The disk's text was taken over between two keys.
    if (base && *base != now_.source && !edited()) question_ = {Question::Kind::changed_on_disk, now_.source};
    history_.remember_typing(now_, text, now_s_);
    now_.source = text;
    draft_due_ = true;
    draft_at_s_ = now_s_ + draft_delay_s;
}

void Document::set(Settings settings, const std::string& label) {
    if (!label.empty() && !read_only()) history_.remember(now_, label);
    now_.settings = std::move(settings);
}

// --- The disk ----------------------------------------------------------------------------------------------

bool Document::update(double now_s) {
    now_s_ = now_s;
    const bool replaced = check_disk();
    if (draft_due_ && now_s >= draft_at_s_) keep_draft();
    return replaced;
}

// Takes over a file that another editor changed; asks the person if it was edited here too.
bool Document::check_disk() {
    if (now_.path.empty() || read_only() || now_s_ < next_disk_check_s_) return false;
    next_disk_check_s_ = now_s_ + disk_check_period_s;
    const fs::file_time_type time = time_of(now_.path);
    if (time == fs::file_time_type{}) {
        note_gone();
        return false;
    }
    const bool back = std::exchange(gone_, false);
    missed_ = false;
    if (back && question_.kind == Question::Kind::gone) question_ = {};
    if (time == disk_time_ && !back) return false;
    disk_time_ = time;
    const Result<TextFile> read = read_text(now_.path);
    if (!read) return false;
    form_ = read->form;
    const std::string* text = &read->text;
    const bool asked = question_.kind == Question::Kind::changed_on_disk;
    if (*text == saved_) {  // the file is back as it was
        if (asked) question_ = {};
        return false;
    }
    if (*text != now_.source && edited()) {
        question_ = {Question::Kind::changed_on_disk, *text};
        return false;
    }
    if (asked) question_ = {};
    saved_ = *text;
    if (*text == now_.source) {
        keep_draft();
        return false;
    }
    now_.source = *text;
    return true;
}

// Editors replace a file by deleting and renaming, so only a file that stays away is gone. Its text becomes a
// draft, because it is nowhere else.
void Document::note_gone() {
    if (gone_ || disk_time_ == fs::file_time_type{}) return;
    if (!std::exchange(missed_, true)) return;
    gone_ = true;
    saved_.clear();
    question_ = {Question::Kind::gone, {}};
    keep_draft();
}

bool Document::answer(bool first) {
    const Question asked = std::exchange(question_, {});
    switch (asked.kind) {
        case Question::Kind::none:
        case Question::Kind::gone:
            return false;
        case Question::Kind::draft_found:
            if (!first) {
                Snapshot draft = now_;
                draft.source = asked.text;
                history_.remember(std::move(draft), "leaving the draft");
                drafts_.drop(now_.path);
                return false;
            }
            history_.remember(now_, "taking up the draft");
            now_.source = asked.text;
            return true;
        case Question::Kind::changed_on_disk:
            saved_ = asked.text;
            if (first) {  // saving will overwrite the disk's text
                Snapshot disk = now_;
                disk.source = asked.text;
                history_.remember(std::move(disk), "keeping mine");
                return false;
            }
            history_.remember(now_, "taking the file from the disk");
            now_.source = asked.text;
            keep_draft();
            return true;
    }
    return false;
}

// --- Drafts ------------------------------------------------------------------------------------------------

void Document::offer_draft() {
    const std::optional<std::string> draft = drafts_.find(now_.path);
    if (!draft) return;
    if (*draft == now_.source)
        drafts_.drop(now_.path);
    else
        question_ = {Question::Kind::draft_found, *draft};
}

// A draft that cannot be written is not reported: the text is still in the window, and typing goes on.
void Document::keep_draft() {
    draft_due_ = false;
    if (now_.path.empty() || read_only() || question_.kind == Question::Kind::draft_found) return;
    if (edited())
        (void)drafts_.keep(now_.path, now_.source);
    else
        drafts_.drop(now_.path);
}

// --- Taking back -------------------------------------------------------------------------------------------

void Document::restore(const Snapshot& wanted) {
    now_ = wanted;
    if (question_.kind == Question::Kind::changed_on_disk && question_.text == now_.source) {
        saved_ = now_.source;
        question_ = {};
    }
    keep_draft();
}

bool Document::undo() {
    const std::optional<Snapshot> before = history_.undo(now_);
    if (before) restore(*before);
    return before.has_value();
}

bool Document::redo() {
    const std::optional<Snapshot> after = history_.redo(now_);
    if (after) restore(*after);
    return after.has_value();
}

std::string Document::undo_label() const {
    return read_only() ? std::string() : history_.undo_label(now_.path);
}

std::string Document::redo_label() const {
    return read_only() ? std::string() : history_.redo_label(now_.path);
}

}  // namespace lanescope::session
