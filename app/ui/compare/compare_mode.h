// Compare: two runs side by side, each with stage, warps and source; one timeline for both and a table of
// their differences.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "session/compare.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

// The data that the parts of the mode share.
struct Comparison {
    const session::Session* a = nullptr;
    const session::Session* b = nullptr;
    session::StepTogether how = session::StepTogether::phase;
    std::vector<session::TickPair> ticks;
    std::size_t tick = 0;
    bool playing = false;
    std::uint64_t version = 0;  // changes with `ticks`
    std::vector<session::ComparedFigure> table;
    std::vector<std::uint32_t> differing_a, differing_b;  // lines that the other file lacks
    std::string not_judged;                               // why no figure is marked as better: "different n"
    std::string faster;                                   // by the clocks' estimates; empty: not known

    // Requests of the parts, carried out before the next frame.
    std::optional<std::size_t> go_to;
    int phases = 0;
    std::optional<session::StepTogether> change_how;
    bool toggle_play = false;
    std::optional<std::filesystem::path> open_b;
    std::optional<session::Side> edit;  // the file to edit, which leaves the comparison
};

class ComparePane;
class CompareTable;
class CompareTimeline;

class CompareMode {
  public:
    // `a` must outlive this object. At first the other run is the topic's next lesson, or the same file.
    explicit CompareMode(session::Session& a);
    ~CompareMode();

    // Shows this run, made elsewhere, as the other one. Call it before the first frame.
    void show(execution::RunResult other);
    void open(const std::filesystem::path& other);  // as the other run
    void place(session::StepTogether how, std::size_t tick);
    const session::Session& other() const { return b_; }
    const std::vector<session::TickPair>& ticks();

    // Takes the commands that move both runs out of `commands`.
    void take(session::Commands& commands);
    // Draws below the top bar. Returns whether to draw the next frame at once.
    bool frame(const Rect& whole, const WindowState& window, Requests& requests, double now_s);

  private:
    void open_neighbour();
    void carry_out(double now_s);
    void rebuild();
    bool counted() const;  // whether both runs are counted
    void follow_moves();
    void seek_both();
    void edit_one(session::Side side, Requests& requests);
    void draw_words(const Rect& row, const WindowState& window) const;

    session::Session& a_;
    session::Session b_;
    Comparison shown_;
    std::string words_;  // of a lecture: which figures of which run are better
    std::unique_ptr<ComparePane> pane_a_, pane_b_;
    std::unique_ptr<CompareTable> table_;
    std::unique_ptr<CompareTimeline> timeline_;
    std::uint64_t generation_a_ = ~0ull, generation_b_ = ~0ull;
    std::size_t count_a_ = 0, count_b_ = 0;  // numbers of steps; they change with granularity and block
    bool counted_ = false;
    std::shared_ptr<const session::ClockReading> clock_a_, clock_b_;
    std::shared_ptr<const session::Timings> time_a_, time_b_;
    std::size_t at_a_ = 0, at_b_ = 0;  // the steps to which both runs were last moved
    double next_tick_s_ = 0;
    bool given_ = false;  // the other run was made elsewhere
};

}  // namespace lanescope::ui
