#include "gpu/traced/probes.h"

#include <algorithm>
#include <set>

#include "gpu/traced/operands.h"
#include "ptx/parser.h"

namespace lanescope::gpu {
namespace {

using ptx::Form;
using ptx::Function;
using ptx::Instruction;
using ptx::Op;
using ptx::Operand;

bool waits(Op op) {
    const unsigned flags = ptx::info(op).flags;
    return (flags & ptx::op_flag::barrier) != 0 || op == Op::bar_warp_sync || op == Op::barrier_cluster_wait;
}

// Instructions that access memory without records.
bool unknown_access(const Instruction& made) {
    const auto& [text, operands, flags, form] = ptx::info(made.op);
    if (form == Form::load || form == Form::store || form == Form::atomic)
        return made.type() == ptx::Type::b128 ||
               (made.vector_length() > 1 && (flags & ptx::op_flag::atomic) != 0) ||
               ptx::size_bytes(made.type()) * made.vector_length() > 16;
    return (flags & ptx::op_flag::access) != 0;
}

class ProbeMaker {
  public:
    ProbeMaker(const ptx::Module& module, const simt::Program& program, const std::string& file,
               const std::string& kernel)
        : module_(module),
          program_(program),
          file_(file),
          runs_(what_runs(kernel)),
          of_program_(!kernel.empty()) {
        made_.functions.resize(module.functions.size());
        made_.point.resize(program.code.size() + 1);
        made_.access_bytes.resize(program.code.size() + 1);
        made_.operands.resize(program.code.size() + 1);
        for (std::uint32_t i = 0; i < module.functions.size(); ++i)
            if (module.functions[i].has_body) add(i);
        if (made_.grids) number_parameters(*made_.grids);
        mark_returns();
        copy_points();
    }

    Result<Probes> take() {
        if (!problems_.empty()) return problems_;
        return std::move(made_);
    }

  private:
    // The functions that the kernel can reach; without a name, all.
    std::vector<bool> what_runs(const std::string& kernel) const {
        std::vector<bool> runs(module_.functions.size(), kernel.empty());
        std::vector<std::uint32_t> open;
        const auto reach = [&](std::uint32_t index) {
            if (index >= runs.size() || runs[index]) return;
            runs[index] = true;
            open.push_back(index);
        };
        for (std::uint32_t i = 0; i < runs.size(); ++i)
            if (module_.functions[i].name == kernel) reach(i);
        while (!open.empty()) {
            const simt::DecodedFunction& from = program_.functions[open.back()];
            open.pop_back();
            for (std::uint32_t pc = from.first_pc; pc < from.end_pc; ++pc) {
                if (program_.ops[pc] != Op::call) continue;
                if (callee_of(pc) != trace::none) reach(callee_of(pc));
                // A kernel that is launched stands as an address in the code, or in a variable.
                for (std::uint32_t i = 0; launches_grid(pc) && i < runs.size(); ++i)
                    if (module_.functions[i].kind == Function::Kind::entry &&
                        has_address(module_.functions[i].name))
                        reach(i);
                // A call of an address may go to any function that is not a kernel.
                for (std::uint32_t i = 0; callee_of(pc) == trace::none && i < runs.size(); ++i)
                    if (module_.functions[i].kind != Function::Kind::entry) reach(i);
            }
        }
        return runs;
    }

    bool launches_grid(std::uint32_t pc) const {
        using simt::Builtin;
        const std::uint32_t callee = callee_of(pc);
        if (callee == trace::none) return false;
        const Builtin builtin = program_.functions[callee].builtin;
        return builtin == Builtin::parameter_buffer || builtin == Builtin::launch_device;
    }

    void refuse(std::uint32_t pc, const std::string& what) {
        if (!runs_[program_.function_of(pc)]) return;
        const std::uint32_t line = program_.description.code_rows[pc].line;
        problems_.push_back(error_at(file_, static_cast<int>(line), 0,
                                     "a traced run on the GPU does not record " + what + " (PTX line " +
                                         std::to_string(program_.description.code_rows[pc].ptx_line) + ")",
                                     "the CPU engine does: --engine cpu"));
    }

    void add(std::uint32_t index) {
        const Function& function = module_.functions[index];
        const simt::DecodedFunction& decoded = program_.functions[index];
        ptx::FunctionProbe& probe = made_.functions[index];
        probe.first_pc = decoded.first_pc;
        probe.instructions.resize(function.instructions.size());
        for (std::uint32_t i = 0; i < function.instructions.size(); ++i)
            add(function, decoded, i, probe.instructions[i]);
        for (std::uint32_t i = 0; i < function.instructions.size(); ++i)
            if (function.instructions[i].op == Op::call) add_call(function, decoded.first_pc, i, probe);
        mark_flow(index);
        if (decoded.entry) add_symbols(decoded, probe);
        for (std::uint32_t i = 0; i < function.variables.size(); ++i)
            if (i < decoded.local_offsets.size() && decoded.local_offsets[i] != ~0ull)
                probe.locals.push_back({i, local_number + i});
    }

    void add(const Function& function, const simt::DecodedFunction& decoded, std::uint32_t i,
             ptx::InstructionProbe& probe) {
        const Instruction& made = function.instructions[i];
        const std::uint32_t pc = decoded.first_pc + i;
        made_.traps = made_.traps || made.op == Op::trap;
        made_.takes_addresses =
            made_.takes_addresses || (made.op == Op::cvta && ptx::is_parameter(made.space()));
        if ((ptx::info(made.op).flags & ptx::op_flag::barrier) != 0) add_operands(function, made, probe);
        for (const std::uint32_t watched : program_.writes[pc])
            probe.values.push_back({decoded.watched[watched].reg, watched});
        probe.source_lane = made.op == Op::shfl;
        if (made.op == Op::call) return;
        if (records_operands(made)) {
            if (!knows_object(made)) return refuse(pc, "'" + ptx::print(function, made) + "'");
            probe.operands = recorded_operands(made);
            probe.result = records_result(made);
            made_.operands[pc] = static_cast<std::uint8_t>(probe.operands.size());
            return;
        }
        if (unknown_access(made)) return refuse(pc, "'" + ptx::print(function, made) + "'");
        if ((ptx::info(made.op).flags & ptx::op_flag::access) == 0 || ptx::is_parameter(made.space())) return;
        probe.access = true;
        made_.access_bytes[pc] =
            static_cast<std::uint8_t>(ptx::size_bytes(made.type()) * std::max(1u, made.vector_length()));
    }

    // Only programs make objects of surfaces.
    bool knows_object(const Instruction& made) const {
        return ptx::info(made.op).form != Form::surface || of_program_;
    }

    // Which barrier, and how many threads.
    static void add_operands(const Function& function, const Instruction& made,
                             ptx::InstructionProbe& probe) {
        for (std::size_t i = ptx::first_source(made); i < made.operands.size(); ++i) {
            const Operand& operand = made.operands[i];
            if (operand.kind == Operand::Kind::reg && function.registers[operand.reg].type != ptx::Type::pred)
                probe.values.push_back({operand.reg, operand_value});
        }
    }

    // The operands that a call's arguments are stored from, in the order of the stores.
    static std::vector<ptx::RecordedOperand> stored_arguments(const Function& function, std::uint32_t first,
                                                              std::uint32_t call) {
        std::vector<ptx::RecordedOperand> list;
        for (std::uint32_t i = first; i < call; ++i) {
            const Instruction& made = function.instructions[i];
            list.push_back({made.operands[1], made.type(), ptx::Space::generic});
        }
        return list;
    }

    void add_call(const Function& function, std::uint32_t first_pc, std::uint32_t call,
                  ptx::FunctionProbe& probe) {
        using simt::Builtin;
        const std::uint32_t callee = callee_of(first_pc + call);
        if (callee == trace::none || !runs_[program_.function_of(first_pc + call)]) return;
        const Builtin builtin = program_.functions[callee].builtin;
        const bool launches = launches_grid(first_pc + call);
        const bool allocates = builtin == Builtin::allocate || builtin == Builtin::release;
        const bool without_memory = builtin == Builtin::none || builtin == Builtin::printf ||
                                    builtin == Builtin::assertion || builtin == Builtin::last_error ||
                                    builtin == Builtin::peek_error;
        if (without_memory) return;
        if (!launches && !allocates)
            return refuse(first_pc + call,
                          "device-side '" + simt::user_name(program_.functions[callee].name) + "'");
        if (launches) made_.grids.emplace();
        made_.allocates = made_.allocates || allocates;
        std::uint32_t first = call;
        while (first > 0 && stores_argument(function.instructions[first - 1]))
            --first;
        ptx::InstructionProbe& arguments = probe.instructions[first];
        arguments.operands = stored_arguments(function, first, call);
        arguments.counts_threads = builtin == Builtin::parameter_buffer;
        made_.operands[first_pc + first] = static_cast<std::uint8_t>(arguments.operands.size());
        made_.calls[first_pc + first] = {builtin, false};
        if (builtin != Builtin::allocate && builtin != Builtin::parameter_buffer) return;
        if (call + 1 >= function.instructions.size() || !loads_result(function.instructions[call + 1]))
            return;
        probe.instructions[call + 1].result = true;
        probe.instructions[call + 1].new_grid = builtin == Builtin::parameter_buffer;
        made_.calls[first_pc + call + 1] = {builtin, true};
    }

    static bool loads_result(const Instruction& made) {
        return made.op == Op::ld && ptx::is_parameter(made.space()) &&
               made.operands[0].kind == Operand::Kind::reg;
    }

    // One more parameter of every kernel, at the same offset.
    void number_parameters(ptx::GridSlots& grids) const {
        constexpr std::uint32_t alignment = 8;
        grids.parameter_bytes.resize(module_.functions.size());
        for (const simt::Kernel& kernel : program_.kernels) {
            grids.parameter_bytes[kernel.function] = kernel.parameter_bytes;
            grids.offset_bytes = std::max(grids.offset_bytes,
                                          (kernel.parameter_bytes + alignment - 1) / alignment * alignment);
        }
    }

    std::uint32_t callee_of(std::uint32_t pc) const {
        const std::uint32_t site = program_.code[pc].target;
        return site < program_.calls.size() ? program_.calls[site].callee : trace::none;
    }

    // Marks instructions that execution can reach from elsewhere or later than the instruction before, and
    // the beginnings of steps.
    void mark_flow(std::uint32_t index) {
        const Function& function = module_.functions[index];
        const simt::DecodedFunction& decoded = program_.functions[index];
        const std::uint32_t first = decoded.first_pc;
        const auto mark = [&](std::uint32_t i) {
            if (i < function.instructions.size()) made_.point[first + i] = true;
        };
        if (decoded.entry) mark(0);
        for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
            const Instruction& made = function.instructions[i];
            const std::uint32_t line = program_.traced_code[first + i].line;
            if (line != 0 && (i == 0 || program_.traced_code[first + i - 1].line != line) &&
                !in_call(function, i))
                mark(i);
            if (waits(made.op)) mark(i + 1);
            if (tests_barrier_object(made.op)) {
                mark(i);
                mark(i + 1);
            }
            if ((ptx::info(made.op).flags & ptx::op_flag::branch) == 0) continue;
            mark(i + 1);
            for (const Operand& operand : made.operands)
                mark_target(function, operand, mark);
        }
        for (const ptx::BranchTargets& targets : function.branch_targets)
            if (!targets.calls)
                for (const std::uint32_t label : targets.labels)
                    mark(function.labels[label].instruction);
        if (has_address(function.name)) mark(0);
    }

    // Whether code or a variable holds the function's address.
    bool has_address(const std::string& name) const {
        const bool in_code =
            std::any_of(module_.functions.begin(), module_.functions.end(), [&](const Function& f) {
                return std::any_of(f.instructions.begin(), f.instructions.end(), [&](const Instruction& i) {
                    return i.op != Op::call &&
                           std::any_of(i.operands.begin(), i.operands.end(), [&](const Operand& o) {
                               return o.kind == Operand::Kind::symbol && o.name == name;
                           });
                });
            });
        return in_code || named_by_initialiser(name);
    }

    bool named_by_initialiser(const std::string& name) const {
        return std::any_of(
            module_.variables.begin(), module_.variables.end(), [&](const ptx::Variable& variable) {
                return std::any_of(variable.initial.begin(), variable.initial.end(),
                                   [&](const ptx::Initialiser& initial) { return initial.symbol == name; });
            });
    }

    template <class Mark>
    static void mark_target(const Function& function, const Operand& operand, const Mark& mark) {
        if (operand.kind == Operand::Kind::label && operand.label != ptx::no_index)
            mark(function.labels[operand.label].instruction);
    }

    // Between the arguments of a call and the call nothing is inserted.
    static bool in_call(const Function& function, std::uint32_t i) {
        const Instruction& made = function.instructions[i];
        if (made.op == Op::call) return i > 0 && stores_argument(function.instructions[i - 1]);
        return stores_argument(made) && i > 0 && stores_argument(function.instructions[i - 1]);
    }
    static bool stores_argument(const Instruction& made) {
        return made.op == Op::st && ptx::is_parameter(made.space());
    }

    // Lanes that parted in a function may come back one after the other.
    void mark_returns() {
        std::vector<bool> loud(module_.functions.size());
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t i = 0; i < module_.functions.size(); ++i) {
                if (loud[i] || !module_.functions[i].has_body || !is_loud(i, loud)) continue;
                loud[i] = changed = true;
            }
        }
        for (std::uint32_t pc = 0; pc + 1 < program_.code.size(); ++pc)
            if (program_.ops[pc] == Op::call && (callee_of(pc) == trace::none || loud[callee_of(pc)]))
                made_.point[after_results(pc)] = true;
    }

    bool is_loud(std::uint32_t index, const std::vector<bool>& loud) const {
        const simt::DecodedFunction& decoded = program_.functions[index];
        for (std::uint32_t pc = decoded.first_pc; pc < decoded.end_pc; ++pc) {
            if (made_.point[pc]) return true;
            if (program_.ops[pc] != Op::call) continue;
            const std::uint32_t callee = callee_of(pc);
            if (callee == trace::none || loud[callee]) return true;
        }
        return false;
    }

    // Behind the loads of a call's results.
    std::uint32_t after_results(std::uint32_t pc) const {
        const std::uint32_t function = program_.function_of(pc),
                            first = program_.functions[function].first_pc;
        const auto& instructions = module_.functions[function].instructions;
        for (++pc; pc - first < instructions.size(); ++pc) {
            const Instruction& made = instructions[pc - first];
            if (made.op != Op::ld || !ptx::is_parameter(made.space())) return pc;
        }
        return pc;
    }

    void add_symbols(const simt::DecodedFunction& decoded, ptx::FunctionProbe& probe) const {
        const simt::Kernel* kernel = program_.find_kernel(decoded.symbol);
        // Pointers to another block's variable have addresses of their own, also in a cluster of one block.
        const bool maps = std::find(program_.ops.begin(), program_.ops.end(), Op::mapa) != program_.ops.end();
        for (const simt::Kernel::Placed& placed : kernel->shared)
            for (const bool of_cluster : {false, true})
                if (!of_cluster || maps)
                    probe.symbols.push_back({program_.shared[placed.symbol].name, ptx::Space::shared,
                                             shared_number + placed.symbol, of_cluster});
        // What comes later has no name yet.
        for (std::uint32_t i = 0; i <= kernel->function; ++i)
            if (program_.functions[i].entry && has_address(module_.functions[i].name))
                probe.symbols.push_back({module_.functions[i].name, ptx::Space::generic, kernel_number + i});
        probe.workspace = kernel->reads_workspace;
        probe.workspace_number = grid_barrier_number;
        for (std::uint32_t i = 0; i < program_.variables.size(); ++i) {
            const bool constant = program_.variables[i].window == simt::Window::constant;
            probe.symbols.push_back({program_.variables[i].name,
                                     constant ? ptx::Space::const_ : ptx::Space::global,
                                     variable_number + i});
        }
    }

    void copy_points() {
        for (ptx::FunctionProbe& probe : made_.functions)
            for (std::uint32_t i = 0; i < probe.instructions.size(); ++i)
                probe.instructions[i].point = made_.point[probe.first_pc + i];
    }

    const ptx::Module& module_;
    const simt::Program& program_;
    const std::string& file_;
    std::vector<bool> runs_;  // by function
    bool of_program_;         // one kernel of a program runs, in the program's memory
    Probes made_;
    Diagnostics problems_;
};

}  // namespace

Result<Probes> make_probes(const ptx::Module& module, const simt::Program& program, const std::string& file,
                           const std::string& kernel) {
    return ProbeMaker(module, program, file, kernel).take();
}

}  // namespace lanescope::gpu
