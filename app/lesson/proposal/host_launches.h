// The launches that host code makes: kernel<<<grid, block, shared>>>(arguments), with what its variables
// hold.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lesson/proposal/polynomial.h"
#include "lesson/proposal/source_model.h"

namespace lanescope::lesson {

struct HostLaunch {
    std::string kernel;                           // without namespaces
    std::vector<std::string> template_arguments;  // as they are written
    std::vector<std::vector<CppToken>> configuration, arguments;
    std::size_t text = 0, at = 0;  // the token of its name
};

std::vector<HostLaunch> find_launches(const SourceModel& model);

// Reads the expressions of one launch where it stands.
class LaunchScope {
  public:
    // `names`: host variables that the kernel gets as arguments, with what stands for them in the front
    // matter.
    LaunchScope(const SourceModel& model, const HostLaunch& launch, std::map<std::string, std::string> names);

    // As an expression of the front matter, computed where it is constant; nothing if a variable is not
    // known.
    std::optional<std::string> text(const std::vector<CppToken>& expression) const;
    // The parts of a dim3; one part of a number.
    std::vector<std::optional<std::string>> extents(const std::vector<CppToken>& expression) const;
    // The variables whose values are not known, for lack of which the expression has no text.
    std::set<std::string> unknown_names(const std::vector<CppToken>& expression, int depth = 0) const;
    bool is_loop_variable(const std::vector<CppToken>& expression) const;
    // The bytes that cudaMalloc gives to a pointer, where they are constant.
    std::optional<std::int64_t> allocated_bytes(const std::vector<CppToken>& pointer) const;

  private:
    struct Value {
        std::vector<CppToken> tokens;
        bool parts = false;  // the arguments of a dim3
    };
    std::optional<Value> value_of(const std::string& name) const;
    std::optional<Value> value_at(std::size_t token) const;
    bool is_parameter(const std::string& name) const;
    std::optional<std::string> template_value(const std::string& name) const;
    std::optional<std::size_t> definition_of(const std::string& name) const;
    std::optional<std::string> text_of(const expression::SyntaxTree& tree, std::uint32_t at, int depth) const;
    std::optional<Polynomial> polynomial_of(const expression::SyntaxTree& tree, std::uint32_t at,
                                            int depth) const;
    std::optional<std::string> text_of_binary(const expression::SyntaxTree& tree,
                                              const expression::Node& node, int depth) const;
    std::optional<std::string> text_of_name(const std::string& name, int depth) const;
    std::optional<std::string> text_of_call(const expression::SyntaxTree& tree, const expression::Node& node,
                                            int depth) const;
    std::optional<std::string> text(const std::vector<CppToken>& expression, int depth) const;

    const SourceModel& model_;
    const std::vector<CppToken>& tokens_;
    std::size_t at_ = 0, function_ = 0;  // the launch, and the brace that begins its function
    std::map<std::string, std::string> names_;
};

}  // namespace lanescope::lesson
