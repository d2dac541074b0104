// What a value was made of: its inputs, the operations on the way, and a formula where there is a short one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/flow/flow.h"

namespace lanescope::analysis {

struct Origin {
    std::map<std::uint32_t, std::vector<std::uint64_t>> inputs;  // cells, ascending, by symbol of the trace
    std::uint32_t depth = 0;                                     // operations on the longest way
    std::uint64_t operations = 0;                                // different ones on all ways
    std::string text;  // "in[0] + … + in[15]", "from in[3], mask[0…8]", "constant"
    std::optional<Operator>
        joined_by;         // the only operator, where it is associative and each input enters once
    bool outside = false;  // some of it came from outside of the trace
    bool cut = false;      // there is more: too large to be followed to its end
};

// Operations that the result of a buffer took, and those of the obvious sequential program.
struct BufferWork {
    std::uint64_t operations = 0;  // of the whole run, on data
    std::uint64_t needed = 0;      // those that some element of the buffer was made by
    std::uint32_t depth = 0;
    bool cut = false;
    // For reductions and prefix sums: one element after the other, each from the one before where that helps.
    struct Sequential {
        std::uint64_t operations = 0, depth = 0;
    };
    std::optional<Sequential> sequential;
};

class Provenance {
  public:
    // All outlive this.
    Provenance(const trace::Trace& trace, const Flow& flow);

    Origin origin(ValueId value, std::uint64_t max_steps = 1 << 20);
    BufferWork work(std::uint32_t symbol, const std::vector<Origin>& origins,
                    std::uint64_t max_steps = 1 << 24);

    // The inputs of a value, by id; ascending. Zeros that the launch found in its own output are none.
    std::vector<ValueId> inputs(ValueId value, std::uint64_t max_steps, bool& cut);
    const std::vector<bool>& blank() const { return blank_; }  // by symbol
    bool is_blank(ValueId input) const;     // of a symbol that was all zeros, or unset, and was then written
    std::string name(ValueId input) const;  // "in[3]"

  private:
    template <class F>
    bool visit(ValueId value, std::uint64_t max_steps, F&& each);
    std::optional<Operator> only_operator(ValueId value, std::uint64_t max_steps, std::uint64_t& constants);
    std::string formula(Operator op, const Origin& origin, std::uint64_t constants) const;
    std::string list(const Origin& origin) const;

    const trace::Trace& trace_;
    const FlowGraph& graph_;
    const Flow& flow_;
    std::vector<bool> blank_;          // by symbol
    std::vector<std::uint32_t> seen_;  // by id: the number of the visit
    std::uint32_t visit_ = 0;
    std::vector<ValueId> open_;
};

// "a[3]", "tile[2][5]", "x" for a single cell.
std::string cell_name(const trace::Symbol& symbol, std::uint64_t cell);

}  // namespace lanescope::analysis
