// Parses variables, parameters and initial values.
#pragma once

#include <optional>
#include <vector>

#include "ptx/module.h"
#include "ptx/parser_input.h"

namespace lanescope::ptx {

Linkage accept_linkage(Input& input);
bool at_variable_space(const Input& input);  // .global .const .shared .local .param .tex
Space take_space(Input& input);              // the current token must be a space

// The vector length and type in ".reg .v4 .f32".
struct DataType {
    Type type{};
    std::uint32_t vector_length = 1;
};
DataType parse_data_type(Input& input);

struct Declared {
    Variable variable;
    Token name;
    std::vector<Token> initial_symbols;  // names in the initial values
};

// Parses the rest of a declaration after the space, including the ';'.
std::vector<Declared> parse_variables(Input& input, Linkage linkage, Space space);
// Parses a list such as "(.param .u64 a, .reg .u32 b)", which may be empty.
std::vector<Variable> parse_parameters(Input& input);

}  // namespace lanescope::ptx
