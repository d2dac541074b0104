#include "simt/inspect/names.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace lanescope::simt {

namespace {

// Position of the '(' that opens the parameter list, or the length.
std::size_t parameters_at(const std::string& name) {
    const std::size_t close = name.rfind(')');
    if (close == std::string::npos) return name.size();
    int depth = 0;
    for (std::size_t i = close + 1; i-- > 0;) {
        if (name[i] == ')') ++depth;
        if (name[i] == '(' && --depth == 0) return i;
    }
    return name.size();
}

// Returns the position after the result type: after the last blank outside of template arguments and
// parentheses.
std::size_t name_start(const std::string& name) {
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '<' || name[i] == '(') ++depth;
        if (name[i] == '>' || name[i] == ')') --depth;
        if (name[i] == ' ' && depth == 0) start = i + 1;
    }
    return start;
}

}  // namespace

std::string plain_name(std::string_view symbol) {
    const std::string mangled(symbol);
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
    if (status != 0 || text == nullptr) return mangled;
    std::string name = text.get();
    if (name.find("operator") != std::string::npos) return name;
    // "reduce(float*)::tile": only functions have parameters at the end.
    if (name.ends_with(')')) name.resize(parameters_at(name));
    return name.substr(name_start(name));
}

}  // namespace lanescope::simt
