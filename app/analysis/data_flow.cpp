#include "analysis/data_flow.h"

#include <map>
#include <string_view>
#include <unordered_map>

#include "ptx/module.h"
#include "ptx/register_use.h"

namespace lanescope::analysis {
namespace {

using ptx::Function;
using ptx::Instruction;
using ptx::Op;
using ptx::Operand;
using ptx::Reference;

// Places that hold values: a function's registers, parameters, results and parameter-space variables.
class Places {
  public:
    std::uint32_t of(const Function& function, Reference::Kind kind, std::uint32_t index) {
        const auto [base, added] = bases_.try_emplace({&function, kind}, next_);
        if (added) next_ += size(function, kind);
        return base->second + index;
    }
    std::uint32_t reg(const Function& function, std::uint32_t index) {
        return of(function, Reference::Kind::none, index);
    }
    std::uint32_t count() const { return next_; }

  private:
    static std::uint32_t size(const Function& function, Reference::Kind kind) {
        switch (kind) {
            case Reference::Kind::parameter:
                return static_cast<std::uint32_t>(function.parameters.size());
            case Reference::Kind::result:
                return static_cast<std::uint32_t>(function.results.size());
            case Reference::Kind::local:
                return static_cast<std::uint32_t>(function.variables.size());
            default:
                return static_cast<std::uint32_t>(function.registers.size());
        }
    }

    std::map<std::pair<const Function*, Reference::Kind>, std::uint32_t> bases_;
    std::uint32_t next_ = 0;
};

bool names_place(const Operand& operand) {
    const Reference::Kind kind = operand.refers.kind;
    return kind == Reference::Kind::parameter || kind == Reference::Kind::result ||
           kind == Reference::Kind::local;
}

// Implications "if the first is data, so is the second", and the initial data.
class Flow {
  public:
    explicit Flow(const std::unordered_map<std::string_view, const Function*>& functions)
        : functions_(functions) {}

    void add(const Function& function, const Instruction& made) {
        const unsigned flags = ptx::info(made.op).flags;
        if (made.op == Op::call)
            call(function, made);
        else if (made.op == Op::st && ptx::is_parameter(made.space()))
            edges({place(function, made.operands[0])}, values(function, made, 1));
        else if (made.op == Op::ld && ptx::is_parameter(made.space()))
            edges(values_of(function, made.operands[0]), {place(function, made.operands[1])});
        else if (made.op == Op::shfl)  // the lane number is not data
            edges(values_written(function, made),
                  values_of(function, made.operands[ptx::first_source(made)]));
        else if ((flags & (ptx::op_flag::store | ptx::op_flag::atomic)) != 0)
            for (const std::uint32_t value : values(function, made, 0))
                data_.push_back(value);
        else if ((flags & ptx::op_flag::load) == 0 && made.op != Op::setp)
            edges(values_written(function, made), values(function, made, ptx::first_source(made)));
    }

    // Results and parameters that are registers.
    void add_signature(const Function& function) {
        std::uint32_t reg = 0;
        for (std::uint32_t i = 0; i < function.results.size(); ++i)
            if (function.results[i].space == ptx::Space::reg)
                edges({places_.of(function, Reference::Kind::result, i)}, {places_.reg(function, reg++)});
        for (std::uint32_t i = 0; i < function.parameters.size(); ++i)
            if (function.parameters[i].space == ptx::Space::reg)
                edges({places_.reg(function, reg++)}, {places_.of(function, Reference::Kind::parameter, i)});
    }

    // One flag per place.
    std::vector<bool> reach() {
        std::vector<std::vector<std::uint32_t>> next(places_.count());
        for (const auto& [from, to] : edges_)
            next[from].push_back(to);
        std::vector<bool> reached(places_.count());
        while (!data_.empty()) {
            const std::uint32_t at = data_.back();
            data_.pop_back();
            if (at == ptx::no_index || reached[at]) continue;
            reached[at] = true;
            data_.insert(data_.end(), next[at].begin(), next[at].end());
        }
        return reached;
    }

    std::vector<std::uint32_t> values_written(const Function& function, const Instruction& made) {
        std::vector<std::uint32_t> found;
        for (const std::uint32_t reg : ptx::writes(made))
            add_register(function, reg, found);
        return found;
    }

  private:
    using Found = std::vector<std::uint32_t>;

    void add_register(const Function& function, std::uint32_t reg, Found& found) {
        if (function.registers[reg].type != ptx::Type::pred) found.push_back(places_.reg(function, reg));
    }
    void collect(const Function& function, const Operand& operand, Found& found) {
        if (operand.kind == Operand::Kind::address) return;
        if (operand.reg != ptx::no_index) add_register(function, operand.reg, found);
        for (const Operand& element : operand.elements)
            collect(function, element, found);
    }
    Found values_of(const Function& function, const Operand& operand) {
        Found found;
        collect(function, operand, found);
        return found;
    }
    // Registers that are read as values, from this operand on, without an atomic's destination.
    Found values(const Function& function, const Instruction& made, std::size_t first) {
        Found found;
        for (std::size_t i = std::max(first, ptx::first_source(made)); i < made.operands.size(); ++i)
            collect(function, made.operands[i], found);
        return found;
    }
    std::uint32_t place(const Function& function, const Operand& operand) {
        if (names_place(operand)) return places_.of(function, operand.refers.kind, operand.refers.index);
        return ptx::no_index;
    }
    // An argument or a result: a register or a variable of parameter space.
    std::uint32_t passed(const Function& function, const Operand& operand) {
        return operand.reg != ptx::no_index ? places_.reg(function, operand.reg) : place(function, operand);
    }

    void edges(const Found& from, const Found& to) {
        for (const std::uint32_t a : from)
            for (const std::uint32_t b : to)
                if (a != ptx::no_index && b != ptx::no_index) edges_.emplace_back(a, b);
    }

    // [results] callee [arguments]
    void call(const Function& function, const Instruction& made) {
        const std::size_t at = ptx::first_source(made);
        const Operand* results = at == 1 ? &made.operands[0] : nullptr;
        const Operand* arguments = nullptr;
        for (std::size_t i = at + 1; i < made.operands.size(); ++i)
            if (made.operands[i].kind == Operand::Kind::list) arguments = &made.operands[i];
        const bool direct =
            at < made.operands.size() && made.operands[at].refers.kind == Reference::Kind::function;
        if (const Function* callee = direct ? definition(made.operands[at].name) : nullptr) {
            link(function, results, *callee, Reference::Kind::result);
            link(function, arguments, *callee, Reference::Kind::parameter);
        } else if (arguments != nullptr) {
            for (const Operand& argument : arguments->elements)
                data_.push_back(passed(function, argument));
        }
    }

    const Function* definition(const std::string& name) const {
        const auto found = functions_.find(name);
        return found == functions_.end() ? nullptr : found->second;
    }

    void link(const Function& caller, const Operand* list, const Function& callee, Reference::Kind kind) {
        if (list == nullptr) return;
        const auto& declared = kind == Reference::Kind::result ? callee.results : callee.parameters;
        for (std::uint32_t i = 0; i < list->elements.size() && i < declared.size(); ++i) {
            const std::uint32_t outside = passed(caller, list->elements[i]);
            const std::uint32_t inside = places_.of(callee, kind, i);
            if (kind == Reference::Kind::result)
                edges({outside}, {inside});
            else
                edges({inside}, {outside});
        }
    }

    const std::unordered_map<std::string_view, const Function*>& functions_;
    Places places_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
    Found data_;
};

}  // namespace

std::vector<bool> data_instructions(const Code& code, std::uint32_t instructions) {
    std::unordered_map<std::string_view, const Function*> functions;
    for (std::uint32_t pc = 0; pc < instructions; ++pc)
        if (const Function* function = code.function_at(pc)) functions.try_emplace(function->name, function);
    Flow flow(functions);
    for (const auto& [name, function] : functions)
        flow.add_signature(*function);
    for (std::uint32_t pc = 0; pc < instructions; ++pc)
        if (code.at(pc) != nullptr) flow.add(*code.function_at(pc), *code.at(pc));
    std::vector<bool> flags(instructions);
    std::vector<std::vector<std::uint32_t>> written(instructions);
    for (std::uint32_t pc = 0; pc < instructions; ++pc)
        if (code.at(pc) != nullptr) written[pc] = flow.values_written(*code.function_at(pc), *code.at(pc));
    const std::vector<bool> reached = flow.reach();
    for (std::uint32_t pc = 0; pc < instructions; ++pc)
        for (const std::uint32_t place : written[pc])
            flags[pc] = flags[pc] || reached[place];
    return flags;
}

}  // namespace lanescope::analysis
