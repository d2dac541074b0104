// The estimated clock of one launch, prepared so that drawing only looks things up: what each resident warp
// of a multiprocessor does in which cycle, how busy the schedulers are, how many bytes are on their way.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/cycles/cycles.h"
#include "session/clock/clock.h"

namespace lanescope::scene {

// A quantity that is constant between its changes.
class LevelCurve {
  public:
    struct Change {
        float at = 0, by = 0;
    };
    explicit LevelCurve(std::vector<Change> changes = {});
    double average(double begin, double end) const;  // in time logarithmic in the number of changes
    double greatest() const { return greatest_; }

  private:
    double sum_until(double at) const;

    std::vector<float> times_;           // ascending
    std::vector<double> levels_, sums_;  // from each time on; the integral until it
    double greatest_ = 0;
};

class CyclesModel {
  public:
    // Null when `cancelled` became true. `schedulers`: of the multiprocessor.
    static std::shared_ptr<const CyclesModel> build(const analysis::LaunchCycles& launch, double schedulers,
                                                    const std::atomic<bool>* cancelled = nullptr);

    using Row = std::vector<analysis::WarpInterval>;  // ascending; of one block after the other
    const std::vector<Row>& rows() const { return rows_; }
    const std::vector<analysis::SimulatedBlock>& blocks() const { return blocks_; }
    double length() const { return length_; }      // cycles
    std::uint32_t warp_of(std::size_t row) const;  // the number in its block
    // What the warp of the row does in this cycle; null: nothing.
    const analysis::WarpInterval* at(std::size_t row, double cycle) const;

    // What a warp does during some cycles: what it waits for most, and the share of them in which it issues.
    struct Column {
        analysis::Stall reason = analysis::Stall::count;  // count: no warp is there
        float issue = 0;
    };
    // Column i stands for the cycles from begin + i × cycles_each on. The cost depends on the columns and on
    // at most a part of the intervals.
    void columns(std::size_t row, double begin, double cycles_each, std::span<Column> out) const;
    // The share of a warp's time in which it issues while all warps are there and every scheduler is busy.
    double full_issue() const { return full_issue_; }

    const LevelCurve& issue() const { return issue_; }    // share of the schedulers, 0 … 1
    const LevelCurve& flight() const { return flight_; }  // bytes
    double useful_flight() const { return useful_flight_; }
    // What share each reason has in the time of the warps, the largest first.
    const std::vector<std::pair<analysis::Stall, double>>& shares() const { return shares_; }

  private:
    using Cycles = std::array<float, 16>;  // by reason; a power of two is added up faster
    static_assert(analysis::stall_count <= 16);
    static constexpr std::size_t most_buckets = 8192;  // of a row; a view that shows less reads the intervals

    void fold();

    std::vector<Row> rows_;
    std::vector<analysis::SimulatedBlock> blocks_;
    std::vector<std::vector<Cycles>> buckets_;  // of each row
    double length_ = 1, bucket_ = 1, full_issue_ = 1, useful_flight_ = 0;
    LevelCurve issue_, flight_;
    std::vector<std::pair<analysis::Stall, double>> shares_;
};

// The how manieth visit of its warp to its line the interval belongs to, from 0, and how many there are.
struct LineVisit {
    std::uint32_t number = 0, count = 0;
};
LineVisit visit_of(const CyclesModel& model, std::size_t row, const analysis::WarpInterval& interval);
// The turn of a warp at the same share of its visits to the line. Empty: it has none.
std::optional<std::uint64_t> turn_of_visit(const trace::Trace& trace, std::uint32_t launch,
                                           std::uint32_t block, std::uint32_t warp, std::uint32_t line,
                                           const LineVisit& visit);

// "≈ 5.1 µs estimated for an NVIDIA H200 · 12 blocks of 64 warps resident · limited by …"
std::string clock_headline(const session::ClockReading& reading, std::size_t launch);
// "issues 12 %", "global memory 30 %": what the legend says of a reason.
std::string reason_words(analysis::Stall stall, double share);
// Blocks, rows and the averages of both curves, in lines.
std::string cycles_words(const CyclesModel& model);

}  // namespace lanescope::scene
