#include "simt/program/layout.h"

#include <algorithm>
#include <cstring>

#include "simt/inspect/builtin.h"
#include "simt/inspect/names.h"
#include "simt/program/error_strings.h"

namespace lanescope::simt {

namespace {

constexpr std::uint64_t max_variable_bytes = 1ull << 32;

// Without debug information, cells are as wide as the declaration's type, or its alignment, says.
TypeId cell_type(const ptx::Variable& variable, TypeTable& types) {
    const bool says_meaning = ptx::is_float(variable.type) || ptx::is_signed(variable.type);
    const std::string_view name = ptx::value_name(variable.type);
    if (says_meaning && !name.empty()) return types.named(name);
    std::uint64_t bytes = ptx::size_bytes(variable.type);
    if (bytes == 1) bytes = variable.alignment_bytes();
    while (bytes > 1 && variable.size_bytes() % bytes != 0)
        bytes /= 2;
    if (bytes >= 8) return types.named("ulong");
    return bytes == 4 ? types.named("uint") : bytes == 2 ? types.named("ushort") : types.named("uchar");
}

std::uint64_t cells(std::uint64_t size_bytes, const TypeTable& types, TypeId cell) {
    const std::uint32_t bytes = types[cell].size_bytes;
    return bytes == 0 ? size_bytes : size_bytes / bytes;
}

void put(std::vector<std::byte>& contents, std::uint64_t at, std::uint64_t value, std::uint64_t bytes) {
    if (bytes > 0 && bytes <= contents.size() && at <= contents.size() - bytes)
        std::memcpy(contents.data() + at, &value, bytes);
}

// Compiler-made constants (strings, virtual tables) are not variables of the user.
bool user_named(const std::string& name) {
    return !name.starts_with('$') && !name.starts_with("__") && !name.starts_with("_ZTV") &&
           !name.starts_with("_ZTS") && !name.starts_with("_ZTI");
}

class Layouter {
  public:
    Layouter(const ptx::Module& module, const ptx::DebugInfo& debug, const Placement& placement,
             Program& program)
        : module_(module), debug_(debug), program_(program), next_{placement.global, placement.constant} {}

    Result<ModuleLayout> run() {
        for (const ptx::Variable& variable : module_.variables) {
            if (auto placed = place(variable); !placed.ok())
                return placed.diagnostics();
            else
                layout_.variables.push_back(*placed);
        }
        for (std::size_t i = 0; i < module_.variables.size(); ++i)
            initialise(i);
        add_error_strings();
        return std::move(layout_);
    }

  private:
    Result<SymbolPlace> place(const ptx::Variable& variable) {
        SymbolPlace place;
        made_.push_back(no_variable);
        if (variable.linkage == ptx::Linkage::external && module_.find_variable(variable.name) != &variable)
            return place;
        if (variable.space == ptx::Space::shared) {
            place.window = Window::shared;
            place.shared = add_shared(variable, debug_, program_);
            return place;
        }
        const bool constant = variable.space == ptx::Space::const_;
        if (!constant && variable.space != ptx::Space::global)
            return place;  // textures, managed memory: no address
        const std::uint64_t size = variable.size_bytes();
        if (size > max_variable_bytes)
            return error("variable " + variable.name + " is too large: " + std::to_string(size) + " bytes");
        place.window = constant ? Window::constant : Window::global;
        std::uint64_t& next = next_[constant ? 1 : 0];
        ModuleVariable made;
        made.name = variable.name;
        made.window = place.window;
        made.address = next;
        made.size_bytes = size;
        made.description = describe(variable, debug_, program_.description.types);
        made.shown = user_named(variable.name);
        // The arena places allocations one after the other in just this way.
        next += (size + variable_guard_bytes + 255) / 256 * 256;
        place.address = constant ? made.address - window::constant : made.address;
        made_.back() = program_.variables.size();
        program_.variables.push_back(std::move(made));
        return place;
    }

    // Behind all variables, for cudaGetErrorString() in kernels.
    void add_error_strings() {
        const bool asked = std::any_of(module_.functions.begin(), module_.functions.end(), [](const auto& f) {
            const Builtin builtin = builtin_of(f);
            return builtin == Builtin::error_name || builtin == Builtin::error_text;
        });
        if (!asked) return;
        const auto* text = reinterpret_cast<const std::byte*>(error_strings().data());
        ModuleVariable made;
        made.name = made.description.name = "texts of errors";
        made.address = program_.error_strings = next_[0];
        made.size_bytes = made.description.size_bytes = error_strings().size();
        made.description.element = program_.description.types.named("char");
        made.description.extents = {made.size_bytes};
        made.contents.assign(text, text + made.size_bytes);
        made.shown = false;
        program_.variables.push_back(std::move(made));
    }

    // The generic or space address of a symbol in an initialiser.
    std::uint64_t address_of(const ptx::Initialiser& initial) const {
        for (std::size_t i = 0; i < module_.functions.size(); ++i)
            if (module_.functions[i].name == initial.symbol &&
                (module_.functions[i].has_body || !defined(initial.symbol)))
                return window::function + i * 16;
        for (std::size_t i = 0; i < module_.variables.size(); ++i) {
            if (module_.variables[i].name != initial.symbol) continue;
            const SymbolPlace& place = layout_.variables[i];
            const bool offset_space = place.window == Window::constant && initial.generic;
            return place.address + (offset_space ? window::constant : 0) +
                   static_cast<std::uint64_t>(initial.offset);
        }
        return 0;
    }
    bool defined(const std::string& name) const {
        return std::any_of(module_.functions.begin(), module_.functions.end(),
                           [&](const ptx::Function& f) { return f.has_body && f.name == name; });
    }

    static std::uint64_t masked(std::uint64_t value, std::uint64_t mask) {
        return mask == 0 ? value : (value & mask) >> (std::countr_zero(mask) & 63);
    }

    void initialise(std::size_t index) {
        const ptx::Variable& variable = module_.variables[index];
        if (variable.initial.empty() || made_[index] == no_variable) return;
        ModuleVariable& made = program_.variables[made_[index]];
        const std::uint64_t bytes = ptx::size_bytes(variable.type);
        // Only the listed elements: the rest of the variable may be gigabytes, which no budget covers.
        made.contents.assign(std::min(made.size_bytes, variable.initial.size() * bytes), std::byte{0});
        for (std::size_t i = 0; i < variable.initial.size(); ++i) {
            const ptx::Initialiser& initial = variable.initial[i];
            const std::uint64_t value =
                initial.symbol.empty() ? initial.bits : masked(address_of(initial), initial.byte_mask);
            put(made.contents, i * bytes, value, std::min<std::uint64_t>(bytes, 8));
        }
    }

    const ptx::Module& module_;
    const ptx::DebugInfo& debug_;
    Program& program_;
    std::uint64_t next_[2];
    ModuleLayout layout_;
    static constexpr std::size_t no_variable = ~std::size_t{0};
    std::vector<std::size_t> made_;  // index in Program::variables of each of the module's
};

}  // namespace

trace::Symbol describe(const ptx::Variable& variable, const ptx::DebugInfo& debug, TypeTable& types) {
    trace::Symbol symbol;
    symbol.name = plain_name(variable.name);
    if (const std::size_t scope = symbol.name.rfind("::"); scope != std::string::npos)
        symbol.name.erase(0, scope + 2);
    symbol.size_bytes = variable.size_bytes();
    if (const ptx::DebugSymbol* known = debug.find_symbol(variable.name)) {
        if (!known->name.empty()) symbol.name = known->name;
        symbol.line = known->line;
        symbol.element = types.element_of(known->type, symbol.extents);
    }
    if (types[symbol.element].size_bytes == 0) {
        symbol.element = cell_type(variable, types);
        symbol.extents.clear();
    }
    const bool open = symbol.size_bytes == 0 ||
                      std::find(symbol.extents.begin(), symbol.extents.end(), 0) != symbol.extents.end();
    if (symbol.extents.empty() || (open && symbol.extents.size() == 1))
        symbol.extents = {cells(symbol.size_bytes, types, symbol.element)};
    return symbol;
}

std::uint32_t add_shared(const ptx::Variable& variable, const ptx::DebugInfo& debug, Program& program) {
    SharedSymbol symbol;
    symbol.name = variable.name;
    symbol.size_bytes = variable.size_bytes();
    symbol.alignment = std::max(variable.alignment_bytes(), 1u);
    symbol.dynamic = variable.is_array && symbol.size_bytes == 0;
    symbol.description = describe(variable, debug, program.description.types);
    symbol.description.space = trace::Space::shared;
    symbol.launch_row = static_cast<std::uint32_t>(LaunchRow::count) * row4_bytes +
                        static_cast<std::uint32_t>(program.shared.size()) * row8_bytes;
    program.shared.push_back(std::move(symbol));
    program.launch_row_bytes = program.shared.back().launch_row + row8_bytes;
    return static_cast<std::uint32_t>(program.shared.size() - 1);
}

Result<ModuleLayout> lay_out_module(const ptx::Module& module, const ptx::DebugInfo& debug,
                                    const Placement& placement, Program& program) {
    program.launch_row_bytes = static_cast<std::uint32_t>(LaunchRow::count) * row4_bytes;
    return Layouter(module, debug, placement, program).run();
}

}  // namespace lanescope::simt
