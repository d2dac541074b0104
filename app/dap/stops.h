// What stops a run in the debugger: breakpoints on lines, functions and cells, with conditions, counts and
// messages; problems by their kind. The session owns the breakpoints that it searches for; this keeps what
// the editor asked for, and decides whether a hit of theirs stops.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dap/wire.h"
#include "session/session.h"

namespace lanescope::dap {

struct AskedStop {
    std::int64_t id = 0;
    std::uint32_t line = 0;      // as asked; of a function, where it begins
    std::string function, cell;  // instead of a line
    std::string condition, count_text, message;
    // What became of it.
    session::Breakpoint made;  // enabled only if it is verified
    std::string refused;       // why it cannot stop
    bool verified() const { return refused.empty() && (made.line != 0 || !made.cell.empty()); }
};

class Stops {
  public:
    enum class Kind : std::uint8_t { line, function, cell };
    // Replaces all of this kind.
    void ask(Kind kind, std::vector<AskedStop> wanted);
    const std::vector<AskedStop>& asked(Kind kind) const { return asked_[static_cast<std::size_t>(kind)]; }
    // Fits them to the run of the session, which may be none, and passes them to it.
    void fit(session::Session& session);

    void ask_problems(std::set<std::string> kinds) { kinds_ = std::move(kinds); }
    // Where the next or previous problem of these kinds happens; null: there is none between the turns.
    const trace::Problem* problem_between(const execution::RunResult& run, std::uint64_t first,
                                          std::uint64_t end, bool back) const;

    // What a hit of the search means.
    struct Hit {
        bool stops = false;
        std::vector<std::int64_t> ids;
        std::vector<std::string> messages;  // to print, with {expressions}
        bool function = false, data = false;
    };
    Hit judge(const session::Session& session, const session::BreakHit& hit);

  private:
    std::uint64_t count_until(const session::Session& session, const AskedStop& stop, std::uint64_t turn);

    std::vector<AskedStop> asked_[3];
    std::set<std::string> kinds_;
    // The turns at which a counted breakpoint stops, as far as they were searched for.
    struct Counted {
        std::vector<std::uint64_t> ends;
        std::uint64_t searched = 0;
    };
    std::map<std::int64_t, Counted> counted_;
};

// Kinds of problems that happen at a step.
std::vector<trace::ProblemKind> stopping_kinds();
bool stops_by_default(trace::ProblemKind kind);
// The turn at which a problem shows: that of its later access. Nothing: it was not recorded.
std::optional<std::uint64_t> turn_of(const trace::Problem& problem);

}  // namespace lanescope::dap
