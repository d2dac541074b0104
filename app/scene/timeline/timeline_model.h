// The timeline's contents, prepared once per run and block so that drawing only looks things up: for each
// warp what it did in each step, the same folded over 16, 128, 1024, … steps, barriers, launches, the share
// of lanes that were on.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "execution/run/step_place.h"
#include "execution/run/turn_log.h"
#include "trace/steps.h"
#include "trace/trace.h"

namespace lanescope::scene {

enum class CellKind : std::uint8_t { run, write, barrier, finished };
constexpr std::size_t cell_kinds = 4;

struct TimelineCell {  // a warp's turns in one step
    std::uint32_t step = 0;
    CellKind kind = CellKind::run;
    std::uint8_t lanes = 0;  // distinct lanes that ran
    bool waits = false;      // at a barrier until its next cell
    bool finished = false;   // no further cell in the launch
};

struct TimelineBucket {  // several steps folded: how much of them each kind fills, 255 = all
    std::array<std::uint8_t, cell_kinds> share{};
};

struct TimelineRow {
    std::vector<TimelineCell> cells;                  // ascending step
    std::vector<std::vector<TimelineBucket>> levels;  // level k folds first_fold × fold_factor^k steps
    // Index of the first cell at or after this step.
    std::size_t first_cell(std::uint32_t step) const;
};

struct TimelineMark {
    std::uint32_t step = 0;  // the mark stands before this step
    bool launch = false;     // else a barrier that opened
    std::string label;
    unsigned level = 0;  // of a launch: 1 when a kernel launched it, 2 when a kernel of level 1 did, …
};

class TimelineModel {
  public:
    static constexpr std::uint32_t first_fold = 16, fold_factor = 8;

    // Null when `cancelled` became true. Granularities coarser than lines are shown by lines. `log`: of a run
    // by single threads, else null. `named`: what the lesson calls phases, which stands before "stride 2".
    static std::shared_ptr<const TimelineModel> build(const trace::Trace& trace, std::uint32_t block,
                                                      trace::Granularity granularity,
                                                      const std::atomic<bool>* cancelled = nullptr,
                                                      const execution::TurnLog* log = nullptr,
                                                      std::span<const execution::PhaseLine> named = {});

    const std::vector<trace::Step>& steps() const { return steps_; }
    const std::vector<TimelineRow>& rows() const { return rows_; }  // by warp
    const std::vector<TimelineMark>& marks() const { return marks_; }
    // The share of lanes that are on in the steps [first, end), 0 … 1, in time logarithmic in their number.
    struct Range {
        float least = 0, greatest = 0;
        double sum = 0;  // over the steps
    };
    Range lanes_on(std::uint32_t first, std::uint32_t end) const;

  private:
    bool collect_cells(const trace::Trace& trace, const std::atomic<bool>* cancelled);
    void mark_finished();
    void fold_rows();
    void fold_lanes();
    void collect_marks(const trace::Trace& trace, std::uint32_t block);
    void name_phases(const trace::Trace& trace, const std::atomic<bool>* cancelled,
                     std::span<const execution::PhaseLine> named);
    const std::string* name_within(std::uint32_t first, std::uint32_t end,
                                   std::span<const execution::PhaseLine> named) const;

    std::vector<trace::Step> steps_;
    std::vector<TimelineRow> rows_;
    std::vector<TimelineMark> marks_;
    std::vector<std::vector<Range>> lanes_;  // level k folds fold_factor^k steps
};

}  // namespace lanescope::scene
