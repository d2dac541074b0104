#include "lesson/proposal/source_model.h"

#include <algorithm>
#include <array>

#include "expression/parser.h"
#include "lesson/element_type.h"

namespace lanescope::lesson {

namespace {

using Tokens = std::vector<CppToken>;

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
    Spelling{"unsigned short int", "ushort"},
    Spelling{"signed", "int"},
    Spelling{"signed int", "int"},
    Spelling{"int32_t", "int"},
    Spelling{"unsigned", "uint"},
    Spelling{"unsigned int", "uint"},
    Spelling{"uint32_t", "uint"},
    Spelling{"u_int32_t", "uint"},
    Spelling{"int unsigned", "uint"},
    Spelling{"long long", "long"},
    Spelling{"long int", "long"},
    Spelling{"long long int", "long"},
    Spelling{"int64_t", "long"},
    Spelling{"ptrdiff_t", "long"},
    Spelling{"ssize_t", "long"},
    Spelling{"clock_t", "long"},
    Spelling{"unsigned long", "ulong"},
    Spelling{"unsigned long long", "ulong"},
    Spelling{"unsigned long long int", "ulong"},
    Spelling{"uint64_t", "ulong"},
    Spelling{"size_t", "ulong"},
    Spelling{"__half", "half"},
    Spelling{"__half2", "half2"},
    Spelling{"cuComplex", "float2"},
    Spelling{"cuFloatComplex", "float2"},
    Spelling{"cufftComplex", "float2"},
    Spelling{"cuDoubleComplex", "double2"},
    Spelling{"cufftDoubleComplex", "double2"},
    Spelling{"cufftReal", "float"},
    Spelling{"longlong2", "long2"},
    Spelling{"ulonglong2", "ulong2"},
};

// Words that stand in a type and are not its name.
bool is_decoration(std::string_view word) {
    constexpr std::array words{"__restrict__", "__restrict", "restrict", "volatile", "__grid_constant__",
                               "struct",       "enum",       "class",    "typename", "static",
                               "inline",       "constexpr",  "extern"};
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_builtin_type(std::string_view word) {
    constexpr std::array words{"bool",   "char", "short", "int",    "long",     "float",
                               "double", "half", "void",  "signed", "unsigned", "size_t"};
    return std::find(words.begin(), words.end(), word) != words.end();
}

// NVRTC's own, and the target's that a proposal is compiled for.
const std::map<std::string, std::string> built_in_macros{{"__CUDA_ARCH__", "900"},
                                                         {"__CUDACC__", "1"},
                                                         {"__CUDACC_RTC__", "1"},
                                                         {"__NVCC__", "1"},
                                                         {"__cplusplus", "201703"},
                                                         {"__CUDACC_VER_MAJOR__", "12"},
                                                         {"warpSize", "32"},
                                                         {"true", "1"},
                                                         {"false", "0"}};

}  // namespace

std::string joined(const Tokens& tokens, std::size_t begin, std::size_t end) {
    std::string text;
    for (std::size_t i = begin; i < std::min(end, tokens.size()); ++i)
        text += (i == begin ? "" : between(tokens[i - 1], tokens[i])) + std::string(tokens[i].text);
    return text;
}

std::size_t closing(const Tokens& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        if (tokens[i].is("(") || tokens[i].is("[") || tokens[i].is("{")) ++depth;
        if ((tokens[i].is(")") || tokens[i].is("]") || tokens[i].is("}")) && --depth == 0) return i;
    }
    return tokens.size();
}

std::vector<std::pair<std::size_t, std::size_t>> between_commas(const Tokens& tokens, std::size_t begin,
                                                                std::size_t end, bool angles) {
    std::vector<std::pair<std::size_t, std::size_t>> ranges;
    int depth = 0;
    std::size_t first = begin;
    for (std::size_t i = begin; i < std::min(end, tokens.size()); ++i) {
        const CppToken& token = tokens[i];
        if (token.is("(") || token.is("[") || token.is("{") || (angles && token.is("<"))) ++depth;
        if (token.is(")") || token.is("]") || token.is("}") || (angles && token.is(">"))) --depth;
        if (!token.is(",") || depth != 0) continue;
        ranges.emplace_back(first, i);
        first = i + 1;
    }
    if (first < end) ranges.emplace_back(first, end);
    return ranges;
}

SourceModel::SourceModel(const SourceRequest& request) {
    for (const std::string& definition : request.definitions) {
        const std::size_t equals = definition.find('=');
        macros_[definition.substr(0, equals)] =
            equals == std::string::npos ? "1" : definition.substr(equals + 1);
    }
    texts_.resize(request.texts.size());
    // A file uses what its headers declare.
    for (std::size_t i = request.texts.size(); i-- > 0;) {
        kept_texts_.push_back(request.texts[i].text);
        preprocess(kept_texts_.back(), texts_[i]);
        texts_[i] = with_launches(texts_[i]);
        read_declarations(texts_[i]);
    }
}

std::vector<CppToken> SourceModel::part(std::size_t text, std::size_t begin, std::size_t end) const {
    Tokens found;
    for (const CppToken& token : texts_[text])
        if (token.begin >= begin && token.end <= end) found.push_back(token);
    return found;
}

// --- The preprocessor --------------------------------------------------------------------------------------

void SourceModel::preprocess(std::string_view text, Tokens& kept) {
    struct Open {
        bool taken, skipping;
    };
    std::vector<Open> open;
    int skipping = 0;
    for (CppToken& token : tokenize_cpp(text)) {
        if (token.kind != CppToken::Kind::directive) {
            if (skipping == 0) kept.push_back(token);
            continue;
        }
        const std::string_view name = directive_name(token);
        if (name.starts_with("if")) {
            const bool taken = skipping == 0 && holds(token, name);
            open.push_back({taken, !taken});
            skipping += taken ? 0 : 1;
        } else if (name.starts_with("el") && !open.empty()) {
            Open& innermost = open.back();
            const bool inside = skipping - (innermost.skipping ? 1 : 0) == 0;
            const bool takes = inside && !innermost.taken && (name == "else" || holds(token, name.substr(2)));
            skipping += (takes ? 0 : 1) - (innermost.skipping ? 1 : 0);
            innermost = {innermost.taken || takes, !takes};
        } else if (name == "endif" && !open.empty()) {
            skipping -= open.back().skipping ? 1 : 0;
            open.pop_back();
        } else if (skipping == 0 && name == "define") {
            define(token);
        } else if (skipping == 0 && name == "undef") {
            const Tokens words = directive_tokens(token);
            if (!words.empty()) macros_.erase(std::string(words[0].text));
        }
    }
}

void SourceModel::define(const CppToken& directive) {
    const Tokens words = directive_tokens(directive);
    if (words.empty() || !words[0].is_identifier()) return;
    const std::string name(words[0].text);
    const bool with_parameters = words.size() > 1 && words[1].is("(") && words[1].begin == words[0].end;
    if (!with_parameters) {
        macros_[name] = joined(words, 1, words.size());
        return;
    }
    const std::size_t close = closing(words, 1);
    FunctionMacro macro;
    for (const auto& [begin, end] : between_commas(words, 2, close))
        macro.parameters.push_back(joined(words, begin, end));
    if (close < words.size()) macro.body = joined(words, close + 1, words.size());
    function_macros_[name] = std::move(macro);
}

bool SourceModel::launches(const std::string& macro, int depth) const {
    constexpr int most_nested = 8;
    const auto function = function_macros_.find(macro);
    const auto object = macros_.find(macro);
    if (depth > most_nested || (function == function_macros_.end() && object == macros_.end())) return false;
    const std::string& body = function != function_macros_.end() ? function->second.body : object->second;
    if (body.find("<<<") != std::string::npos) return true;
    const Tokens words = tokenize_cpp(body);
    return std::any_of(words.begin(), words.end(), [&](const CppToken& word) {
        return word.is_identifier() && word.text != macro && spend() &&
               launches(std::string(word.text), depth + 1);
    });
}

// What the macro at `at` stands for, as the preprocessor replaces it once; moves to its last token.
std::string SourceModel::replaced(const Tokens& tokens, std::size_t& at) const {
    const auto function = function_macros_.find(std::string(tokens[at].text));
    if (function == function_macros_.end()) return macros_.at(std::string(tokens[at].text));
    const std::size_t close = closing(tokens, at + 1);
    std::map<std::string, std::string, std::less<>> given;
    std::size_t number = 0;
    for (const auto& [begin, end] : between_commas(tokens, at + 2, close))
        if (number < function->second.parameters.size())
            given[function->second.parameters[number++]] = joined(tokens, begin, end);
    at = close;
    std::string text;
    const Tokens words = tokenize_cpp(function->second.body);
    bool pasted = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool mark = words[i].is("#");
        if (mark && i + 1 < words.size() && words[i + 1].is("#")) {
            pasted = true;
            ++i;
            continue;
        }
        if (i > 0 && !pasted) text += between(words[i - 1], words[i]);
        pasted = false;
        const auto argument = given.find(words[mark && i + 1 < words.size() ? i + 1 : i].text);
        if (argument == given.end()) {
            text += words[i].text;
        } else if (mark) {
            text += "\"\"";  // no launch depends on a text
            ++i;
        } else {
            text += argument->second;
        }
    }
    return text;
}

std::vector<CppToken> SourceModel::with_launches(const Tokens& tokens, int depth) {
    constexpr int most_nested = 16;
    Tokens made;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::string name(tokens[i].is_identifier() ? tokens[i].text : "");
        const bool call = i + 1 < tokens.size() && tokens[i + 1].is("(");
        const bool known = function_macros_.contains(name) ? call : macros_.contains(name);
        if (!known || depth > most_nested || !launches(name) || !spend()) {
            made.push_back(tokens[i]);
            continue;
        }
        kept_texts_.push_back(replaced(tokens, i));
        Tokens words = tokenize_cpp(kept_texts_.back());
        for (CppToken& word : words) {
            word.begin += replaced_end_;
            word.end += replaced_end_;
        }
        replaced_end_ += kept_texts_.back().size() + 1;
        const Tokens inner = with_launches(words, depth + 1);
        made.insert(made.end(), inner.begin(), inner.end());
    }
    return made;
}

// Whether the text after #if, #ifdef or #ifndef is used. A condition that cannot be computed holds.
bool SourceModel::holds(const CppToken& directive, std::string_view name) const {
    const Tokens words = directive_tokens(directive);
    const auto defined = [&](std::string_view word) {
        const std::string text(word);
        return macros_.contains(text) || function_macros_.contains(text) || built_in_macros.contains(text);
    };
    if (name == "ifdef" || name == "ifndef")
        return words.empty() || defined(words[0].text) == (name == "ifdef");
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].is("defined")) {
            const bool bracket = i + 1 < words.size() && words[i + 1].is("(");
            const std::size_t at = i + (bracket ? 2 : 1);
            text += at < words.size() && defined(words[at].text) ? " 1" : " 0";
            i = at + (bracket ? 1 : 0);
        } else if (words[i].is_identifier() && !defined(words[i].text)) {
            text += " 0";
        } else {
            text += (i == 0 ? "" : between(words[i - 1], words[i])) + std::string(words[i].text);
        }
    }
    const std::optional<std::int64_t> value = constant(text);
    return !value || *value != 0;
}

// --- Declarations ------------------------------------------------------------------------------------------

void SourceModel::read_declarations(const Tokens& tokens, int depth) {
    constexpr int most_nested = 16;
    if (depth > most_nested) return;
    for (std::size_t i = 0; i < tokens.size();) {
        if (tokens[i].is("typedef")) {
            i = read_typedef(tokens, i + 1, depth);
        } else if (tokens[i].is("using") && i + 3 < tokens.size() && tokens[i + 2].is("=")) {
            std::size_t end = i + 3;
            while (end < tokens.size() && !tokens[end].is(";"))
                ++end;
            aliases_[std::string(tokens[i + 1].text)] = joined(tokens, i + 3, end);
            i = end;
        } else if (tokens[i].is("struct") || tokens[i].is("class") || tokens[i].is("union")) {
            const bool in_template = i > 0 && (tokens[i - 1].is("<") || tokens[i - 1].is(",") ||
                                               tokens[i - 1].is(">") || tokens[i - 1].is("("));
            i = in_template ? i + 1 : read_structure(tokens, i, nullptr, depth);
        } else if (tokens[i].is("enum")) {
            i = read_enumeration(tokens, i);
        } else {
            if (tokens[i].is("=") && i > 1) read_constant(tokens, i);
            ++i;
        }
    }
}

std::size_t SourceModel::read_typedef(const Tokens& tokens, std::size_t at, int depth) {
    std::string made;
    if (at < tokens.size() && (tokens[at].is("struct") || tokens[at].is("union"))) {
        at = read_structure(tokens, at, &made, depth);
    } else if (at < tokens.size() && tokens[at].is("enum")) {
        at = read_enumeration(tokens, at);
        made = "int";
    }
    std::size_t end = at;
    while (end < tokens.size() && !tokens[end].is(";"))
        ++end;
    // "typedef float T[3];" and pointers to functions have no name at the end.
    if (end > at && end < tokens.size() && tokens[end - 1].is_identifier()) {
        const std::string name(tokens[end - 1].text);
        const std::string before = joined(tokens, at, end - 1);
        const std::string what = made.empty() ? before : made + " " + before;
        if (what != name && what != name + " ") aliases_[name] = what;
        if (made == "int") enumerations_.insert(name);
    }
    return end;
}

// Reads from "struct" to the brace at its end. `anonymous`: gets the name, which is made up where it has
// none.
std::size_t SourceModel::read_structure(const Tokens& tokens, std::size_t at, std::string* anonymous,
                                        int depth) {
    const bool is_union = tokens[at].is("union");
    std::string name;
    std::size_t i = at + 1;
    for (; i < tokens.size() && !tokens[i].is("{") && !tokens[i].is(";") && !tokens[i].is("*"); ++i) {
        if (tokens[i].is("(")) {
            i = closing(tokens, i);
        } else if (tokens[i].is("[") || tokens[i].is("=") || tokens[i].is(")") || tokens[i].is(",")) {
            break;
        } else if (tokens[i].is_identifier() && !tokens[i].text.starts_with("__") &&
                   !tokens[i].is("alignas")) {
            if (!name.empty()) break;  // "struct Body b": a variable
            name = tokens[i].text;
        }
    }
    if (i >= tokens.size() || !tokens[i].is("{")) {
        if (anonymous != nullptr) *anonymous = name;
        return i < tokens.size() && tokens[i].is_identifier() ? i : std::max(i, at + 1);
    }
    const std::size_t close = closing(tokens, i);
    if (name.empty()) name = "structure_at_" + std::to_string(tokens[at].begin);
    if (anonymous != nullptr) *anonymous = name;
    if (auto found = members(tokens, i + 1, close); found && !is_union) structures_[name] = std::move(*found);
    // Constants and types in its body count, too.
    read_declarations(Tokens(tokens.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                             tokens.begin() + static_cast<std::ptrdiff_t>(std::min(close, tokens.size()))),
                      depth + 1);
    return std::min(close + 1, tokens.size());
}

std::size_t SourceModel::read_enumeration(const Tokens& tokens, std::size_t at) {
    std::size_t i = at + 1;
    std::string name;
    for (; i < tokens.size() && !tokens[i].is("{") && !tokens[i].is(";") && !tokens[i].is(")"); ++i)
        if (tokens[i].is_identifier() && !tokens[i].is("class") && !tokens[i].is("struct") && name.empty())
            name = tokens[i].text;
    if (i >= tokens.size() || !tokens[i].is("{")) return i;
    if (!name.empty()) enumerations_.insert(name);
    const std::size_t close = closing(tokens, i);
    std::string next = "0";
    for (const auto& [begin, end] : between_commas(tokens, i + 1, close)) {
        if (begin >= end) continue;
        const bool given = begin + 2 < end && tokens[begin + 1].is("=");
        const std::string value = given ? joined(tokens, begin + 2, end) : next;
        constants_[std::string(tokens[begin].text)] = value;
        next = "(" + value + ") + 1";
    }
    return std::min(close + 1, tokens.size());
}

// "const int N = 64;", at the "=". A name with two values in two scopes has none.
void SourceModel::read_constant(const Tokens& tokens, std::size_t at) {
    if (!tokens[at - 1].is_identifier()) return;
    bool constant = false;
    std::size_t first = at - 1;
    while (first > 0 && (tokens[first - 1].is_identifier() || tokens[first - 1].is("::")) && at - first < 8) {
        --first;
        constant = constant || tokens[first].is("const") || tokens[first].is("constexpr");
    }
    if (!constant) return;
    std::size_t end = at + 1;
    int depth = 0;
    for (; end < tokens.size(); ++end) {
        if (tokens[end].is("(") || tokens[end].is("{")) ++depth;
        if (tokens[end].is(")") || tokens[end].is("}")) --depth;
        if (depth < 0 || tokens[end].is(";") || (depth == 0 && tokens[end].is(","))) break;
    }
    const std::string name(tokens[at - 1].text), value = joined(tokens, at + 1, end);
    const auto [found, added] = constants_.emplace(name, value);
    if (!added && found->second != value) found->second.clear();
}

std::optional<std::vector<SourceModel::Member>> SourceModel::members(const Tokens& tokens, std::size_t begin,
                                                                     std::size_t end) const {
    std::vector<Member> found;
    for (std::size_t i = begin; i < end;) {
        const std::size_t first = i;
        bool function = false;
        while (i < end && !tokens[i].is(";") && !tokens[i].is("{")) {
            if (tokens[i].is("(") || tokens[i].is("operator")) function = true;
            i = tokens[i].is("(") ? closing(tokens, i) + 1 : i + 1;
        }
        if (i < end && tokens[i].is("{")) {
            if (!function) return std::nullopt;  // a structure within a structure
            i = closing(tokens, i) + 1;
            continue;
        }
        const std::size_t last = i++;
        std::size_t at = first;
        while (at + 1 < last && tokens[at + 1].is(":"))
            at += 2;  // "public:"
        const bool not_a_member = function || tokens[at].is("static") || tokens[at].is("using") ||
                                  tokens[at].is("typedef") || tokens[at].is("friend") ||
                                  tokens[at].is("template") || at >= last;
        if (not_a_member) continue;
        std::string type;
        for (const auto& [from, to] : between_commas(tokens, at, last)) {
            std::size_t name = to;
            std::string count;
            for (std::size_t j = from; j < to; ++j) {
                if (tokens[j].is(":")) return std::nullopt;  // a bit field
                if (tokens[j].is("=")) name = std::min(name, j);
                if (!tokens[j].is("[")) continue;
                name = std::min(name, j);
                const std::size_t close = closing(tokens, j);
                count += (count.empty() ? "(" : " * (") + joined(tokens, j + 1, close) + ")";
                j = close;
            }
            if (name <= from || !tokens[name - 1].is_identifier()) return std::nullopt;
            if (type.empty()) type = joined(tokens, from, name - 1);
            found.push_back({type, std::string(tokens[name - 1].text), count});
        }
    }
    return found;
}

// --- Types -------------------------------------------------------------------------------------------------

bool SourceModel::is_type(std::string_view word) const {
    const std::string text(word);
    return is_builtin_type(word) || aliases_.contains(text) || structures_.contains(text) ||
           enumerations_.contains(text) || element(text).has_value();
}

TypeUse SourceModel::type(const std::string& text, const TypeArguments& arguments) const {
    TypeUse use;
    std::string words = text;
    for (int depth = 0; depth < 16; ++depth) {
        std::string name;
        CppLexer lexer(words);
        while (const auto token = lexer.next()) {
            if (token->is("const"))
                use.constant = use.constant || use.pointers == 0;
            else if (token->is("*"))
                ++use.pointers;
            else if (token->is("&"))
                use.reference = true;
            else if (!token->is("std") && !token->is("::") && !is_decoration(token->text))
                name += (name.empty() ? "" : " ") + std::string(token->text);
        }
        use.name = name;
        if (const auto argument = arguments.find(name);
            argument != arguments.end() && argument->second != name)
            words = argument->second;
        else if (const auto alias = aliases_.find(name); alias != aliases_.end())
            words = alias->second;
        else if (const auto macro = macros_.find(name); macro != macros_.end())
            words = macro->second;
        else
            break;
    }
    return use;
}

std::optional<std::string> SourceModel::element(const std::string& name) const {
    std::string words = name == "bool"                                     ? "uchar"
                        : name == "__nv_bfloat16" || name == "nv_bfloat16" ? "ushort"
                                                                           : name;
    if (enumerations_.contains(name)) words = "int";
    for (const Spelling& spelling : spellings)
        if (words == spelling.cpp) words = spelling.type;
    if (!element_type(words)) return std::nullopt;
    return words;
}

std::optional<Layout> SourceModel::layout(const std::string& name, int depth) const {
    if (depth > 16) return std::nullopt;
    Layout made;
    if (const auto found = element(name)) {
        const ElementType type = *element_type(*found);
        const bool vector = type.components == 2 || type.components == 4;  // three components are not aligned
        made.bytes = type.bytes();
        made.alignment = vector ? std::min<std::uint64_t>(16, type.bytes()) : type.scalar_bytes;
        const std::string scalar = type.components == 1 ? *found : found->substr(0, found->size() - 1);
        for (std::uint32_t i = 0; i < type.components; ++i)
            made.leaves.push_back({std::uint64_t{i} * type.scalar_bytes, scalar,
                                   name == "bool" || enumerations_.contains(name),
                                   name.find("bfloat") != std::string::npos});
        return made;
    }
    if (name == "dim3") {
        made = {12, 4, {{0, "uint", true, false}, {4, "uint", true, false}, {8, "uint", true, false}}};
        return made;
    }
    const auto found = structures_.find(name);
    if (found == structures_.end()) return std::nullopt;
    constexpr std::uint64_t most_leaves = 4096;
    for (const Member& member : found->second) {
        const TypeUse use = type(member.type);
        const std::int64_t count = member.count.empty() ? 1 : constant(member.count).value_or(-1);
        std::optional<Layout> part =
            use.pointers > 0 ? Layout{8, 8, {}, {{0, {}, use}}} : layout(use.name, depth + 1);
        if (!part || count < 0 || static_cast<std::uint64_t>(count) > most_leaves) return std::nullopt;
        const std::size_t leaves = part->leaves.size() + part->addresses.size();
        if (leaves * static_cast<std::uint64_t>(count) > most_leaves) return std::nullopt;
        made.alignment = std::max(made.alignment, part->alignment);
        made.bytes = (made.bytes + part->alignment - 1) / part->alignment * part->alignment;
        for (std::int64_t i = 0; i < count; ++i, made.bytes += part->bytes) {
            for (Leaf leaf : part->leaves) {
                leaf.offset += made.bytes;
                if (leaf.name.empty()) leaf.name = member.name;
                made.leaves.push_back(leaf);
            }
            for (PointerLeaf address : part->addresses) {
                address.offset += made.bytes;
                if (address.name.empty()) address.name = member.name;
                made.addresses.push_back(std::move(address));
            }
        }
    }
    if (made.bytes == 0) made.bytes = 1;  // a functor
    made.bytes = (made.bytes + made.alignment - 1) / made.alignment * made.alignment;
    return made;
}

}  // namespace lanescope::lesson
