// What is known of the variables at a place in a kernel's body: kernel_bounds.h.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "expression/syntax_tree.h"
#include "lesson/proposal/kernel_bounds.h"

namespace lanescope::lesson {

struct Bounds {
    std::optional<Polynomial> low, high;  // inclusive; nothing: not known
};

Bounds exactly(const Polynomial& value);
Bounds sum(const Bounds& a, const Bounds& b);
Bounds difference(const Bounds& a, const Bounds& b);
Bounds product(const Bounds& a, const Bounds& b);
Bounds quotient(const Bounds& a, const Bounds& b);
// Bounds that hold wherever those of `a` or those of `b` hold.
Bounds either(const Bounds& a, const Bounds& b);
// The larger polynomial, or one that is larger than both.
std::optional<Polynomial> larger(const Polynomial& a, const Polynomial& b);

struct Target {  // where a pointer points
    std::string base;
    Bounds offset;
};

struct BoundState {
    std::map<std::string, Bounds> variables;
    std::map<std::string, Bounds> expressions;  // of guards, by their text
    std::map<std::string, Target> pointers;
    // What variables were computed from, as long as that has not changed: a later guard narrows the result,
    // too.
    std::map<std::string, std::shared_ptr<const expression::SyntaxTree>> definitions;
    bool ended = false;  // the threads have left
};

// Evaluates expressions, narrows a state by conditions, and notes what guards say about the launch.
class BoundEvaluator {
  public:
    BoundEvaluator(const SourceModel& model, const KernelShape& shape, KernelFacts& facts)
        : model_(model), shape_(shape), facts_(facts) {}

    Bounds range(const expression::SyntaxTree& tree, std::uint32_t at, const BoundState& state) const;
    void assume(const expression::SyntaxTree& tree, std::uint32_t at, bool truth, BoundState& state);
    std::optional<Target> target(const expression::SyntaxTree& tree, std::uint32_t at,
                                 const BoundState& state) const;

  private:
    Bounds range_of_name(const std::string& name, const BoundState& state) const;
    Bounds range_of_member(const std::string& name) const;
    Bounds range_of_binary(const expression::SyntaxTree& tree, const expression::Node& node,
                           const BoundState& state) const;
    Bounds range_of_call(const expression::SyntaxTree& tree, const expression::Node& node,
                         const BoundState& state) const;
    void narrow(const expression::SyntaxTree& tree, std::uint32_t at, const Bounds& to, BoundState& state);
    void note_sizes(const Polynomial& bound);
    void note_guard(const Polynomial& before, const Polynomial& bound);

    const SourceModel& model_;
    const KernelShape& shape_;
    KernelFacts& facts_;
    mutable int definitions_open_ = 0;
};

}  // namespace lanescope::lesson
