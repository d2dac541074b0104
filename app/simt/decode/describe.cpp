#include "simt/decode/describe.h"

#include <algorithm>

#include "ptx/register_use.h"
#include "simt/program/frame_layout.h"

namespace lanescope::simt {

namespace {

using Home = trace::Variable::Home;
using DebugHome = ptx::DebugVariable::Home;

class Describer {
  public:
    Describer(const ptx::Module& module, const ptx::DebugFunction& debug, std::uint32_t index,
              const FunctionCode& code, Program& program)
        : function_(module.functions[index]),
          debug_(debug),
          code_(code),
          program_(program),
          decoded_(program.functions[index]),
          description_(program.description.functions[index]) {}

    void run() {
        for (const ptx::DebugVariable& variable : debug_.variables)
            if (variable.user_code) add(variable);
        description_.slots = static_cast<std::uint32_t>(decoded_.slot_homes.size());
        mark_writes();
    }

  private:
    std::uint32_t pc(std::uint32_t instruction) const {
        return std::min(
            decoded_.first_pc + std::min<std::uint32_t>(
                                    instruction, static_cast<std::uint32_t>(function_.instructions.size())),
            decoded_.end_pc);
    }

    void add(const ptx::DebugVariable& variable) {
        trace::Variable made;
        made.name = variable.name;
        made.type = variable.type;
        made.line = variable.line;
        made.parameter = variable.parameter;
        made.scope_begin_pc = pc(variable.scope_begin);
        made.scope_end_pc = pc(variable.scope_end);
        if (place(variable, made)) description_.variables.push_back(std::move(made));
    }

    bool place(const ptx::DebugVariable& variable, trace::Variable& made) {
        switch (variable.home) {
            case DebugHome::registers:
                return place_in_registers(variable, made);
            case DebugHome::local_memory:
                return place_in_local(variable, made);
            case DebugHome::symbol:
                return place_at_symbol(variable, made);
            case DebugHome::constant:
                made.home = Home::value;
                for (const std::uint8_t byte : variable.constant)
                    made.value.push_back(std::byte{byte});
                return true;
            case DebugHome::none:
                break;
        }
        return false;
    }

    bool place_in_registers(const ptx::DebugVariable& variable, trace::Variable& made) {
        made.home = Home::slot;
        made.slot = static_cast<std::uint32_t>(decoded_.slot_homes.size());
        auto& pairs = decoded_.slot_homes.emplace_back();
        for (const ptx::Binding& binding : variable.bindings) {
            if (binding.reg >= function_.registers.size()) continue;
            const std::uint32_t watched = watch(binding.reg);
            const std::uint32_t pair = pair_for(made.slot, watched, pairs);
            program_.bindings[pc(binding.instruction)].push_back(pair);
            if (pc(binding.instruction) < program_.traced_code.size())
                program_.traced_code[pc(binding.instruction)].flags |= decoded_flag::bindings;
        }
        return true;
    }

    std::uint32_t pair_for(std::uint32_t slot, std::uint32_t watched, std::vector<std::uint32_t>& pairs) {
        for (const std::uint32_t pair : pairs)
            if (decoded_.homes[pair].reg == watched) return pair;
        const auto pair = static_cast<std::uint32_t>(decoded_.homes.size());
        decoded_.homes.push_back({slot, watched});
        decoded_.watched[watched].pairs.push_back(pair);
        pairs.push_back(pair);
        return pair;
    }

    std::uint32_t watch(std::uint32_t reg) {
        const auto [found, added] =
            watched_.try_emplace(reg, static_cast<std::uint32_t>(decoded_.watched.size()));
        if (!added) return found->second;
        const ptx::Type type = function_.registers[reg].type;
        WatchedRegister made;
        made.ref = code_.registers[reg];
        made.reg = reg;
        made.kind = type == ptx::Type::pred ? WatchedRegister::Kind::predicate
                    : is_wide(type)         ? WatchedRegister::Kind::wide
                                            : WatchedRegister::Kind::narrow;
        decoded_.watched.push_back(std::move(made));
        return found->second;
    }

    void mark_writes() {
        for (std::uint32_t i = 0; i < function_.instructions.size(); ++i) {
            for (const std::uint32_t reg : ptx::writes(function_.instructions[i])) {
                const auto found = watched_.find(reg);
                if (found == watched_.end()) continue;
                program_.writes[pc(i)].push_back(found->second);
                program_.traced_code[pc(i)].flags |= decoded_flag::watched;
            }
        }
    }

    bool place_in_local(const ptx::DebugVariable& variable, trace::Variable& made) {
        for (std::size_t i = 0; i < function_.variables.size(); ++i) {
            if (function_.variables[i].name != variable.symbol || code_.local_offsets[i] == ~0ull) continue;
            made.home = Home::local;
            made.offset = code_.local_offsets[i] + variable.offset;
            return true;
        }
        return false;
    }

    bool place_at_symbol(const ptx::DebugVariable& variable, trace::Variable& made) {
        for (const ModuleVariable& known : program_.variables) {
            if (known.name != variable.symbol) continue;
            made.home = known.window == Window::constant ? Home::constant_space : Home::global;
            made.offset = known.address - window_start(known.window) + variable.offset;
            return true;
        }
        for (const Kernel& kernel : program_.kernels) {
            for (const Kernel::Placed& placed : kernel.shared) {
                if (program_.shared[placed.symbol].name != variable.symbol) continue;
                made.home = Home::shared;
                made.offset = placed.offset + variable.offset;
                return true;
            }
        }
        return false;
    }

    const ptx::Function& function_;
    const ptx::DebugFunction& debug_;
    const FunctionCode& code_;
    Program& program_;
    DecodedFunction& decoded_;
    trace::Function& description_;
    std::unordered_map<std::uint32_t, std::uint32_t> watched_;
};

}  // namespace

void describe_variables(const ptx::Module& module, const ptx::DebugInfo& debug, std::uint32_t index,
                        const FunctionCode& code, Program& program) {
    if (const ptx::DebugFunction* known = debug.find_function(index))
        Describer(module, *known, index, code, program).run();
}

}  // namespace lanescope::simt
