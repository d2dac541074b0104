// The values of a run and what each was computed from: a graph without cycles, whose nodes come in the order
// in which they were made.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "trace/trace.h"

namespace lanescope::analysis {

using ValueId = std::uint32_t;

enum class Operator : std::uint8_t {
    add,
    subtract,
    multiply,
    multiply_add,  // one operation
    divide,
    remainder,
    minimum,
    maximum,
    bit_and,
    bit_or,
    bit_xor,
    bits,  // not, shifts, fields, counts
    negate,
    absolute,
    function,  // square roots, sin, cos …
    matrix,
    other,
    // The rest does not count as an operation on data.
    select,    // one of its operands, as a condition says
    join,      // made of several values
    pair,      // a low and a high half
    store,     // a copy in memory: operand 0 is the value, 1 its number among the writes, 2 what was there
    exchange,  // a copy from another lane: operand 0 is the value, 1 its number among the writes
};
constexpr bool is_operation(Operator op) {
    return op <= Operator::other;
}
constexpr bool is_copy(Operator op) {
    return op >= Operator::store;
}
// Whether the order in which operands are combined does not matter; for floats up to rounding.
constexpr bool is_associative(Operator op) {
    return op == Operator::add || op == Operator::multiply || op == Operator::minimum ||
           op == Operator::maximum || op == Operator::bit_and || op == Operator::bit_or ||
           op == Operator::bit_xor;
}
const char* sign_of(Operator op);    // "+", "max"
const char* words_for(Operator op);  // "addition", "maximum"

// Where a value was put.
struct FlowWrite {
    std::uint64_t turn = 0;
    std::uint64_t offset = 0;  // bytes in its space; of an exchange: the thread that gave the value
    std::uint32_t block = 0;
    std::uint32_t owner = trace::none;  // of the shared memory, if it is another block's
    std::uint32_t thread = 0;           // linear in the block; of an exchange: the one that received it
    ValueId value = 0;                  // its node
    std::uint16_t ordinal = 0;
    trace::Space space{};
    std::uint8_t width_bytes = 0;
    bool exchange = false;
    bool atomic = false;

    // Whether these bytes of shared memory are another block's.
    bool is_outside(std::uint32_t of_block) const {
        return space == trace::Space::shared && place() != of_block;
    }
    std::uint32_t place() const { return owner == trace::none ? block : owner; }  // of shared memory
};

class FlowGraph {
  public:
    // These values have no node.
    static constexpr ValueId constant = 0;  // constants, indices, parameters: no data
    static constexpr ValueId zero = 1;      // the constant 0
    static constexpr ValueId outside = 2;   // from the host between launches, or from blocks without a record
    static constexpr ValueId first_input = 3;

    struct Node {
        std::array<ValueId, 3> operands{};
        std::uint32_t depth : 24 = 0;  // operations on the longest way from an input; saturates
        std::uint32_t op : 8 = 0;
    };
    static_assert(sizeof(Node) == 16);
    struct Input {
        std::uint32_t symbol = 0;  // into the symbols of the trace
        std::uint64_t cell = 0;
    };

    explicit FlowGraph(std::uint64_t max_bytes) : max_bytes_(max_bytes) {}

    // All inputs are added before the first node. Returns the first cell's id; 0: too many cells.
    ValueId add_inputs(std::uint32_t symbol, std::uint64_t cells);

    // A result without any data among its operands has no node. `outside` once the limit is reached.
    ValueId make(Operator op, ValueId a, ValueId b = constant, ValueId c = constant);
    ValueId join(ValueId a, ValueId b);  // of parts of one value; equal parts are that part
    ValueId pair(ValueId low, ValueId high);
    // The half of a value; of what is not a pair, all of it.
    ValueId half(ValueId id, bool high) const {
        return is_node(id) && op(id) == Operator::pair ? node(id).operands[high ? 1 : 0] : id;
    }
    ValueId store(ValueId value, ValueId before, FlowWrite write);
    ValueId exchange(ValueId value, FlowWrite write);

    bool is_input(ValueId id) const { return id >= first_input && id < first_node_; }
    bool is_node(ValueId id) const { return id >= first_node_; }
    bool is_data(ValueId id) const { return id >= outside; }
    Input input(ValueId id) const;
    ValueId first_input_of(std::uint32_t symbol) const;  // 0: it has none
    const Node& node(ValueId id) const { return nodes_[id - first_node_]; }
    Operator op(ValueId id) const { return static_cast<Operator>(node(id).op); }
    std::uint32_t depth(ValueId id) const { return is_node(id) ? node(id).depth : 0; }
    ValueId end() const { return first_node_ + static_cast<ValueId>(nodes_.size()); }
    ValueId first_node() const { return first_node_; }

    const std::vector<FlowWrite>& writes() const { return writes_; }
    const FlowWrite& write_of(ValueId copy) const { return writes_[node(copy).operands[1]]; }
    std::uint64_t operations() const { return operations_; }  // all that were made
    bool full() const { return full_; }
    std::uint64_t size_bytes() const {
        return nodes_.size() * sizeof(Node) + writes_.size() * sizeof(FlowWrite);
    }

  private:
    struct Inputs {
        ValueId first = 0;
        std::uint32_t symbol = 0;
    };
    bool room();
    ValueId add(Operator op, ValueId a, ValueId b, ValueId c, std::uint32_t depth);
    ValueId copy(Operator op, ValueId value, ValueId before, FlowWrite& write);

    std::uint64_t max_bytes_;
    bool full_ = false;
    std::uint64_t operations_ = 0;
    ValueId first_node_ = first_input;
    std::vector<Inputs> inputs_;
    std::vector<Node> nodes_;
    std::vector<FlowWrite> writes_;
};

}  // namespace lanescope::analysis
