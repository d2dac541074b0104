// The accesses that an expression of a kernel's body makes, in a state: kernel_bounds.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "expression/syntax_tree.h"
#include "lesson/proposal/bound_state.h"

namespace lanescope::lesson {

class AccessReader {
  public:
    AccessReader(const std::vector<CppToken>& body, const SourceModel& model, const KernelShape& shape,
                 KernelFacts& facts)
        : tokens_(body), model_(model), shape_(shape), facts_(facts), evaluator_(model, shape, facts) {}

  protected:
    enum class Access : std::uint8_t { read, write, both };

    bool is(std::size_t at, std::string_view text) const {
        return at < tokens_.size() && tokens_[at].is(text);
    }
    bool adjacent(std::size_t left) const {
        return left + 1 < tokens_.size() && tokens_[left].end == tokens_[left + 1].begin;
    }
    // The assignment operator that begins at a token; empty: there is none.
    std::string operator_at(std::size_t at, std::size_t end) const;
    std::optional<expression::SyntaxTree> parse(std::size_t begin, std::size_t end) const;
    // Where "x + 4" or "&x[4]" points.
    std::optional<Target> address(std::size_t begin, std::size_t end) const;
    std::optional<Target> target_of(const std::string& name) const;
    // Records the accesses of tokens [begin, end), which assign nothing.
    void scan(std::size_t begin, std::size_t end);
    // For text that is not an expression: lambdas, calls of templates, methods.
    void scan_subscripts(std::size_t begin, std::size_t end, Access access);
    // A variable has another value than before.
    void undefine(const std::string& name);
    void visit(const expression::SyntaxTree& tree, std::uint32_t at, Access access);

    const std::vector<CppToken>& tokens_;
    const SourceModel& model_;
    const KernelShape& shape_;
    KernelFacts& facts_;
    BoundEvaluator evaluator_;
    BoundState state_;

  private:
    void visit_assuming(const expression::SyntaxTree& tree, std::uint32_t condition, bool truth,
                        std::uint32_t part);
    void visit_call(const expression::SyntaxTree& tree, const expression::Node& node);
    void note_index(const expression::SyntaxTree& tree, std::uint32_t at);
    void record(const Target& to, const Bounds& index, Access access);
};

}  // namespace lanescope::lesson
