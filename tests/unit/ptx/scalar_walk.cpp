#include "scalar_walk.h"

#include <stdexcept>

#include "ptx/parser.h"

namespace lanescope::ptx {
namespace {

constexpr unsigned max_instructions = 100000;

std::uint64_t narrowed(Type type, std::uint64_t value) {
    const unsigned bits = type == Type::pred ? 1 : 8 * size_bytes(type);
    return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

std::int64_t as_signed(Type type, std::uint64_t value) {
    const unsigned unused = 64 - 8 * size_bytes(type);
    return static_cast<std::int64_t>(value << unused) >> unused;
}

bool compare(const Instruction& instruction, std::uint64_t a, std::uint64_t b) {
    const Type type = instruction.type();
    const std::int64_t x = as_signed(type, a), y = as_signed(type, b);
    const bool less = is_signed(type) ? x < y : a < b;
    if (instruction.has(Mod::lt)) return less;
    if (instruction.has(Mod::ge)) return !less;
    if (instruction.has(Mod::eq)) return a == b;
    if (instruction.has(Mod::ne)) return a != b;
    const bool equal = a == b;
    if (instruction.has(Mod::le)) return less || equal;
    if (instruction.has(Mod::gt)) return !less && !equal;
    throw std::runtime_error("comparison not known");
}

std::uint64_t divide(const Instruction& instruction, std::uint64_t a, std::uint64_t b) {
    const bool remainder = instruction.op == Op::rem;
    if (b == 0) return 0;
    if (!is_signed(instruction.type())) return remainder ? a % b : a / b;
    const std::int64_t x = as_signed(instruction.type(), a), y = as_signed(instruction.type(), b);
    return static_cast<std::uint64_t>(remainder ? x % y : x / y);
}

}  // namespace

std::vector<std::uint32_t> ScalarWalk::lines(const std::string& kernel,
                                             const std::vector<std::uint64_t>& arguments) {
    lines_.clear();
    executed_ = 0;
    for (std::uint32_t i = 0; i < module_.functions.size(); ++i)
        if (module_.functions[i].name == kernel && module_.functions[i].has_body) {
            call(i, arguments);
            return lines_;
        }
    throw std::runtime_error("no kernel " + kernel);
}

std::uint64_t ScalarWalk::call(std::uint32_t index, const std::vector<std::uint64_t>& arguments) {
    Frame frame;
    frame.function = &module_.functions[index];
    frame.table = build_step_table(*frame.function, user_file_);
    frame.registers.resize(frame.function->registers.size());
    for (std::size_t i = 0; i < arguments.size(); ++i)
        frame.parameters[frame.function->parameters.at(i).name] = arguments[i];
    const std::vector<Instruction>& code = frame.function->instructions;
    for (std::uint32_t pc = 0; pc < code.size();) {
        if (pc == 0 && frame.table.starts_step(0)) enter(frame, 0);
        if (++executed_ > max_instructions) throw std::runtime_error("runs for too long");
        const Instruction& instruction = code[pc];
        std::uint32_t next = pc + 1;
        const bool on = instruction.guard == no_index ||
                        (frame.registers[instruction.guard] != 0) != instruction.guard_negated;
        if (on && instruction.op == Op::ret) break;
        if (on && instruction.op == Op::bra)
            next = frame.function->labels[instruction.operands[0].label].instruction;
        else if (on)
            execute(frame, instruction);
        if (next < code.size() && frame.table.starts_step(frame.line, pc, next)) enter(frame, next);
        pc = next;
    }
    return frame.function->results.empty() ? 0 : frame.parameters[frame.function->results[0].name];
}

void ScalarWalk::enter(Frame& frame, std::uint32_t instruction) {
    if (frame.table.starts_step(instruction)) frame.line = frame.table.rows[instruction].line;
    lines_.push_back(frame.line);
}

std::uint64_t ScalarWalk::value(const Frame& frame, const Operand& operand) const {
    switch (operand.kind) {
        case Operand::Kind::reg:
            return frame.registers[operand.reg];
        case Operand::Kind::integer:
            return operand.bits;
        case Operand::Kind::symbol:
            return 0x10000;
        case Operand::Kind::special: {
            const auto found = specials.find(operand.special);
            return found == specials.end() ? 0 : found->second;
        }
        default:
            throw std::runtime_error("operand not known");
    }
}

std::uint64_t ScalarWalk::address(const Frame& frame, const Operand& operand) const {
    return (operand.reg == no_index ? 0x10000 : frame.registers[operand.reg]) +
           static_cast<std::uint64_t>(operand.offset);
}

void ScalarWalk::load(Frame& frame, const Instruction& instruction) {
    const Operand& from = instruction.operands[1];
    std::uint64_t& to = frame.registers[instruction.operands[0].reg];
    if (instruction.space() == Space::param) {
        to = frame.parameters[from.name];
        return;
    }
    const auto found = memory.find(address(frame, from));
    to = found == memory.end() ? 0 : found->second;
}

void ScalarWalk::store(Frame& frame, const Instruction& instruction) {
    const std::uint64_t stored = value(frame, instruction.operands[1]);
    if (instruction.space() == Space::param)
        frame.parameters[instruction.operands[0].name] = stored;
    else
        memory[address(frame, instruction.operands[0])] = stored;
}

void ScalarWalk::call_from(Frame& frame, const Instruction& instruction) {
    std::vector<std::uint64_t> arguments;
    std::string result;
    const Operand* callee = nullptr;
    for (const Operand& operand : instruction.operands) {
        if (operand.kind != Operand::Kind::list) callee = &operand;
        if (operand.kind != Operand::Kind::list || operand.elements.empty()) continue;
        if (!callee)
            result = operand.elements[0].name;
        else
            for (const Operand& element : operand.elements)
                arguments.push_back(frame.parameters[element.name]);
    }
    const std::uint64_t returned = call(callee->refers.index, arguments);
    if (!result.empty()) frame.parameters[result] = returned;
}

void ScalarWalk::execute(Frame& frame, const Instruction& instruction) {
    const auto operand = [&](std::size_t i) { return value(frame, instruction.operands[i]); };
    const Type type = instruction.type();
    std::uint64_t made = 0;
    switch (instruction.op) {
        case Op::ld:
            return load(frame, instruction);
        case Op::st:
            return store(frame, instruction);
        case Op::call:
            return call_from(frame, instruction);
        case Op::bar_sync:
            return;
        case Op::mov:
        case Op::cvta:
            made = operand(1);
            break;
        case Op::cvt:
            made = is_signed(instruction.type(1)) ? as_signed(instruction.type(1), operand(1)) : operand(1);
            break;
        case Op::add:
            made = operand(1) + operand(2);
            break;
        case Op::sub:
            made = operand(1) - operand(2);
            break;
        case Op::mul:
            made = operand(1) * operand(2);
            break;
        case Op::mad:
            made = operand(1) * operand(2) + operand(3);
            break;
        case Op::div:
        case Op::rem:
            made = divide(instruction, operand(1), operand(2));
            break;
        case Op::neg:
            made = 0 - operand(1);
            break;
        case Op::and_:
            made = operand(1) & operand(2);
            break;
        case Op::or_:
            made = operand(1) | operand(2);
            break;
        case Op::xor_:
            made = operand(1) ^ operand(2);
            break;
        case Op::shr:
            made = is_signed(type) ? static_cast<std::uint64_t>(as_signed(type, operand(1)) >> operand(2))
                                   : operand(1) >> operand(2);
            break;
        case Op::shl:
            made = operand(1) << operand(2);
            break;
        case Op::not_:
            made = ~operand(1);
            break;
        case Op::setp:
            made = compare(instruction, operand(1), operand(2));
            break;
        case Op::selp:
            made = operand(3) ? operand(1) : operand(2);
            break;
        default:
            throw std::runtime_error(print(*frame.function, instruction));
    }
    const Type written = instruction.op == Op::setp ? Type::pred : type;
    const unsigned wide = instruction.has(Mod::wide) ? 8 : 0;
    frame.registers[instruction.operands[0].reg] = wide ? made : narrowed(written, made);
}

}  // namespace lanescope::ptx
