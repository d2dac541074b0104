#include "ptx/debug_info.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "ptx/debug_aliases.h"
#include "ptx/debug_symbols.h"
#include "ptx/dwarf_locations.h"
#include "ptx/dwarf_reader.h"
#include "ptx/dwarf_types.h"

namespace lanescope::ptx {

namespace {

using dwarf::At;
using dwarf::Attribute;
using dwarf::Entry;
using dwarf::Info;
using dwarf::Location;
using dwarf::Tag;

constexpr std::size_t max_list_entries = 1u << 20;  // variables may share lists

// The address classes of NVIDIA's debug information.
Space space_of_class(std::uint64_t address_class) {
    switch (address_class) {
        case 4:
            return Space::const_;
        case 5:
            return Space::global;
        case 6:
            return Space::local;
        case 7:
            return Space::param;
        case 8:
            return Space::shared;
        default:
            return Space::generic;
    }
}

// Instructions [begin, end) of one function.
struct Scope {
    std::uint32_t function = no_index;
    std::uint32_t begin = 0;
    std::uint32_t end = no_index;
};

class Builder {
  public:
    Builder(const Module& module, const Info& info, std::string_view user_file, DebugInfo& out)
        : module_(module), info_(info), out_(out), types_(info, out.types), labels_(module) {
        for (const SourceFile& file : module.files)
            if (file.path == user_file) user_files_.push_back(file.number);
        for (std::size_t i = 0; i < module.functions.size(); ++i)
            if (module.functions[i].has_body)
                by_name_.emplace(module.functions[i].name, static_cast<std::uint32_t>(i));
    }

    Diagnostics run() {
        for (const std::uint32_t unit : info_.units())
            children(info_[unit]);
        return std::move(problems_);
    }

  private:
    void children(const Entry& entry) {
        for (const std::uint32_t child : entry.children) {
            const Entry& part = info_[child];
            if (part.tag == Tag::namespace_) children(part);
            if (part.tag == Tag::variable) module_variable(part);
            if (part.tag == Tag::subprogram) subprogram(part);
            if (!problems_.empty()) return;
        }
    }

    bool in_user_file(const Entry& entry) const {
        const std::uint64_t file = info_.holder(entry, At::decl_file).number(At::decl_file);
        return std::find(user_files_.begin(), user_files_.end(), file) != user_files_.end();
    }

    void module_variable(const Entry& entry) {
        const Location location = single_location(entry);
        if (location.kind != Location::Kind::address) return;
        DebugSymbol symbol;
        symbol.symbol = location.name;
        symbol.name = source_name(std::string(info_.holder(entry, At::name).text(At::name))).name;
        symbol.type = types_.of(info_.holder(entry, At::type));
        symbol.space = space_of_class(entry.number(At::address_class));
        symbol.line = info_.line(entry);
        out_.symbols.push_back(std::move(symbol));
    }

    Location single_location(const Entry& entry) const {
        const Attribute* attribute = entry.find(At::location);
        if (!attribute || attribute->kind != Attribute::Kind::block) return {};
        return dwarf::read_expression(*info_.info_section(), attribute->value, attribute->size);
    }

    // Returns the function of the low_pc label, or else of the linkage name; no_index for an abstract or
    // dropped function.
    std::uint32_t function_of(const Entry& entry) const {
        if (const dwarf::Place* place = labels_.find(entry, At::low_pc)) return place->function;
        if (!entry.find(At::low_pc)) return no_index;
        const auto found = by_name_.find(info_.linkage_name(entry));
        return found == by_name_.end() ? no_index : found->second;
    }

    void subprogram(const Entry& entry) {
        const std::uint32_t index = function_of(entry);
        if (index == no_index) return;
        const Function& function = module_.functions[index];
        registers_.clear();
        for (std::size_t i = 0; i < function.registers.size(); ++i)
            registers_.try_emplace(function.registers[i].name, static_cast<std::uint32_t>(i));
        DebugFunction made;
        made.function = index;
        made.name = info_.holder(entry, At::name).text(At::name);
        if (made.name.empty() || made.name.starts_with("_Z")) made.name = source_name(function.name).name;
        made.line = info_.line(entry);
        made.user_code = in_user_file(entry);
        variables(entry, {index, 0, static_cast<std::uint32_t>(function.instructions.size())}, made);
        out_.functions.push_back(std::move(made));
    }

    // The reader bounds the nesting and thus this recursion.
    void variables(const Entry& entry, const Scope& scope, DebugFunction& function) {
        std::vector<std::size_t> own;
        for (const std::uint32_t child : entry.children) {
            const Entry& part = info_[child];
            if (part.tag == Tag::variable || part.tag == Tag::formal_parameter) {
                const std::size_t index = function.variables.size();
                variable(part, scope, function);
                if (function.variables.size() > index) own.push_back(index);
            } else if (part.tag == Tag::lexical_block || part.tag == Tag::inlined_subroutine) {
                inner(part, inner_scope(part, scope), function);
            }
        }
        succeed(own, function);
    }

    // A Python variable that changes its type is several variables of one name in one scope. Each is visible
    // until the next one has a register. C++ has no such variables.
    static void succeed(const std::vector<std::size_t>& own, DebugFunction& function) {
        std::map<std::string, std::vector<DebugVariable*>> by_name;
        for (const std::size_t index : own) {
            DebugVariable& each = function.variables[index];
            if (!each.bindings.empty()) by_name[each.name].push_back(&each);
        }
        for (auto& [name, same] : by_name) {
            std::stable_sort(same.begin(), same.end(), [](const DebugVariable* a, const DebugVariable* b) {
                return a->bindings.front().instruction < b->bindings.front().instruction;
            });
            for (std::size_t i = 0; i + 1 < same.size(); ++i)
                same[i]->scope_end = std::min(same[i]->scope_end, same[i + 1]->bindings.front().instruction);
        }
    }

    void inner(const Entry& entry, const Scope& scope, DebugFunction& function) {
        if (entry.find(At::call_line))
            function.calls.push_back({scope.begin, scope.end, number(entry, At::call_file),
                                      number(entry, At::call_line), number(entry, At::call_column)});
        variables(entry, scope, function);
    }

    static std::uint32_t number(const Entry& entry, At at) {
        return static_cast<std::uint32_t>(entry.number(at));
    }

    // A scope without its own labels has the extent of the enclosing scope.
    Scope inner_scope(const Entry& entry, const Scope& outer) const {
        Scope scope = outer;
        const dwarf::Place* begin = labels_.find(entry, At::low_pc);
        const dwarf::Place* end = labels_.find(entry, At::high_pc);
        if (begin && begin->function == outer.function) scope.begin = begin->instruction;
        if (end && end->function == outer.function) scope.end = end->instruction;
        return scope;
    }

    void variable(const Entry& entry, const Scope& scope, DebugFunction& function) {
        const Entry& named = info_.holder(entry, At::name);
        DebugVariable made;
        made.name = named.text(At::name);
        if (made.name.empty()) return;
        made.type = types_.of(info_.holder(entry, At::type));
        made.line = info_.line(entry);
        made.parameter = entry.tag == Tag::formal_parameter && info_[entry.parent].tag == Tag::subprogram;
        // "this" has no declaration.
        const bool placed = info_.holder(entry, At::decl_file).find(At::decl_file) != nullptr;
        made.user_code = placed ? in_user_file(entry) : function.user_code;
        made.scope_begin = scope.begin;
        made.scope_end = scope.end;
        home(entry, scope, made);
        function.variables.push_back(std::move(made));
    }

    void home(const Entry& entry, const Scope& scope, DebugVariable& variable) {
        if (const Attribute* constant = entry.find(At::const_value)) return set_constant(*constant, variable);
        const Attribute* location = entry.find(At::location);
        if (!location) return;
        if (location->kind == Attribute::Kind::block)
            return bind(single_location(entry), scope.function, scope.begin, variable);
        if (location->kind == Attribute::Kind::address) return;
        from_list(*location, scope, variable);
    }

    void from_list(const Attribute& attribute, const Scope& scope, DebugVariable& variable) {
        const Section* section = info_.location_section();
        if (!section) {
            problems_.push_back(dwarf::damaged(*info_.info_section(), attribute.value,
                                               "a variable has a location list, but there is no .debug_loc"));
            return;
        }
        const std::uint64_t at =
            attribute.relocation ? dwarf::section_offset(*section, *attribute.relocation) : attribute.value;
        Result<std::vector<dwarf::ListEntry>> list = dwarf::read_list(*section, at);
        if (!list) {
            problems_.insert(problems_.end(), list.diagnostics().begin(), list.diagnostics().end());
            return;
        }
        list_entries_ += list->size();
        if (list_entries_ > max_list_entries) {
            problems_.push_back(dwarf::damaged(*section, at, "there are too many locations"));
            return;
        }
        for (const dwarf::ListEntry& part : *list) {
            const dwarf::Place* place = labels_.find(part.label);
            if (place && place->function == scope.function && labels_.reached(part.label))
                bind(part.location, scope.function, place->instruction, variable);
        }
        // The order in which lanes pass the labels; at one instruction the later label wins.
        std::stable_sort(variable.bindings.begin(), variable.bindings.end(),
                         [](const Binding& a, const Binding& b) { return a.instruction < b.instruction; });
    }

    void bind(const Location& location, std::uint32_t function, std::uint32_t instruction,
              DebugVariable& variable) {
        const Function& body = module_.functions[function];
        if (location.kind == Location::Kind::reg) {
            const auto found = registers_.find(location.name);
            if (found == registers_.end()) return;
            variable.home = DebugVariable::Home::registers;
            variable.bindings.push_back({instruction, found->second});
        } else if (location.kind == Location::Kind::address && variable.home == DebugVariable::Home::none) {
            const auto depot = std::find_if(body.variables.begin(), body.variables.end(),
                                            [&](const Variable& v) { return v.name == location.name; });
            const Variable* symbol =
                depot != body.variables.end() ? &*depot : module_.find_variable(location.name);
            for (const Variable& parameter : body.parameters)  // nvcc leaves it where the launch puts it
                if (symbol == nullptr && parameter.name == location.name) symbol = &parameter;
            if (!symbol) return;
            const bool local = symbol->space == Space::local;
            variable.home = local ? DebugVariable::Home::local_memory : DebugVariable::Home::symbol;
            variable.symbol = location.name;
            variable.offset = location.offset;
            variable.space = symbol->space;
        }
    }

    void set_constant(const Attribute& attribute, DebugVariable& variable) {
        const std::uint32_t type_bytes = out_.types[variable.type].size_bytes;
        if (attribute.kind == Attribute::Kind::number) {
            const std::uint32_t size = type_bytes >= 1 && type_bytes <= 8 ? type_bytes : 8;
            for (std::uint32_t i = 0; i < size; ++i)
                variable.constant.push_back(static_cast<std::uint8_t>(attribute.value >> (8 * i)));
        } else if (attribute.kind == Attribute::Kind::block) {
            const auto begin =
                info_.info_section()->bytes.begin() + static_cast<std::ptrdiff_t>(attribute.value);
            variable.constant.assign(begin, begin + static_cast<std::ptrdiff_t>(attribute.size));
        } else {
            return;
        }
        variable.home = DebugVariable::Home::constant;
    }

    const Module& module_;
    const Info& info_;
    DebugInfo& out_;
    dwarf::Types types_;
    dwarf::Labels labels_;
    std::vector<std::uint64_t> user_files_;
    std::map<std::string, std::uint32_t, std::less<>> by_name_;
    std::unordered_map<std::string_view, std::uint32_t> registers_;  // of the current function
    std::size_t list_entries_ = 0;
    Diagnostics problems_;
};

}  // namespace

const DebugFunction* DebugInfo::find_function(std::uint32_t function) const {
    for (const DebugFunction& candidate : functions)
        if (candidate.function == function) return &candidate;
    return nullptr;
}

const DebugSymbol* DebugInfo::find_symbol(std::string_view symbol) const {
    for (const DebugSymbol& candidate : symbols)
        if (candidate.symbol == symbol) return &candidate;
    return nullptr;
}

Result<DebugInfo> read_debug_info(const Module& module, std::string_view user_file, const Module* aliased) {
    Result<Info> info = Info::read(module);
    if (!info) return info.diagnostics();
    DebugInfo out;
    if (Diagnostics problems = Builder(module, *info, user_file, out).run(); !problems.empty())
        return problems;
    // Types of shared variables are optional; damaged data leaves them unknown.
    Result<std::vector<Alias>> aliases = read_aliases(aliased, out.types);
    name_symbols(module, aliases ? std::move(*aliases) : std::vector<Alias>{}, out);
    return out;
}

}  // namespace lanescope::ptx
