#include "simt/decoder.h"

#include <algorithm>

#include "simt/control.h"
#include "simt/operands.h"
#include "simt/selector.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::Operand;
using ptx::Type;

namespace {

// The type of the i-th operand of an arithmetic instruction; operand 0 is the destination.
Type operand_type(const Instruction& instruction, std::size_t i) {
    const Type first = instruction.type(0);
    const bool wide_result = instruction.has(Mod::wide) && (i == 0 || i == 3);
    switch (instruction.op) {
        case Op::mul:
        case Op::mad:
            if (wide_result) return ptx::size_bytes(first) == 4 ? Type::b64 : Type::b32;
            return first;
        case Op::shl:
        case Op::shr: return i == 2 ? Type::u32 : first;
        case Op::popc:
        case Op::clz:
        case Op::bfind: return i == 0 ? Type::u32 : first;
        case Op::bfe: return i >= 2 ? Type::u32 : first;
        case Op::bfi: return i >= 3 ? Type::u32 : first;
        case Op::szext: return i == 2 ? Type::u32 : first;
        case Op::dp4a:
        case Op::dp2a:
        case Op::fns: return Type::b32;
        case Op::set: return i == 0 ? first : i == 3 ? Type::pred : instruction.type(1);
        case Op::selp: return i == 3 ? Type::pred : first;
        case Op::slct: return i == 3 ? instruction.type(1) : first;
        case Op::cvt: return i == 0 ? first : instruction.type(1);
        case Op::testp: return i == 0 ? Type::pred : first;
        case Op::isspacep: return i == 0 ? Type::pred : Type::u64;
        default: return first;
    }
}

Window window_of_space(ptx::Space space) {
    switch (space) {
        case ptx::Space::global: return Window::global;
        case ptx::Space::shared:
        case ptx::Space::shared_cta:
        case ptx::Space::shared_cluster: return Window::shared;
        case ptx::Space::local: return Window::local;
        case ptx::Space::const_: return Window::constant;
        case ptx::Space::param:
        case ptx::Space::param_entry:
        case ptx::Space::param_func: return Window::parameter;
        default: return Window::none;
    }
}
// What is added to an address of the space to make it generic.
std::int64_t generic_offset(Window window) {
    return window == Window::global ? 0 : static_cast<std::int64_t>(window_start(window));
}

class FunctionDecoder {
  public:
    FunctionDecoder(const DecodeContext& context, const ptx::Function& function, const ptx::StepTable& steps, std::uint32_t first_pc)
        : context_(context), function_(function), steps_(steps), first_pc_(first_pc), frame_(function),
          operands_(context, function, frame_, code_) {}

    FunctionCode run() {
        place_entry_parameters();
        for (std::uint32_t i = 0; i < function_.instructions.size(); ++i) decode(i);
        if (runs_off_the_end()) append_return();
        mark_lengths(code_.plain);
        mark_lengths(code_.traced);
        code_.frame_bytes = frame_.frame_bytes;
        code_.local_bytes = frame_.local_bytes;
        code_.parameters = frame_.parameters;
        code_.results = frame_.results;
        code_.local_offsets = frame_.local_offsets;
        code_.registers = frame_.registers;
        return std::move(code_);
    }

  private:
    void place_entry_parameters() {
        if (function_.kind != ptx::Function::Kind::entry) return;
        std::uint64_t at = 0;
        for (const ptx::Variable& parameter : function_.parameters) {
            at = align_up(at, std::max(parameter.alignment_bytes(), 1u));
            code_.entry_offsets.push_back(static_cast<std::uint32_t>(at));
            at = std::min<std::uint64_t>(at + parameter.size_bytes(), 1 << 20);
        }
        code_.entry_bytes = static_cast<std::uint32_t>(at);
    }

    void decode(std::uint32_t index) {
        const Instruction& instruction = function_.instructions[index];
        Decoded decoded;
        operands_.begin();
        set_guard(instruction, decoded);
        Exec traced = nullptr;
        decoded.run = decode_operation(instruction, index, decoded, traced);
        std::string problem = operands_.problem();
        if (problem.empty() && decoded.run == nullptr) problem = "this form is not supported";
        if (!problem.empty()) {
            code_.problems.push_back({index, problem});
            decoded = Decoded{};
            decoded.guard = all_ones_ref;
            decoded.run = unsupported_exec();
            traced = nullptr;
            decoded.flags = decoded_flag::control;
        }
        place(instruction, index, decoded);
        code_.plain.push_back(decoded);
        if (traced != nullptr) decoded.run = traced;
        code_.traced.push_back(decoded);
    }

    void set_guard(const Instruction& instruction, Decoded& decoded) {
        decoded.guard = all_ones_ref;
        if (instruction.guard == ptx::no_index) return;
        decoded.guard = frame_.registers[instruction.guard];
        decoded.guard_flip = instruction.guard_negated ? all_lanes : 0;
        decoded.flags |= decoded_flag::guarded;
    }

    // Line, step and flow flags.
    void place(const Instruction& instruction, std::uint32_t index, Decoded& decoded) {
        const ptx::StepRow& row = steps_.rows[index];
        decoded.line = row.glue ? 0 : row.line;
        decoded.loop_line = steps_.loop_line[index];
        if (ptx::info(instruction.op).flags & (ptx::op_flag::branch | ptx::op_flag::ends | ptx::op_flag::barrier |
                                               ptx::op_flag::warp_sync | ptx::op_flag::call))
            decoded.flags |= decoded_flag::control;
        if (index + 1 < steps_.rows.size()) {
            const ptx::StepRow& next = steps_.rows[index + 1];
            if (next.line != 0 && !next.glue && next.line != decoded.line) decoded.flags |= decoded_flag::step_after;
        }
        const Op op = instruction.op;
        if (instruction.guard == ptx::no_index && (op == Op::mov || op == Op::bra || op == Op::ret || op == Op::exit))
            decoded.flags |= decoded_flag::flow_only;
    }

    Exec decode_operation(const Instruction& instruction, std::uint32_t index, Decoded& decoded, Exec& traced) {
        switch (instruction.op) {
            case Op::ld:
            case Op::ldu: return decode_load(instruction, decoded, traced);
            case Op::st: return decode_store(instruction, decoded, traced);
            case Op::atom:
            case Op::red: return decode_atomic(instruction, decoded, traced);
            case Op::bra: return decode_branch(instruction, index, decoded, traced);
            case Op::brx_idx: return decode_branch_table(instruction, decoded, traced);
            case Op::call: return decode_call(instruction, decoded, traced);
            case Op::bar_sync:
            case Op::bar_arrive:
            case Op::bar_red:
            case Op::barrier_sync:
            case Op::barrier_arrive:
            case Op::barrier_red: return decode_barrier(instruction, decoded, traced);
            case Op::shfl:
            case Op::vote:
            case Op::match:
            case Op::redux:
            case Op::activemask:
            case Op::elect:
            case Op::bar_warp_sync: return decode_warp(instruction, decoded, traced);
            case Op::mov: return decode_move(instruction, decoded);
            case Op::cvta: return decode_cvta(instruction, decoded);
            case Op::setp: return decode_setp(instruction, decoded);
            default: break;
        }
        traced = select_control(instruction, true);
        if (const Exec exec = select_control(instruction, false)) return exec;
        return decode_arithmetic(instruction, decoded);
    }

    Exec decode_arithmetic(const Instruction& instruction, Decoded& decoded) {
        const std::size_t count = instruction.operands.size();
        if (count < 2 || count > 5) return nullptr;
        decoded.dst = operands_.destination(instruction.operands[0], operand_type(instruction, 0));
        Ref* const sources[4] = {&decoded.a, &decoded.b, &decoded.c, &decoded.e};
        for (std::size_t i = 1; i < count; ++i) {
            const Operand& operand = instruction.operands[i];
            *sources[i - 1] = operands_.source(operand, operand_type(instruction, i));
            if (operand.kind == Operand::Kind::reg && operand.negated) decoded.mode |= combine::negated;
        }
        if (instruction.op == Op::set) {
            decoded.mode |= combine_mode(instruction);
            decoded.imm = instruction.type(0) == Type::f32 ? 0x3f800000 : instruction.type(0) == Type::f16 ? 0x3c00
                        : instruction.type(0) == Type::bf16 ? 0x3f80 : 0xffffffff;
            if (ptx::size_bytes(instruction.type(0)) == 8) return nullptr;
        }
        if (instruction.op == Op::lop3) {
            if (instruction.operands[4 < count ? 4 : count - 1].kind != Operand::Kind::integer) return nullptr;
            decoded.mode = static_cast<std::uint8_t>(instruction.operands[4 < count ? 4 : count - 1].bits);
        }
        return selector().arithmetic(instruction);
    }

    static std::uint8_t combine_mode(const Instruction& instruction) {
        if (instruction.has(Mod::and_)) return combine::conjunction;
        if (instruction.has(Mod::or_)) return combine::disjunction;
        return instruction.has(Mod::xor_) ? combine::difference : combine::none;
    }

    // "p|q" or one register; the second may be missing.
    void destinations(const Operand& operand, Type first, Type second, Decoded& decoded) {
        if (operand.kind != Operand::Kind::pair) {
            decoded.dst = operands_.destination(operand, first);
            return;
        }
        decoded.dst = operands_.destination(operand.elements[0], first);
        decoded.e = operands_.destination(operand.elements[1], second);
    }

    Exec decode_setp(const Instruction& instruction, Decoded& decoded) {
        const std::size_t count = instruction.operands.size();
        if (count < 3) return nullptr;
        destinations(instruction.operands[0], Type::pred, Type::pred, decoded);
        decoded.a = operands_.source(instruction.operands[1], instruction.type());
        decoded.b = operands_.source(instruction.operands[2], instruction.type());
        if (count == 4) {
            decoded.mode = combine_mode(instruction);
            decoded.c = operands_.predicate(instruction.operands[3]);
            if (instruction.operands[3].negated) decoded.mode |= combine::negated;
        }
        return selector().arithmetic(instruction);
    }

    void place_elements(const Operand& operand, Type type, bool writes, Decoded& decoded, bool& wide) {
        Ref* const refs[4] = {&decoded.dst, &decoded.b, &decoded.c, &decoded.e};
        const bool vector = operand.kind == Operand::Kind::vector;
        const std::size_t count = vector ? operand.elements.size() : 1;
        if (count > 4) {
            operands_.fail("vectors of more than four elements are not supported");
            return;
        }
        bool known = false;
        wide = is_wide(type);
        for (std::size_t k = 0; k < count; ++k) {
            const Operand& element = vector ? operand.elements[k] : operand;
            if (element.kind == Operand::Kind::discard) continue;
            if (writes && element.kind != Operand::Kind::reg) operands_.fail("the destination must be a register");
            bool this_wide = false;
            *refs[k] = operands_.any_width(element, type, this_wide);
            if (known && this_wide != wide) operands_.fail("elements of different widths are not supported");
            wide = this_wide;
            known = true;
        }
        decoded.count = static_cast<std::uint8_t>(count);
    }

    // The address operand; `slot` is set when it names a parameter of this frame.
    const Slot* place_address(const Operand& operand, ptx::Space space, Decoded& decoded) {
        decoded.window = window_of_space(space);
        if (space != ptx::Space::generic && decoded.window == Window::none) operands_.fail("this state space is not supported");
        decoded.imm = operand.offset + (decoded.window == Window::none ? 0 : generic_offset(decoded.window));
        if (operand.kind != Operand::Kind::address) {
            operands_.fail("an address is expected");
            return nullptr;
        }
        if (operand.reg != ptx::no_index) {
            bool wide = false;
            decoded.a = operands_.any_width(register_of(operand), Type::u32, wide);
            decoded.narrow_address = !wide;
            return nullptr;
        }
        if (operand.name.empty()) {
            decoded.a = context_.pool.wide(0);
            return nullptr;
        }
        const OperandDecoder::Address address = operands_.symbol(operand);
        if (address.slot != nullptr) {
            decoded.a = address.slot->ref;
            decoded.imm = address.offset;
            return address.slot;
        }
        if (decoded.window == Window::none) decoded.window = address.window;
        decoded.a = address.row;
        decoded.imm = address.offset + generic_offset(decoded.window);
        return nullptr;
    }

    static Operand register_of(const Operand& address) {
        Operand reg;
        reg.kind = Operand::Kind::reg;
        reg.reg = address.reg;
        return reg;
    }

    void set_width(const Instruction& instruction, Decoded& decoded) {
        decoded.width = static_cast<std::uint8_t>(ptx::size_bytes(instruction.type()) * decoded.count);
        if (decoded.width == 0 || decoded.width > 16 || (decoded.width & (decoded.width - 1)) != 0)
            operands_.fail("this access is not supported");
        if (instruction.vector_length() != decoded.count) operands_.fail("the vector's length does not fit");
        decoded.synchronises = instruction.has(Mod::volatile_) || instruction.has(Mod::relaxed) ||
                               instruction.has(Mod::acquire) || instruction.has(Mod::mmio);
    }

    bool fits_slot(const Decoded& decoded, const Slot& slot) {
        if (decoded.imm >= 0 && decoded.imm + decoded.width <= slot.size_bytes) return true;
        operands_.fail("the access lies outside of the parameter");
        return false;
    }

    Exec decode_load(const Instruction& instruction, Decoded& decoded, Exec& traced) {
        const Operand* value = operands_.at(instruction, 0);
        const Operand* address = operands_.at(instruction, 1);
        if (value == nullptr || address == nullptr) return nullptr;
        bool wide = false;
        place_elements(*value, instruction.type(), true, decoded, wide);
        const Slot* slot = place_address(*address, instruction.space(), decoded);
        set_width(instruction, decoded);
        if (slot != nullptr) {
            decoded.target = slot->stride;
            return fits_slot(decoded, *slot) ? selector().slot_load(instruction, wide) : nullptr;
        }
        traced = selector().load(instruction, wide, true);
        return selector().load(instruction, wide, false);
    }

    Exec decode_store(const Instruction& instruction, Decoded& decoded, Exec& traced) {
        const Operand* address = operands_.at(instruction, 0);
        const Operand* value = operands_.at(instruction, 1);
        if (value == nullptr || address == nullptr) return nullptr;
        bool wide = false;
        place_elements(*value, instruction.type(), false, decoded, wide);
        const Slot* slot = place_address(*address, instruction.space(), decoded);
        set_width(instruction, decoded);
        if (slot != nullptr) {
            decoded.target = slot->stride;
            return fits_slot(decoded, *slot) ? selector().slot_store(instruction, wide) : nullptr;
        }
        traced = selector().store(instruction, wide, true);
        return selector().store(instruction, wide, false);
    }

    Exec decode_atomic(const Instruction& instruction, Decoded& decoded, Exec& traced) {
        const std::size_t first = instruction.op == Op::atom ? 1 : 0;
        const Operand* address = operands_.at(instruction, first);
        const Operand* b = operands_.at(instruction, first + 1);
        if (address == nullptr || b == nullptr) return nullptr;
        const Type type = instruction.type();
        if (first == 1) decoded.dst = operands_.destination(instruction.operands[0], type);
        if (place_address(*address, instruction.space(), decoded) != nullptr) return nullptr;
        decoded.b = operands_.source(*b, type);
        if (instruction.has(Mod::cas)) {
            const Operand* c = operands_.at(instruction, first + 2);
            if (c == nullptr) return nullptr;
            decoded.c = operands_.source(*c, type);
        }
        set_width(instruction, decoded);
        decoded.synchronises = true;
        traced = select_atomic(instruction, true);
        return select_atomic(instruction, false);
    }

    std::uint32_t target_pc(std::uint32_t label) const { return first_pc_ + function_.labels[label].instruction; }

    Exec decode_branch(const Instruction& instruction, std::uint32_t index, Decoded& decoded, Exec& traced) {
        const Operand* label = operands_.at(instruction, 0);
        if (label == nullptr || label->label == ptx::no_index) return nullptr;
        decoded.target = target_pc(label->label);
        if (decoded.target <= first_pc_ + index) decoded.flags |= decoded_flag::back_edge;
        traced = select_control(instruction, true);
        return select_control(instruction, false);
    }

    Exec decode_branch_table(const Instruction& instruction, Decoded& decoded, Exec& traced) {
        const Operand* index = operands_.at(instruction, 0);
        const Operand* name = operands_.at(instruction, 1);
        if (index == nullptr || name == nullptr || name->refers.kind != ptx::Reference::Kind::targets) return nullptr;
        decoded.a = operands_.source(*index, Type::u32);
        std::vector<std::uint32_t> table;
        for (const std::uint32_t label : function_.branch_targets[name->refers.index].labels) table.push_back(target_pc(label));
        decoded.target = static_cast<std::uint32_t>(context_.program.branch_tables.size());
        context_.program.branch_tables.push_back(std::move(table));
        traced = select_control(instruction, true);
        return select_control(instruction, false);
    }

    // Results and arguments: parameter variables, registers, immediates.
    std::vector<Slot> slots_of(const Operand& list) {
        std::vector<Slot> slots;
        for (const Operand& element : list.elements) {
            if (element.kind == Operand::Kind::symbol) {
                const OperandDecoder::Address address = operands_.symbol(element);
                if (address.slot == nullptr) operands_.fail("'" + element.name + "' is no parameter");
                else slots.push_back(*address.slot);
            } else if (element.kind == Operand::Kind::discard) {
                slots.push_back({});
                slots.back().ref = no_ref;
            } else {
                bool wide = false;
                const Ref ref = operands_.any_width(element, Type::b32, wide);
                slots.push_back({ref, wide ? 8u : 4u, wide ? 8u : 4u});
            }
        }
        return slots;
    }

    Exec decode_call(const Instruction& instruction, Decoded& decoded, Exec& traced) {
        CallSite site;
        std::size_t at = 0;
        if (const Operand* first = operands_.at(instruction, 0); first != nullptr && first->kind == Operand::Kind::list)
            site.results = slots_of(instruction.operands[at++]);
        const Operand* callee = operands_.at(instruction, at++);
        if (callee == nullptr) return nullptr;
        if (at < instruction.operands.size() && instruction.operands[at].kind == Operand::Kind::list)
            site.arguments = slots_of(instruction.operands[at]);
        Builtin builtin = Builtin::none;
        if (callee->kind == Operand::Kind::reg) {
            site.address = operands_.source(*callee, Type::u64);
            code_.calls_indirectly = true;
        } else if (callee->refers.kind == ptx::Reference::Kind::function) {
            site.callee = callee->refers.index;
            const ptx::Function& function = context_.module.functions[site.callee];
            builtin = builtin_of(function);
            if (!function.has_body && builtin == Builtin::none)
                operands_.fail("function '" + function.name + "' has no code here");
            code_.callees.push_back(site.callee);
        } else {
            operands_.fail("'" + callee->name + "' is no function");
        }
        decoded.target = static_cast<std::uint32_t>(context_.program.calls.size());
        context_.program.calls.push_back(std::move(site));
        traced = builtin == Builtin::none ? select_control(instruction, true) : select_builtin(builtin, true);
        return builtin == Builtin::none ? select_control(instruction, false) : select_builtin(builtin, false);
    }

    Exec decode_barrier(const Instruction& instruction, Decoded& decoded, Exec& traced) {
        const bool reduces = instruction.op == Op::bar_red || instruction.op == Op::barrier_red;
        const std::size_t count = instruction.operands.size();
        std::size_t at = 0;
        if (reduces) {
            if (count < 3) return nullptr;
            decoded.dst = operands_.destination(instruction.operands[at++], instruction.has(Mod::popc) ? Type::u32 : Type::pred);
            const Operand& value = instruction.operands[count - 1];
            decoded.c = operands_.predicate(value);
            decoded.count = value.negated ? 0 : 1;
            if (decoded.dst == no_ref) return nullptr;
        }
        const Operand* number = operands_.at(instruction, at++);
        if (number == nullptr) return nullptr;
        decoded.a = operands_.source(*number, Type::u32);
        if (at < count - (reduces ? 1 : 0)) decoded.b = operands_.source(instruction.operands[at], Type::u32);
        decoded.mode = barrier_mode_of(instruction);
        traced = select_control(instruction, true);
        return select_control(instruction, false);
    }

    Exec decode_warp(const Instruction& instruction, Decoded& decoded, Exec& traced) {
        const std::size_t count = instruction.operands.size();
        std::size_t at = 0;
        const bool sync = instruction.has(Mod::sync) || instruction.op == Op::bar_warp_sync || instruction.op == Op::elect;
        const bool ballot = instruction.op != Op::vote || instruction.has(Mod::ballot);
        if (instruction.op != Op::bar_warp_sync) {
            if (count == 0) return nullptr;
            destinations(instruction.operands[at++], ballot ? Type::b32 : Type::pred, Type::pred, decoded);
            if (decoded.dst == no_ref && instruction.op != Op::shfl && instruction.op != Op::match && instruction.op != Op::elect) return nullptr;
        }
        const std::size_t values = count - at - (sync && count > at ? 1 : 0);
        Ref* const refs[3] = {&decoded.a, &decoded.b, &decoded.c};
        for (std::size_t k = 0; k < values && k < 3; ++k, ++at) {
            const Operand& operand = instruction.operands[at];
            const Type type = instruction.op == Op::vote ? Type::pred : instruction.op == Op::match ? instruction.type() : Type::b32;
            *refs[k] = operands_.source(operand, type);
            if (operand.negated && instruction.op == Op::vote) decoded.count = 0;
        }
        const std::size_t needed = instruction.op == Op::shfl ? 3 : instruction.op == Op::vote || instruction.op == Op::match ||
                                   instruction.op == Op::redux ? 1 : 0;
        if (values != needed) return nullptr;
        if (sync) {
            const Operand* members = operands_.at(instruction, at);
            if (members != nullptr) decoded.f = operands_.source(*members, Type::b32);
        }
        traced = select_warp(instruction, true);
        return select_warp(instruction, false);
    }

    Exec decode_move(const Instruction& instruction, Decoded& decoded) {
        const Type type = instruction.type();
        const Operand* to = operands_.at(instruction, 0);
        const Operand* from = operands_.at(instruction, 1);
        if (to == nullptr || from == nullptr || type == Type::b128) return nullptr;
        if (to->kind == Operand::Kind::vector) {
            decoded.a = operands_.source(*from, type);
            return unpacked(instruction, *to, decoded);
        }
        decoded.dst = operands_.destination(*to, type);
        if (decoded.dst == no_ref) return nullptr;
        if (from->kind == Operand::Kind::vector) return packed(instruction, *from, decoded);
        if (from->kind == Operand::Kind::symbol) {
            const OperandDecoder::Address address = operands_.symbol(*from);
            if (address.slot != nullptr) operands_.fail("addresses of a function's parameters are not supported");
            decoded.a = address.row;
            decoded.imm = address.offset;
        } else {
            decoded.a = operands_.source(*from, type);
        }
        return selector().arithmetic(instruction);
    }

    Exec packed(const Instruction& instruction, const Operand& from, Decoded& decoded) {
        Ref* const refs[4] = {&decoded.a, &decoded.b, &decoded.c, &decoded.e};
        if (from.elements.size() > 4) return nullptr;
        for (std::size_t k = 0; k < from.elements.size(); ++k) *refs[k] = operands_.source(from.elements[k], Type::b32);
        decoded.count = static_cast<std::uint8_t>(from.elements.size());
        return selector().arithmetic(instruction);
    }
    Exec unpacked(const Instruction& instruction, const Operand& to, Decoded& decoded) {
        Ref* const refs[4] = {&decoded.dst, &decoded.b, &decoded.c, &decoded.e};
        if (to.elements.size() > 4) return nullptr;
        for (std::size_t k = 0; k < to.elements.size(); ++k) *refs[k] = operands_.destination(to.elements[k], Type::b32);
        decoded.count = static_cast<std::uint8_t>(to.elements.size());
        return selector().arithmetic(instruction);
    }

    Exec decode_cvta(const Instruction& instruction, Decoded& decoded) {
        const Operand* to = operands_.at(instruction, 0);
        const Operand* from = operands_.at(instruction, 1);
        if (to == nullptr || from == nullptr) return nullptr;
        const std::int64_t start = generic_offset(window_of_space(instruction.space()));
        decoded.dst = operands_.destination(*to, Type::u64);
        if (decoded.dst == no_ref) return nullptr;
        if (from->kind == Operand::Kind::symbol) {
            const OperandDecoder::Address address = operands_.symbol(*from);
            if (address.slot != nullptr) operands_.fail("addresses of a function's parameters are not supported");
            decoded.a = address.row;
            decoded.imm = address.offset;
        } else {
            decoded.a = operands_.source(*from, Type::u64);
        }
        decoded.imm += instruction.has(Mod::to) ? -start : start;
        return selector().arithmetic(instruction);
    }

    bool runs_off_the_end() const {
        const auto count = static_cast<std::uint32_t>(function_.instructions.size());
        for (const ptx::Label& label : function_.labels)
            if (label.instruction >= count) return true;
        if (count == 0) return true;
        const Instruction& last = function_.instructions.back();
        return (ptx::info(last.op).flags & ptx::op_flag::ends) == 0 || last.guard != ptx::no_index;
    }

    void append_return() {
        Instruction ret;
        ret.op = Op::ret;
        Decoded decoded;
        decoded.guard = all_ones_ref;
        decoded.flags = decoded_flag::control | decoded_flag::flow_only;
        decoded.run = select_control(ret, false);
        code_.plain.push_back(decoded);
        decoded.run = select_control(ret, true);
        code_.traced.push_back(decoded);
    }

    static void mark_lengths(std::vector<Decoded>& code) {
        std::uint16_t length = 0;
        for (std::size_t i = code.size(); i-- > 0;) {
            const bool last = (code[i].flags & (decoded_flag::control | decoded_flag::step_after)) != 0;
            length = static_cast<std::uint16_t>(last || length == 0 ? 1 : std::min(length + 1, 60'000));
            code[i].length = length;
        }
    }

    const DecodeContext& context_;
    const ptx::Function& function_;
    const ptx::StepTable& steps_;
    std::uint32_t first_pc_;
    FrameLayout frame_;
    FunctionCode code_;
    OperandDecoder operands_;
};

}  // namespace

FunctionCode decode_function(const DecodeContext& context, const ptx::Function& function, const ptx::StepTable& steps,
                             std::uint32_t first_pc) {
    return FunctionDecoder(context, function, steps, first_pc).run();
}

Builtin builtin_of(const ptx::Function& function) {
    if (function.has_body) return Builtin::none;
    if (function.name == "vprintf") return Builtin::printf;
    if (function.name == "__assertfail") return Builtin::assertion;
    if (function.name == "malloc") return Builtin::allocate;
    if (function.name == "free") return Builtin::release;
    return Builtin::none;
}

}  // namespace lanescope::simt
