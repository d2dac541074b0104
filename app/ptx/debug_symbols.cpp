#include "ptx/debug_symbols.h"

#include <cxxabi.h>

#include <charconv>
#include <cstdlib>
#include <memory>

namespace lanescope::ptx {

namespace {

constexpr std::size_t max_mangled = 4096;   // the demangler recurses over its input
constexpr std::size_t max_references = 32;  // each back reference may double its output

std::size_t references_back(std::string_view symbol) {
    std::size_t count = 0;
    for (std::size_t i = 0; i + 1 < symbol.size(); ++i) {
        const char next = symbol[i + 1];
        const bool index = next == '_' || (next >= '0' && next <= '9') || (next >= 'A' && next <= 'Z');
        if ((symbol[i] == 'S' || symbol[i] == 'T') && index) ++count;
    }
    return count;
}

std::string demangled(const std::string& symbol) {
    if (!symbol.starts_with("_Z") || symbol.size() > max_mangled || references_back(symbol) > max_references)
        return {};
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
    return status == 0 && text ? std::string(text.get()) : std::string();
}

// Returns the position of the last "::" outside brackets; npos if there is none.
std::size_t last_scope(std::string_view text) {
    int depth = 0;
    for (std::size_t i = text.size(); i-- > 1;) {
        const char c = text[i];
        if (c == ')' || c == '>' || c == ']' || c == '}') ++depth;
        if (c == '(' || c == '<' || c == '[' || c == '{') --depth;
        if (depth == 0 && c == ':' && text[i - 1] == ':') return i - 1;
    }
    return std::string_view::npos;
}

// Returns "reduce<float>" for "void reduce<float>(float*) const".
std::string function_name(std::string_view signature) {
    int depth = 0;
    std::size_t end = signature.size();
    std::size_t begin = 0;
    for (std::size_t i = 0; i < signature.size() && end == signature.size(); ++i) {
        const char c = signature[i];
        if (c == '(' && depth == 0 && i > 0) end = i;
        if (c == '<' || c == '(') ++depth;
        if (c == '>' || c == ')') --depth;
        if (c == ' ' && depth == 0) begin = i + 1;
    }
    return std::string(signature.substr(begin, end - begin));
}

}  // namespace

SourceName source_name(const std::string& symbol) {
    // Optimised code appends "_$_0" to the name of a variable of a function.
    const std::string text = demangled(symbol.substr(0, symbol.find("_$_")));
    if (text.empty()) return {symbol, {}};
    const bool local = symbol.starts_with("_ZZ");
    const std::size_t scope = local ? last_scope(text) : std::string::npos;
    if (scope == std::string::npos) return {text, {}};
    return {text.substr(scope + 2), function_name(std::string_view(text).substr(0, scope))};
}

Owners::Owners(const Module& module) {
    for (const Function& function : module.functions) {
        const std::string& name = function.name;
        const bool mangled = name.starts_with("_Z");
        by_encoding_.emplace(mangled ? name.substr(2) : std::to_string(name.size()) + name, name);
    }
}

std::string Owners::linkage_name(std::string_view symbol) const {
    if (!symbol.starts_with("_ZZ") || symbol.size() > max_mangled) return {};
    const std::string_view rest = symbol.substr(3);
    // The encoding ends before an 'E'. The longest one that belongs to a function is the right one.
    std::size_t end = rest.rfind('E');
    while (end != std::string_view::npos && end > 0) {
        const auto found = by_encoding_.find(rest.substr(0, end));
        if (found != by_encoding_.end()) return found->second;
        end = rest.rfind('E', end - 1);
    }
    return {};
}

unsigned discriminator(std::string_view symbol, std::string_view name) {
    // <source-name> [_ <digit> | __ <number> _]
    const std::string marked = std::to_string(name.size()) + std::string(name);
    const std::size_t at = symbol.rfind(marked);
    if (at == std::string_view::npos) return 0;
    std::string_view rest = symbol.substr(at + marked.size());
    while (rest.starts_with('_'))
        rest.remove_prefix(1);
    unsigned number = 0;
    const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    return parsed.ec == std::errc() ? number + 1 : 0;
}

}  // namespace lanescope::ptx
