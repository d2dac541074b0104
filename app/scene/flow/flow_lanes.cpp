// The values that lanes exchange: those of one variable, in all rows.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/value_type.h"
#include "scene/flow/flow_maker.h"
#include "scene/words/cell_text.h"

namespace lanescope::scene {

namespace {

constexpr std::size_t most_lane_puts = 8'000, most_turns_ahead = 64;

// Where a put's value can be read: after the turns before `position`, in the frame of the function at `pc`.
struct Sample {
    bool known = true;  // variables are known between turns only
    std::uint64_t position = 0;
    std::uint32_t pc = 0, depth = 0;
};

struct LaneValue {
    std::vector<std::byte> bytes;
    TypeId type = 0;
};

std::optional<double> number_of(const trace::Trace& trace, const LaneValue& value) {
    const ValueType& type = trace.program.types[value.type];
    if (type.kind != ValueType::Kind::scalar || value.bytes.size() > 8) return {};
    std::uint64_t bits = 0;
    std::memcpy(&bits, value.bytes.data(), value.bytes.size());
    const unsigned width = static_cast<unsigned>(value.bytes.size()) * 8;
    if (type.scalar == Scalar::floating && width == 32) {
        float real = 0;
        std::memcpy(&real, &bits, 4);
        return static_cast<double>(real);
    }
    if (type.scalar == Scalar::floating && width == 64) {
        double real = 0;
        std::memcpy(&real, &bits, 8);
        return real;
    }
    if (type.scalar == Scalar::signed_int && width < 64 && (bits >> (width - 1) & 1) != 0)
        return static_cast<double>(bits) - std::ldexp(1.0, static_cast<int>(width));
    if (type.scalar == Scalar::signed_int || type.scalar == Scalar::unsigned_int)
        return static_cast<double>(bits);
    return {};
}

class LaneReader {
  public:
    LaneReader(std::shared_ptr<const trace::Trace> trace, const std::vector<FlowPut>& puts)
        : trace_(*trace), replay_(trace), puts_(puts) {
        for (const FlowPut& put : puts)
            if (!put.initial) exchanges_[trace_.turns[put.turn].warp].insert(put.turn);
        for (const FlowPut& put : puts)
            samples_.push_back(sample_of(put));
        // Only the last of several exchanges in one turn can be read after it, and nothing in between.
        std::map<std::uint32_t, std::size_t> last;  // by lane
        for (std::size_t i = 0; i < puts.size(); ++i) {
            const auto [before, first] = last.try_emplace(puts[i].column, i);
            if (!first && puts[before->second].turn == puts[i].turn)
                samples_[puts[i].initial ? i : before->second].known =
                    !puts[i].initial && puts[before->second].initial;
            if (!puts[i].initial || first) before->second = i;
        }
    }

    // By variable's name: the value at each put.
    std::map<std::string, std::map<std::size_t, LaneValue>> read() {
        std::vector<std::size_t> order(puts_.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return samples_[a].position < samples_[b].position;
        });
        std::map<std::string, std::map<std::size_t, LaneValue>> values;
        for (const std::size_t i : order)
            read_at(i, values);
        return values;
    }

  private:
    // Before the warp's next exchange, or before its last turn in the function, which takes the frame away.
    Sample sample_of(const FlowPut& put) const {
        const trace::Turn& turn = trace_.turns[put.turn];
        if (put.initial) return {true, put.turn, turn.pc, turn.depth};
        const std::set<std::uint64_t>& turns = exchanges_.at(turn.warp);
        const auto next = turns.upper_bound(put.turn);
        const std::uint64_t end = next != turns.end() ? *next : trace_.launches[put.launch].end_turn;
        std::uint64_t last = put.turn + 1;
        std::size_t seen = 0;
        bool left = false;
        for (std::uint64_t at = put.turn + 1; at < end && seen < most_turns_ahead; ++at) {
            const trace::Turn& each = trace_.turns[at];
            if (each.block != turn.block || each.warp != turn.warp) continue;
            ++seen;
            left = each.depth < turn.depth;
            if (left) break;
            if (each.depth == turn.depth && (each.mask >> put.thread % trace::warp_size & 1) != 0)
                last = std::max(last, at);
        }
        return {true, next != turns.end() && last < end && !left ? end : last, turn.pc, turn.depth};
    }

    void read_at(std::size_t number, std::map<std::string, std::map<std::size_t, LaneValue>>& values) {
        const Sample& sample = samples_[number];
        if (!sample.known) return;
        const FlowPut& put = puts_[number];
        if (replay_.position() != sample.position) replay_.seek(sample.position);
        if (sample.pc >= trace_.program.code_rows.size()) return;
        const std::uint32_t function = trace_.program.code_rows[sample.pc].function;
        if (function >= trace_.program.functions.size()) return;
        for (const trace::Variable& variable : trace_.program.functions[function].variables) {
            if (sample.pc < variable.scope_begin_pc || sample.pc >= variable.scope_end_pc) continue;
            LaneValue value{replay_.variable(put.launch, put.block, put.thread, sample.depth, variable),
                            variable.type};
            if (!value.bytes.empty() && number_of(trace_, value)) values[variable.name][number] = value;
        }
    }

    const trace::Trace& trace_;
    trace::Replay replay_;
    const std::vector<FlowPut>& puts_;
    std::map<std::uint32_t, std::set<std::uint64_t>> exchanges_;  // turns, by warp
    std::vector<Sample> samples_;
};

// How often the variable holds what the operation gives; several operands: their sum, minimum or maximum.
std::size_t agreements(const trace::Trace& trace, const std::vector<FlowPut>& puts,
                       const std::map<std::size_t, LaneValue>& values) {
    std::size_t count = 0;
    for (const auto& [number, value] : values) {
        const FlowPut& put = puts[number];
        if (put.initial || put.sources.empty()) continue;
        std::optional<double> result;
        for (const FlowSource& source : put.sources) {
            const auto held = values.find(source.put);
            const std::optional<double> operand =
                held == values.end() ? std::nullopt : number_of(trace, held->second);
            if (!operand) continue;
            if (!result)
                result = operand;
            else if (put.op == analysis::Operator::minimum)
                result = std::min(*result, *operand);
            else if (put.op == analysis::Operator::maximum)
                result = std::max(*result, *operand);
            else
                result = *result + *operand;
        }
        const std::optional<double> now = number_of(trace, value);
        if (result && now && std::abs(*result - *now) <= 1e-5 * std::max(1.0, std::abs(*now))) ++count;
    }
    return count;
}

}  // namespace

void FlowMaker::write_lane_values(FlowFigure& figure, const std::vector<FlowPut>& by_time) const {
    if (by_time.size() > most_lane_puts) return;
    const std::map<std::string, std::map<std::size_t, LaneValue>> values = LaneReader(trace_, by_time).read();
    const std::map<std::size_t, LaneValue>* best = nullptr;
    std::size_t most = 0;
    for (const auto& [name, held] : values)
        if (const std::size_t count = agreements(*trace_, by_time, held); count > most) {
            most = count;
            best = &held;
            figure.variable = name;
        }
    if (best == nullptr) return;
    for (const auto& [number, value] : *best) {
        const FlowPut& put = by_time[number];
        FlowCell* cell = put.row < figure.rows.size() ? figure.written(put.row, put.column) : nullptr;
        if (cell != nullptr && cell->value == put.value)
            cell->text = cell_text(trace_->program.types, value.type, value.bytes, 7);
    }
}

}  // namespace lanescope::scene
