#include "analysis/turn_flow.h"

#include <bit>
#include <set>
#include <string>
#include <utility>

#include "analysis/code.h"
#include "analysis/executed_pcs.h"
#include "ptx/register_use.h"

namespace lanescope::analysis {

namespace {

using Loads = std::set<std::uint32_t>;  // by number

// Registers of two functions may have the same number.
using Register = std::pair<const ptx::Function*, std::uint32_t>;

// The loads from which the current values come.
class Values {
  public:
    Loads read(const ptx::Function* function, const ptx::Instruction& instruction) {
        Loads loads;
        if (in_parameters(instruction, ptx::Op::ld)) {
            if (const auto value = parameters_.find(place(instruction)); value != parameters_.end()) {
                value->second.read = true;
                return value->second.loads;
            }
            return loads;
        }
        for (const std::uint32_t number : ptx::operand_reads(instruction))
            add(loads, function, number);
        return loads;
    }

    // The loads from which the instruction's addresses come.
    Loads addresses(const ptx::Function* function, const ptx::Instruction& instruction) const {
        Loads loads;
        for (const ptx::Operand& operand : instruction.operands)
            if (operand.kind == ptx::Operand::Kind::address && operand.reg != ptx::no_index)
                add(loads, function, operand.reg);
        return loads;
    }

    void write(const ptx::Function* function, const ptx::Instruction& instruction, const Loads& loads) {
        if (in_parameters(instruction, ptx::Op::st)) {
            // Members of a structure come together until they are read.
            Parameter& parameter = parameters_[place(instruction)];
            if (std::exchange(parameter.read, false)) parameter.loads.clear();
            parameter.loads.insert(loads.begin(), loads.end());
        }
        for (const std::uint32_t number : ptx::writes(instruction))
            registers_[{function, number}] = loads;
    }

    Loads& stack(std::uint64_t offset) { return stack_[offset]; }

  private:
    void add(Loads& loads, const ptx::Function* function, std::uint32_t number) const {
        if (const auto value = registers_.find({function, number}); value != registers_.end())
            loads.insert(value->second.begin(), value->second.end());
    }

    static bool in_parameters(const ptx::Instruction& instruction, ptx::Op op) {
        return instruction.op == op && instruction.space() == ptx::Space::param;
    }

    // An argument or a result of a function: its caller names it "param1" or "retval0", the function itself
    // "f_param_1" or "func_retval0".
    static std::pair<bool, std::string> place(const ptx::Instruction& instruction) {
        for (const ptx::Operand& operand : instruction.operands)
            if (operand.kind == ptx::Operand::Kind::address)
                return {operand.name.find("retval") != std::string::npos,
                        operand.name.substr(operand.name.find_last_not_of("0123456789") + 1)};
        return {};
    }

    std::map<Register, Loads> registers_;
    std::map<std::uint64_t, Loads> stack_;
    struct Parameter {
        Loads loads;
        bool read = false;
    };
    std::map<std::pair<bool, std::string>, Parameter> parameters_;
};

// Runs the registers of some lanes through a turn. A load gets the number `first_number` plus its ordinal.
// `reached` is called for each access that writes, with the loads of its operands and those of its address.
template <class Reached>
void run_turn(const Code& code, const trace::Turn& turn, const trace::TurnDetail& detail, trace::Mask lanes,
              std::uint32_t first_number, Values& values, const Reached& reached) {
    std::map<std::uint16_t, const trace::Access*> accesses;
    for (const trace::Access& access : detail.accesses)
        if ((access.mask & lanes) != 0) accesses.emplace(access.ordinal, &access);
    const std::vector<std::uint32_t> pcs = executed_pcs(turn, detail);
    for (std::size_t i = 0; i < pcs.size(); ++i) {
        const ptx::Instruction* instruction = code.at(pcs[i]);
        if (instruction == nullptr) continue;
        const ptx::Function* function = code.function_at(pcs[i]);
        const auto ordinal = static_cast<std::uint16_t>(i);
        Loads loads = values.read(function, *instruction);
        const auto access = accesses.find(ordinal);
        if (access != accesses.end() && access->second->space == trace::Space::local) {
            // A variable on the stack hands on what was put into it.
            const auto lane = static_cast<unsigned>(std::countr_zero(access->second->mask & lanes));
            Loads& kept = values.stack(access->second->offset[lane % trace::warp_size]);
            if (access->second->kind == trace::AccessKind::store)
                kept = loads;
            else
                loads = kept;
        } else if (access != accesses.end()) {
            if (access->second->kind != trace::AccessKind::load)
                reached(*access->second, loads, values.addresses(function, *instruction));
            loads = {first_number + ordinal};
        }
        values.write(function, *instruction, loads);
    }
}

// The turns of the same warp before this one, the latest first.
std::vector<std::uint64_t> turns_before(const trace::Trace& trace, std::uint64_t turn) {
    constexpr std::size_t most_turns = 24, most_others = 4096;
    const trace::Turn& here = trace.turns[turn];
    const std::uint64_t begin = trace.launches[trace.launch_of(turn)].first_turn;
    std::vector<std::uint64_t> found;
    for (std::uint64_t at = turn, passed = 0; at > begin && found.size() < most_turns && passed < most_others;
         ++passed)
        if (const trace::Turn& before = trace.turns[--at];
            before.warp == here.warp && before.block == here.block)
            found.push_back(at);
    return found;
}

}  // namespace

TurnFlow::TurnFlow(const trace::Program& program) : program_(&program) {}
TurnFlow::~TurnFlow() = default;
TurnFlow::TurnFlow(TurnFlow&&) noexcept = default;
TurnFlow& TurnFlow::operator=(TurnFlow&&) noexcept = default;

TurnFlow::Sources TurnFlow::sources(const trace::Turn& turn, const trace::TurnDetail& detail) {
    if (!code_) code_ = std::make_unique<const Code>(*program_);
    Sources sources;
    if (code_->at(turn.pc) == nullptr) return sources;
    Values values;
    run_turn(*code_, turn, detail, ~trace::Mask{0}, 0, values,
             [&](const trace::Access& access, const Loads& loads, const Loads&) {
                 sources[access.ordinal] = {loads.begin(), loads.end()};
             });
    return sources;
}

std::vector<TurnFlow::Chosen> TurnFlow::chosen_places(const trace::Trace& trace,
                                                      const trace::TurnDetail& detail) {
    if (!code_) code_ = std::make_unique<const Code>(*program_);
    std::vector<Chosen> chosen;
    const trace::Turn& here = trace.turns[detail.turn];
    if (code_->at(here.pc) == nullptr) return chosen;
    const std::vector<std::uint64_t> earlier = turns_before(trace, detail.turn);
    std::vector<trace::TurnDetail> details(earlier.size());
    for (std::size_t i = 0; i < earlier.size(); ++i)
        trace::decode(trace, earlier[i], details[i]);
    // Lanes that took part in the same turns have the same way behind them.
    for (trace::Mask left = here.mask; left != 0;) {
        const auto first = static_cast<unsigned>(std::countr_zero(left));
        trace::Mask together = left;
        for (const std::uint64_t turn : earlier)
            together &=
                (trace.turns[turn].mask >> first & 1) != 0 ? trace.turns[turn].mask : ~trace.turns[turn].mask;
        left &= ~together;
        Values values;
        constexpr std::uint32_t numbers_of_a_turn = 1 << 16;
        for (std::size_t i = earlier.size(); i-- > 0;)
            if ((trace.turns[earlier[i]].mask & together) != 0)
                run_turn(*code_, trace.turns[earlier[i]], details[i], together,
                         static_cast<std::uint32_t>(i) * numbers_of_a_turn, values,
                         [](const trace::Access&, const Loads&, const Loads&) {});
        const auto own = static_cast<std::uint32_t>(earlier.size()) * numbers_of_a_turn;
        run_turn(*code_, here, detail, together, own, values,
                 [&](const trace::Access& access, const Loads&, const Loads& addresses) {
                     if (access.kind != trace::AccessKind::atomic) return;
                     for (const std::uint32_t number : addresses) {
                         const trace::TurnDetail& of =
                             number >= own ? detail : details[number / numbers_of_a_turn];
                         for (const trace::Access& load : of.accesses) {
                             if (load.ordinal != number % numbers_of_a_turn) continue;
                             trace::each_lane(load.mask & access.mask & together, [&](unsigned lane) {
                                 chosen.push_back(
                                     {access.ordinal, lane, load.space, load.offset[lane], load.width_bytes});
                             });
                         }
                     }
                 });
    }
    return chosen;
}

}  // namespace lanescope::analysis
