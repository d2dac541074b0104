#include "execution/ptx/kernel_signature.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"

namespace lanescope::execution {

namespace {

std::string demangled(const std::string& symbol) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? text.get() : symbol;
}

bool part_of_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The parts between commas outside of brackets; "" has none.
std::vector<std::string> parts_of(const std::string& list) {
    std::vector<std::string> parts;
    if (trimmed(list).empty()) return parts;
    int depth = 0;
    std::string part;
    for (const char c : list) {
        depth += c == '(' || c == '<' || c == '[' || c == '{';
        depth -= c == ')' || c == '>' || c == ']' || c == '}';
        if (c == ',' && depth == 0)
            parts.emplace_back(trimmed(std::exchange(part, std::string())));
        else
            part += c;
    }
    parts.emplace_back(trimmed(part));
    return parts;
}

// "(int, float*)" at the end of a demangled name; nothing if there is none.
std::optional<std::string> arguments_of(const std::string& name) {
    if (!name.ends_with(')')) return std::nullopt;
    int depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        depth += name[i] == ')';
        depth -= name[i] == '(';
        if (depth == 0) return name.substr(i + 1, name.size() - i - 2);
    }
    return std::nullopt;
}

// "__main__::vector_add[abi:v1](…)" is "vector_add"; "void reduce<int>(int*)" is "reduce<int>".
std::string short_name(const std::string& symbol) {
    std::string name = demangled(symbol);
    if (const auto arguments = arguments_of(name)) name.resize(name.size() - arguments->size() - 2);
    for (std::size_t at = name.find("[abi:"); at != name.npos; at = name.find("[abi:")) {
        const std::size_t end = name.find(']', at);
        name.erase(at, end == name.npos ? name.npos : end - at + 1);
    }
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        depth += name[i] == '<';
        depth -= name[i] == '>';
        if (depth == 0 && (name[i] == ' ' || name[i] == ':')) begin = i + 1;
    }
    name.erase(0, begin);
    return name.empty() ? symbol : name;
}

struct KnownType {
    const char* spelled;
    const char* buffer;
};
constexpr KnownType known_types[] = {{"bool", "uchar"},       {"char", "char"},
                                     {"signed char", "char"}, {"unsigned char", "uchar"},
                                     {"short", "short"},      {"unsigned short", "ushort"},
                                     {"int", "int"},          {"unsigned int", "uint"},
                                     {"long", "long"},        {"unsigned long", "ulong"},
                                     {"long long", "long"},   {"unsigned long long", "ulong"},
                                     {"half", "half"},        {"__half", "half"},
                                     {"float", "float"},      {"double", "double"}};

std::string buffer_type(std::string spelled) {
    for (const std::string_view word : {" const", " volatile", " restrict", "const ", "*", "&"})
        for (std::size_t at = spelled.find(word); at != spelled.npos; at = spelled.find(word))
            spelled.erase(at, word.size());
    spelled = trimmed(spelled);
    for (const KnownType& known : known_types)
        if (spelled == known.spelled) return known.buffer;
    if (spelled.size() > 1 && spelled.back() >= '2' && spelled.back() <= '4') {
        const std::string scalar = spelled.substr(0, spelled.size() - 1);
        for (const KnownType& known : known_types)
            if (scalar == known.buffer) return spelled;
    }
    return {};
}

// "Array<float, 1, C, mutable, aligned>" of Numba.
std::optional<SourceParameter> numba_array(const std::string& spelled) {
    if (!spelled.starts_with("Array<") || !spelled.ends_with('>')) return std::nullopt;
    const std::vector<std::string> parts = parts_of(spelled.substr(6, spelled.size() - 7));
    if (parts.size() < 3 || parts[1].size() != 1 || parts[1][0] < '1' || parts[1][0] > '9')
        return std::nullopt;
    SourceParameter made;
    made.pointer = true;
    made.type = buffer_type(parts[0]);
    made.dimensions = static_cast<std::uint32_t>(parts[1][0] - '0');
    made.count =
        5 + 2 * made.dimensions;  // two addresses of the host, items, their bytes, data, shape, strides
    return made;
}

std::vector<SourceParameter> from_symbol(const ptx::Function& kernel) {
    std::vector<SourceParameter> parameters;
    const std::optional<std::string> arguments = arguments_of(demangled(kernel.name));
    if (!arguments) return parameters;
    std::uint32_t first = 0;
    for (const std::string& spelled : parts_of(*arguments)) {
        SourceParameter made;
        if (const auto array = numba_array(spelled)) {
            made = *array;
        } else {
            made.pointer = spelled.ends_with('*');
            made.type = buffer_type(spelled);
        }
        made.first = first;
        first += made.count;
        parameters.push_back(std::move(made));
    }
    if (first != kernel.parameters.size()) parameters.clear();
    return parameters;
}

// The names in "def add(x, y, n, BLOCK: tl.constexpr):" or "__global__ void add(float* x, int n)". Those that
// the compiler replaces by constants are left out. Nothing if the text does not define the function.
std::vector<std::string> names_in(const std::string& source, const std::string& function) {
    const std::string plain = function.substr(0, function.find('<'));
    for (std::size_t at = source.find(plain); at != source.npos; at = source.find(plain, at + 1)) {
        std::size_t open = at + plain.size();
        while (open < source.size() && source[open] == ' ')
            ++open;
        const bool whole =
            (at == 0 || !part_of_name(source[at - 1])) && open < source.size() && source[open] == '(';
        const std::size_t line = source.rfind('\n', at) == source.npos ? 0 : source.rfind('\n', at) + 1;
        const std::string before(trimmed(source.substr(line, at - line)));
        if (!whole || before.empty() || before.find_first_of("=(.#") != before.npos) continue;
        int depth = 0;
        std::size_t end = open;
        for (; end < source.size(); ++end) {
            depth += source[end] == '(';
            depth -= source[end] == ')';
            if (depth == 0) break;
        }
        std::vector<std::string> names;
        for (std::string part : parts_of(source.substr(open + 1, end - open - 1))) {
            if (part.find("constexpr") != part.npos || part == "*" || part == "/" || part.empty()) continue;
            part = trimmed(part.substr(0, part.find('=')));
            const std::size_t colon = part.find(':');
            if (colon != part.npos) part.resize(colon);  // of Python, Rust and Julia
            part = trimmed(part.substr(0, part.find('[')));
            const auto begin = std::find_if_not(part.rbegin(), part.rend(), part_of_name).base();
            names.emplace_back(begin, part.end());
        }
        return names;
    }
    return {};
}

std::string usual_name(const ptx::Variable& parameter, std::uint32_t index) {
    const std::string& name = parameter.name;
    const bool numbered = name.find("_param_") != name.npos || name.empty() ||
                          !std::isalpha(static_cast<unsigned char>(name[0]));
    const bool plain = std::all_of(name.begin(), name.end(), part_of_name);
    return numbered || !plain ? "p" + std::to_string(index) : name;
}

}  // namespace

std::vector<KernelName> kernel_names(const ptx::Module& module) {
    std::vector<KernelName> names;
    std::set<std::string> taken;
    for (const ptx::Function& function : module.functions) {
        if (function.kind != ptx::Function::Kind::entry || !function.has_body) continue;
        std::string shown = short_name(function.name);
        if (!taken.insert(shown).second) shown = function.name;
        names.push_back({shown, function.name});
    }
    return names;
}

SourceSignature signature_of(const ptx::Function& kernel, const std::string& source) {
    SourceSignature signature;
    signature.parameters = from_symbol(kernel);
    signature.types_known = !signature.parameters.empty();
    for (std::uint32_t i = 0; i < kernel.parameters.size() && !signature.types_known; ++i) {
        SourceParameter made;
        made.first = i;
        signature.parameters.push_back(std::move(made));
    }
    std::vector<std::string> names = names_in(source, short_name(kernel.name));
    // Compilers add parameters of their own at the end, and leave out those that are constants.
    const bool fits = signature.types_known ? names.size() == signature.parameters.size()
                                            : !names.empty() && names.size() <= signature.parameters.size() &&
                                                  signature.parameters.size() - names.size() <= 2;
    signature.names_known = true;
    std::set<std::string> taken;
    for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
        SourceParameter& each = signature.parameters[i];
        each.name =
            fits && i < names.size() ? names[i] : usual_name(kernel.parameters[each.first], each.first);
        const bool sound = !each.name.empty() && !std::isdigit(static_cast<unsigned char>(each.name[0]));
        if (!sound || !taken.insert(each.name).second) each.name = "p" + std::to_string(i);
        const bool numbered = each.name == "p" + std::to_string(each.first);
        signature.names_known = signature.names_known && (!numbered || (fits && i >= names.size()));
    }
    return signature;
}

}  // namespace lanescope::execution
