// Two runs side by side: which of their steps belong together, and in what the runs differ.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "session/session.h"

namespace lanescope::session {

// How steps of two runs are matched: by the number of barriers (and launches) passed, or by the share of the
// run that is over.
enum class StepTogether : std::uint8_t { phase, share };

// A place on the common timeline: a step of each run, from 0.
struct TickPair {
    std::uint32_t a = 0, b = 0;
    bool operator==(const TickPair&) const = default;
};

// Returns ticks that ascend in both runs, from their first steps to their last. Every step of the longer run
// has a tick; by phase, every step of the run that is longer in this phase. A run that lacks a phase waits at
// its last step before it. Empty if one of the runs has no steps.
std::vector<TickPair> ticks_of(const std::vector<trace::Step>& a, const std::vector<trace::Step>& b,
                               StepTogether how);

// Returns the first tick at which the run of `side` has reached `step`.
enum class Side : std::uint8_t { a, b };
std::size_t tick_at(const std::vector<TickPair>& ticks, Side side, std::size_t step);
// Moves `tick` as PhaseBy moves a session: to where either run begins its next phase, or back to where either
// begins this phase or the one before.
std::size_t tick_by_phase(const std::vector<TickPair>& ticks, const std::vector<trace::Step>& a,
                          const std::vector<trace::Step>& b, std::size_t tick, int phases);

struct ComparedFigure {
    enum class Group : std::uint8_t { setting, count, outcome, estimate, time };
    Group group = Group::count;
    std::string name, a, b;
    // Which run has the better figure.
    enum class Better : std::uint8_t { neither, a, b };
    Better better = Better::neither;
    bool same() const { return a == b; }
};

// Returns why the counts of the two are not judged: "different n"; empty: they are judged. Runs of different
// sizes differ by their work, not by how well they do it; the size of a block is a way to do it.
std::string why_not_judged(const Session& a, const Session& b);

// Returns the parameters, code and launches; steps and metrics; problems and results; the clocks' estimates;
// times of a recording that has both files at one size. Metrics that neither run has (no atomics, no shared
// memory) are left out. Empty while one session has no run.
std::vector<ComparedFigure> differences(const Session& a, const Session& b);

// Which of two estimates is faster, and what its warps wait less for: "B is about 1.7 times as fast
// (estimated for an NVIDIA H200): its warps wait less for global memory." Empty: there are no two estimates
// of one GPU.
std::string faster_words(const ClockReading& a, const ClockReading& b);
// The same of the runs that are shown, if both do the same work.
std::string faster_words(const Session& a, const Session& b);

// The judged figures in a sentence: "B is better in bank conflicts (0 instead of 496) and in warp
// instructions (1 204 instead of 1 620)." At most three, those with the largest ratios; empty: none is
// judged.
std::string better_words(const std::vector<ComparedFigure>& figures);

// The lines of the first text, from 1, that the second one lacks: not part of a longest common subsequence of
// lines without their indentation (Wagner and Fischer, 1974). Neither front matter nor blank lines count.
// Empty for texts of more than 4,000 lines.
std::vector<std::uint32_t> lines_that_differ(const std::string& of, const std::string& from);

}  // namespace lanescope::session
