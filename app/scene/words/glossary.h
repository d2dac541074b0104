// The terms of the field, each explained in one paragraph: assets/glossary.toml.
//
//   [[term]]
//   name = "bank conflict"
//   also = ["conflict"]                  # other words for it; a plural's s need not be listed
//   ambiguous = ["way conflict"]         # words that mean something else in some lesson texts
//   introduced = "reduction/modulo"      # the lesson before which no lesson uses the term; a test reads it
//   text = "…"                           # one paragraph of plain English
//   source = "…"                         # where to read more; may be left out
//
// assets/glossary.fr.toml has the French words: name (the English one), word, also, ambiguous, text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lesson/course/markdown_text.h"

namespace lanescope::scene {

struct Term {
    std::string name;
    std::vector<std::string> also;
    std::vector<std::string> ambiguous;  // means the term in the window, perhaps not in a lesson's text
    std::string introduced;              // TOPIC/LESSON; empty: a common word
    std::string text;
    std::string source;
};

using lesson::TermSpan;

class Glossary {
  public:
    Glossary() = default;
    // Errors, with their lines: bad TOML, a key that is missing or unknown, a word that two terms have.
    static Result<Glossary> parse(const std::string& text, const std::string& file);

    // Takes words and explanations in another language; a term keeps its English ones if the text lacks it.
    // Errors, with their lines: a term that the glossary does not have, a word that two terms have.
    Result<void> translate(const std::string& text, const std::string& file);

    const std::vector<Term>& terms() const { return terms_; }  // by name
    const Term* find(std::string_view word) const;  // by name or another word, in any case; null: none
    // Every term in the text, ascending; of overlapping ones the longest. Whole words only, in any case.
    std::vector<TermSpan> spans(std::string_view text) const;
    // Terms whose words contain the text first, then those whose explanation does. Empty: all.
    std::vector<std::size_t> search(std::string_view text) const;

  private:
    struct Word {
        std::string text;  // lower case
        std::size_t term = 0;
        bool ambiguous = false;
    };
    void add_words(std::size_t number);
    void sort_words();

    std::vector<Term> terms_;
    std::vector<Word> words_;  // longest first
};

// Returns the program's glossary, read once; empty when it cannot be read: glossary_problems() says why.
const Glossary& glossary();
const Diagnostics& glossary_problems();

}  // namespace lanescope::scene
