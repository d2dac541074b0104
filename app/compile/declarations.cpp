#include "compile/declarations.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace lanescope::compile {

namespace {

constexpr int max_depth = 64;  // deeper nesting of scopes is skipped as one block

// Returns whether only host code uses this identifier. `next` is the text of the next token.
bool is_host_word(std::string_view word, std::string_view next) {
    if (word == "std") return next == "::";
    if (word.size() > 4 && word.starts_with("cuda") && word[4] >= 'A' && word[4] <= 'Z') return true;
    return one_of(
        word, {"FILE", "vector", "string", "ostream", "istream", "ifstream", "ofstream", "cout", "cerr",
               "cin", "endl", "unique_ptr", "shared_ptr", "unordered_map", "thrust", "fprintf", "chrono"});
}

// Returns whether a word before a parenthesis begins an attribute, not a parameter list.
bool is_attribute_word(std::string_view word) {
    return one_of(word, {"__launch_bounds__", "__align__", "alignas", "__attribute__", "decltype", "noexcept",
                         "explicit", "__cluster_dims__", "__maxnreg__", "__block_size__", "__declspec",
                         "requires", "asm", "__asm__", "static_assert", "__grid_constant__", "throw"});
}

class Finder {
  public:
    Finder(std::vector<const CppToken*> tokens, const MarkMacros& macros)
        : tokens_(std::move(tokens)), macros_(macros) {}

    std::vector<Declaration> run() {
        while (at_ < tokens_.size()) {
            scope(-1, 0);
            ++at_;  // skips an unmatched brace
        }
        return std::move(found_);
    }

  private:
    // State of one declaration while it is read.
    struct Draft {
        Declaration declaration;
        std::size_t first = 0;  // token index after the template header
        bool class_key = false;
        bool is_enum = false;
        bool has_parameters = false;
        bool named = false;            // the variable's name was read
        bool in_initialisers = false;  // of a constructor
        bool done = false;
        int angles = 0;
    };

    bool at_end() const { return at_ >= tokens_.size(); }
    const CppToken& token(std::size_t i) const { return *tokens_[i]; }
    std::string_view text(std::size_t i) const {
        return i < tokens_.size() ? tokens_[i]->text : std::string_view();
    }
    bool is(std::size_t i, std::string_view what) const { return i < tokens_.size() && tokens_[i]->is(what); }

    // Moves past the bracket that closes the one at `at_`.
    void skip_balanced() {
        int depth = 0;
        for (; !at_end(); ++at_) {
            if (is(at_, "(") || is(at_, "[") || is(at_, "{")) ++depth;
            if ((is(at_, ")") || is(at_, "]") || is(at_, "}")) && --depth == 0) {
                ++at_;
                return;
            }
        }
    }

    void skip_template_header() {
        ++at_;  // template
        int depth = 0;
        for (; !at_end(); ++at_) {
            if (is(at_, "(")) {
                skip_balanced();
                --at_;
            } else if (is(at_, "<")) {
                ++depth;
            } else if (is(at_, ">") && --depth == 0) {
                ++at_;
                return;
            } else if (is(at_, ";") || is(at_, "{")) {
                return;
            }
        }
    }

    // Reads declarations up to the brace that ends the scope and leaves the brace to the caller.
    void scope(int parent, int depth) {
        while (!at_end() && !is(at_, "}")) {
            if (is(at_, ";")) {
                ++at_;
            } else if (one_of(text(at_), {"public", "private", "protected"}) && is(at_ + 1, ":")) {
                at_ += 2;
            } else if (opens_scope()) {
                enter_block(parent, depth);
            } else {
                declaration(parent, depth);
            }
        }
    }

    // "namespace a::b {", "inline namespace c {", "extern "C" {": moves to the brace.
    bool opens_scope() {
        std::size_t i = at_;
        if (is(i, "inline") && is(i + 1, "namespace")) ++i;
        if (is(i, "namespace")) {
            ++i;
            while (i < tokens_.size() && !is(i, "{") && !is(i, ";") && !is(i, "="))
                ++i;
        } else if (is(i, "extern") && i + 1 < tokens_.size() && token(i + 1).kind == CppToken::Kind::string) {
            i += 2;
        } else {
            return false;
        }
        if (!is(i, "{")) return false;
        at_ = i;
        return true;
    }

    void enter_block(int parent, int depth) {
        if (depth >= max_depth) return skip_balanced();
        ++at_;
        scope(parent, depth + 1);
        if (!at_end()) ++at_;
    }

    void declaration(int parent, int depth) {
        Draft draft;
        draft.declaration.whole_begin = token(at_).begin;
        while (is(at_, "template") && is(at_ + 1, "<"))
            skip_template_header();
        if (at_end()) return;
        draft.first = at_;
        draft.declaration.begin = token(at_).begin;
        draft.declaration.parent = parent;
        draft.declaration.in_class = parent >= 0;
        const std::size_t own = found_.size();
        found_.push_back(draft.declaration);  // so that it precedes its members
        while (!at_end() && !draft.done) {
            if (is(at_, "}")) break;  // the scope ends within a declaration
            part(draft, static_cast<int>(own), depth);
        }
        Declaration& result = draft.declaration;
        const std::size_t last = at_ > draft.first ? at_ - 1 : draft.first;
        result.end = token(last).end;
        if (result.kind == Declaration::Kind::other && draft.has_parameters)
            result.kind = Declaration::Kind::function_declaration;
        note_host_words(result, draft.first, at_);
        found_[own] = result;
    }

    // Reads one token or one bracketed group of a declaration.
    void part(Draft& draft, int own, int depth) {
        const CppToken& now = token(at_);
        if (now.is(";")) {
            ++at_;
            draft.done = true;
        } else if (now.is("{")) {
            brace(draft, own, depth);
        } else if (now.is("(")) {
            parenthesis(draft);
        } else if (now.is("[")) {
            draft.named = draft.angles == 0;
            skip_balanced();
        } else if (now.is("operator")) {
            operator_name(draft);
        } else if (now.is("=") && draft.angles == 0) {
            draft.named = true;
            initialiser();
        } else if (now.is(":") && draft.has_parameters && !draft.in_initialisers) {
            draft.in_initialisers = true;
            draft.declaration.body_begin = now.begin;
            ++at_;
        } else {
            word(draft);
        }
    }

    void word(Draft& draft) {
        const CppToken& now = token(at_);
        // This also applies after a parenthesis, because a macro call without a semicolon may precede the
        // declaration.
        if (now.is_identifier() && is_device_mark(now.text, macros_)) draft.declaration.device = true;
        if (now.is_identifier() && !draft.has_parameters) {
            if (now.is("constexpr") || now.is("consteval")) draft.declaration.is_constexpr = true;
            if (now.is("friend")) draft.declaration.is_friend = true;
            if (one_of(now.text, {"class", "struct", "union", "enum"})) draft.class_key = true;
            if (now.is("enum")) draft.is_enum = true;
        }
        if (now.is_identifier() && draft.angles == 0 && !draft.has_parameters && !draft.named)
            draft.declaration.name = now.text;
        if (now.is(",")) draft.named = true;
        const bool after_name = at_ > draft.first && token(at_ - 1).is_identifier();
        if (now.is("<") && after_name && !draft.has_parameters) ++draft.angles;
        if (now.is(">") && draft.angles > 0) --draft.angles;
        ++at_;
    }

    void operator_name(Draft& draft) {
        const std::size_t name = at_++;
        if (is(at_, "(") && is(at_ + 1, ")")) at_ += 2;
        while (!at_end() && !is(at_, "(") && !is(at_, ";") && !is(at_, "{"))
            ++at_;
        if (!is(at_, "(")) return;
        set_parameters(draft, name);
        skip_balanced();
    }

    void set_parameters(Draft& draft, std::size_t name) {
        draft.has_parameters = true;
        draft.declaration.name = text(name);
        draft.declaration.qualified = name > draft.first && is(name - 1, "::");
        if (name > draft.first && is(name - 1, "~"))
            draft.declaration.qualified = name - 1 > draft.first && is(name - 2, "::");
    }

    void parenthesis(Draft& draft) {
        const std::size_t before = at_ - 1;
        const bool candidate = at_ > draft.first && draft.angles == 0 && !draft.has_parameters &&
                               (token(before).is_identifier() || is(before, ">")) &&
                               !is_attribute_word(text(before));
        if (candidate) set_parameters(draft, name_before(draft, before));
        skip_balanced();
    }

    // Returns the index of "f" in "f<int>(" by going back over the template arguments.
    std::size_t name_before(const Draft& draft, std::size_t last) const {
        if (!is(last, ">")) return last;
        int depth = 0;
        for (std::size_t i = last; i > draft.first; --i) {
            if (is(i, ">")) ++depth;
            if (is(i, "<") && --depth == 0) return i - 1;
        }
        return last;
    }

    void brace(Draft& draft, int own, int depth) {
        draft.angles = 0;
        const bool after_name = at_ > draft.first && (token(at_ - 1).is_identifier() || is(at_ - 1, ">"));
        if (draft.has_parameters && draft.in_initialisers && after_name) {
            skip_balanced();  // member{value}
        } else if (draft.has_parameters) {
            draft.declaration.kind = Declaration::Kind::function;
            if (!draft.in_initialisers) draft.declaration.body_begin = token(at_).begin;
            skip_balanced();
            while (is(at_, "catch")) {  // of a function-try-block
                while (!at_end() && !is(at_, "{"))
                    ++at_;
                skip_balanced();
            }
            draft.done = true;
        } else if (draft.class_key && !draft.is_enum && depth < max_depth) {
            draft.declaration.kind = Declaration::Kind::class_type;
            ++at_;
            scope(own, depth + 1);
            if (!at_end()) ++at_;
        } else {
            skip_balanced();
        }
    }

    void initialiser() {
        while (!at_end() && !is(at_, ";") && !is(at_, "}")) {
            if (is(at_, "(") || is(at_, "[") || is(at_, "{"))
                skip_balanced();
            else
                ++at_;
        }
    }

    void note_host_words(Declaration& d, std::size_t first, std::size_t last) const {
        for (std::size_t i = first; i < last; ++i) {
            if (d.kind == Declaration::Kind::function && token(i).begin >= d.body_begin) break;
            if (token(i).is_identifier() && is_host_word(text(i), text(i + 1))) d.host_words = true;
        }
    }

    std::vector<const CppToken*> tokens_;
    const MarkMacros& macros_;
    std::size_t at_ = 0;
    std::vector<Declaration> found_;
};

// Returns the code tokens that remain if the first or the last branch of each #if … #else … #endif is taken.
std::vector<const CppToken*> one_branch(const std::vector<CppToken>& tokens, bool first) {
    struct Open {
        std::size_t mark;  // tokens kept before the #if
        bool skipping;
    };
    std::vector<Open> open;
    std::vector<const CppToken*> kept;
    int skipping = 0;
    for (const CppToken& token : tokens) {
        if (token.kind != CppToken::Kind::directive) {
            if (skipping == 0) kept.push_back(&token);
            continue;
        }
        const std::string_view name = directive_name(token);
        if (name.starts_with("if")) {
            open.push_back({kept.size(), false});
        } else if (name.starts_with("el") && !open.empty()) {
            if (!first) {
                kept.resize(open.back().mark);
            } else if (!open.back().skipping) {
                open.back().skipping = true;
                ++skipping;
            }
        } else if (name == "endif" && !open.empty()) {
            skipping -= open.back().skipping ? 1 : 0;
            open.pop_back();
        }
    }
    return kept;
}

}  // namespace

bool is_device_mark(std::string_view word, const MarkMacros& macros) {
    return one_of(word, {"__device__", "__global__", "__constant__", "__shared__", "__managed__"}) ||
           macros.device.contains(word);
}

void collect_mark_macros(const std::vector<CppToken>& tokens, MarkMacros& macros) {
    for (const CppToken& token : tokens) {
        if (token.kind != CppToken::Kind::directive || directive_name(token) != "define") continue;
        const std::vector<CppToken> words = directive_tokens(token);
        if (words.empty() || !words[0].is_identifier()) continue;
        for (std::size_t i = 1; i < words.size(); ++i) {
            if (!words[i].is_identifier()) continue;
            if (is_device_mark(words[i].text, macros)) macros.device.emplace(words[0].text);
            if (words[i].is("__shared__") || macros.shared.contains(words[i].text))
                macros.shared.emplace(words[0].text);
        }
    }
}

std::vector<Declaration> find_declarations(const std::vector<CppToken>& tokens, const MarkMacros& macros) {
    std::vector<Declaration> all = Finder(one_branch(tokens, true), macros).run();
    const bool branches = std::any_of(tokens.begin(), tokens.end(), [](const CppToken& token) {
        return token.kind == CppToken::Kind::directive && directive_name(token).starts_with("el");
    });
    if (!branches) return all;
    std::set<std::size_t> known;
    for (const Declaration& d : all)
        known.insert(d.begin);
    for (Declaration& d : Finder(one_branch(tokens, false), macros).run()) {
        if (known.contains(d.begin)) continue;
        d.parent = -1;  // the index refers to the other list
        all.push_back(d);
    }
    return all;
}

}  // namespace lanescope::compile
