#include "analysis/turn_flow.h"

#include <bit>
#include <set>
#include <utility>

#include "analysis/code.h"
#include "analysis/executed_pcs.h"
#include "ptx/register_use.h"

namespace lanescope::analysis {

namespace {

using Ordinals = std::set<std::uint16_t>;

// Registers of two functions may have the same number.
using Register = std::pair<const ptx::Function*, std::uint32_t>;

// The loads from which the current values come.
class Values {
  public:
    Ordinals read(const ptx::Function* function, const ptx::Instruction& instruction) {
        if (in_parameters(instruction, ptx::Op::ld)) {
            parameters_read_ = true;
            return parameters_;
        }
        Ordinals loads;
        for (const std::uint32_t number : ptx::operand_reads(instruction))
            if (const auto value = registers_.find({function, number}); value != registers_.end())
                loads.insert(value->second.begin(), value->second.end());
        return loads;
    }

    void write(const ptx::Function* function, const ptx::Instruction& instruction, const Ordinals& loads) {
        if (in_parameters(instruction, ptx::Op::st)) {
            // Several arguments come together until they are read.
            if (std::exchange(parameters_read_, false)) parameters_.clear();
            parameters_.insert(loads.begin(), loads.end());
        }
        for (const std::uint32_t number : ptx::writes(instruction))
            registers_[{function, number}] = loads;
    }

    Ordinals& stack(std::uint64_t offset) { return stack_[offset]; }

  private:
    // Arguments and results of functions: parameter space is one place for all of them.
    static bool in_parameters(const ptx::Instruction& instruction, ptx::Op op) {
        return instruction.op == op && instruction.space() == ptx::Space::param;
    }

    std::map<Register, Ordinals> registers_;
    std::map<std::uint64_t, Ordinals> stack_;
    Ordinals parameters_;
    bool parameters_read_ = false;
};

}  // namespace

TurnFlow::TurnFlow(const trace::Program& program) : program_(&program) {}
TurnFlow::~TurnFlow() = default;
TurnFlow::TurnFlow(TurnFlow&&) noexcept = default;
TurnFlow& TurnFlow::operator=(TurnFlow&&) noexcept = default;

TurnFlow::Sources TurnFlow::sources(const trace::Turn& turn, const trace::TurnDetail& detail) {
    if (!code_) code_ = std::make_unique<const Code>(*program_);
    Sources sources;
    if (code_->at(turn.pc) == nullptr) return sources;
    std::map<std::uint16_t, const trace::Access*> accesses;
    for (const trace::Access& access : detail.accesses)
        accesses.emplace(access.ordinal, &access);
    Values values;
    const std::vector<std::uint32_t> pcs = executed_pcs(turn, detail);
    for (std::size_t i = 0; i < pcs.size(); ++i) {
        const ptx::Instruction* instruction = code_->at(pcs[i]);
        if (instruction == nullptr) continue;
        const ptx::Function* function = code_->function_at(pcs[i]);
        const auto ordinal = static_cast<std::uint16_t>(i);
        Ordinals loads = values.read(function, *instruction);
        const auto access = accesses.find(ordinal);
        if (access != accesses.end() && access->second->space == trace::Space::local) {
            // A variable on the stack hands on what was put into it.
            const auto lane = static_cast<unsigned>(std::countr_zero(access->second->mask));
            Ordinals& kept = values.stack(access->second->offset[lane % trace::warp_size]);
            if (access->second->kind == trace::AccessKind::store)
                kept = loads;
            else
                loads = kept;
        } else if (access != accesses.end()) {
            if (access->second->kind != trace::AccessKind::load)
                sources[ordinal] = {loads.begin(), loads.end()};
            loads = {ordinal};
        }
        values.write(function, *instruction, loads);
    }
    return sources;
}

}  // namespace lanescope::analysis
