// The text of one file while a person works on it: what is on disk, what was typed, what was set beside it,
// and how all of that is taken back. Knows neither lessons nor runs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/text_file.h"
#include "session/document/drafts.h"
#include "session/document/history.h"

namespace lanescope::session {

// What a person must decide. Nothing is lost either way: Undo brings back what was not taken.
struct Question {
    enum class Kind : std::uint8_t {
        none,
        changed_on_disk,  // and here, too: keep this text (first), or load the disk's
        draft_found,      // a text that was never saved: take it up again (first), or leave it
        gone              // the file was deleted or moved: write it again (first), or keep the text here
    };
    Kind kind = Kind::none;
    std::string text;  // the disk's, or the draft's
};

class Document {
  public:
    enum class Access : std::uint8_t { editable, read_only };

    Document() = default;
    ~Document();  // keeps what was typed as a draft
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;

    const std::filesystem::path& path() const { return now_.path; }  // empty: no file is open
    const std::string& text() const { return now_.source; }
    bool edited() const { return now_.source != saved_; }  // differs from the file
    bool read_only() const { return access_ == Access::read_only; }
    const Settings& settings() const { return now_.settings; }
    const Question& question() const { return question_; }
    // Name the change that undo() would take back, or redo() would make again; empty: there is none.
    std::string undo_label() const;
    std::string redo_label() const;

    // Keeps texts in this folder until they are saved. Without this call they are not kept.
    void keep_drafts(const std::filesystem::path& folder) { drafts_ = Drafts(folder); }
    bool has_draft(const std::filesystem::path& file) const { return drafts_.has(file); }

    // `text` is what `file` holds. When the file is opened again, undo() brings back what it had when it was
    // closed. The schedule and the kind of code stay; the parameters are cleared.
    // A save writes the text in `form`.
    void open(const std::filesystem::path& file, std::string text, Access access = Access::editable,
              TextForm form = {});
    // `base`: the text that was edited, if it may differ from text().
    void edit(const std::string& text, const std::optional<std::string>& base = {});
    // `label` names the change for undo(); empty: it cannot be taken back.
    void set(Settings settings, const std::string& label = {});
    // Goes back to the text on disk, without parameters. Error: the file cannot be read.
    Result<void> revert(const std::string& label);

    struct Saved {
        bool asked = false;     // nothing was written: the file has changed on disk, see question()
        bool replaced = false;  // the disk's text replaced the text, as in update()
    };
    // Writes the text to `file`, which becomes the document's file. Errors: the file cannot be written.
    Result<Saved> save(const std::filesystem::path& file);

    // Answers question(); `first`: see Question. True: the text changed. A file that is gone is written again
    // by save().
    bool answer(bool first);
    // False: there is nothing to undo or redo in this file.
    bool undo();
    bool redo();

    // Checks the disk from time to time and writes drafts that are due. `now_s` is a monotonic clock. True:
    // the disk's text replaced the text.
    bool update(double now_s);

  private:
    void become(const std::filesystem::path& file, std::string text, std::string on_disk, TextForm form);
    void restore(const Snapshot& wanted);
    bool check_disk();
    void note_gone();
    void offer_draft();
    void keep_draft();

    Snapshot now_;
    std::string saved_;  // what is in the file, as far as it is known
    TextForm form_;      // of the file
    Access access_ = Access::editable;
    Question question_;
    History history_;
    Drafts drafts_;
    std::filesystem::file_time_type disk_time_{};
    double now_s_ = 0, next_disk_check_s_ = 0;
    bool missed_ = false, gone_ = false;  // the file was not there at the last check, and at two in a row
    bool draft_due_ = false;              // the draft is older than the text
    double draft_at_s_ = 0;
};

}  // namespace lanescope::session
