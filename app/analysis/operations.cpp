#include "analysis/operations.h"

#include "ptx/module.h"

namespace lanescope::analysis {
namespace {

using ptx::Instruction;
using ptx::Op;

// An operation that exists for integers and for floats.
Operation by_type(const Instruction& instruction, Operation integer, Operation real) {
    return ptx::is_float(instruction.type()) ? real : integer;
}

Operation arithmetic(const Instruction& made) {
    using enum Operation;
    switch (made.op) {
        case Op::add:
        case Op::sub:
        case Op::addc:
        case Op::subc:
            return by_type(made, int_add, float_add);
        case Op::mul:
        case Op::mul24:
            return by_type(made, int_multiply, float_multiply);
        case Op::mad:
        case Op::madc:
        case Op::mad24:
        case Op::fma:
        case Op::dp2a:
        case Op::dp4a:
            return by_type(made, int_multiply_add, float_multiply_add);
        case Op::div:
        case Op::rem:
            return by_type(made, int_divide, float_divide);
        case Op::rcp:
            return float_divide;
        case Op::min:
        case Op::max:
        case Op::abs:
        case Op::neg:
        case Op::sad:
            return by_type(made, int_other, float_other);
        case Op::copysign:
            return float_other;
        case Op::sqrt:
        case Op::rsqrt:
        case Op::sin:
        case Op::cos:
        case Op::lg2:
        case Op::ex2:
        case Op::tanh:
            return float_function;
        default:
            return other;
    }
}

Operation on_bits(Op op) {
    using enum Operation;
    switch (op) {
        case Op::and_:
        case Op::or_:
        case Op::xor_:
        case Op::not_:
        case Op::cnot:
        case Op::lop3:
        case Op::shf:
        case Op::shl:
        case Op::shr:
        case Op::prmt:
        case Op::popc:
        case Op::clz:
        case Op::bfind:
        case Op::fns:
        case Op::brev:
        case Op::bfe:
        case Op::bfi:
        case Op::bmsk:
        case Op::szext:
            return bits;
        case Op::setp:
        case Op::set:
        case Op::selp:
        case Op::slct:
        case Op::testp:
        case Op::isspacep:
            return compare;
        case Op::cvt:
        case Op::cvt_pack:
            return convert;
        case Op::mov:
        case Op::cvta:
        case Op::mapa:
            return move;
        default:
            return other;
    }
}

Operation between_threads(Op op) {
    using enum Operation;
    switch (op) {
        case Op::shfl:
        case Op::vote:
        case Op::match:
        case Op::redux:
        case Op::activemask:
        case Op::elect:
            return exchange;
        case Op::membar:
        case Op::fence:
        case Op::membar_proxy:
        case Op::fence_proxy:
        case Op::bar_warp_sync:
        case Op::barrier_cluster_arrive:
        case Op::barrier_cluster_wait:
            return barrier;
        case Op::mma:
        case Op::mma_sp:
        case Op::mma_sp_ordered:
        case Op::wmma_mma:
            return matrix;
        case Op::ret:
        case Op::exit:
        case Op::trap:
            return control;
        default:
            return other;
    }
}

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
    const unsigned flags = ptx::info(instruction.op).flags;
    const ptx::Space space = instruction.space();
    const bool parameters =
        space == ptx::Space::param || space == ptx::Space::param_entry || space == ptx::Space::param_func;
    if ((instruction.op == Op::ld || instruction.op == Op::st) && parameters) return parameter;
    if ((flags & ptx::op_flag::atomic) != 0) return atomic;
    if ((flags & ptx::op_flag::load) != 0) return load;
    if ((flags & ptx::op_flag::store) != 0) return store;
    if ((flags & ptx::op_flag::barrier) != 0) return barrier;
    if ((flags & (ptx::op_flag::branch | ptx::op_flag::call)) != 0) return control;
    if (instruction.type() == ptx::Type::pred && instruction.op != ptx::Op::mov) return compare;
    for (const Operation found :
         {arithmetic(instruction), on_bits(instruction.op), between_threads(instruction.op)})
        if (found != other) return found;
    return other;
}

bool is_arithmetic(Operation operation) {
    return operation <= Operation::matrix;
}

}  // namespace lanescope::analysis
