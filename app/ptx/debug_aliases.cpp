#include "ptx/debug_aliases.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "ptx/debug_symbols.h"
#include "ptx/dwarf_reader.h"
#include "ptx/dwarf_types.h"
#include "ptx/used_types.h"

namespace lanescope::ptx {

namespace {

using dwarf::At;
using dwarf::Entry;
using dwarf::Info;
using dwarf::Tag;

constexpr std::string_view alias_prefix = "__sv_";  // see compile/alias.h

class AliasReader {
  public:
    AliasReader(const Info& info, TypeTable& table) : info_(info), types_(info, table) {}

    std::vector<Alias> run() {
        for (const std::uint32_t unit : info_.units())
            read(info_[unit], {});
        return std::move(found_);
    }

  private:
    void read(const Entry& entry, std::string_view owner) {
        for (const std::uint32_t child : entry.children) {
            const Entry& part = info_[child];
            if (part.tag == Tag::subprogram || part.tag == Tag::inlined_subroutine)
                read(part, info_.linkage_name(part));
            else if (part.tag == Tag::lexical_block || part.tag == Tag::namespace_)
                read(part, owner);
            else if (part.tag == Tag::variable)
                variable(part, owner);
        }
    }

    void variable(const Entry& entry, std::string_view owner) {
        const std::string_view name = info_.holder(entry, At::name).text(At::name);
        if (!name.starts_with(alias_prefix)) return;
        Alias alias{std::string(owner), std::string(name.substr(alias_prefix.size())), info_.line(entry),
                    types_.referred(info_.holder(entry, At::type))};
        // An inlined function has the variable once for each place of inlining.
        if (known_.emplace(alias.owner, alias.name, alias.line, alias.type).second)
            found_.push_back(std::move(alias));
    }

    const Info& info_;
    dwarf::Types types_;
    std::vector<Alias> found_;
    std::set<std::tuple<std::string, std::string, int, TypeId>> known_;
};

class SymbolNamer {
  public:
    SymbolNamer(const Module& module, std::vector<Alias> aliases, DebugInfo& out)
        : module_(module),
          aliases_(std::move(aliases)),
          out_(out),
          owners_(module),
          accessed_(accessed_types(module)) {
        std::stable_sort(aliases_.begin(), aliases_.end(),
                         [](const Alias& a, const Alias& b) { return a.line < b.line; });
    }

    void run() {
        for (const DebugSymbol& symbol : out_.symbols)
            known_.insert(symbol.symbol);
        for (const Variable& variable : module_.variables)
            add(variable);
        for (const Function& function : module_.functions)
            for (const Variable& variable : function.variables)
                add(variable);
    }

  private:
    void add(const Variable& variable) {
        const bool memory = variable.space == Space::shared || variable.space == Space::global ||
                            variable.space == Space::const_;
        if (!memory || !known_.insert(variable.name).second) return;
        DebugSymbol symbol;
        symbol.symbol = variable.name;
        const SourceName source = source_name(variable.name);
        symbol.name = source.name;
        symbol.space = variable.space;
        const std::string owner = owners_.linkage_name(variable.name);
        symbol.function = owner.empty() ? source.function : name_of_function(owner, source.function);
        if (variable.space == Space::shared) set_type(variable, owner, symbol);
        if (symbol.type == 0) symbol.type = accessed_type(variable);
        out_.symbols.push_back(std::move(symbol));
    }

    std::string name_of_function(const std::string& linkage, const std::string& otherwise) const {
        for (const DebugFunction& function : out_.functions)
            if (module_.functions[function.function].name == linkage) return function.name;
        return otherwise;
    }

    // In source order, the n-th alias of a name in the owner (anywhere, for an extern array) belongs to the
    // n-th variable of that name. If its size does not match, the first alias with the right size is used.
    void set_type(const Variable& variable, const std::string& owner, DebugSymbol& symbol) const {
        const bool local = symbol.symbol.starts_with("_ZZ");
        const unsigned wanted = local ? discriminator(symbol.symbol, symbol.name) : 0;
        unsigned number = 0;
        const Alias* best = nullptr;
        for (const Alias& alias : aliases_) {
            if (alias.name != symbol.name || !owned(alias, owner, symbol, local)) continue;
            const std::uint32_t bytes = out_.types[alias.type].size_bytes;
            const bool fits = bytes == 0 || variable.size_bytes() == 0 || bytes == variable.size_bytes();
            if (fits && (!best || number == wanted)) best = &alias;
            ++number;
        }
        if (!best) return;
        symbol.type = best->type;
        symbol.line = best->line;
    }

    // An array of what the code loads from it and stores there; 0 if no access says more than the
    // declaration.
    TypeId accessed_type(const Variable& variable) const {
        if (is_float(variable.type) || is_signed(variable.type)) return 0;
        const auto found = accessed_.find(variable.name);
        const TypeId cell = found == accessed_.end() ? 0 : out_.types.named(value_name(found->second));
        const std::uint32_t bytes = out_.types[cell].size_bytes;
        if (bytes == 0 || variable.size_bytes() % bytes != 0) return 0;
        return variable.size_bytes() == bytes ? cell
                                              : out_.types.array_of(cell, variable.size_bytes() / bytes);
    }

    bool owned(const Alias& alias, const std::string& owner, const DebugSymbol& symbol, bool local) const {
        if (!local) return true;
        if (!owner.empty()) return alias.owner == owner;
        // The module does not contain a function that was inlined everywhere.
        return alias.owner.size() > 2 &&
               std::string_view(symbol.symbol).substr(3).starts_with(alias.owner.substr(2) + "E");
    }

    const Module& module_;
    std::vector<Alias> aliases_;
    DebugInfo& out_;
    Owners owners_;
    std::map<std::string, Type, std::less<>> accessed_;
    std::set<std::string, std::less<>> known_;
};

}  // namespace

Result<std::vector<Alias>> read_aliases(const Module* aliased, TypeTable& types) {
    if (!aliased) return std::vector<Alias>{};
    Result<Info> info = Info::read(*aliased);
    if (!info) return info.diagnostics();
    return AliasReader(*info, types).run();
}

void name_symbols(const Module& module, std::vector<Alias> aliases, DebugInfo& info) {
    SymbolNamer(module, std::move(aliases), info).run();
}

}  // namespace lanescope::ptx
