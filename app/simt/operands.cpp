#include "simt/operands.h"

#include <bit>

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

std::optional<Ref> special_row(Special special) {
    switch (special) {
        case Special::tid_x: return ref_of(WarpRow::tid_x);
        case Special::tid_y: return ref_of(WarpRow::tid_y);
        case Special::tid_z: return ref_of(WarpRow::tid_z);
        case Special::laneid: return ref_of(WarpRow::laneid);
        case Special::warpid: return ref_of(WarpRow::warpid);
        case Special::lanemask_eq: return ref_of(WarpRow::lanemask_eq);
        case Special::lanemask_le: return ref_of(WarpRow::lanemask_le);
        case Special::lanemask_lt: return ref_of(WarpRow::lanemask_lt);
        case Special::lanemask_ge: return ref_of(WarpRow::lanemask_ge);
        case Special::lanemask_gt: return ref_of(WarpRow::lanemask_gt);
        case Special::ctaid_x:
        case Special::clusterid_x: return ref_of(WarpRow::ctaid_x);   // every block is its own cluster
        case Special::ctaid_y:
        case Special::clusterid_y: return ref_of(WarpRow::ctaid_y);
        case Special::ctaid_z:
        case Special::clusterid_z: return ref_of(WarpRow::ctaid_z);
        case Special::smid: return ref_of(WarpRow::smid);
        case Special::ntid_x: return ref_of(LaunchRow::ntid_x);
        case Special::ntid_y: return ref_of(LaunchRow::ntid_y);
        case Special::ntid_z: return ref_of(LaunchRow::ntid_z);
        case Special::nctaid_x:
        case Special::nclusterid_x: return ref_of(LaunchRow::nctaid_x);
        case Special::nctaid_y:
        case Special::nclusterid_y: return ref_of(LaunchRow::nctaid_y);
        case Special::nctaid_z:
        case Special::nclusterid_z: return ref_of(LaunchRow::nctaid_z);
        case Special::nwarpid: return ref_of(LaunchRow::nwarpid);
        case Special::nsmid: return ref_of(LaunchRow::nsmid);
        case Special::dynamic_smem_size: return ref_of(LaunchRow::dynamic_smem_size);
        case Special::total_smem_size:
        case Special::aggr_smem_size: return ref_of(LaunchRow::total_smem_size);
        case Special::warp_sz: return ref_of(LaunchRow::warp_sz);
        case Special::cluster_ctaid_x:
        case Special::cluster_ctaid_y:
        case Special::cluster_ctaid_z:
        case Special::cluster_ctarank:
        case Special::envreg0:
        case Special::envreg1:
        case Special::envreg2:
        case Special::envreg3:
        case Special::envreg4:
        case Special::envreg5:
        case Special::envreg6:
        case Special::envreg7: return ref_of(LaunchRow::zero);
        case Special::cluster_nctaid_x:
        case Special::cluster_nctaid_y:
        case Special::cluster_nctaid_z:
        case Special::cluster_nctarank: return ref_of(LaunchRow::one);
        default: return std::nullopt;
    }
}

bool is_clock(Special special) {
    return special == Special::clock || special == Special::clock_hi || special == Special::clock64 ||
           special == Special::globaltimer || special == Special::globaltimer_lo || special == Special::globaltimer_hi;
}

}  // namespace

Ref OperandDecoder::special(Special special, bool wide) {
    if (special == Special::gridid) return wide ? ref_of(LaunchRow::gridid) : ref_of(LaunchRow::zero);
    if (is_clock(special)) return ref_of(LaunchRow::zero);   // read by an executor of its own
    const std::optional<Ref> row = special_row(special);
    if (!row) return fail("special register " + std::string(ptx::text(special)) + " is not supported");
    if (wide) return fail("special register " + std::string(ptx::text(special)) + " has 32 bits");
    return *row;
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
            if ((own == Type::pred) != (type == Type::pred) || is_wide(own) != is_wide(type))
                return fail("register " + function_.registers[operand.reg].name + " of type ." + std::string(ptx::text(own)) +
                            " is used as ." + std::string(ptx::text(type)));
            return frame_.registers[operand.reg];
        }
        case Operand::Kind::integer:
        case Operand::Kind::real:
            if (type == Type::pred) return context_.pool.mask(operand.bits != 0 ? all_lanes : 0);
            return immediate(operand, type);
        case Operand::Kind::special: return special(operand.special, is_wide(type));
        default: return fail("this kind of operand is not supported here");
    }
}

Ref OperandDecoder::destination(const Operand& operand, Type type) {
    if (operand.kind == Operand::Kind::discard) return no_ref;
    if (operand.kind != Operand::Kind::reg || operand.negated) return fail("the destination must be a register");
    return source(operand, type);
}

Ref OperandDecoder::any_width(const Operand& operand, Type type, bool& wide) {
    if (operand.kind != Operand::Kind::reg) {
        wide = is_wide(type);
        return source(operand, type);
    }
    const Type own = function_.registers[operand.reg].type;
    if (own == Type::pred || own == Type::b128) return fail("register " + function_.registers[operand.reg].name + " has no memory type");
    wide = is_wide(own);
    if (!wide && is_wide(type)) return fail("register " + function_.registers[operand.reg].name + " is narrower than the access");
    return frame_.registers[operand.reg];
}

Ref OperandDecoder::predicate(const Operand& operand) { return source(operand, Type::pred); }

OperandDecoder::Address OperandDecoder::shared_address(std::uint32_t shared, std::int64_t offset) {
    code_.shared.push_back(shared);
    return {make_ref(Base::launch, context_.program.shared[shared].launch_row), offset, Window::shared, nullptr};
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
    if (frame_.variables[index].ref != no_ref) return {no_ref, operand.offset, Window::parameter, &frame_.variables[index]};
    if (variable.space == ptx::Space::shared) {
        const auto [found, added] = body_shared_.try_emplace(index, 0);
        if (added) found->second = add_shared(variable, context_.debug, context_.program);
        return shared_address(found->second, operand.offset);
    }
    if (variable.space == ptx::Space::local)
        return {local_base_ref, operand.offset + static_cast<std::int64_t>(frame_.local_offsets[index]), Window::local, nullptr};
    fail("variable " + operand.name + " lies in a state space that is not supported");
    return {};
}

OperandDecoder::Address OperandDecoder::parameter_address(const Operand& operand) {
    const std::uint32_t index = operand.refers.index;
    if (operand.refers.kind == Reference::Kind::result) return {no_ref, operand.offset, Window::parameter, &frame_.results[index]};
    if (function_.kind == ptx::Function::Kind::func) return {no_ref, operand.offset, Window::parameter, &frame_.parameters[index]};
    return {context_.pool.wide(code_.entry_offsets[index]), operand.offset, Window::parameter, nullptr};
}

OperandDecoder::Address OperandDecoder::symbol(const Operand& operand) {
    switch (operand.refers.kind) {
        case Reference::Kind::variable: return variable_address(operand);
        case Reference::Kind::local: return local_address(operand);
        case Reference::Kind::parameter:
        case Reference::Kind::result: return parameter_address(operand);
        case Reference::Kind::function:
            code_.callees.push_back(operand.refers.index);
            return {context_.pool.wide(window::function + std::uint64_t{operand.refers.index} * 16), operand.offset, Window::none, nullptr};
        default: break;
    }
    fail("'" + operand.name + "' is not declared");
    return {};
}

}  // namespace lanescope::simt
