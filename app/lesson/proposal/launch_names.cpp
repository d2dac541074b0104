#include <algorithm>

#include "lesson/element_type.h"
#include "lesson/expression.h"
#include "lesson/proposal/launch_choice.h"

namespace lanescope::lesson {

// --- The kernel's name, its parameters, the arrays that it uses --------------------------------------------

Diagnostic LaunchChoice::by_hand(const std::string& message) const {
    return error_at(file_, kernel_.line, 0, "no launch can be proposed: " + message,
                    "write one at the start of the file: /*--- lanescope, [params], [buffers], "
                    "[[launch]] with kernel, "
                    "grid, block and args, ---*/");
}

// --- The kernel's name and its template arguments ---
Result<void> LaunchChoice::name_kernel() {
    spec_.kernel = kernel_.name;
    if (kernel_.template_parameters.empty()) return {};
    std::vector<std::string> arguments;
    for (std::size_t i = 0; i < kernel_.template_parameters.size(); ++i) {
        const std::string& parameter = kernel_.template_parameters[i];
        const std::size_t equals = parameter.find('=');
        const std::string declared = parameter.substr(0, equals);
        const bool is_type = declared.starts_with("typename ") || declared.starts_with("class ");
        const std::string name = declared.substr(declared.rfind(' ') + 1);
        const bool given = launch_ != nullptr && i < launch_->template_arguments.size();
        std::optional<std::string> value;
        if (given) value = template_argument(launch_->template_arguments[i], is_type);
        if (!value && equals != std::string::npos)
            value = template_argument(parameter.substr(equals + 1), is_type);
        if (!value && is_type && declared.find("...") == std::string::npos) value = deduced_type(name);
        if (!value && !is_type) value = usual_argument(declared, name);
        if (!value)
            return by_hand("the template " + kernel_.name + " needs arguments that cannot be guessed");
        if (is_type)
            shape_.types[name] = *value;
        else
            shape_.constants[name] = *value;
        arguments.push_back(*value);
    }
    std::string list;
    for (const std::string& each : arguments)
        list += (list.empty() ? "" : ", ") + each;
    spec_.kernel += "<" + list + ">";
    return {};
}

std::optional<std::string> LaunchChoice::template_argument(const std::string& text, bool is_type) const {
    if (!is_type) {
        const auto value = model_.constant(text);
        return value ? std::optional(std::to_string(*value)) : std::nullopt;
    }
    const TypeUse use = model_.type(text);
    if (use.name.empty() || !(model_.element(use.name) || model_.layout(use.name))) return std::nullopt;
    return text;
}

// A type that the launch leaves to the compiler: that of numbers.
std::optional<std::string> LaunchChoice::deduced_type(const std::string& name) const {
    for (const char* functor : {"Op", "Func", "Functor", "Predicate", "F", "Operator"})
        if (name == functor) return std::nullopt;
    return "int";
}

std::optional<std::string> LaunchChoice::usual_argument(const std::string& declared,
                                                        const std::string& name) const {
    if (declared.starts_with("bool ")) return "true";
    if (launch_ == nullptr) return std::nullopt;
    std::string lower = name;
    for (char& c : lower)
        c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    if (lower.find("tile") != lower.npos) return "16";
    return lower.find("block") != lower.npos || lower.find("thread") != lower.npos
               ? std::optional<std::string>(kernel_.two_dimensional ? "16" : "128")
               : std::nullopt;
}

// --- Names ---
bool LaunchChoice::taken(const std::string& name) const {
    const auto named = [&](const auto& each) { return each.name == name; };
    return std::any_of(front_.parameters.begin(), front_.parameters.end(), named) ||
           std::any_of(front_.buffers.begin(), front_.buffers.end(), named) ||
           std::any_of(names_.begin(), names_.end(), [&](const auto& each) { return each.second == name; }) ||
           is_function_name(name);
}

std::string LaunchChoice::free_name(std::string name) const {
    while (taken(name))
        name += '_';
    return name;
}

TypeUse LaunchChoice::type_of(const KernelSignature::Param& parameter) const {
    return model_.type(parameter.type, shape_.types);
}

// Whether the front matter can give the parameter as a whole number.
bool LaunchChoice::is_whole(const KernelSignature::Param& parameter) const {
    const TypeUse use = type_of(parameter);
    const auto name = model_.element(use.name);
    const auto element = name ? element_type(*name) : std::nullopt;
    const bool bits = use.name.find("bfloat") != std::string::npos;
    return use.pointers == 0 && !use.reference && element && !element->floating() &&
           element->components == 1 && !bits;
}

void LaunchChoice::name_scalars() {
    for (const KernelSignature::Param& parameter : kernel_.params) {
        const TypeUse use = type_of(parameter);
        if (is_whole(parameter)) {
            const std::string name = free_name(parameter.name);
            names_[parameter.name] = name;
            shape_.scalars[parameter.name] = Polynomial::of(name);
        }
        if (use.pointers == 0) continue;
        shape_.pointers.insert(parameter.name);
        const auto name = model_.element(use.name);
        const auto element = name ? element_type(*name) : std::nullopt;
        if (element && !element->floating() && element->components == 1)
            shape_.indices.insert(parameter.name);
    }
    for (const ModuleArray& array : module_arrays())
        shape_.pointers.insert(array.name);
}

// What stands for the host variables that become arguments.
std::map<std::string, std::string> LaunchChoice::host_names() const {
    std::map<std::string, std::string> names;
    for (std::size_t i = 0; i < std::min(kernel_.params.size(), launch_->arguments.size()); ++i) {
        const Tokens& argument = launch_->arguments[i];
        const auto own = names_.find(kernel_.params[i].name);
        if (own != names_.end() && argument.size() == 1 && argument[0].is_identifier())
            names.emplace(std::string(argument[0].text), own->second);
    }
    return names;
}

std::size_t LaunchChoice::dimensions() const {
    return kernel_.three_dimensional ? 3 : kernel_.two_dimensional ? 2 : 1;
}

// __constant__ and __device__ arrays without an initialiser that the kernel uses.
std::vector<LaunchChoice::ModuleArray> LaunchChoice::module_arrays() const {
    std::vector<ModuleArray> found;
    for (const Tokens& tokens : model_.texts()) {
        int depth = 0;
        for (std::size_t i = 0; i + 4 < tokens.size(); ++i) {
            depth += tokens[i].is("{") ? 1 : tokens[i].is("}") ? -1 : 0;
            const bool constant = tokens[i].is("__constant__");
            if (depth != 0 || (!constant && !tokens[i].is("__device__"))) continue;
            std::size_t open = i + 1;
            while (open < tokens.size() && (tokens[open].is_identifier() || tokens[open].is("::")))
                ++open;
            if (open < i + 3 || open >= tokens.size() || !tokens[open].is("[")) continue;
            std::size_t close = closing(tokens, open);
            std::string count = "(" + joined(tokens, open + 1, close) + ")";
            while (close + 1 < tokens.size() && tokens[close + 1].is("[")) {
                const std::size_t next = close + 1;
                close = closing(tokens, next);
                count += " * (" + joined(tokens, next + 1, close) + ")";
            }
            if (close + 1 >= tokens.size() || !tokens[close + 1].is(";")) continue;
            const std::string name(tokens[open - 1].text);
            const bool used = std::any_of(body_.begin(), body_.end(),
                                          [&](const CppToken& token) { return token.is(name); });
            const auto elements = model_.constant(count);
            if (used && elements && *elements > 0 && *elements <= 1 << 22)
                found.push_back({name, joined(tokens, i + 1, open - 1), *elements, constant});
        }
    }
    return found;
}

}  // namespace lanescope::lesson
