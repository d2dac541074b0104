#include "compile/flags.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/cpp_lexer.h"

namespace lanescope::compile {

namespace {

constexpr std::array<std::string_view, 5> standards{"c++11", "c++14", "c++17", "c++20", "c++23"};

bool is_name(std::string_view text) {
    CppLexer lexer(text);
    const auto token = lexer.next();
    return token && token->is_identifier() && token->text.size() == text.size();
}

}  // namespace

Result<std::string> ptx_target(const std::string& text) {
    constexpr int oldest = 50, newest = 90;
    std::string_view digits = text;
    for (const std::string_view prefix : {"compute_", "sm_"})
        if (digits.starts_with(prefix)) digits.remove_prefix(prefix.size());
    std::string_view number = digits;
    if (number.ends_with('a')) number.remove_suffix(1);  // sm_90a: with what only this GPU has
    int value = 0;
    const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (failed != std::errc() || end != number.data() + number.size())
        return error("'" + text + "' is not a GPU architecture", "use a name such as sm_90 or compute_90");
    if (value < oldest || value > newest)
        return error("compute_" + std::to_string(value) + " is not a target that this program can read",
                     "use compute_75 to compute_90");
    return "compute_" + std::string(digits);
}

Result<void> check_flags(const Flags& flags) {
    for (const std::string& definition : flags.definitions)
        if (!is_name(definition.substr(0, definition.find('='))) ||
            definition.find_first_of("\n\r") != std::string::npos)
            return error("'" + definition + "' cannot be defined", "use NAME or NAME=VALUE, as in -D N=1024");
    if (!flags.standard.empty() &&
        std::find(standards.begin(), standards.end(), flags.standard) == standards.end())
        return error("'" + flags.standard + "' is not a C++ standard that the compiler knows",
                     "use c++11, c++14, c++17, c++20 or c++23");
    if (flags.arch.empty()) return {};
    if (const Result<std::string> target = ptx_target(flags.arch); !target) return target.diagnostics();
    return {};
}

Flags merged(const Flags& first, Flags flags) {
    flags.include_folders.insert(flags.include_folders.begin(), first.include_folders.begin(),
                                 first.include_folders.end());
    // The compiler obeys the last definition of a name.
    flags.definitions.insert(flags.definitions.end(), first.definitions.begin(), first.definitions.end());
    if (!first.standard.empty()) flags.standard = first.standard;
    if (!first.arch.empty()) flags.arch = first.arch;
    return flags;
}

std::vector<std::string> arguments_of(const Flags& flags) {
    std::vector<std::string> arguments;
    const auto add = [&](const char* name, const std::string& value) {
        arguments.insert(arguments.end(), {name, value});
    };
    for (const std::string& folder : flags.include_folders)
        add("-I", folder);
    for (const std::string& definition : flags.definitions)
        add("-D", definition);
    if (!flags.standard.empty()) add("--std", flags.standard);
    if (!flags.arch.empty()) add("--arch", flags.arch);
    return arguments;
}

}  // namespace lanescope::compile
