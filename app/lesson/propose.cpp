#include <algorithm>
#include <array>

#include "lesson/element_type.h"
#include "lesson/expression.h"
#include "lesson/front_matter.h"
#include "lesson/lexer.h"

namespace lanescope::lesson {

namespace {

using Tokens = std::vector<Token>;

Tokens tokens_of(std::string_view source) {
    Tokens tokens;
    Lexer lexer(source);
    while (const auto token = lexer.next())
        if (token->kind != Token::Kind::comment) tokens.push_back(*token);
    return tokens;
}

bool is(const Tokens& tokens, std::size_t at, std::string_view spelling) {
    return at < tokens.size() && tokens[at].spelling == spelling;
}

// Index behind the bracket that closes the one at `open`; angle brackets only when `open` is one.
std::size_t behind(const Tokens& tokens, std::size_t open) {
    const bool angles = tokens[open].spelling == "<";
    int round = 0, angle = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        const std::string_view s = tokens[i].spelling;
        if (s == "(" || s == "[" || s == "{") ++round;
        if (s == ")" || s == "]" || s == "}") --round;
        if (angles && round == 0 && s == "<") ++angle;
        if (angles && round == 0 && s == ">") --angle;
        if (round <= 0 && angle <= 0) return i + 1;
    }
    return tokens.size();
}

// The source text from token `begin` to before token `end`, white space folded.
std::string text_of(const Tokens& tokens, std::size_t begin, std::size_t end) {
    std::string text;
    for (std::size_t i = begin; i < end; ++i) {
        const bool both_words = !text.empty() && tokens[i].kind != Token::Kind::punctuation &&
                                tokens[i - 1].kind != Token::Kind::punctuation;
        const bool behind_pointer = !text.empty() && text.back() == '*' && tokens[i].kind == Token::Kind::identifier;
        if (both_words || behind_pointer) text += ' ';
        text += tokens[i].spelling;
    }
    return text;
}

// Ranges between commas that stand outside all brackets, in (begin, end).
std::vector<std::pair<std::size_t, std::size_t>> comma_ranges(const Tokens& tokens, std::size_t begin, std::size_t end) {
    std::vector<std::pair<std::size_t, std::size_t>> ranges;
    int depth = 0;
    std::size_t first = begin;
    for (std::size_t i = begin; i < end; ++i) {
        const std::string_view s = tokens[i].spelling;
        if (s == "(" || s == "[" || s == "{" || s == "<") ++depth;
        if (s == ")" || s == "]" || s == "}" || s == ">") --depth;
        if (s != "," || depth != 0) continue;
        ranges.emplace_back(first, i);
        first = i + 1;
    }
    if (first < end) ranges.emplace_back(first, end);
    return ranges;
}

// Words that end a type and are no name of a parameter.
bool belongs_to_type(std::string_view word) {
    constexpr std::array words{"__restrict__", "bool", "char",  "const", "double", "float",
                               "int",          "long", "short", "signed", "unsigned", "void"};
    return std::find(words.begin(), words.end(), word) != words.end();
}

KernelSignature::Param parameter_of(const Tokens& tokens, std::size_t begin, std::size_t end, std::size_t number) {
    for (std::size_t i = begin; i < end; ++i)
        if (tokens[i].spelling == "=") end = i;
    bool array = false;
    while (end > begin && tokens[end - 1].spelling == "]") {
        while (end > begin && tokens[end - 1].spelling != "[") --end;
        if (end > begin) --end;
        array = true;
    }
    KernelSignature::Param parameter;
    const bool named = end > begin + 1 && tokens[end - 1].kind == Token::Kind::identifier &&
                       !belongs_to_type(tokens[end - 1].spelling) && tokens[end - 2].spelling != "::";
    parameter.name = named ? std::string(tokens[end - 1].spelling) : "arg" + std::to_string(number);
    parameter.type = text_of(tokens, begin, named ? end - 1 : end) + (array ? "*" : "");
    return parameter;
}

class KernelFinder {
  public:
    explicit KernelFinder(std::string_view source) : tokens_(tokens_of(source)) {}

    std::vector<KernelSignature> run() {
        std::vector<std::string> open;      // per brace: its namespace, or nothing
        std::vector<std::string> templates;
        for (std::size_t i = 0; i < tokens_.size();) {
            const std::string_view s = tokens_[i].spelling;
            if (s == "template" && is(tokens_, i + 1, "<")) {
                const std::size_t end = behind(tokens_, i + 1);
                templates.clear();
                for (const auto& [first, last] : comma_ranges(tokens_, i + 2, end - 1))
                    templates.push_back(text_of(tokens_, first, last));
                i = end;
            } else if (s == "namespace") {
                std::string name;
                for (++i; i < tokens_.size() && !is(tokens_, i, "{") && !is(tokens_, i, ";") && !is(tokens_, i, "="); ++i)
                    if (tokens_[i].spelling != "inline") name += tokens_[i].spelling;
                if (is(tokens_, i, "{")) {
                    open.push_back(name);
                    ++i;
                }
            } else if (s == "__global__") {
                i = read_kernel(i + 1, open, templates);
                templates.clear();
            } else {
                if (s == "{") open.emplace_back();
                if (s == "}" && !open.empty()) open.pop_back();
                if (s == ";" || s == "}") templates.clear();
                ++i;
            }
        }
        return std::move(kernels_);
    }

  private:
    // Reads from behind __global__; returns where to go on: at the body, so that braces stay balanced.
    std::size_t read_kernel(std::size_t at, const std::vector<std::string>& open,
                            const std::vector<std::string>& templates) {
        std::size_t name = at;
        for (;; ++name) {
            if (name >= tokens_.size() || is(tokens_, name, ";") || is(tokens_, name, "{")) return name;
            const bool attribute = is(tokens_, name, "__launch_bounds__") || is(tokens_, name, "__maxnreg__") ||
                                   is(tokens_, name, "__cluster_dims__") || is(tokens_, name, "__attribute__");
            if (attribute && is(tokens_, name + 1, "(")) name = behind(tokens_, name + 1) - 1;
            else if (tokens_[name].kind == Token::Kind::identifier && is(tokens_, name + 1, "(")) break;
        }
        const std::size_t close = behind(tokens_, name + 1);
        std::size_t body = close;
        while (body < tokens_.size() && !is(tokens_, body, "{") && !is(tokens_, body, ";")) ++body;
        if (!is(tokens_, body, "{")) return body;  // only declared
        KernelSignature kernel;
        for (const std::string& scope : open)
            if (!scope.empty()) kernel.name += scope + "::";
        kernel.name += tokens_[name].spelling;
        kernel.line = tokens_[name].line;
        kernel.template_parameters = templates;
        for (const auto& [begin, end] : comma_ranges(tokens_, name + 2, close - 1))
            if (end > begin && !(end == begin + 1 && tokens_[begin].spelling == "void"))
                kernel.params.push_back(parameter_of(tokens_, begin, end, kernel.params.size()));
        const std::size_t end = behind(tokens_, body);
        for (std::size_t i = body; i + 2 < end; ++i)
            if ((is(tokens_, i, "threadIdx") || is(tokens_, i, "blockIdx")) && is(tokens_, i + 1, ".") &&
                is(tokens_, i + 2, "y"))
                kernel.two_dimensional = true;
        kernels_.push_back(std::move(kernel));
        return body;
    }

    Tokens tokens_;
    std::vector<KernelSignature> kernels_;
};

// --- Proposal ---------------------------------------------------------------------------------------------------

struct Spelling {
    const char* cpp;
    const char* type;
};
constexpr std::array spellings{
    Spelling{"signed char", "char"},   Spelling{"int8_t", "char"},       Spelling{"unsigned char", "uchar"},
    Spelling{"uint8_t", "uchar"},      Spelling{"short int", "short"},   Spelling{"int16_t", "short"},
    Spelling{"unsigned short", "ushort"}, Spelling{"uint16_t", "ushort"}, Spelling{"signed", "int"},
    Spelling{"signed int", "int"},     Spelling{"int32_t", "int"},       Spelling{"unsigned", "uint"},
    Spelling{"unsigned int", "uint"},  Spelling{"uint32_t", "uint"},     Spelling{"long long", "long"},
    Spelling{"long int", "long"},      Spelling{"long long int", "long"}, Spelling{"int64_t", "long"},
    Spelling{"ptrdiff_t", "long"},     Spelling{"unsigned long", "ulong"}, Spelling{"unsigned long long", "ulong"},
    Spelling{"unsigned long long int", "ulong"}, Spelling{"uint64_t", "ulong"}, Spelling{"size_t", "ulong"},
    Spelling{"__half", "half"},
};

struct ParsedType {
    std::string base;  // a buffer type; empty when it is none
    bool pointer = false, constant = false, plain = true;
};

ParsedType parse_type(const std::string& text, const std::vector<std::string>& type_parameters) {
    ParsedType parsed;
    std::string words;
    int pointers = 0;
    Lexer lexer(text);
    while (const auto token = lexer.next()) {
        const std::string_view s = token->spelling;
        if (s == "const") parsed.constant = parsed.constant || pointers == 0;
        else if (s == "*") ++pointers;
        else if (s == "std" || s == "::") continue;
        else if (s != "__restrict__" && s != "volatile" && s != "__restrict" && s != "restrict" && s != "__grid_constant__")
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
        if (auto name = with_template_arguments()) launch.kernel = std::move(*name);
        else return by_hand("the template " + kernel_.name + " needs arguments that cannot be guessed");
        for (const auto& parameter : kernel_.params)
            note_size(parameter);
        add_sizes(launch);
        for (const auto& parameter : kernel_.params)
            if (!add_argument(parameter, launch))
                return by_hand("'" + parameter.type + " " + parameter.name + "' of " + kernel_.name +
                               " is no number and no pointer to numbers");
        front_.launches.push_back(std::move(launch));
        return std::move(front_);
    }

  private:
    Diagnostic by_hand(std::string message) const {
        return error_at(file_, kernel_.line, 0, "no launch can be proposed: " + message,
                        "write it at the head of the file: /*--- lanescope, [params], [buffers], [[launch]] with kernel, "
                        "grid, block and args, ---*/");
    }

    // "reduce<int>" for a template over types alone.
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
        if (one_of(parameter.name, {"width", "w", "cols", "columns", "nx"}) && width_.empty()) width_ = parameter.name;
        if (one_of(parameter.name, {"height", "h", "rows", "ny"}) && height_.empty()) height_ = parameter.name;
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
        while (taken(name)) name += '_';
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
        } else if (!matrix_ && one_of(parameter.name, {"n", "len", "length", "size", "count", "num", "width", "w", "cols",
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
        if (matrix_) buffer.shape = {{height_, 0, 0}, {width_, 0, 0}};
        else buffer.count = {kernel_.two_dimensional ? "n * n" : "n", 0, 0};
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

std::vector<KernelSignature> find_kernels(std::string_view source) {
    return KernelFinder(source).run();
}

Result<FrontMatter> propose(const std::vector<KernelSignature>& kernels, const std::string& file) {
    if (kernels.empty()) return error_at(file, 0, 0, "there is no kernel in the file", "expected a __global__ function");
    return Proposer(kernels.front(), file).run();
}

}  // namespace lanescope::lesson
