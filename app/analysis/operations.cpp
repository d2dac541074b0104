#include "analysis/operations.h"

#include "ptx/module.h"

namespace lanescope::analysis {
namespace {

using ptx::Instruction;
using ptx::Op;

constexpr Operation counted_as[] = {
#define LANESCOPE_OP(name, text, operands, flags, counted, ...) Operation::counted,
#include "ptx/opcodes.def"
};

// The counterparts of int_add … int_other.
constexpr Operation of_floats[] = {Operation::float_add, Operation::float_multiply,
                                   Operation::float_multiply_add, Operation::float_divide,
                                   Operation::float_other};

}  // namespace

const char* to_text(Operation operation) {
    static constexpr std::array<const char*, operation_count> names{
        "int_add",      "int_multiply",   "int_multiply_add",
        "int_divide",   "int_other",      "bits",
        "float_add",    "float_multiply", "float_multiply_add",
        "float_divide", "float_function", "float_other",
        "matrix",       "compare",        "convert",
        "move",         "load",           "store",
        "atomic",       "parameter",      "exchange",
        "barrier",      "control",        "other"};
    return names[static_cast<std::size_t>(operation)];
}

Operation operation_of(const Instruction& instruction) {
    using enum Operation;
    const bool moves = instruction.op == Op::ld || instruction.op == Op::st;
    if (moves && ptx::is_parameter(instruction.space())) return parameter;
    const Operation found = counted_as[static_cast<std::size_t>(instruction.op)];
    if (found == bits && instruction.type() == ptx::Type::pred) return compare;
    const bool on_floats = found <= int_other && ptx::is_float(instruction.type());
    return on_floats ? of_floats[static_cast<std::size_t>(found)] : found;
}

bool is_arithmetic(Operation operation) {
    return operation <= Operation::matrix;
}

}  // namespace lanescope::analysis
