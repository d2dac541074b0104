#include <algorithm>
#include <array>

#include "base/cpp_lexer.h"
#include "lesson/element_type.h"
#include "lesson/expression.h"
#include "lesson/front_matter.h"

namespace lanescope::lesson {

namespace {

struct Spelling {
    const char* cpp;
    const char* type;
};
constexpr std::array spellings{
    Spelling{"signed char", "char"},
    Spelling{"int8_t", "char"},
    Spelling{"unsigned char", "uchar"},
    Spelling{"uint8_t", "uchar"},
    Spelling{"short int", "short"},
    Spelling{"int16_t", "short"},
    Spelling{"unsigned short", "ushort"},
    Spelling{"uint16_t", "ushort"},
    Spelling{"signed", "int"},
    Spelling{"signed int", "int"},
    Spelling{"int32_t", "int"},
    Spelling{"unsigned", "uint"},
    Spelling{"unsigned int", "uint"},
    Spelling{"uint32_t", "uint"},
    Spelling{"long long", "long"},
    Spelling{"long int", "long"},
    Spelling{"long long int", "long"},
    Spelling{"int64_t", "long"},
    Spelling{"ptrdiff_t", "long"},
    Spelling{"unsigned long", "ulong"},
    Spelling{"unsigned long long", "ulong"},
    Spelling{"unsigned long long int", "ulong"},
    Spelling{"uint64_t", "ulong"},
    Spelling{"size_t", "ulong"},
    Spelling{"__half", "half"},
};

struct ParsedType {
    std::string base;  // a buffer type; empty if the type is not one
    bool pointer = false, constant = false, plain = true;
};

ParsedType parse_type(const std::string& text, const std::vector<std::string>& type_parameters) {
    ParsedType parsed;
    std::string words;
    int pointers = 0;
    CppLexer lexer(text);
    while (const auto token = lexer.next()) {
        const std::string_view s = token->text;
        if (s == "const")
            parsed.constant = parsed.constant || pointers == 0;
        else if (s == "*")
            ++pointers;
        else if (s == "std" || s == "::")
            continue;
        else if (s != "__restrict__" && s != "volatile" && s != "__restrict" && s != "restrict" &&
                 s != "__grid_constant__")
            words += (words.empty() ? "" : " ") + std::string(s);
    }
    parsed.pointer = pointers == 1;
    parsed.plain = pointers <= 1;
    for (const std::string& parameter : type_parameters)
        if (words == parameter) words = "int";
    for (const Spelling& spelling : spellings)
        if (words == spelling.cpp) words = spelling.type;
    if (element_type(words)) parsed.base = words;
    return parsed;
}

bool one_of(const std::string& name, std::initializer_list<const char*> list) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    return std::any_of(list.begin(), list.end(), [&](const char* each) { return lower == each; });
}

class Proposer {
  public:
    Proposer(const KernelSignature& kernel, const std::string& file) : kernel_(kernel), file_(file) {}

    Result<FrontMatter> run() {
        front_.title = kernel_.name;
        LaunchSpec launch;
        launch.line = kernel_.line;
        if (auto name = with_template_arguments())
            launch.kernel = std::move(*name);
        else
            return by_hand("the template " + kernel_.name + " needs arguments that cannot be guessed");
        for (const auto& parameter : kernel_.params)
            note_size(parameter);
        add_sizes(launch);
        for (const auto& parameter : kernel_.params)
            if (!add_argument(parameter, launch))
                return by_hand("'" + parameter.type + " " + parameter.name + "' of " + kernel_.name +
                               " is neither a number nor a pointer to numbers");
        front_.launches.push_back(std::move(launch));
        return std::move(front_);
    }

  private:
    Diagnostic by_hand(std::string message) const {
        return error_at(file_, kernel_.line, 0, "no launch can be proposed: " + message,
                        "write one at the start of the file: /*--- lanescope, [params], [buffers], "
                        "[[launch]] with kernel, "
                        "grid, block and args, ---*/");
    }

    // Returns "reduce<int>" for a template whose parameters are all types.
    std::optional<std::string> with_template_arguments() {
        if (kernel_.template_parameters.empty()) return kernel_.name;
        std::string list;
        for (const std::string& parameter : kernel_.template_parameters) {
            const bool type = parameter.starts_with("typename ") || parameter.starts_with("class ");
            if (!type || parameter.find('=') != std::string::npos) return std::nullopt;
            type_parameters_.push_back(parameter.substr(parameter.rfind(' ') + 1));
            list += list.empty() ? "int" : ", int";
        }
        return kernel_.name + "<" + list + ">";
    }

    bool is_integer(const KernelSignature::Param& parameter) const {
        const ParsedType type = parse_type(parameter.type, type_parameters_);
        const auto element = element_type(type.base);
        return !type.pointer && type.plain && element && !element->floating() && element->components == 1;
    }

    void note_size(const KernelSignature::Param& parameter) {
        if (!is_integer(parameter)) return;
        if (one_of(parameter.name, {"width", "w", "cols", "columns", "nx"}) && width_.empty())
            width_ = parameter.name;
        if (one_of(parameter.name, {"height", "h", "rows", "ny"}) && height_.empty())
            height_ = parameter.name;
    }

    void add_parameter(const std::string& name, std::int64_t value, std::optional<std::int64_t> min,
                       std::vector<std::int64_t> choices = {}) {
        Parameter parameter;
        parameter.name = name;
        parameter.default_value = value;
        parameter.min = min;
        parameter.choices = std::move(choices);
        front_.parameters.push_back(std::move(parameter));
    }

    void add_sizes(LaunchSpec& launch) {
        matrix_ = !width_.empty() && !height_.empty();
        if (matrix_) {
            add_parameter(width_, 32, 1);
            add_parameter(height_, 32, 1);
        } else {
            add_parameter("n", 64, 1);
        }
        const auto blocks = [](const std::string& size, const std::string& block) {
            return Expression{"ceil_div(" + size + ", " + block + ")", 0, 0};
        };
        if (kernel_.two_dimensional) {
            launch.block = {{"16", 0, 0}, {"16", 0, 0}};
            launch.grid = {blocks(matrix_ ? width_ : "n", "16"), blocks(matrix_ ? height_ : "n", "16")};
            return;
        }
        add_parameter("block", 64, std::nullopt, {32, 64, 128, 256, 512, 1024});
        launch.block = {{"block", 0, 0}};
        launch.grid = {blocks(matrix_ ? width_ + " * " + height_ : "n", "block")};
    }

    bool taken(const std::string& name) const {
        const auto named = [&](const auto& each) { return each.name == name; };
        return std::any_of(front_.parameters.begin(), front_.parameters.end(), named) ||
               std::any_of(front_.buffers.begin(), front_.buffers.end(), named) || is_function_name(name);
    }

    std::string free_name(std::string name) const {
        while (taken(name))
            name += '_';
        return name;
    }

    bool add_argument(const KernelSignature::Param& parameter, LaunchSpec& launch) {
        const ParsedType type = parse_type(parameter.type, type_parameters_);
        const auto element = element_type(type.base);
        if (!type.plain || !element) return false;
        if (type.pointer) {
            add_buffer(parameter.name, type, launch);
        } else if (element->components > 1) {
            return false;
        } else if (element->floating()) {
            launch.args.push_back({"1.0", 0, 0});
        } else if (matrix_ && (parameter.name == width_ || parameter.name == height_)) {
            launch.args.push_back({parameter.name, 0, 0});
        } else if (!matrix_ &&
                   one_of(parameter.name, {"n", "len", "length", "size", "count", "num", "width", "w", "cols",
                                           "columns", "height", "h", "rows", "nx", "ny"})) {
            launch.args.push_back({"n", 0, 0});
        } else {
            const std::string name = free_name(parameter.name);
            add_parameter(name, 1, std::nullopt);
            launch.args.push_back({name, 0, 0});
        }
        return true;
    }

    void add_buffer(const std::string& name, const ParsedType& type, LaunchSpec& launch) {
        Buffer buffer;
        buffer.name = free_name(name);
        buffer.type = type.base;
        if (matrix_)
            buffer.shape = {{height_, 0, 0}, {width_, 0, 0}};
        else
            buffer.count = {kernel_.two_dimensional ? "n * n" : "n", 0, 0};
        buffer.init = {type.constant ? "random(0, 9)" : "zero", 0, 0};
        launch.args.push_back({buffer.name, 0, 0});
        front_.buffers.push_back(std::move(buffer));
    }

    const KernelSignature& kernel_;
    std::string file_;
    FrontMatter front_;
    std::vector<std::string> type_parameters_;
    std::string width_, height_;
    bool matrix_ = false;  // the kernel takes a width and a height
};

}  // namespace

Result<FrontMatter> propose(const std::vector<KernelSignature>& kernels, const std::string& file) {
    if (kernels.empty())
        return error_at(file, 0, 0, "there is no kernel in the file", "expected a __global__ function");
    return Proposer(kernels.front(), file).run();
}

}  // namespace lanescope::lesson
