// Expressions over the variables of a lane, as breakpoints and watches use them: `s[t] + s[t + stride]`,
// `t % 2 == 0`, `p->next`, `threadIdx.x < 4 && warp == 1`.
//
// Their syntax is that of expression/parser.h, their types and conversions are C++'s. Names are the variables
// that the lane sees, shared arrays, buffers and module-scope variables, then threadIdx, blockIdx, blockDim,
// gridDim, warpSize, lane (in the warp) and warp (in the block). Functions: min, max, abs, popc, sqrt, and
// conversions like float(x). `?:`, `&&` and `||` evaluate only what they need.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "execution/lanes/lane_number.h"
#include "expression/syntax_tree.h"
#include "trace/trace.h"

namespace lanescope::execution {

class LaneScope;

// Something with an address or with bytes of its own: a structure, an array, a pointer, a scalar not yet
// loaded.
struct LaneObject {
    TypeId type = 0;
    std::vector<std::uint64_t> extents;  // of an array whose type is that of its elements
    bool in_memory = false;
    trace::Space space{};
    std::uint64_t instance = 0, offset = 0;
    std::vector<std::byte> bytes;  // when it is not in memory
};

struct LaneFailure {
    enum class Kind : std::uint8_t {
        hidden,  // the lane does not see a name
        unset,   // it has no value
        wrong,   // division by zero, an index outside of its array, …: `message` says what
    };
    Kind kind = Kind::hidden;
    std::string message;
    int column = 0;  // from 1
};

using LaneOutcome = std::variant<Number, LaneObject, LaneFailure>;

class LaneExpression {
  public:
    // Checks syntax and functions only. Errors have the column in the text.
    static Result<LaneExpression> parse(std::string_view text);

    const std::string& text() const { return text_; }
    LaneOutcome evaluate(const LaneScope& scope) const;
    // Returns an error for the first name that the trace does not contain.
    Result<void> check_names(const trace::Trace& trace) const;
    bool names(std::string_view beginning) const;  // whether a name begins with `beginning`: "blockIdx"

  private:
    std::string text_;
    expression::SyntaxTree tree_;
};

bool is_thread_name(std::string_view name);  // "threadIdx.x", "lane", …
// "threadIdx.x" of a member of threadIdx, blockIdx, blockDim or gridDim; empty for every other node.
std::string thread_name_of(const expression::SyntaxTree& tree, const expression::Node& node);

}  // namespace lanescope::execution
