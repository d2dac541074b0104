#include "compile/alias.h"

#include <algorithm>

namespace lanescope::compile {

namespace {

bool opens(const CppToken& t) {
    return t.is("(") || t.is("[") || t.is("{");
}
bool closes(const CppToken& t) {
    return t.is(")") || t.is("]") || t.is("}");
}

bool is_attribute(const CppToken& t) {
    return t.is("__align__") || t.is("alignas") || t.is("decltype") || t.is("__attribute__");
}

// Reads the tokens of one function body.
class BodyReader {
  public:
    BodyReader(const std::vector<const CppToken*>& tokens, const MarkMacros& macros)
        : tokens_(tokens), macros_(macros) {}

    void read(std::vector<AliasInsertion>& out) {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (!is_shared(i)) continue;
            i = statement(i, out);
        }
    }

  private:
    bool is_shared(std::size_t i) const {
        return tokens_[i]->is_identifier() &&
               (tokens_[i]->is("__shared__") || macros_.shared.contains(tokens_[i]->text));
    }

    // Reads from the mark to the semicolon and returns the index of the last token read.
    std::size_t statement(std::size_t mark, std::vector<AliasInsertion>& out) {
        std::vector<std::string_view> names;
        std::string_view candidate;  // the latest identifier at depth 0 of the declarator
        bool named = false;          // the declarator's name is known
        int depth = 0;
        int angles = 0;
        for (std::size_t i = mark + 1; i < tokens_.size(); ++i) {
            const CppToken& t = *tokens_[i];
            const bool outside = depth == 0 && angles == 0;
            const bool ends_name = outside && (t.is("[") || t.is("=") || t.is("{") || t.is(",") || t.is(";"));
            if (ends_name && !named && !candidate.empty()) {
                names.push_back(candidate);
                named = true;
            }
            if (outside && t.is(";")) {
                add(names, t.end, out);
                return i;
            }
            if (outside && t.is(",")) named = false;
            if (outside && t.is("(") && !named && !is_attribute(*tokens_[i - 1]))
                named = true;  // leaves out (*p)[4]
            if (t.is("<") && depth == 0 && !named) ++angles;
            if (t.is(">") && depth == 0 && angles > 0) --angles;
            if (opens(t)) ++depth;
            if (closes(t) && --depth < 0) return i;  // the scope ends, so this is not a declaration
            if (outside && !named && t.is_identifier()) candidate = t.text;
        }
        return tokens_.size();
    }

    void add(const std::vector<std::string_view>& names, std::size_t at, std::vector<AliasInsertion>& out) {
        std::string words;
        for (std::string_view name : names)
            words +=
                " auto& " + std::string(alias_prefix) + std::string(name) + " = " + std::string(name) + ";";
        if (!words.empty()) out.push_back({at, std::move(words)});
    }

    const std::vector<const CppToken*>& tokens_;
    const MarkMacros& macros_;
};

}  // namespace

std::vector<AliasInsertion> shared_aliases(const std::vector<CppToken>& tokens,
                                           const std::vector<Declaration>& declarations,
                                           const MarkMacros& macros) {
    std::vector<AliasInsertion> out;
    for (const Declaration& d : declarations) {
        if (d.kind != Declaration::Kind::function || !d.device) continue;
        auto first = std::partition_point(tokens.begin(), tokens.end(),
                                          [&](const CppToken& t) { return t.begin < d.body_begin; });
        std::vector<const CppToken*> body;
        for (; first != tokens.end() && first->begin < d.end; ++first)
            if (first->kind != CppToken::Kind::directive) body.push_back(&*first);
        BodyReader(body, macros).read(out);
    }
    std::sort(out.begin(), out.end(),
              [](const AliasInsertion& a, const AliasInsertion& b) { return a.at < b.at; });
    out.erase(std::unique(out.begin(), out.end(),
                          [](const AliasInsertion& a, const AliasInsertion& b) { return a.at == b.at; }),
              out.end());
    return out;
}

std::string with_shared_aliases(const std::string& source) {
    const std::vector<CppToken> tokens = tokenize_cpp(source);
    MarkMacros macros;
    collect_mark_macros(tokens, macros);
    std::string made;
    std::size_t copied = 0;
    for (const AliasInsertion& insertion :
         shared_aliases(tokens, find_declarations(tokens, macros), macros)) {
        made += source.substr(copied, insertion.at - copied) + insertion.words;
        copied = insertion.at;
    }
    return copied == 0 ? "" : made + source.substr(copied);
}

}  // namespace lanescope::compile
