#include "lesson/proposal/find_kernels.h"

#include <algorithm>
#include <array>

#include "base/cpp_lexer.h"

namespace lanescope::lesson {

namespace {

using Tokens = std::vector<CppToken>;

// Leaves out preprocessor lines.
Tokens tokens_of(std::string_view source) {
    Tokens tokens = tokenize_cpp(source);
    std::erase_if(tokens, [](const CppToken& token) { return token.kind == CppToken::Kind::directive; });
    return tokens;
}

bool is(const Tokens& tokens, std::size_t at, std::string_view spelling) {
    return at < tokens.size() && tokens[at].is(spelling);
}

// Returns the index after the bracket that closes the one at `open`. Counts angle brackets only if `open` is
// one.
std::size_t behind(const Tokens& tokens, std::size_t open) {
    const bool angles = tokens[open].text == "<";
    int round = 0, angle = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        const std::string_view s = tokens[i].text;
        if (s == "(" || s == "[" || s == "{") ++round;
        if (s == ")" || s == "]" || s == "}") --round;
        if (angles && round == 0 && s == "<") ++angle;
        if (angles && round == 0 && s == ">") --angle;
        if (round <= 0 && angle <= 0) return i + 1;
    }
    return tokens.size();
}

// Returns the source text of tokens [begin, end) with white space folded.
std::string text_of(const Tokens& tokens, std::size_t begin, std::size_t end) {
    std::string text;
    for (std::size_t i = begin; i < end; ++i) {
        const bool both_words = !text.empty() && tokens[i].kind != CppToken::Kind::punctuation &&
                                tokens[i - 1].kind != CppToken::Kind::punctuation;
        const bool behind_pointer =
            !text.empty() && text.back() == '*' && tokens[i].kind == CppToken::Kind::identifier;
        if (both_words || behind_pointer) text += ' ';
        text += tokens[i].text;
    }
    return text;
}

// Returns the ranges of [begin, end) between commas outside all brackets.
std::vector<std::pair<std::size_t, std::size_t>> comma_ranges(const Tokens& tokens, std::size_t begin,
                                                              std::size_t end) {
    std::vector<std::pair<std::size_t, std::size_t>> ranges;
    int depth = 0;
    std::size_t first = begin;
    for (std::size_t i = begin; i < end; ++i) {
        const std::string_view s = tokens[i].text;
        if (s == "(" || s == "[" || s == "{" || s == "<") ++depth;
        if (s == ")" || s == "]" || s == "}" || s == ">") --depth;
        if (s != "," || depth != 0) continue;
        ranges.emplace_back(first, i);
        first = i + 1;
    }
    if (first < end) ranges.emplace_back(first, end);
    return ranges;
}

// Returns whether a word that ends a type is not a parameter's name.
bool belongs_to_type(std::string_view word) {
    constexpr std::array words{"__restrict__", "bool", "char",  "const",  "double",   "float",
                               "int",          "long", "short", "signed", "unsigned", "void"};
    return std::find(words.begin(), words.end(), word) != words.end();
}

KernelSignature::Param parameter_of(const Tokens& tokens, std::size_t begin, std::size_t end,
                                    std::size_t number) {
    for (std::size_t i = begin; i < end; ++i)
        if (tokens[i].text == "=") end = i;
    bool array = false;
    while (end > begin && tokens[end - 1].text == "]") {
        while (end > begin && tokens[end - 1].text != "[")
            --end;
        if (end > begin) --end;
        array = true;
    }
    KernelSignature::Param parameter;
    const bool named = end > begin + 1 && tokens[end - 1].kind == CppToken::Kind::identifier &&
                       !belongs_to_type(tokens[end - 1].text) && tokens[end - 2].text != "::";
    parameter.name = named ? std::string(tokens[end - 1].text) : "arg" + std::to_string(number);
    parameter.type = text_of(tokens, begin, named ? end - 1 : end) + (array ? "*" : "");
    return parameter;
}

class KernelFinder {
  public:
    explicit KernelFinder(std::string_view source) : tokens_(tokens_of(source)) {}

    std::vector<KernelSignature> run() {
        std::vector<std::string> open;  // per open brace: its namespace, or an empty text
        std::vector<std::string> templates;
        for (std::size_t i = 0; i < tokens_.size();) {
            const std::string_view s = tokens_[i].text;
            if (s == "template" && is(tokens_, i + 1, "<")) {
                const std::size_t end = behind(tokens_, i + 1);
                templates.clear();
                for (const auto& [first, last] : comma_ranges(tokens_, i + 2, end - 1))
                    templates.push_back(text_of(tokens_, first, last));
                i = end;
            } else if (s == "namespace") {
                std::string name;
                for (++i; i < tokens_.size() && !is(tokens_, i, "{") && !is(tokens_, i, ";") &&
                          !is(tokens_, i, "=");
                     ++i)
                    if (tokens_[i].text != "inline") name += tokens_[i].text;
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
    // Reads a kernel after its __global__. Returns the index of its body, where the caller goes on, so that
    // braces stay balanced.
    std::size_t read_kernel(std::size_t at, const std::vector<std::string>& open,
                            const std::vector<std::string>& templates) {
        std::size_t name = at;
        std::string bound;
        std::vector<std::string> cluster;
        for (;; ++name) {
            if (name >= tokens_.size() || is(tokens_, name, ";") || is(tokens_, name, "{")) return name;
            const bool attribute =
                is(tokens_, name, "__launch_bounds__") || is(tokens_, name, "__maxnreg__") ||
                is(tokens_, name, "__cluster_dims__") || is(tokens_, name, "__attribute__");
            if (attribute && is(tokens_, name + 1, "(")) {
                const std::size_t last = behind(tokens_, name + 1) - 1;
                if (is(tokens_, name, "__launch_bounds__"))
                    for (const auto& [begin, end] : comma_ranges(tokens_, name + 2, last))
                        if (begin == name + 2) bound = text_of(tokens_, begin, end);
                if (is(tokens_, name, "__cluster_dims__"))
                    for (const auto& [begin, end] : comma_ranges(tokens_, name + 2, last))
                        cluster.push_back(text_of(tokens_, begin, end));
                name = last;
            } else if (tokens_[name].kind == CppToken::Kind::identifier && is(tokens_, name + 1, "(")) {
                break;
            }
        }
        const std::size_t close = behind(tokens_, name + 1);
        std::size_t body = close;
        while (body < tokens_.size() && !is(tokens_, body, "{") && !is(tokens_, body, ";"))
            ++body;
        if (!is(tokens_, body, "{")) return body;  // a declaration without a body
        KernelSignature kernel;
        for (const std::string& scope : open)
            if (!scope.empty()) kernel.name += scope + "::";
        kernel.name += tokens_[name].text;
        kernel.line = tokens_[name].line;
        kernel.template_parameters = templates;
        for (const auto& [begin, end] : comma_ranges(tokens_, name + 2, close - 1))
            if (end > begin && !(end == begin + 1 && tokens_[begin].text == "void"))
                kernel.params.push_back(parameter_of(tokens_, begin, end, kernel.params.size()));
        const std::size_t end = behind(tokens_, body);
        for (std::size_t i = body; i + 2 < end; ++i)
            if ((is(tokens_, i, "threadIdx") || is(tokens_, i, "blockIdx")) && is(tokens_, i + 1, ".")) {
                kernel.two_dimensional = kernel.two_dimensional || is(tokens_, i + 2, "y");
                kernel.three_dimensional = kernel.three_dimensional || is(tokens_, i + 2, "z");
            }
        kernel.most_threads = std::move(bound);
        kernel.cluster = std::move(cluster);
        kernel.body_begin = tokens_[body].begin;
        kernel.body_end = end > body ? tokens_[end - 1].end : kernel.body_begin;
        kernels_.push_back(std::move(kernel));
        return body;
    }

    Tokens tokens_;
    std::vector<KernelSignature> kernels_;
};

}  // namespace

std::vector<KernelSignature> find_kernels(std::string_view source) {
    return KernelFinder(source).run();
}

}  // namespace lanescope::lesson
