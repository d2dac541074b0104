#include "analysis/turn_flow.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <set>

#include "analysis/executed_pcs.h"

namespace lanescope::analysis {

namespace {

constexpr std::string_view parameters = "parameters";

bool in_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.';
}

// Registers of a piece of an instruction, in their order.
std::vector<std::string_view> registers(std::string_view text) {
    std::vector<std::string_view> found;
    for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1)) {
        std::size_t end = at + 1;
        while (end < text.size() && in_name(text[end]))
            ++end;
        found.push_back(text.substr(at, end - at));
    }
    return found;
}

// Where the first operand ends: at its comma, not at one inside of { } or [ ].
std::size_t end_of_operand(std::string_view operands) {
    int depth = 0;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        if (operands[i] == '{' || operands[i] == '[' || operands[i] == '(') ++depth;
        if (operands[i] == '}' || operands[i] == ']' || operands[i] == ')') --depth;
        if (operands[i] == ',' && depth == 0) return i;
    }
    return operands.size();
}

bool writes_nothing(std::string_view mnemonic) {
    for (const std::string_view each :
         {"st", "red", "bra", "bar", "barrier", "ret", "exit", "membar", "fence", "trap"})
        if (mnemonic == each ||
            (mnemonic.starts_with(each) && mnemonic.size() > each.size() && mnemonic[each.size()] == '.'))
            return true;
    return false;
}

}  // namespace

TurnFlow::TurnFlow(const trace::Program& program) : program_(program) {
    for (std::size_t at = 0; at < program.ptx.size();) {
        lines_.push_back(at);
        const std::size_t end = program.ptx.find('\n', at);
        if (end == std::string::npos) break;
        at = end + 1;
    }
}

const TurnFlow::Instruction& TurnFlow::instruction(std::uint32_t pc) {
    const auto [at, added] = known_.try_emplace(pc);
    if (!added || pc >= program_.code_rows.size()) return at->second;
    const std::uint32_t line = program_.code_rows[pc].ptx_line;
    if (line == 0 || line > lines_.size()) return at->second;
    std::string_view text = std::string_view(program_.ptx).substr(lines_[line - 1]);
    text = text.substr(0, std::min(text.find('\n'), text.size()));
    const auto skip = [&] { text.remove_prefix(std::min(text.find_first_not_of(" \t{"), text.size())); };
    skip();
    if (text.starts_with('@')) {  // a predicate decides whether, not what
        text.remove_prefix(std::min(text.find_first_of(" \t"), text.size()));
        skip();
    }
    const std::size_t name = std::min(text.find_first_of(" \t;"), text.size());
    const std::string_view mnemonic = text.substr(0, name), operands = text.substr(name);
    // Arguments and results of functions: parameter space is one place for all of them.
    if (mnemonic.starts_with("st.param")) at->second.written = {parameters};
    if (writes_nothing(mnemonic)) {
        at->second.read = registers(operands);
        return at->second;
    }
    const std::size_t end = end_of_operand(operands);
    at->second.written = registers(operands.substr(0, end));
    at->second.read = registers(operands.substr(end));
    if (mnemonic.starts_with("ld.param")) at->second.read = {parameters};
    return at->second;
}

TurnFlow::Sources TurnFlow::sources(const trace::Turn& turn, const trace::TurnDetail& detail) {
    Sources sources;
    std::map<std::string_view, std::set<std::uint16_t>> values;  // the loads that are in a register
    std::map<std::uint64_t, std::set<std::uint16_t>> stack;
    std::map<std::uint16_t, const trace::Access*> accesses;
    bool parameters_read = false;
    if (lines_.empty()) return sources;  // a trace without its code
    for (const trace::Access& access : detail.accesses)
        accesses.emplace(access.ordinal, &access);
    const std::vector<std::uint32_t> pcs = executed_pcs(turn, detail);
    for (std::size_t i = 0; i < pcs.size(); ++i) {
        const Instruction& each = instruction(pcs[i]);
        const auto ordinal = static_cast<std::uint16_t>(i);
        std::set<std::uint16_t> read;
        for (const std::string_view name : each.read)
            if (const auto value = values.find(name); value != values.end())
                read.insert(value->second.begin(), value->second.end());
        const auto access = accesses.find(ordinal);
        if (access != accesses.end() && access->second->space == trace::Space::local) {
            // A variable on the stack hands on what was put into it.
            const auto lane = static_cast<unsigned>(std::countr_zero(access->second->mask));
            std::set<std::uint16_t>& kept = stack[access->second->offset[lane % trace::warp_size]];
            if (access->second->kind == trace::AccessKind::store)
                kept = read;
            else
                read = kept;
        } else if (access != accesses.end()) {
            if (access->second->kind != trace::AccessKind::load)
                sources[ordinal] = {read.begin(), read.end()};
            read = {ordinal};
        }
        for (const std::string_view name : each.written) {
            // Several arguments come together until they are read.
            if (name == parameters && !parameters_read)
                values[name].insert(read.begin(), read.end());
            else
                values[name] = read;
        }
        const bool of_parameters =
            each.written == std::vector{parameters} || each.read == std::vector{parameters};
        if (of_parameters) parameters_read = each.written != std::vector{parameters};
    }
    return sources;
}

}  // namespace lanescope::analysis
