#include <array>
#include <cstdio>

#include "ptx/parser.h"
#include "ptx/print_hooks.h"

namespace lanescope::ptx {
namespace {

void append_number(std::string& out, std::uint64_t value) {
    out += std::to_string(value);
}

// "+8", "+-4" as NVRTC writes it.
void append_offset(std::string& out, std::int64_t offset) {
    out += '+';
    out += std::to_string(offset);
}

void append_hex(std::string& out, std::uint64_t bits, int digits) {
    std::array<char, 20> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%0*llX", digits, static_cast<unsigned long long>(bits));
    out += buffer.data();
}

void append(std::string& out, const Function& function, const Operand& operand);

void append_elements(std::string& out, const Function& function, const Operand& operand,
                     std::string_view between) {
    for (std::size_t i = 0; i < operand.elements.size(); ++i) {
        if (i > 0) out += between;
        append(out, function, operand.elements[i]);
    }
}

void append_address(std::string& out, const Function& function, const Operand& operand) {
    out += '[';
    if (operand.reg != no_index)
        out += function.registers[operand.reg].name;
    else
        out += operand.name;
    if (operand.reg == no_index && operand.name.empty())
        out += std::to_string(operand.offset);
    else if (operand.has_offset)
        append_offset(out, operand.offset);
    for (const Operand& element : operand.elements) {
        out += ", ";
        append(out, function, element);
    }
    out += ']';
}

void append_bracketed(std::string& out, const Function& function, const Operand& operand, char open,
                      char close) {
    out += open;
    append_elements(out, function, operand, ", ");
    out += close;
}

void append_integer(std::string& out, const Operand& operand) {
    if (operand.negated) out += '-';
    append_number(out, operand.negated ? 0 - operand.bits : operand.bits);
}

void append(std::string& out, const Function& function, const Operand& operand) {
    switch (operand.kind) {
        case Operand::Kind::reg:
            if (operand.negated) out += '!';
            out += function.registers[operand.reg].name;
            return;
        case Operand::Kind::special:
            out += text(operand.special);
            return;
        case Operand::Kind::integer:
            return append_integer(out, operand);
        case Operand::Kind::real:
            out += operand.real_is_double ? "0d" : "0f";
            return append_hex(out, operand.bits, operand.real_is_double ? 16 : 8);
        case Operand::Kind::label:
            out += operand.name;
            return;
        case Operand::Kind::symbol:
            out += operand.name;
            if (operand.has_offset) append_offset(out, operand.offset);
            return;
        case Operand::Kind::address:
            return append_address(out, function, operand);
        case Operand::Kind::vector:
            return append_bracketed(out, function, operand, '{', '}');
        case Operand::Kind::list:
            return append_bracketed(out, function, operand, '(', ')');
        case Operand::Kind::pair:
            return append_elements(out, function, operand, "|");
        case Operand::Kind::discard:
            out += '_';
            return;
    }
}

void append(std::string& out, const Function& function, const Instruction& instruction) {
    if (instruction.guard != no_index) {
        out += instruction.guard_negated ? "@!" : "@";
        out += function.registers[instruction.guard].name;
        out += ' ';
    }
    out += text(instruction.op);
    for (const Suffix suffix : instruction.suffixes) {
        out += '.';
        out += text(suffix);
    }
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
        out += i > 0 ? ", " : " \t";
        append(out, function, instruction.operands[i]);
    }
    out += ';';
}

std::string_view text_of(Linkage linkage) {
    switch (linkage) {
        case Linkage::external:
            return ".extern ";
        case Linkage::visible:
            return ".visible ";
        case Linkage::weak:
            return ".weak ";
        case Linkage::common:
            return ".common ";
        case Linkage::none:
            break;
    }
    return "";
}

void append_dotted(std::string& out, std::string_view word) {
    out += '.';
    out += word;
    out += ' ';
}

// Writes each row of an array in its own braces; the list may end early.
std::size_t append_initial(std::string& out, const Variable& variable,
                           const std::vector<std::uint64_t>& shape, std::size_t dimension, std::size_t from) {
    if (dimension == shape.size()) {
        out += variable.initial[from].text;
        return from + 1;
    }
    out += '{';
    for (std::uint64_t i = 0;
         (i < shape[dimension] || shape[dimension] == 0) && from < variable.initial.size(); ++i) {
        if (i > 0) out += ", ";
        from = append_initial(out, variable, shape, dimension + 1, from);
    }
    out += '}';
    return from;
}

// Writes a list flat if nesting by rows cannot reproduce it (too long, or empty rows).
void append_initial(std::string& out, const Variable& variable) {
    std::vector<std::uint64_t> shape = variable.extents;
    if (variable.vector_length > 1) shape.push_back(variable.vector_length);
    std::string nested;
    if (append_initial(nested, variable, shape, 0, 0) == variable.initial.size()) {
        out += nested;
        return;
    }
    out += '{';
    for (std::size_t i = 0; i < variable.initial.size(); ++i)
        out += (i > 0 ? ", " : "") + variable.initial[i].text;
    out += '}';
}

// Writes the variable without the ';'.
void append(std::string& out, const Variable& variable) {
    out += text_of(variable.linkage);
    append_dotted(out, text(variable.space));
    for (const std::string& attribute : variable.attributes)
        if (!attribute.starts_with(".ptr")) out += attribute + " ";
    if (variable.alignment) out += ".align " + std::to_string(variable.alignment) + " ";
    if (variable.vector_length > 1) out += ".v" + std::to_string(variable.vector_length) + " ";
    append_dotted(out, text(variable.type));
    for (const std::string& attribute : variable.attributes)
        if (attribute.starts_with(".ptr")) out += attribute + " ";
    out += variable.name;
    for (const std::uint64_t extent : variable.extents) {
        out += '[';
        if (extent) append_number(out, extent);
        out += ']';
    }
    if (variable.initial.empty()) return;
    out += " = ";
    append_initial(out, variable);
}

void append_parameters(std::string& out, const std::vector<Variable>& parameters) {
    out += '(';
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (i > 0) out += ", ";
        append(out, parameters[i]);
    }
    out += ')';
}

void append(std::string& out, const Row& row) {
    out += ".loc\t" + std::to_string(row.file) + ' ' + std::to_string(row.line) + ' ' +
           std::to_string(row.column);
    if (!row.function_name.empty()) {
        out += ", function_name " + row.function_name;
        if (row.function_name_offset) append_offset(out, row.function_name_offset);
    }
    if (row.inlined_file || row.inlined_line || row.inlined_column)
        out += ", inlined_at " + std::to_string(row.inlined_file) + ' ' + std::to_string(row.inlined_line) +
               ' ' + std::to_string(row.inlined_column);
}

void append(std::string& out, const RegisterDeclaration& declaration) {
    out += ".reg ";
    if (declaration.vector_length > 1) out += ".v" + std::to_string(declaration.vector_length) + " ";
    append_dotted(out, text(declaration.type));
    out += "\t" + declaration.name;
    if (declaration.count) out += "<" + std::to_string(declaration.count) + ">";
    out += ';';
}

void append(std::string& out, const CallPrototype& prototype) {
    out += prototype.label + " : .callprototype ";
    append_parameters(out, prototype.results);
    out += " _ ";
    append_parameters(out, prototype.parameters);
    out += prototype.noreturn ? " .noreturn;" : ";";
}

void append(std::string& out, const BranchTargets& targets) {
    out += targets.label + (targets.calls ? ": .calltargets " : ": .branchtargets ");
    for (std::size_t i = 0; i < targets.targets.size(); ++i)
        out += (i > 0 ? ", " : "") + targets.targets[i];
    out += ';';
}

void append(std::string& out, const Function& function, const Item& item) {
    const auto line = [&](const auto&... thing) {
        out += '\t';
        append(out, thing...);
    };
    switch (item.kind) {
        case Item::Kind::instruction:
            line(function, function.instructions[item.index]);
            break;
        case Item::Kind::label:
            out += function.labels[item.index].name + ":";
            break;
        case Item::Kind::row:
            line(function.rows[item.index]);
            break;
        case Item::Kind::registers:
            line(function.register_declarations[item.index]);
            break;
        case Item::Kind::variable:
            line(function.variables[item.index]);
            out += ';';
            break;
        case Item::Kind::scope_begin:
            out += "\t{";
            break;
        case Item::Kind::scope_end:
            out += "\t}";
            break;
        case Item::Kind::prototype:
            line(function.prototypes[item.index]);
            break;
        case Item::Kind::targets:
            line(function.branch_targets[item.index]);
            break;
        case Item::Kind::directive:
            out += "\t" + function.body_directives[item.index];
            break;
    }
    out += '\n';
}

void append_items(std::string& out, const Function& function, std::uint32_t index, const PrintHooks& hooks) {
    bool entered = false;
    for (const Item& item : function.items) {
        const bool instruction = item.kind == Item::Kind::instruction;
        if (hooks.shared_at_module_scope && item.kind == Item::Kind::variable &&
            function.variables[item.index].space == Space::shared)
            continue;
        if (!entered && (instruction || item.kind == Item::Kind::label)) {
            entered = true;
            if (hooks.enter) hooks.enter(out, index);
        }
        if (instruction && hooks.before) hooks.before(out, index, item.index);
        append(out, function, item);
        if (instruction && hooks.after) hooks.after(out, index, item.index);
    }
}

void append_head(std::string& out, const Function& function) {
    out += text_of(function.linkage);
    out += function.kind == Function::Kind::entry ? ".entry " : ".func ";
    if (!function.results.empty()) {
        append_parameters(out, function.results);
        out += ' ';
    }
    out += function.name;
    append_parameters(out, function.parameters);
    out += '\n';
    if (function.noreturn) out += ".noreturn\n";
}

void append(std::string& out, const Function& function, std::uint32_t index, const PrintHooks& hooks) {
    append_head(out, function);
    for (const std::string& directive : function.directives)
        out += directive + '\n';
    if (!function.has_body) {
        out += ";\n";
        return;
    }
    out += "{\n";
    append_items(out, function, index, hooks);
    out += "}\n";
}

void append(std::string& out, const SourceFile& file) {
    out += ".file\t" + std::to_string(file.number) + " \"";
    for (const char c : file.path) {
        const auto byte = static_cast<unsigned char>(c);
        char octal[8];
        std::snprintf(octal, sizeof octal, "\\%03o", unsigned{byte});
        out += byte < 0x80 ? std::string(1, c) : octal;
    }
    out += '"';
    if (!file.extra.empty()) out += ", " + file.extra;
    out += '\n';
}

void append(std::string& out, const Section& section) {
    out += "\t.section\t" + section.name + "\n\t{" + section.text + "}\n";
}

}  // namespace

std::string print(const Function& function, const Instruction& instruction) {
    std::string out;
    append(out, function, instruction);
    return out;
}

namespace {

void append_shared(std::string& out, const Module& module) {
    for (const Function& function : module.functions)
        for (const Variable& variable : function.variables) {
            if (variable.space != Space::shared) continue;
            append(out, variable);
            out += ";\n";
        }
}

void append_declarations(std::string& out, const Module& module) {
    for (const Function& function : module.functions) {
        if (function.kind == Function::Kind::entry || !function.has_body) continue;
        append_head(out, function);
        out += ";\n";
    }
}

}  // namespace

std::string print(const Module& module) {
    return print(module, {});
}

std::string print(const Module& module, const PrintHooks& hooks) {
    std::string out = ".version " + module.version + "\n.target " + module.target + "\n.address_size " +
                      std::to_string(module.address_size) + "\n\n" + hooks.prologue;
    if (hooks.shared_at_module_scope) append_shared(out, module);
    if (hooks.declares_functions) append_declarations(out, module);
    for (const TopLevel& item : module.order) {
        switch (item.kind) {
            case TopLevel::Kind::variable:
                append(out, module.variables[item.index]);
                out += ";\n";
                break;
            case TopLevel::Kind::function:
                append(out, module.functions[item.index], item.index, hooks);
                break;
            case TopLevel::Kind::file:
                append(out, module.files[item.index]);
                break;
            case TopLevel::Kind::section:
                if (hooks.sections) append(out, module.sections[item.index]);
                break;
            case TopLevel::Kind::directive:
                out += module.directives[item.index] + '\n';
                break;
        }
    }
    return out;
}

}  // namespace lanescope::ptx
