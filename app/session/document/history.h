// What a person can undo in a file: its text, parameters, code, schedule and engine.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "execution/run/run.h"

namespace lanescope::session {

// The settings for runs of a text.
struct Settings {
    lesson::ParameterValues parameters;  // those that differ from the file's
    compile::Code code = compile::Code::debug;
    simt::Schedule schedule;
    bool on_gpu = false;  // false: on the CPU machine
    simt::Limits limits;
    std::vector<std::uint32_t> recorded_blocks;  // empty: all
    compile::Flags flags = {};
    std::string kernel = {};  // which kernel a launch is proposed for; empty: the first
    lesson::LaunchWords launch = {};
};

struct Snapshot {
    std::filesystem::path path;
    std::string source;
    Settings settings;
};

class History {
  public:
    // Remember the state before a change; `label` names the change ("n = 64", "typing"). Typing at one place
    // without a pause is one change: `typed` is the text after it. Undone changes can no longer be redone.
    void remember(Snapshot before, std::string label);
    void remember_typing(Snapshot before, const std::string& typed, double now_s);

    // Name the change of the file that undo() would take back, or redo() would make again; empty: there is
    // none.
    std::string undo_label(const std::filesystem::path& file) const;
    std::string redo_label(const std::filesystem::path& file) const;
    // `now` is the current state; returns the state to restore, of the same file. Nothing: there is none.
    std::optional<Snapshot> undo(const Snapshot& now);
    std::optional<Snapshot> redo(const Snapshot& now);
    // The file is saved under another name: its changes can still be taken back.
    void rename(const std::filesystem::path& from, const std::filesystem::path& to);

  private:
    struct Entry {
        Snapshot state;
        std::string label;
    };
    using Entries = std::vector<Entry>;
    static std::string label_of(const Entries& entries, const std::filesystem::path& file);
    std::optional<Snapshot> move(Entries& from, Entries& to, const Snapshot& now);
    void trim();

    Entries undo_, redo_;
    bool typing_ = false;    // the newest entry is typing that goes on
    double typed_s_ = 0;     // time of its last key
    std::size_t caret_ = 0;  // where the typing stopped
};

// Bytes [begin, begin + removed) of `before` became `inserted` bytes.
struct Change {
    std::size_t begin = 0, removed = 0, inserted = 0;
};
Change change_between(const std::string& before, const std::string& after);

}  // namespace lanescope::session
