#include "ptx/used_types.h"

#include <algorithm>

#include "ptx/register_use.h"

namespace lanescope::ptx {

namespace {

constexpr std::size_t max_variables = 64;

// The operation moves a value without a look at what it means.
bool moves(Op op) {
    return op == Op::mov || op == Op::selp || op == Op::shfl;
}

bool is_memory(const Instruction& instruction) {
    return (info(instruction.op).flags & op_flag::access) != 0;
}

// Two of this type in a register of twice its width.
Type pair_of(Type type) {
    switch (type) {
        case Type::f16:
            return Type::f16x2;
        case Type::bf16:
            return Type::bf16x2;
        case Type::f32:
            return Type::f32x2;
        default:
            return Type::none;
    }
}

// The type with which an instruction reads its n-th operand; the types of a matrix operation are those of its
// operands, and wmma.mma leaves out those of the factors if they are f16.
Type operand_type(const Instruction& instruction, std::size_t n) {
    switch (instruction.op) {
        case Op::cvt:
        case Op::set:
            return instruction.type(n == 0 ? 0 : 1);
        case Op::mma:
        case Op::wmma_mma:
            if (n > 3) return Type::none;
            if (instruction.type(2) == Type::none)
                return n == 0 ? instruction.type(0) : n == 3 ? instruction.type(1) : Type::f16;
            return instruction.type(static_cast<unsigned>(n));
        default:
            return instruction.type(0);
    }
}

class FloatingRegisters {
  public:
    explicit FloatingRegisters(const Function& function)
        : function_(function), types_(function.registers.size(), Type::none) {}

    std::vector<Type> run() {
        for (std::uint32_t i = 0; i < types_.size(); ++i)
            mark(i, function_.registers[i].type);
        for (const Instruction& each : function_.instructions)
            for (std::size_t n = 0; n < each.operands.size(); ++n)
                if (each.op != Op::call && each.operands[n].kind != Operand::Kind::address)
                    mark(each.operands[n], operand_type(each, n));
        do {
            changed_ = false;
            for (const Instruction& each : function_.instructions)
                if (moves(each.op)) follow(each);
        } while (changed_);
        return std::move(types_);
    }

  private:
    void mark(std::uint32_t reg, Type type) {
        if (type == Type::tf32) type = Type::f32;
        if (!is_float(type) || types_[reg] != Type::none) return;
        const unsigned bytes = size_bytes(function_.registers[reg].type);
        if (bytes == 2 * size_bytes(type)) type = pair_of(type);
        if (type == Type::none || bytes != size_bytes(type)) return;
        types_[reg] = type;
        changed_ = true;
    }

    void mark(const Operand& operand, Type type) {
        if (operand.kind == Operand::Kind::reg) mark(operand.reg, type);
        for (const Operand& element : operand.elements)
            mark(element, type);
    }

    Type type_of(const Operand& operand) const {
        if (operand.kind == Operand::Kind::reg) return types_[operand.reg];
        Type found = Type::none;
        for (const Operand& element : operand.elements)
            if (element.kind == Operand::Kind::reg && found == Type::none) found = types_[element.reg];
        return found;
    }

    // The sources of a move and its result have one type; "{%h1, %h2}" are parts of one register.
    void follow(const Instruction& each) {
        const std::size_t sources = each.op == Op::selp ? 3 : 2;
        Type type = Type::none;
        for (std::size_t n = 0; n < sources && n < each.operands.size(); ++n) {
            const Type found = type_of(each.operands[n]);
            if (found != Type::none && type == Type::none)
                type = each.operands[n].kind == Operand::Kind::vector ? found : part_or_self(each, found);
        }
        for (std::size_t n = 0; n < sources && n < each.operands.size(); ++n)
            if (each.operands[n].kind != Operand::Kind::discard) mark(each.operands[n], type);
    }

    static Type part_or_self(const Instruction& each, Type type) {
        const bool splits =
            std::any_of(each.operands.begin(), each.operands.end(),
                        [](const Operand& operand) { return operand.kind == Operand::Kind::vector; });
        return splits ? part_of(type) : type;
    }

    const Function& function_;
    std::vector<Type> types_;
    bool changed_ = false;
};

// Accesses to variables in one function.
class Accesses {
  public:
    using Votes = std::map<std::string, std::map<Type, std::uint64_t>, std::less<>>;

    Accesses(const Module& module, const Function& function, Votes& votes)
        : module_(module),
          function_(function),
          votes_(votes),
          reached_(function.registers.size(), 0),
          floating_(floating_registers(function)),
          compared_(function.registers.size(), Type::none) {}

    void run() {
        for (const Instruction& each : function_.instructions)
            note_sign(each);
        do {
            changed_ = false;
            for (const Instruction& each : function_.instructions)
                follow(each);
        } while (changed_);
        for (const Instruction& each : function_.instructions)
            if (is_memory(each)) vote(each);
    }

  private:
    const Variable* variable_of(const Reference& reference) const {
        if (reference.kind == Reference::Kind::variable) return &module_.variables[reference.index];
        if (reference.kind == Reference::Kind::local) return &function_.variables[reference.index];
        return nullptr;
    }

    // The set of variables that an operand may be an address of.
    std::uint64_t reached_by(const Operand& operand) {
        std::uint64_t found = operand.reg != no_index ? reached_[operand.reg] : 0;
        const Variable* variable = variable_of(operand.refers);
        if (variable == nullptr || variable->space == Space::local || variable->space == Space::param)
            return found;
        auto known = std::find(variables_.begin(), variables_.end(), variable->name);
        if (known == variables_.end()) {
            if (variables_.size() == max_variables) return found;
            known = variables_.insert(variables_.end(), variable->name);
        }
        return found | std::uint64_t{1} << (known - variables_.begin());
    }

    static bool keeps_address(Op op) {
        return op == Op::mov || op == Op::cvta || op == Op::add || op == Op::sub || op == Op::mad ||
               op == Op::selp || op == Op::or_ || op == Op::xor_;
    }

    void follow(const Instruction& each) {
        if (!keeps_address(each.op)) return;
        std::uint64_t made = 0;
        for (std::size_t n = 1; n < each.operands.size(); ++n)
            made |= reached_by(each.operands[n]);
        for (const std::uint32_t reg : writes(each)) {
            changed_ = changed_ || (reached_[reg] | made) != reached_[reg];
            reached_[reg] |= made;
        }
    }

    // Compilers write "add.s32" for unsigned numbers too; these operations differ for the two.
    void note_sign(const Instruction& each) {
        switch (each.op) {
            case Op::setp:
                if (each.has(Mod::eq) || each.has(Mod::ne)) return;
                break;
            case Op::min:
            case Op::max:
            case Op::div:
            case Op::rem:
            case Op::shr:
            case Op::cvt:
                break;
            default:
                return;
        }
        const Type type = operand_type(each, 1);
        if (!is_signed(type) && !whole(type)) return;
        for (const std::uint32_t reg : operand_reads(each))
            if (size_bytes(function_.registers[reg].type) == size_bytes(type)) compared_[reg] = type;
    }
    static bool whole(Type type) {
        return type == Type::u8 || type == Type::u16 || type == Type::u32 || type == Type::u64;
    }

    // The type of what an access loads or stores.
    Type value_type(const Instruction& each) const {
        const Type type = each.type();
        if (is_float(type)) return part_of(type == Type::tf32 ? Type::f32 : type);
        Type known = Type::none;
        const auto look = [&](const Operand& operand, const auto& self) -> void {
            if (operand.kind == Operand::Kind::reg && known == Type::none)
                known = floating_[operand.reg] != Type::none ? part_of(floating_[operand.reg])
                                                             : compared_[operand.reg];
            for (const Operand& element : operand.elements)
                self(element, self);
        };
        for (const Operand& operand : each.operands)
            if (operand.kind != Operand::Kind::address) look(operand, look);
        if (is_float(known) || size_bytes(known) == size_bytes(type)) return known;
        return is_signed(type) ? type : Type::none;
    }

    void vote(const Instruction& each) {
        std::uint64_t reached = 0;
        for (const Operand& operand : each.operands)
            if (operand.kind == Operand::Kind::address) reached |= reached_by(operand);
        if (reached == 0) return;
        const bool copies = each.op == Op::cp_async || each.op == Op::cp_async_bulk;
        Type type = copies ? Type::none : value_type(each);
        if (type == Type::none && !copies)
            for (const Type width : {Type::u8, Type::u16, Type::u32, Type::u64})
                if (size_bytes(width) == size_bytes(each.type())) type = width;
        if (type == Type::none) return;
        for (std::size_t i = 0; i < variables_.size(); ++i)
            if ((reached >> i & 1) != 0) ++votes_[variables_[i]][type];
    }

    const Module& module_;
    const Function& function_;
    Votes& votes_;
    std::vector<std::string> variables_;
    std::vector<std::uint64_t> reached_;
    std::vector<Type> floating_;
    std::vector<Type> compared_;
    bool changed_ = false;
};

}  // namespace

std::vector<Type> floating_registers(const Function& function) {
    return FloatingRegisters(function).run();
}

Type part_of(Type packed) {
    switch (packed) {
        case Type::f16x2:
            return Type::f16;
        case Type::bf16x2:
            return Type::bf16;
        case Type::f32x2:
            return Type::f32;
        default:
            return packed;
    }
}

std::map<std::string, Type, std::less<>> accessed_types(const Module& module) {
    Accesses::Votes votes;
    for (const Function& function : module.functions)
        Accesses(module, function, votes).run();
    std::map<std::string, Type, std::less<>> found;
    for (const auto& [name, types] : votes) {
        const auto better = [](const auto& a, const auto& b) {
            const auto says = [](Type type) { return is_float(type) || is_signed(type); };
            return std::pair(says(a.first), a.second) < std::pair(says(b.first), b.second);
        };
        found[name] = std::max_element(types.begin(), types.end(), better)->first;
    }
    return found;
}

}  // namespace lanescope::ptx
