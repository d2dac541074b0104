// Breakpoints and watches of all files.
#pragma once

#include <filesystem>

#include "session/playhead/breakpoints.h"

namespace lanescope::session {

class Marks {
  public:
    // The other functions refer to the marks of this file.
    void go_to(const std::filesystem::path& file) { here_ = file.string(); }

    const std::vector<Breakpoint>& breakpoints() const { return here().breakpoints; }  // see FileMarks
    const std::vector<std::string>& watches() const { return here().watches; }
    const MarksByFile& all() const { return all_; }

    void set_all(MarksByFile marks) { all_ = std::move(marks); }
    void set_watches(std::vector<std::string> watches) { all_[here_].watches = std::move(watches); }
    // Changes the breakpoint of its line or cell, or adds it.
    void set(Breakpoint breakpoint);
    // Removes the breakpoint on `line`; where there is none, sets one on `line_with_code` (0: nowhere).
    void toggle(std::uint32_t line, std::uint32_t line_with_code);
    void toggle_cell(const std::string& cell);  // sets or removes the breakpoint on its writes
    void clear() { all_[here_].breakpoints.clear(); }
    // Breakpoints keep their lines when the text around them changes.
    void follow_edit(const std::string& before, const std::string& after);

  private:
    const FileMarks& here() const;

    MarksByFile all_;
    std::string here_;
};

// This line of the program, or the next one that has code; 0: none.
std::uint32_t line_with_code(const trace::Trace& trace, std::uint32_t line);

}  // namespace lanescope::session
