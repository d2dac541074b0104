#include "analysis/flow/steps.h"

#include <algorithm>

#include "analysis/data_flow.h"
#include "ptx/module.h"
#include "ptx/register_use.h"

namespace lanescope::analysis {

using ptx::Instruction;
using ptx::Op;
using ptx::Operand;
using Reference = ptx::Reference;

namespace {

using Place = std::tuple<std::uint8_t, std::uint32_t, std::uint64_t>;

Place register_place(std::uint32_t number) {
    return {static_cast<std::uint8_t>(Reference::Kind::none), number, 0};
}
Place piece(const Reference& of, std::uint64_t byte) {
    return {static_cast<std::uint8_t>(of.kind), of.index, byte};
}

// What a name in the column `flow` of opcodes.def means.
namespace meaning {

using Kind = FlowStep::Kind;
struct Meaning {
    Kind kind;
    Operator op = Operator::other;
};
constexpr Meaning operate(Operator op) {
    return {Kind::operate, op};
}

constexpr Meaning add = operate(Operator::add), subtract = operate(Operator::subtract),
                  multiply = operate(Operator::multiply), multiply_add = operate(Operator::multiply_add),
                  divide = operate(Operator::divide), remainder = operate(Operator::remainder),
                  minimum = operate(Operator::minimum), maximum = operate(Operator::maximum),
                  bit_and = operate(Operator::bit_and), bit_or = operate(Operator::bit_or),
                  bit_xor = operate(Operator::bit_xor), bits = operate(Operator::bits),
                  negate = operate(Operator::negate), absolute = operate(Operator::absolute),
                  function = operate(Operator::function), select = operate(Operator::select),
                  other = operate(Operator::other);
constexpr Meaning load{Kind::load}, store{Kind::store}, copy{Kind::copy}, atomic{Kind::atomic},
    move{Kind::move}, exchange{Kind::exchange}, reduce{Kind::reduce}, join{Kind::collective, Operator::join},
    matrix{Kind::collective, Operator::matrix}, call{Kind::call}, ret{Kind::ret}, nothing{Kind::nothing};

constexpr Meaning of_opcode[] = {
#define LANESCOPE_OP(name, text, operands, flags, counted, flow, ...) flow,
#include "ptx/opcodes.def"
};

}  // namespace meaning

bool is_parameter_access(const Instruction& made) {
    return (made.op == Op::ld || made.op == Op::st) && ptx::is_parameter(made.space());
}

Operator atomic_operator(const Instruction& made) {
    using ptx::Mod;
    const std::pair<Mod, Operator> known[] = {{Mod::add, Operator::add},     {Mod::min, Operator::minimum},
                                              {Mod::max, Operator::maximum}, {Mod::and_, Operator::bit_and},
                                              {Mod::or_, Operator::bit_or},  {Mod::xor_, Operator::bit_xor}};
    for (const auto& [mod, op] : known)
        if (made.has(mod)) return op;
    return Operator::other;
}

bool is_zero(const Operand& operand) {
    return (operand.kind == Operand::Kind::integer || operand.kind == Operand::Kind::real) &&
           operand.bits == 0;
}

meaning::Meaning meaning_of(const Instruction& made) {
    using Kind = FlowStep::Kind;
    if (is_parameter_access(made)) return meaning::move;
    meaning::Meaning found = meaning::of_opcode[static_cast<std::size_t>(made.op)];
    if (found.kind == Kind::atomic && made.has(ptx::Mod::cas)) found.kind = Kind::compare_swap;
    if (found.kind == Kind::atomic || found.kind == Kind::reduce) found.op = atomic_operator(made);
    if (found.kind == Kind::atomic && made.has(ptx::Mod::exch)) found.op = Operator::store;
    return found;
}

}  // namespace

// Finds the rows of one instruction's operands.
struct FlowSteps::Decoder {
    FlowSteps& steps;
    std::uint32_t function;
    const ptx::Function& of;
    const Instruction& made;
    std::vector<Row> destinations{}, sources{};

    void run() {
        const std::size_t first = std::min(ptx::first_source(made), made.operands.size());
        const std::uint64_t size = ptx::size_bytes(made.type());
        for (std::size_t i = 0; i < made.operands.size(); ++i)
            add(made.operands[i], i < first ? destinations : sources, size);
        // The value that is sent is the first source; the others choose the lane.
        if (made.op == Op::shfl || made.op == Op::redux)
            sources.resize(std::min<std::size_t>(1, sources.size()));
        // The last source is a condition.
        if ((made.op == Op::selp || made.op == Op::slct) && sources.size() > 2) sources.resize(2);
        if (made.op == Op::shfl && destinations.size() > 1) destinations.resize(1);
    }

    void add(const Operand& operand, std::vector<Row>& to, std::uint64_t size) {
        switch (operand.kind) {
            case Operand::Kind::reg:
                if (of.registers[operand.reg].type != ptx::Type::pred)
                    to.push_back(steps.row(function, register_place(operand.reg)));
                return;
            case Operand::Kind::vector:
            case Operand::Kind::pair:
                for (const Operand& element : operand.elements)
                    add(element, to, size);
                return;
            case Operand::Kind::address:
                add_piece(operand, size);
                return;
            case Operand::Kind::discard:
                to.push_back(constant_row);
                return;
            default:
                to.push_back(is_zero(operand) ? zero_row : constant_row);
        }
    }

    // Memory is a source or a destination only in parameter space, where it is rows.
    void add_piece(const Operand& address, std::uint64_t size) {
        if (!is_parameter_access(made)) return;
        std::vector<Row>& to = made.op == Op::ld ? sources : destinations;
        if (address.reg != ptx::no_index || address.refers.kind == Reference::Kind::none) {
            to.push_back(constant_row);
            return;
        }
        for (std::uint32_t i = 0; i < made.vector_length(); ++i)
            to.push_back(steps.row(
                function, piece(address.refers, static_cast<std::uint64_t>(address.offset) + i * size)));
    }
};

FlowSteps::FlowSteps(const Code& code) : code_(code) {
    const auto count = static_cast<std::uint32_t>(code.program().code_rows.size());
    steps_.resize(count);
    places_.resize(code.program().functions.size());
    row_counts_.resize(places_.size());
    const std::vector<bool> data = data_instructions(code, count);
    for (std::uint32_t pc = 0; pc < count; ++pc) {
        known_ = known_ || code.at(pc) != nullptr;
        decode(pc, data[pc]);
    }
    std::uint32_t next = count;
    for (std::uint32_t pc = count; pc-- > 0;) {
        if (steps_[pc].kind != FlowStep::Kind::nothing) next = pc;
        steps_[pc].next = next;
    }
}

void FlowSteps::decode(std::uint32_t pc, bool data) {
    const Instruction* made = code_.at(pc);
    const std::uint32_t function = code_.program().code_rows[pc].function;
    if (made == nullptr || function >= places_.size()) return;
    const meaning::Meaning found = meaning_of(*made);
    FlowStep step;
    step.kind = found.kind;
    step.guarded = made->guard != ptx::no_index;
    using Kind = FlowStep::Kind;
    const bool computes = step.kind == Kind::operate || step.kind == Kind::load ||
                          step.kind == Kind::exchange || step.kind == Kind::reduce ||
                          (step.kind == Kind::move && made->op != Op::st);
    if (computes && !data) return;
    if (step.kind != Kind::call && step.kind != Kind::ret && step.kind != Kind::nothing) {
        Decoder decoder{*this, function, *code_.function_at(pc), *made};
        decoder.run();
        step.op = found.op;
        step.elements = static_cast<std::uint8_t>(std::max(1u, made->vector_length()));
        add_operands(step, decoder.destinations, decoder.sources);
    }
    steps_[pc] = step;
}

void FlowSteps::add_operands(FlowStep& step, const std::vector<Row>& destinations,
                             const std::vector<Row>& sources) {
    step.operands = static_cast<std::uint32_t>(rows_.size());
    step.destinations = static_cast<std::uint8_t>(std::min<std::size_t>(255, destinations.size()));
    step.sources = static_cast<std::uint8_t>(std::min<std::size_t>(255, sources.size()));
    rows_.insert(rows_.end(), destinations.begin(), destinations.begin() + step.destinations);
    rows_.insert(rows_.end(), sources.begin(), sources.begin() + step.sources);
}

Row FlowSteps::row(std::uint32_t function, const Place& place) {
    const auto [found, added] = places_[function].try_emplace(place, static_cast<Row>(row_counts_[function]));
    if (added) ++row_counts_[function];
    return found->second;
}

Row FlowSteps::find(std::uint32_t function, const Place& place) const {
    const auto found = places_[function].find(place);
    return found == places_[function].end() ? constant_row : found->second;
}

const FlowSteps::Links& FlowSteps::links(std::uint32_t pc, std::uint32_t callee) {
    const auto [found, added] = links_.try_emplace(std::uint64_t{pc} << 32 | callee);
    Links& links = found->second;
    const Instruction* made = code_.at(pc);
    if (!added || made == nullptr || callee >= places_.size()) return links;
    const std::uint32_t caller = code_.program().code_rows[pc].function;
    const std::size_t at = ptx::first_source(*made);
    const auto connect = [&](const Operand& list, Reference::Kind kind, std::vector<Link>& to) {
        for (std::uint32_t i = 0; i < list.elements.size(); ++i) {
            const Operand& passed = list.elements[i];
            // Places of this parameter or result in the callee, by byte.
            for (const auto& [place, callee_row] : places_[callee]) {
                const auto& [of, index, byte] = place;
                if (of != static_cast<std::uint8_t>(kind) || index != i) continue;
                const Row caller_row = passed.reg != ptx::no_index ? find(caller, register_place(passed.reg))
                                       : passed.refers.kind != Reference::Kind::none
                                           ? find(caller, piece(passed.refers, byte))
                                       : is_zero(passed) ? zero_row
                                                         : constant_row;
                to.push_back({caller_row, callee_row});
            }
        }
    };
    if (at == 1) connect(made->operands[0], Reference::Kind::result, links.results);
    for (std::size_t i = at + 1; i < made->operands.size(); ++i)
        if (made->operands[i].kind == Operand::Kind::list) {
            connect(made->operands[i], Reference::Kind::parameter, links.arguments);
            break;
        }
    return links;
}

}  // namespace lanescope::analysis
