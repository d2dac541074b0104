#include "simt/decode/operands.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace lanescope::simt {

using ptx::Operand;
using ptx::Reference;
using ptx::Special;
using ptx::Type;

Ref OperandDecoder::fail(std::string message) {
    if (problem_.empty()) problem_ = std::move(message);
    return no_ref;
}

const Operand* OperandDecoder::at(const ptx::Instruction& instruction, std::size_t index) {
    if (index < instruction.operands.size()) return &instruction.operands[index];
    fail("an operand is missing");
    return nullptr;
}

namespace {

struct SpecialRow {
    Special special;
    Ref row;
};

constexpr SpecialRow special_rows[] = {
    {Special::tid_x, ref_of(WarpRow::tid_x)},
    {Special::tid_y, ref_of(WarpRow::tid_y)},
    {Special::tid_z, ref_of(WarpRow::tid_z)},
    {Special::laneid, ref_of(WarpRow::laneid)},
    {Special::warpid, ref_of(WarpRow::warpid)},
    {Special::lanemask_eq, ref_of(WarpRow::lanemask_eq)},
    {Special::lanemask_le, ref_of(WarpRow::lanemask_le)},
    {Special::lanemask_lt, ref_of(WarpRow::lanemask_lt)},
    {Special::lanemask_ge, ref_of(WarpRow::lanemask_ge)},
    {Special::lanemask_gt, ref_of(WarpRow::lanemask_gt)},
    {Special::ctaid_x, ref_of(BlockRow::ctaid_x)},
    {Special::ctaid_y, ref_of(BlockRow::ctaid_y)},
    {Special::ctaid_z, ref_of(BlockRow::ctaid_z)},
    {Special::clusterid_x, ref_of(BlockRow::clusterid_x)},
    {Special::clusterid_y, ref_of(BlockRow::clusterid_y)},
    {Special::clusterid_z, ref_of(BlockRow::clusterid_z)},
    {Special::smid, ref_of(BlockRow::smid)},
    {Special::ntid_x, ref_of(LaunchRow::ntid_x)},
    {Special::ntid_y, ref_of(LaunchRow::ntid_y)},
    {Special::ntid_z, ref_of(LaunchRow::ntid_z)},
    {Special::nctaid_x, ref_of(LaunchRow::nctaid_x)},
    {Special::nctaid_y, ref_of(LaunchRow::nctaid_y)},
    {Special::nctaid_z, ref_of(LaunchRow::nctaid_z)},
    {Special::nclusterid_x, ref_of(LaunchRow::nclusterid_x)},
    {Special::nclusterid_y, ref_of(LaunchRow::nclusterid_y)},
    {Special::nclusterid_z, ref_of(LaunchRow::nclusterid_z)},
    {Special::nwarpid, ref_of(LaunchRow::nwarpid)},
    {Special::nsmid, ref_of(LaunchRow::nsmid)},
    {Special::dynamic_smem_size, ref_of(LaunchRow::dynamic_smem_size)},
    {Special::total_smem_size, ref_of(LaunchRow::total_smem_size)},
    {Special::aggr_smem_size, ref_of(LaunchRow::total_smem_size)},
    {Special::warp_sz, ref_of(LaunchRow::warp_sz)},
    // No shared memory is reserved for the system.
    {Special::reserved_smem_offset_begin, ref_of(LaunchRow::zero)},
    {Special::reserved_smem_offset_end, ref_of(LaunchRow::zero)},
    {Special::reserved_smem_offset_cap, ref_of(LaunchRow::zero)},
    {Special::reserved_smem_offset_0, ref_of(LaunchRow::zero)},
    {Special::reserved_smem_offset_1, ref_of(LaunchRow::zero)},
    // Performance counters that were not set up.
    {Special::pm0, ref_of(LaunchRow::zero)},
    {Special::pm1, ref_of(LaunchRow::zero)},
    {Special::pm2, ref_of(LaunchRow::zero)},
    {Special::pm3, ref_of(LaunchRow::zero)},
    {Special::pm4, ref_of(LaunchRow::zero)},
    {Special::pm5, ref_of(LaunchRow::zero)},
    {Special::pm6, ref_of(LaunchRow::zero)},
    {Special::pm7, ref_of(LaunchRow::zero)},
    {Special::cluster_ctaid_x, ref_of(BlockRow::cluster_ctaid_x)},
    {Special::cluster_ctaid_y, ref_of(BlockRow::cluster_ctaid_y)},
    {Special::cluster_ctaid_z, ref_of(BlockRow::cluster_ctaid_z)},
    {Special::cluster_ctarank, ref_of(BlockRow::cluster_ctarank)},
    {Special::cluster_nctaid_x, ref_of(LaunchRow::cluster_nctaid_x)},
    {Special::cluster_nctaid_y, ref_of(LaunchRow::cluster_nctaid_y)},
    {Special::cluster_nctaid_z, ref_of(LaunchRow::cluster_nctaid_z)},
    {Special::cluster_nctarank, ref_of(LaunchRow::cluster_nctarank)},
    {Special::envreg0, ref_of(LaunchRow::zero)},
    {Special::envreg1, ref_of(LaunchRow::workspace_high)},
    {Special::envreg2, ref_of(LaunchRow::workspace_low)},
    {Special::envreg3, ref_of(LaunchRow::zero)},
    {Special::envreg4, ref_of(LaunchRow::zero)},
    {Special::envreg5, ref_of(LaunchRow::zero)},
    {Special::envreg6, ref_of(LaunchRow::zero)},
    {Special::envreg7, ref_of(LaunchRow::zero)},
};

bool is_zero64(Special special) {
    return special == Special::current_graph_exec ||
           (special >= Special::pm0_64 && special <= Special::pm7_64);
}

bool is_clock(Special special) {
    return special == Special::clock || special == Special::clock_hi || special == Special::clock64 ||
           special == Special::globaltimer || special == Special::globaltimer_lo ||
           special == Special::globaltimer_hi;
}

}  // namespace

Ref OperandDecoder::special(Special special, bool wide) {
    if (special == Special::gridid) return wide ? ref_of(LaunchRow::gridid) : ref_of(LaunchRow::zero);
    if (is_clock(special) && !moves_) return fail("a clock is read by mov only");
    if (is_clock(special)) return ref_of(LaunchRow::zero);  // read by an executor of its own
    if (wide && is_zero64(special)) return context_.pool.wide(0);
    const auto* found = std::find_if(std::begin(special_rows), std::end(special_rows),
                                     [special](const SpecialRow& known) { return known.special == special; });
    const std::string name(ptx::text(special));
    if (found == std::end(special_rows)) return fail("special register " + name + " is not supported");
    if (wide) return fail("special register " + name + " has 32 bits");
    if (special == Special::envreg1 || special == Special::envreg2) code_.reads_workspace = true;
    return found->row;
}

Ref OperandDecoder::immediate(const Operand& operand, Type type) {
    std::uint64_t bits = operand.bits;
    if (operand.kind == Operand::Kind::real) {
        const double value = operand.real_is_double ? std::bit_cast<double>(bits)
                                                    : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        if (type == Type::f64 && !operand.real_is_double) bits = std::bit_cast<std::uint64_t>(value);
        if (type != Type::f64 && operand.real_is_double && ptx::size_bytes(type) == 4)
            bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    }
    return is_wide(type) ? context_.pool.wide(bits) : context_.pool.narrow(static_cast<std::uint32_t>(bits));
}

Ref OperandDecoder::source(const Operand& operand, Type type) {
    switch (operand.kind) {
        case Operand::Kind::reg: {
            const Type own = function_.registers[operand.reg].type;
            if ((own == Type::pred) != (type == Type::pred) || register_bytes(own) != register_bytes(type))
                return fail("register " + function_.registers[operand.reg].name + " of type ." +
                            std::string(ptx::text(own)) + " is used as ." + std::string(ptx::text(type)));
            return frame_.registers[operand.reg];
        }
        case Operand::Kind::integer:
        case Operand::Kind::real:
            if (type == Type::pred) return context_.pool.mask(operand.bits != 0 ? all_lanes : 0);
            return immediate(operand, type);
        case Operand::Kind::special:
            if (operand.special == Special::is_explicit_cluster && type == Type::pred)
                return ref_of(LaunchRow::is_explicit_cluster);
            return special(operand.special, is_wide(type));
        default:
            return fail("this kind of operand is not supported here");
    }
}

Ref OperandDecoder::destination(const Operand& operand, Type type) {
    if (operand.kind == Operand::Kind::discard) return no_ref;
    if (operand.kind != Operand::Kind::reg || operand.negated)
        return fail("the destination must be a register");
    return source(operand, type);
}

Ref OperandDecoder::any_width(const Operand& operand, Type type, bool& wide) {
    if (operand.kind != Operand::Kind::reg) {
        wide = is_wide(type);
        return source(operand, type);
    }
    const Type own = function_.registers[operand.reg].type;
    if (own == Type::pred || own == Type::b128)
        return fail("register " + function_.registers[operand.reg].name + " has no memory type");
    wide = is_wide(own);
    if (!wide && is_wide(type))
        return fail("register " + function_.registers[operand.reg].name + " is narrower than the access");
    return frame_.registers[operand.reg];
}

Ref OperandDecoder::predicate(const Operand& operand) {
    return source(operand, Type::pred);
}

OperandDecoder::Address OperandDecoder::shared_address(std::uint32_t shared, std::int64_t offset) {
    code_.shared.push_back(shared);
    return {make_ref(Base::launch, context_.program.shared[shared].launch_row), offset, Window::shared,
            nullptr};
}

OperandDecoder::Address OperandDecoder::variable_address(const Operand& operand) {
    const SymbolPlace& place = context_.layout.variables[operand.refers.index];
    if (place.window == Window::shared) return shared_address(place.shared, operand.offset);
    if (place.window == Window::none) {
        fail("variable " + operand.name + " lies in a state space that is not supported");
        return {};
    }
    return {context_.pool.wide(place.address), operand.offset, place.window, nullptr};
}

OperandDecoder::Address OperandDecoder::local_address(const Operand& operand) {
    const std::uint32_t index = operand.refers.index;
    const ptx::Variable& variable = function_.variables[index];
    if (frame_.variables[index].ref != no_ref)
        return {no_ref, operand.offset, Window::parameter, &frame_.variables[index]};
    if (variable.space == ptx::Space::shared) {
        const auto [found, added] = body_shared_.try_emplace(index, 0);
        if (added) found->second = add_shared(variable, context_.debug, context_.program);
        return shared_address(found->second, operand.offset);
    }
    if (variable.space == ptx::Space::local)
        return {local_base_ref, wrapping_sum(operand.offset, frame_.local_offsets[index]), Window::local,
                nullptr};
    fail("variable " + operand.name + " lies in a state space that is not supported");
    return {};
}

OperandDecoder::Address OperandDecoder::parameter_address(const Operand& operand) {
    const std::uint32_t index = operand.refers.index;
    if (operand.refers.kind == Reference::Kind::result)
        return {no_ref, operand.offset, Window::parameter, &frame_.results[index]};
    if (function_.kind == ptx::Function::Kind::func && frame_.parameter_copies[index] != no_copy)
        return {local_base_ref, wrapping_sum(operand.offset, frame_.parameter_copies[index]), Window::local,
                nullptr};
    if (function_.kind == ptx::Function::Kind::func)
        return {no_ref, operand.offset, Window::parameter, &frame_.parameters[index]};
    return {context_.pool.wide(code_.entry_offsets[index]), operand.offset, Window::parameter, nullptr};
}

OperandDecoder::Address OperandDecoder::symbol(const Operand& operand) {
    switch (operand.refers.kind) {
        case Reference::Kind::variable:
            return variable_address(operand);
        case Reference::Kind::local:
            return local_address(operand);
        case Reference::Kind::parameter:
        case Reference::Kind::result:
            return parameter_address(operand);
        case Reference::Kind::function:
            code_.callees.push_back(operand.refers.index);
            return {context_.pool.wide(window::function + std::uint64_t{operand.refers.index} * 16),
                    operand.offset, Window::none, nullptr};
        default:
            break;
    }
    fail("'" + operand.name + "' is not declared");
    return {};
}

}  // namespace lanescope::simt
