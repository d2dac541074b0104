// What the kernel printed: by which thread on which line, up to the current step, the rest of it in grey;
// messages of assertions and traps where they happened. A click goes there.
#pragma once

#include <string>
#include <vector>

#include "ui/kit/view.h"

namespace lanescope::ui {

struct ConsoleLine {
    std::string text;
    // Of the first part of it; a turn beyond all others where nobody knows when it was printed.
    trace::ProblemSite site;
    bool failure = false;  // an assertion's message
    bool known = false;    // who printed it
};
// Of the first so many turns.
std::vector<ConsoleLine> console_lines(const session::RunResult& run, std::uint64_t turns = ~0ull);
// How many of the lines were there after so many turns.
std::size_t lines_until(const std::vector<ConsoleLine>& lines, std::uint64_t turns);

class ConsolePanel {
  public:
    void draw(const Rect& inside, const session::Session& session, const WindowState& shared,
              Requests& requests);

  private:
    void draw_line(const Rect& row, const ConsoleLine& line, bool later, bool many_blocks, std::size_t number,
                   const WindowState& shared, Requests& requests) const;

    std::uint64_t generation_ = ~0ull, told_ = ~0ull;
    std::vector<ConsoleLine> lines_;
    std::size_t shown_until_ = ~std::size_t{0};  // what the scroll position follows
    float scroll_ = 0;
};

}  // namespace lanescope::ui
