// Two runs side by side: which of their steps belong together, and in what the runs differ.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "session/session.h"

namespace lanescope::session {

// What makes two steps belong together: that as many barriers (and launches) were passed, or that as large a
// share of the run is over.
enum class StepTogether : std::uint8_t { phase, share };

// A place on the timeline of both: a step of each, from 0.
struct TickPair {
    std::uint32_t a = 0, b = 0;
    bool operator==(const TickPair&) const = default;
};

// Ascending in both; it begins with the first step of each, ends with the last, and holds every step of the
// longer one, by phases every step of what is longer in each phase. A run that has no such phase waits at its
// last step before it. Empty when one of them has no steps.
std::vector<TickPair> ticks_of(const std::vector<trace::Step>& a, const std::vector<trace::Step>& b,
                               StepTogether how);

// The first tick at which that run is at that step, or past it.
enum class Side : std::uint8_t { a, b };
std::size_t tick_at(const std::vector<TickPair>& ticks, Side side, std::size_t step);
// As Session's PhaseBy, on ticks: to where either run begins its next phase, or this one, or the one before.
std::size_t tick_by_phase(const std::vector<TickPair>& ticks, const std::vector<trace::Step>& a,
                          const std::vector<trace::Step>& b, std::size_t tick, int phases);

struct ComparedFigure {
    enum class Group : std::uint8_t { setting, count, outcome, time };
    Group group = Group::count;
    std::string name, a, b;
    // Who has the better figure, where one is better than the other.
    enum class Better : std::uint8_t { neither, a, b };
    Better better = Better::neither;
    bool same() const { return a == b; }
};

// Why the counts of the two are not judged: "different n". Runs of different sizes differ by their work, not
// by how well they do it; the size of a block is a way to do it. Empty: they are judged.
std::string why_not_judged(const Session& a, const Session& b);

// Parameters, code, launches; steps and metrics; problems and results; times of a recording that has both
// files at one size. Metrics that neither run has (no atomics, no shared memory) are left out. Empty while
// one has no run.
std::vector<ComparedFigure> differences(const Session& a, const Session& b);

}  // namespace lanescope::session
