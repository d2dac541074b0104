#include "simt/decode/function_decoder.h"

#include <algorithm>

#include "ptx/cfg.h"
#include "ptx/loops.h"
#include "simt/exec/executors.h"
#include "simt/inspect/liveness.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::Operand;
using ptx::Type;

FunctionCode FunctionDecoder::run() {
    place_entry_parameters();
    for (std::uint32_t i = 0; i < function_.instructions.size(); ++i)
        decode(i);
    if (runs_off_the_end()) append_return();
    find_places();
    mark_lengths(code_.plain);
    mark_lengths(code_.traced);
    code_.frame_bytes = frame_.frame_bytes;
    code_.local_bytes = frame_.local_bytes;
    code_.zeroed = zeroed_parts(function_, frame_, read_before_written(function_));
    code_.parameters = frame_.parameters;
    code_.results = frame_.results;
    for (std::uint32_t i = 0; i < frame_.parameter_copies.size(); ++i)
        if (frame_.parameter_copies[i] != no_copy)
            code_.copied.push_back({i, static_cast<std::uint32_t>(frame_.parameter_copies[i])});
    code_.local_offsets = frame_.local_offsets;
    code_.registers = frame_.registers;
    return std::move(code_);
}

void FunctionDecoder::place_entry_parameters() {
    if (function_.kind != ptx::Function::Kind::entry) return;
    std::uint64_t at = 0;
    for (const ptx::Variable& parameter : function_.parameters) {
        at = align_up(at, std::max(parameter.alignment_bytes(), 1u));
        code_.entry_offsets.push_back(static_cast<std::uint32_t>(at));
        at = std::min<std::uint64_t>(at + parameter.size_bytes(), 1 << 20);
    }
    code_.entry_bytes = static_cast<std::uint32_t>(at);
}

void FunctionDecoder::decode(std::uint32_t index) {
    const Instruction& instruction = function_.instructions[index];
    Decoded decoded;
    current_pc_ = first_pc_ + index;
    operands_.begin(instruction.op == Op::mov);
    set_guard(instruction, decoded);
    traced_ = nullptr;
    decoded.run = decode_operation(instruction, decoded);
    std::string problem = operands_.problem();
    if (problem.empty() && decoded.run == nullptr) problem = "this form is not supported";
    if (!problem.empty()) {
        code_.problems.push_back({index, problem});
        decoded = Decoded{};
        decoded.guard = all_ones_ref;
        decoded.run = unsupported_exec();
        traced_ = nullptr;
        decoded.flags = decoded_flag::control;
    }
    place(instruction, index, decoded);
    code_.plain.push_back(decoded);
    if (traced_ != nullptr) decoded.run = traced_;
    code_.traced.push_back(decoded);
}

void FunctionDecoder::set_guard(const Instruction& instruction, Decoded& decoded) {
    decoded.guard = all_ones_ref;
    if (instruction.guard == ptx::no_index) return;
    decoded.guard = frame_.registers[instruction.guard];
    decoded.guard_flip = instruction.guard_negated ? all_lanes : 0;
    decoded.flags |= decoded_flag::guarded;
}

// Line, step and flow flags.
void FunctionDecoder::place(const Instruction& instruction, std::uint32_t index, Decoded& decoded) {
    const ptx::StepRow& row = steps_.rows[index];
    decoded.line = row.glue ? 0 : row.line;
    decoded.loop_line = steps_.loop_line[index];
    if (ptx::info(instruction.op).flags & (ptx::op_flag::branch | ptx::op_flag::ends | ptx::op_flag::barrier |
                                           ptx::op_flag::warp_sync | ptx::op_flag::call))
        decoded.flags |= decoded_flag::control;
    if (index + 1 < steps_.rows.size()) {
        const ptx::StepRow& next = steps_.rows[index + 1];
        if (next.line != 0 && !next.glue && next.line != decoded.line)
            decoded.flags |= decoded_flag::step_after;
    }
    const Op op = instruction.op;
    if (instruction.guard == ptx::no_index &&
        (op == Op::mov || op == Op::bra || op == Op::ret || op == Op::exit))
        decoded.flags |= decoded_flag::flow_only;
}

// Only some instructions do something when their result is thrown away: "_" stands for a register nowhere
// else.
Exec FunctionDecoder::decode_operation(const Instruction& instruction, Decoded& decoded) {
    using Decode = Exec (FunctionDecoder::*)(const Instruction&, Decoded&);
    static constexpr Decode by_opcode[] = {
#define LANESCOPE_OP(name, text, operands, flags, counted, flow, blocks, form, executor) \
    &FunctionDecoder::decode_##form,
#include "ptx/opcodes.def"
    };
    const bool may_discard =
        (ptx::info(instruction.op).flags & (ptx::op_flag::atomic | ptx::op_flag::arrives)) != 0;
    if (!instruction.operands.empty() && instruction.operands[0].kind == Operand::Kind::discard &&
        !may_discard) {
        operands_.fail("the destination must be a register");
        return nullptr;
    }
    return (this->*by_opcode[static_cast<std::size_t>(instruction.op)])(instruction, decoded);
}

Exec FunctionDecoder::executor(const Instruction& instruction) {
    traced_ = select_executor(instruction, true);
    return select_executor(instruction, false);
}

Exec FunctionDecoder::decode_control(const Instruction& instruction, Decoded&) {
    return executor(instruction);
}

Exec FunctionDecoder::decode_query(const Instruction& instruction, Decoded&) {
    operands_.fail("'" + std::string(ptx::text(instruction.op)) + "' is not supported");
    return nullptr;
}

Exec FunctionDecoder::decode_unsupported(const Instruction&, Decoded&) {
    return nullptr;
}

bool FunctionDecoder::runs_off_the_end() const {
    const auto count = static_cast<std::uint32_t>(function_.instructions.size());
    for (const ptx::Label& label : function_.labels)
        if (label.instruction >= count) return true;
    if (count == 0) return true;
    const Instruction& last = function_.instructions.back();
    return (ptx::info(last.op).flags & ptx::op_flag::ends) == 0 || last.guard != ptx::no_index;
}

void FunctionDecoder::find_places() {
    const ptx::Cfg cfg = ptx::build_cfg(function_);
    const ptx::LoopNest nest = ptx::find_loops(cfg);
    code_.places.resize(code_.plain.size());
    std::vector<std::uint32_t> ordered(cfg.blocks.size());
    for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
        ordered[nest.place[b]] = b;
    std::uint32_t place = 0;
    for (const std::uint32_t b : ordered)
        for (std::uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].end; ++i)
            code_.places[i] = {place++, nest.inner[b], trace::none};
    for (std::size_t i = function_.instructions.size(); i < code_.places.size(); ++i)
        code_.places[i].place = place++;
    for (std::uint32_t loop = 0; loop < nest.loops.size(); ++loop) {
        const ptx::Block& header = cfg.blocks[nest.loops[loop].header];
        code_.loops.push_back(nest.loops[loop].parent);
        code_.places[header.first].header_of = loop;
        if (header.first == 0) continue;
        for (std::uint32_t around = code_.places[header.first - 1].loop; around != ptx::no_index;
             around = nest.loops[around].parent)
            if (around == loop) {
                code_.plain[header.first - 1].flags |= decoded_flag::next_round;
                code_.traced[header.first - 1].flags |= decoded_flag::next_round;
            }
    }
}

void FunctionDecoder::append_return() {
    Instruction ret;
    ret.op = Op::ret;
    Decoded decoded;
    decoded.guard = all_ones_ref;
    decoded.flags = decoded_flag::control | decoded_flag::flow_only;
    decoded.run = select_ret(ret, false);
    code_.plain.push_back(decoded);
    decoded.run = select_ret(ret, true);
    code_.traced.push_back(decoded);
}

FunctionCode decode_function(const DecodeContext& context, const ptx::Function& function,
                             const ptx::StepTable& steps, std::uint32_t first_pc) {
    return FunctionDecoder(context, function, steps, first_pc).run();
}

}  // namespace lanescope::simt
