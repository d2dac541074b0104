#include "scene/timeline/cycles_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/number_text.h"
#include "gpu/sampled/stall_reasons.h"
#include "trace/trace.h"

namespace lanescope::scene {

using analysis::Stall;
using analysis::WarpInterval;

LevelCurve::LevelCurve(std::vector<Change> changes) {
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
    double level = 0, sum = 0;
    for (std::size_t i = 0; i < changes.size();) {
        const float at = changes[i].at;
        if (!times_.empty()) sum += level * (double(at) - double(times_.back()));
        for (; i < changes.size() && changes[i].at == at; ++i)
            level += double(changes[i].by);
        times_.push_back(at), levels_.push_back(level), sums_.push_back(sum);
        greatest_ = std::max(greatest_, level);
    }
}

double LevelCurve::sum_until(double at) const {
    const auto after = std::upper_bound(times_.begin(), times_.end(), at,
                                        [](double wanted, float time) { return wanted < double(time); });
    if (after == times_.begin()) return 0;
    const auto i = std::size_t(after - times_.begin()) - 1;
    return sums_[i] + levels_[i] * (at - double(times_[i]));
}

double LevelCurve::average(double begin, double end) const {
    return end > begin ? (sum_until(end) - sum_until(begin)) / (end - begin) : 0;
}

std::shared_ptr<const CyclesModel> CyclesModel::build(const analysis::LaunchCycles& launch, double schedulers,
                                                      const std::atomic<bool>* cancelled) {
    auto made = std::make_shared<CyclesModel>();
    made->blocks_ = launch.simulated;
    made->length_ = std::max(launch.simulated_cycles, 1.0);
    made->useful_flight_ = launch.useful_flight;
    made->rows_.resize(launch.rows);
    if (launch.rows > schedulers) made->full_issue_ = schedulers / double(launch.rows);
    std::vector<LevelCurve::Change> issues, flights;
    std::array<double, analysis::stall_count> time{};
    for (const WarpInterval& interval : launch.intervals) {
        const std::size_t row = launch.simulated[interval.block].first_row + interval.warp;
        if (row >= made->rows_.size()) continue;
        made->rows_[row].push_back(interval);
        time[std::size_t(interval.stall)] += double(interval.end) - double(interval.begin);
        if (interval.stall != Stall::issues) continue;
        issues.push_back({interval.begin, float(1 / schedulers)});
        issues.push_back({interval.end, -float(1 / schedulers)});
    }
    for (const analysis::MemoryFlight& flight : launch.flights) {
        flights.push_back({flight.begin, float(flight.bytes)});
        flights.push_back({flight.end, -float(flight.bytes)});
    }
    double all = 0;
    for (const double each : time)
        all += each;
    for (std::size_t i = 0; i < time.size(); ++i)
        if (time[i] > 0) made->shares_.emplace_back(Stall(i), time[i] / all);
    std::stable_sort(made->shares_.begin(), made->shares_.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    if (cancelled && cancelled->load()) return nullptr;
    made->issue_ = LevelCurve(std::move(issues));
    made->flight_ = LevelCurve(std::move(flights));
    made->fold();
    return made;
}

namespace {

// Calls `add(column, cycles)` for each column that the interval overlaps.
template <class Add>
void spread(double from, double to, double begin, double cycles_each, std::size_t count, Add&& add) {
    from = std::max(from - begin, 0.0), to = std::min(to - begin, cycles_each * double(count));
    for (auto i = std::size_t(from / cycles_each); i < count && double(i) * cycles_each < to; ++i) {
        const double left = std::max(from, double(i) * cycles_each);
        add(i, float(std::min(to, double(i + 1) * cycles_each) - left));
    }
}

}  // namespace

void CyclesModel::fold() {
    const auto count = std::size_t(std::min(std::ceil(length_), double(most_buckets)));
    bucket_ = length_ / double(count);
    for (const Row& row : rows_) {
        std::vector<Cycles>& buckets = buckets_.emplace_back(count);
        for (const WarpInterval& each : row)
            spread(each.begin, each.end, 0, bucket_, count,
                   [&](std::size_t i, float cycles) { buckets[i][std::size_t(each.stall)] += cycles; });
    }
}

std::uint32_t CyclesModel::warp_of(std::size_t row) const {
    return rows_[row].empty() ? 0 : rows_[row].front().warp;
}

const WarpInterval* CyclesModel::at(std::size_t row, double cycle) const {
    const Row& all = rows_[row];
    const auto found =
        std::upper_bound(all.begin(), all.end(), cycle,
                         [](double wanted, const WarpInterval& each) { return wanted < double(each.end); });
    return found != all.end() && double(found->begin) <= cycle ? &*found : nullptr;
}

void CyclesModel::columns(std::size_t row, double begin, double cycles_each, std::span<Column> out) const {
    std::vector<Cycles> cycles(out.size());
    if (cycles_each >= bucket_) {
        const std::vector<Cycles>& buckets = buckets_[row];
        for (std::size_t i = 0; i < out.size(); ++i) {
            const auto bucket = [&](std::size_t column) {
                const double at = (begin + double(column) * cycles_each) / bucket_;
                return std::size_t(std::clamp(at, 0.0, double(buckets.size())));
            };
            Cycles sum{};
            for (std::size_t from = bucket(i), to = bucket(i + 1); from < to; ++from)
                for (std::size_t stall = 0; stall < sum.size(); ++stall)
                    sum[stall] += buckets[from][stall];
            cycles[i] = sum;
        }
    } else {
        const double end = begin + cycles_each * double(out.size());
        auto each = std::upper_bound(
            rows_[row].begin(), rows_[row].end(), begin,
            [](double wanted, const WarpInterval& interval) { return wanted < double(interval.end); });
        for (; each != rows_[row].end() && double(each->begin) < end; ++each)
            spread(each->begin, each->end, begin, cycles_each, out.size(),
                   [&](std::size_t i, float share) { cycles[i][std::size_t(each->stall)] += share; });
    }
    constexpr auto issues = std::size_t(Stall::issues);
    for (std::size_t i = 0; i < out.size(); ++i) {
        std::size_t most = issues;
        for (std::size_t stall = 0; stall < analysis::stall_count; ++stall)
            if (stall != issues && cycles[i][stall] > 0 &&
                (most == issues || cycles[i][stall] > cycles[i][most]))
                most = stall;
        out[i].reason = cycles[i][most] > 0 ? Stall(most) : Stall::count;
        out[i].issue = float(double(cycles[i][issues]) / cycles_each);
    }
}

LineVisit visit_of(const CyclesModel& model, std::size_t row, const WarpInterval& interval) {
    LineVisit visit;
    std::uint32_t before = 0;
    for (const WarpInterval& each : model.rows()[row]) {
        if (each.block != interval.block) continue;
        if (each.line == interval.line && before != interval.line) {
            if (each.begin <= interval.begin) visit.number = visit.count;
            ++visit.count;
        }
        before = each.line;
    }
    return visit;
}

std::optional<std::uint64_t> turn_of_visit(const trace::Trace& trace, std::uint32_t launch,
                                           std::uint32_t block, std::uint32_t warp, std::uint32_t line,
                                           const LineVisit& visit) {
    if (launch >= trace.launches.size()) return std::nullopt;
    std::vector<std::uint64_t> visits;
    std::uint32_t before = 0;
    for (std::uint64_t i = trace.launches[launch].first_turn; i < trace.launches[launch].end_turn; ++i) {
        const trace::Turn& turn = trace.turns[i];
        if (turn.block != block || turn.warp != warp) continue;
        if (turn.line == line && before != line) visits.push_back(i);
        before = turn.line;
    }
    if (visits.empty()) return std::nullopt;
    return visits[std::size_t(visit.number) * visits.size() / std::max(visit.count, 1u)];
}

std::string clock_headline(const session::ClockReading& reading, std::size_t launch) {
    const analysis::CyclesEstimate& estimate = reading.estimate;
    const analysis::LaunchCycles& shown = estimate.launches[launch];
    std::string text =
        session::estimated_words(estimate.microseconds) + " estimated for an " + reading.device;
    if (estimate.launches.size() > 1)
        text += ", launch " + std::to_string(launch + 1) + " of " + std::to_string(estimate.launches.size());
    const std::uint32_t warps = shown.simulated.empty() ? 0 : shown.simulated.front().warps;
    text += " · " + counted(shown.resident_blocks, "block") + " of " + counted(warps, "warp") +
            " resident · limited by " + shown.limit;
    if (estimate.mostly_launch()) text += " · mostly the time to launch";
    if (shown.simulated.size() < shown.blocks && !shown.whole)
        text += " · the first " + counted(shown.simulated.size(), "block") + " of the multiprocessor";
    return text;
}

std::string reason_words(Stall stall, double share) {
    const double percent = share * 100;
    const std::string number = percent >= 0.5 ? std::to_string(std::lround(percent)) : "<1";
    return std::string(gpu::stall_cause(analysis::to_text(stall))) + " " + number + " %";
}

std::string cycles_words(const CyclesModel& model) {
    constexpr std::size_t most_lines = 16;
    std::string words;
    for (std::size_t i = 0; i < model.blocks().size() && i < most_lines; ++i) {
        const analysis::SimulatedBlock& block = model.blocks()[i];
        words += "block " + std::to_string(block.block) + ": rows " + std::to_string(block.first_row + 1) +
                 "–" + std::to_string(block.first_row + block.warps) + "\n";
    }
    for (std::size_t row = 0; row < model.rows().size() && row < most_lines; ++row) {
        std::array<double, analysis::stall_count> time{};
        double all = 0;
        for (const WarpInterval& each : model.rows()[row]) {
            time[std::size_t(each.stall)] += double(each.end) - double(each.begin);
            all += double(each.end) - double(each.begin);
        }
        if (all <= 0) continue;
        const auto most = std::size_t(std::max_element(time.begin(), time.end()) - time.begin());
        words += "row " + std::to_string(row + 1) + ", warp " + std::to_string(model.warp_of(row)) +
                 ": mostly " + reason_words(Stall(most), time[most] / all) + "\n";
    }
    words += "issue: " + std::to_string(std::lround(100 * model.issue().average(0, model.length()))) +
             " % of the cycles\n";
    return words + "memory: " +
           std::to_string(std::lround(100 * model.flight().average(0, model.length()) /
                                      std::max(model.useful_flight(), 1.0))) +
           " % of the bytes that keep DRAM busy\n";
}

}  // namespace lanescope::scene
