// What each instruction does with values, prepared once for a program.
//
// Values of a function live in rows: its registers that can hold data, and the pieces of its parameters,
// results and parameter-space variables. Addresses, conditions and indices have no rows, unless a store
// writes them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analysis/code.h"
#include "analysis/flow/graph.h"

namespace lanescope::analysis {

// A row of a function, or what needs none.
using Row = std::int32_t;
constexpr Row constant_row = -1, zero_row = -2;

struct FlowStep {
    enum class Kind : std::uint8_t {
        nothing,
        move,  // every destination is all sources together
        operate,
        load,
        store,
        atomic,        // the destination is what was there
        compare_swap,  // its last source replaces what was there, if it matched
        copy,          // from memory to memory
        exchange,      // from another lane
        reduce,        // over the lanes of the warp
        collective,    // every lane's destinations are the sources of all lanes
        call,
        ret,
    };
    Kind kind = Kind::nothing;
    Operator op = Operator::join;
    bool guarded = false;
    std::uint8_t destinations = 0, sources = 0;
    std::uint8_t elements = 1;   // of a memory access
    std::uint32_t operands = 0;  // the first of its rows: destinations, then sources
    std::uint32_t next = 0;      // the next instruction in the text, from here on, that does something
};

class FlowSteps {
  public:
    explicit FlowSteps(const Code& code);

    bool known() const { return known_; }  // false: the trace has no PTX
    std::uint32_t size() const { return static_cast<std::uint32_t>(steps_.size()); }
    const FlowStep& at(std::uint32_t pc) const { return steps_[pc]; }
    std::span<const Row> destinations(const FlowStep& step) const {
        return std::span(rows_).subspan(step.operands, step.destinations);
    }
    std::span<const Row> sources(const FlowStep& step) const {
        return std::span(rows_).subspan(step.operands + step.destinations, step.sources);
    }
    std::uint32_t rows_of(std::uint32_t function) const {
        return function < row_counts_.size() ? row_counts_[function] : 0;
    }

    // Rows of the caller and of the callee that hold the same.
    struct Link {
        Row caller = constant_row, callee = constant_row;
    };
    struct Links {
        std::vector<Link> arguments, results;
    };
    // What the call at `pc` passes to a function.
    const Links& links(std::uint32_t pc, std::uint32_t callee);

  private:
    // Which place of a function: ptx::Reference::Kind, index and byte.
    using Place = std::tuple<std::uint8_t, std::uint32_t, std::uint64_t>;

    Row row(std::uint32_t function, const Place& place);
    Row find(std::uint32_t function, const Place& place) const;
    void decode(std::uint32_t pc, bool data);
    void add_operands(FlowStep& step, const std::vector<Row>& destinations, const std::vector<Row>& sources);

    struct Decoder;
    const Code& code_;
    bool known_ = false;
    std::vector<FlowStep> steps_;
    std::vector<Row> rows_;
    std::vector<std::map<Place, Row>> places_;  // per function
    std::vector<std::uint32_t> row_counts_;
    std::unordered_map<std::uint64_t, Links> links_;
};

}  // namespace lanescope::analysis
