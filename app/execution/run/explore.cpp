#include "execution/run/explore.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <set>
#include <string_view>
#include <unordered_map>

#include "base/number_text.h"
#include "simt/schedule/interleavings.h"

namespace lanescope::execution {

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* too_long = "a run takes too many turns to be enumerated";
constexpr const char* time_over = "the time limit was reached";

// The problems, without the thread that happened to have each of them first.
std::set<std::pair<trace::ProblemKind, std::uint32_t>> places_of(
    const std::vector<trace::Problem>& problems) {
    std::set<std::pair<trace::ProblemKind, std::uint32_t>> places;
    for (const trace::Problem& problem : problems)
        places.emplace(problem.kind, problem.kind == trace::ProblemKind::deadlock ? 0 : problem.first.line);
    return places;
}

bool equal(const BufferView& a, const BufferView& b) {
    return a.contents == b.contents && a.set == b.set;
}

bool ends_as(const RunResult& run, const Outcome& outcome) {
    return run.console == outcome.console && places_of(run.problems) == places_of(outcome.problems) &&
           std::equal(run.buffers.begin(), run.buffers.end(), outcome.buffers.begin(), outcome.buffers.end(),
                      equal);
}

std::size_t hash_of(const RunResult& run) {
    std::size_t hash = std::hash<std::string>()(run.console);
    for (const BufferView& buffer : run.buffers)
        hash =
            hash * 31 + std::hash<std::string_view>()(std::string_view(
                            reinterpret_cast<const char*>(buffer.contents.data()), buffer.contents.size()));
    return hash;
}

// Whether lanes of a warp race or only lack synchronisation depends on how they take turns.
bool is_expected(const std::vector<std::string>& expected, const trace::Problem& problem) {
    using trace::ProblemKind;
    const auto names = [&](ProblemKind kind) {
        return std::find(expected.begin(), expected.end(), trace::to_text(kind)) != expected.end();
    };
    const bool races = problem.kind == ProblemKind::race || problem.kind == ProblemKind::unsynced_lanes;
    return problem.note || names(problem.kind) ||
           (races && (names(ProblemKind::race) || names(ProblemKind::unsynced_lanes)));
}

bool is_ok(const RunResult& run) {
    const std::vector<std::string>& expected = run.instance.front.expected_problems;
    const bool known =
        std::all_of(run.problems.begin(), run.problems.end(),
                    [&](const trace::Problem& problem) { return is_expected(expected, problem); });
    const bool met = std::all_of(run.expectations.begin(), run.expectations.end(),
                                 [](const lesson::ExpectOutcome& each) { return each.ok; });
    return known && met && (run.outcome.ending == simt::Ending::finished || !run.problems.empty());
}

class Explorer {
  public:
    Explorer(PreparedRun prepared, const RunRequest& request, const ExploreLimits& limits,
             const std::atomic<bool>* cancel, const std::function<void(float)>& progress)
        : prepared_(std::move(prepared)),
          request_(request),
          limits_(limits),
          cancel_(cancel),
          progress_(progress) {
        const RunResult& run = prepared_.result();
        found_.file = run.file;
        found_.title = run.instance.front.title;
        found_.code = run.code;
        found_.instance = run.instance;
    }

    Result<Exploration> explore() {
        if (largest_grid() <= limits_.threads) {
            if (Result<void> done = enumerate(); !done) return done.diagnostics();
        } else {
            found_.limit =
                "grids of more than " + std::to_string(limits_.threads) + " threads are not enumerated";
        }
        if (Result<void> done = sample(); !done) return done.diagnostics();
        if (Result<void> done = shorten(); !done) return done.diagnostics();
        if (Result<void> done = search_in_lockstep(); !done) return done.diagnostics();
        sum_up();
        if (Result<void> done = search_outcomes(); !done) return done.diagnostics();
        return std::move(found_);
    }

  private:
    double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    double remaining() const { return std::max(limits_.seconds - elapsed(), 0.0); }
    bool cancelled() const { return cancel_ != nullptr && cancel_->load(); }

    std::uint64_t largest_grid() const {
        std::uint64_t most = 0;
        for (const lesson::LaunchInstance& launch : found_.instance.launches) {
            std::uint64_t threads = 1;
            for (int axis = 0; axis < 3; ++axis) {
                threads *= static_cast<std::uint64_t>(std::max<std::int64_t>(launch.grid[axis], 0));
                threads *= static_cast<std::uint64_t>(std::max<std::int64_t>(launch.block[axis], 0));
                if (threads > limits_.threads) return threads;
            }
            most = std::max(most, threads);
        }
        return most;
    }

    // Why the enumeration must stop; empty: it may go on.
    std::string reached(const simt::Interleavings& interleavings) const {
        constexpr double share = 0.7;  // the rest of the time is for samples
        if (interleavings.ran() == simt::Interleavings::Ran::too_long) return too_long;
        if (more_outcomes_) return "there are more than " + std::to_string(limits_.outcomes) + " outcomes";
        if (found_.runs + found_.redundant >= limits_.runs)
            return "the limit of " + std::to_string(limits_.runs) + " runs was reached";
        if (elapsed() > share * limits_.seconds) return time_over;
        return "";
    }

    Result<void> enumerate() {
        simt::Interleavings interleavings({});
        simt::Schedule schedule;
        schedule.kind = simt::Schedule::Kind::threads;
        schedule.chooser = &interleavings;
        schedule.resident_blocks = request_.schedule.resident_blocks;
        for (bool more = true; more;) {
            interleavings.begin_run();
            const Result<void> ran = prepared_.run(schedule, remaining(), cancel_);
            if (cancelled()) return error("cancelled");
            const bool whole = interleavings.ran() == simt::Interleavings::Ran::whole;
            if (!ran && whole) return ran.diagnostics();
            more = interleavings.end_run();
            if (whole && stopped_by_limit()) {
                found_.limit = timed_out() ? time_over : too_long;
                return {};
            }
            if (whole)
                note(replayable(interleavings.schedule()), interleavings.equivalent_schedules());
            else
                ++found_.redundant;
            found_.limit = more || interleavings.ran() == simt::Interleavings::Ran::too_long
                               ? reached(interleavings)
                               : std::string();
            if (!found_.limit.empty()) return {};
            report_progress();
        }
        found_.complete = true;
        return {};
    }

    bool stopped_by_limit() const {
        return timed_out() || prepared_.result().outcome.ending == simt::Ending::step_limit;
    }
    bool timed_out() const { return prepared_.result().outcome.ending == simt::Ending::timeout; }

    simt::Schedule replayable(std::vector<simt::ThreadTurns> turns) const {
        simt::Schedule schedule;
        if (!turns.empty()) schedule.kind = simt::Schedule::Kind::threads;  // else no thread has a turn
        schedule.turns = std::move(turns);
        schedule.resident_blocks = request_.schedule.resident_blocks;
        return schedule;
    }

    // Runs lanes in lockstep. After a complete enumeration one such run remains: it also finds what lanes
    // that take turns one by one cannot show, such as a barrier that a part of a warp misses.
    Result<void> sample() {
        std::vector<simt::Schedule> schedules(found_.complete ? 1 : 2 + limits_.seeds);
        for (std::size_t i = 0; i < schedules.size(); ++i) {
            schedules[i].resident_blocks = request_.schedule.resident_blocks;
            if (i > 0) schedules[i].kind = i == 1 ? simt::Schedule::Kind::warp : simt::Schedule::Kind::seed;
            schedules[i].seed = i < 2 ? 0 : i - 1;
        }
        found_.sampled = !found_.complete;
        for (const simt::Schedule& schedule : schedules) {
            if (remaining() <= 0) break;
            const Result<void> ran = prepared_.run(schedule, remaining(), cancel_);
            if (cancelled()) return error("cancelled");
            if (!ran) return ran.diagnostics();
            if (timed_out()) {
                found_.limit = time_over;
                break;
            }
            if (found_.complete && known()) break;
            note(schedule, std::nullopt);
            report_progress();
        }
        return {};
    }

    // Replaces a long list of turns by a shorter schedule that leads to the same outcome.
    Result<void> shorten() {
        constexpr std::size_t long_list = 40;
        for (std::size_t i = 0; i < found_.outcomes.size(); ++i) {
            std::vector<simt::ThreadTurns> turns = found_.outcomes[i].schedule.turns;
            if (turns.size() <= long_list) continue;
            simt::Schedule plain;
            plain.resident_blocks = request_.schedule.resident_blocks;
            Result<bool> leads = leads_to(i, plain);
            if (leads && *leads) {
                found_.outcomes[i].schedule = plain;
                continue;
            }
            while (leads && turns.size() > 1) {
                turns.resize(turns.size() / 2);
                leads = leads_to(i, replayable(turns));
                if (leads && !*leads) break;
                if (leads) found_.outcomes[i].schedule.turns = turns;
            }
            if (!leads) return leads.diagnostics();
        }
        return {};
    }
    Result<bool> leads_to(std::size_t outcome, const simt::Schedule& schedule) {
        if (remaining() <= 0) return false;
        const Result<void> ran = prepared_.run(schedule, remaining(), cancel_);
        if (cancelled()) return error("cancelled");
        if (!ran) return ran.diagnostics();
        return known() == &found_.outcomes[outcome];
    }

    Outcome* known() {
        const RunResult& run = prepared_.result();
        const auto [first, end] = by_hash_.equal_range(hash_of(run));
        for (auto each = first; each != end; ++each)
            if (ends_as(run, found_.outcomes[each->second])) return &found_.outcomes[each->second];
        return nullptr;
    }

    void note(const simt::Schedule& schedule, std::optional<std::uint64_t> equivalent) {
        ++found_.runs;
        if (Outcome* outcome = known()) {
            ++outcome->count;
            const bool counted =
                outcome->schedules && equivalent && *outcome->schedules <= ~std::uint64_t{0} - *equivalent;
            outcome->schedules = counted ? std::optional(*outcome->schedules + *equivalent) : std::nullopt;
            return;
        }
        if (found_.outcomes.size() >= limits_.outcomes) {
            more_outcomes_ = true;
            return;
        }
        const RunResult& run = prepared_.result();
        by_hash_.emplace(hash_of(run), found_.outcomes.size());
        found_.outcomes.push_back({1,
                                   equivalent,
                                   schedule,
                                   run.buffers,
                                   run.expectations,
                                   run.problems,
                                   {},
                                   false,
                                   run.console,
                                   is_ok(run)});
    }

    // Lanes that take turns one by one show no lockstep, so that one run in lockstep is searched, too.
    Result<void> search_in_lockstep() {
        simt::Schedule lockstep;
        lockstep.resident_blocks = request_.schedule.resident_blocks;
        auto races = races_under(lockstep);
        if (!races) return races.diagnostics();
        if (Outcome* outcome = known(); outcome != nullptr && *races) add_races(**races, *outcome);
        return {};
    }

    Result<void> search_outcomes() {
        std::uint64_t searched = 0, left_out = 0;
        for (Outcome& outcome : found_.outcomes) {
            const bool done =
                outcome.races_searched && outcome.schedule.kind == simt::Schedule::Kind::round_robin;
            if (!done && searched++ < limits_.searches) {
                auto races = races_under(outcome.schedule);
                if (!races) return races.diagnostics();
                if (*races) add_races(**races, outcome);
            }
            left_out += outcome.races_searched ? 0 : 1;
        }
        if (left_out != 0)
            found_.races_incomplete =
                "races were not looked for in " + counted(left_out, "outcome") + ", because of a limit";
        return {};
    }

    // Nothing: a limit was reached.
    Result<std::optional<std::vector<trace::Problem>>> races_under(const simt::Schedule& schedule) {
        const Clock::time_point begin = Clock::now();
        if (search_seconds_ <= 0) return std::optional<std::vector<trace::Problem>>();
        auto races = prepared_.find_races(schedule, search_seconds_, cancel_);
        search_seconds_ -= std::chrono::duration<double>(Clock::now() - begin).count();
        if (cancelled()) return error("cancelled");
        return races;
    }

    void add_races(const std::vector<trace::Problem>& races, Outcome& outcome) const {
        outcome.races_searched = true;
        for (const trace::Problem& race : races) {
            if (race.kind == trace::ProblemKind::deadlock) continue;  // a schedule that stops is an outcome
            const auto same = [&](const trace::Problem& each) {
                return each.kind == race.kind && each.variable == race.variable &&
                       each.first.line == race.first.line && each.second.line == race.second.line;
            };
            outcome.ok = outcome.ok && is_expected(found_.instance.front.expected_problems, race);
            if (std::none_of(outcome.races.begin(), outcome.races.end(), same)) outcome.races.push_back(race);
        }
    }

    void report_progress() {
        if (progress_) progress_(static_cast<float>(std::min(elapsed() / limits_.seconds, 1.0)));
    }

    void sum_up() {
        std::uint64_t sum = 0;
        bool counted = found_.complete;
        for (Outcome& outcome : found_.outcomes) {
            if (!found_.complete) outcome.schedules.reset();
            counted = counted && outcome.schedules && sum <= ~std::uint64_t{0} - *outcome.schedules;
            if (counted) sum += *outcome.schedules;
        }
        if (counted) found_.schedules = sum;
        const auto weight = [&](const Outcome& outcome) {
            return counted ? *outcome.schedules : outcome.count;
        };
        std::stable_sort(found_.outcomes.begin(), found_.outcomes.end(),
                         [&](const Outcome& a, const Outcome& b) { return weight(a) > weight(b); });
    }

    PreparedRun prepared_;
    const RunRequest& request_;
    ExploreLimits limits_;
    const std::atomic<bool>* cancel_;
    const std::function<void(float)>& progress_;
    Clock::time_point start_ = Clock::now();
    Exploration found_;
    std::unordered_multimap<std::size_t, std::size_t> by_hash_;
    bool more_outcomes_ = false;
    double search_seconds_ = limits_.search_seconds;  // that are left
};

}  // namespace

bool Exploration::fine() const {
    return std::all_of(outcomes.begin(), outcomes.end(), [](const Outcome& outcome) { return outcome.ok; });
}

Result<Exploration> explore(const RunRequest& request, const ExploreLimits& limits,
                            const std::atomic<bool>* cancel, const std::function<void(float)>& progress) {
    RunRequest bounded = request;
    bounded.limits.warp_instructions = std::min(bounded.limits.warp_instructions, limits.warp_instructions);
    Result<PreparedRun> prepared = PreparedRun::make(bounded);
    if (!prepared) return prepared.diagnostics();
    return Explorer(std::move(*prepared), bounded, limits, cancel, progress).explore();
}

}  // namespace lanescope::execution
