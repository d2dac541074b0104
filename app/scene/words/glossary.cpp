#include "scene/words/glossary.h"

#include <algorithm>

#include "base/files.h"
#include "base/folders.h"
#include "base/language.h"
#include "lesson/toml_reader.h"

namespace lanescope::scene {
namespace {

std::string lower(std::string_view text) {
    std::string small(text);
    for (char& c : small)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return small;
}

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (static_cast<unsigned char>(c) & 0x80) != 0;
}

// Whether the character that begins at or, backwards, ends before this place belongs to a word. In UTF-8,
// no-break spaces, quotation marks and dashes begin with 0xC2 or 0xE2, letters with other bytes.
bool word_at(std::string_view text, std::size_t place) {
    while (place > 0 && (static_cast<unsigned char>(text[place]) & 0xC0) == 0x80)
        --place;
    const auto first = static_cast<unsigned char>(text[place]);
    return is_word(text[place]) && first != 0xC2 && first != 0xE2;
}

// Returns how many bytes `word` takes at this place of a lower-case text, with a plural's s; 0: it is not
// there.
std::size_t match(std::string_view text, std::size_t at, const std::string& word) {
    if (text.substr(at, word.size()) != word) return 0;
    std::size_t end = at + word.size();
    const auto ends = [&](std::size_t place) { return place >= text.size() || !word_at(text, place); };
    if (ends(end)) return word.size();
    for (const char* plural : {"s", "es"}) {
        const std::string_view ending(plural);
        if (text.substr(end, ending.size()) == ending && ends(end + ending.size()))
            return word.size() + ending.size();
    }
    return 0;
}

struct Loaded {
    Glossary glossary;
    Diagnostics problems;
};

const Loaded& loaded() {
    static const Loaded once = [] {
        Loaded made;
        const auto folder = resource_folder() / "assets";
        const auto file = folder / "glossary.toml",
                   translation = folder / ("glossary." + language() + ".toml");
        const Result<std::string> text = read_text_file(file);
        Result<Glossary> read =
            text ? Glossary::parse(*text, file.string()) : Result<Glossary>(text.diagnostics());
        if (read)
            made.glossary = std::move(*read);
        else
            made.problems = read.diagnostics();
        std::error_code ignored;
        if (!read || !std::filesystem::exists(translation, ignored)) return made;
        const Result<std::string> words = read_text_file(translation);
        const Result<void> taken =
            words ? made.glossary.translate(*words, translation.string()) : words.diagnostics();
        if (!taken) made.problems = taken.diagnostics();
        return made;
    }();
    return once;
}

}  // namespace

Result<Glossary> Glossary::parse(const std::string& text, const std::string& file) {
    lesson::TomlReader reader(file);
    const auto root = reader.parse(text);
    if (!root) return reader.problems();
    reader.check_keys(*root, {"term"}, "the glossary");
    Glossary made;
    for (const toml::table* table : reader.tables(*root, "term")) {
        reader.check_keys(*table, {"name", "also", "ambiguous", "introduced", "text", "source"}, "[[term]]");
        bool complete = true;
        for (const char* key : {"name", "text"})
            if (!table->contains(key)) {
                reader.missing(*table, key, "[[term]]", std::string(key) + " = \"…\"");
                complete = false;
            }
        if (!complete) continue;
        Term term{reader.text(*table, "name").value_or(""), reader.texts(*table, "also"),
                  reader.texts(*table, "ambiguous"),        reader.text(*table, "introduced").value_or(""),
                  reader.text(*table, "text").value_or(""), reader.text(*table, "source").value_or("")};
        if (!term.introduced.empty() && std::count(term.introduced.begin(), term.introduced.end(), '/') != 1)
            reader.fail(*table->get("introduced"), "must name a lesson, as in introduced = \"atomics/zoo\"");
        if (made.find(term.name))
            reader.fail(*table->get("name"), "another term already has the word '" + term.name + "'");
        for (const char* key : {"also", "ambiguous"})
            for (const std::string& word : reader.texts(*table, key))
                if (made.find(word))
                    reader.fail(*table->get(key), "another term already has the word '" + word + "'");
        made.terms_.push_back(std::move(term));
        made.add_words(made.terms_.size() - 1);
    }
    if (!reader.problems().empty()) return reader.problems();
    made.sort_words();
    return made;
}

void Glossary::add_words(std::size_t number) {
    const Term& term = terms_[number];
    words_.push_back({lower(term.name), number});
    for (const std::string& word : term.also)
        words_.push_back({lower(word), number});
    for (const std::string& word : term.ambiguous)
        words_.push_back({lower(word), number, true});
}

void Glossary::sort_words() {
    std::stable_sort(words_.begin(), words_.end(),
                     [](const Word& a, const Word& b) { return a.text.size() > b.text.size(); });
}

Result<void> Glossary::translate(const std::string& text, const std::string& file) {
    lesson::TomlReader reader(file);
    const auto root = reader.parse(text);
    if (!root) return reader.problems();
    reader.check_keys(*root, {"term"}, "the glossary");
    const std::vector<Term> english = terms_;
    for (const toml::table* table : reader.tables(*root, "term")) {
        reader.check_keys(*table, {"name", "word", "also", "ambiguous", "text"}, "[[term]]");
        const std::string name = reader.text(*table, "name").value_or("");
        const auto found =
            std::find_if(english.begin(), english.end(), [&](const Term& each) { return each.name == name; });
        if (found == english.end()) {
            reader.fail(*table, "the glossary has no term '" + name + "'");
            continue;
        }
        Term& term = terms_[std::size_t(found - english.begin())];
        term.name = reader.text(*table, "word").value_or(term.name);
        term.also = reader.texts(*table, "also");
        term.ambiguous = reader.texts(*table, "ambiguous");
        term.text = reader.text(*table, "text").value_or(term.text);
    }
    words_.clear();
    for (std::size_t i = 0; i < terms_.size(); ++i)
        add_words(i);
    sort_words();
    for (std::size_t i = 1; i < words_.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (words_[i].text == words_[j].text && words_[i].term != words_[j].term)
                reader.fail_at(1, 0, "two terms have the word '" + words_[i].text + "'");
    if (!reader.ok()) return reader.problems();
    return {};
}

const Term* Glossary::find(std::string_view word) const {
    const std::string small = lower(word);
    for (const Word& each : words_)
        if (each.text == small) return &terms_[each.term];
    return nullptr;
}

std::vector<TermSpan> Glossary::spans(std::string_view text) const {
    const std::string small = lower(text);
    std::vector<TermSpan> found;
    for (std::size_t at = 0; at < small.size();) {
        std::size_t length = 0;
        if (is_word(small[at]) && (at == 0 || !word_at(small, at - 1)))
            for (const Word& word : words_)
                if ((length = match(small, at, word.text)) != 0) {
                    found.push_back({at, at + length, word.term, word.ambiguous});
                    break;
                }
        at += std::max<std::size_t>(length, 1);
    }
    return found;
}

std::vector<std::size_t> Glossary::search(std::string_view text) const {
    const std::string wanted = lower(text);
    const auto contains = [&](const std::string& where) {
        return lower(where).find(wanted) != std::string::npos;
    };
    std::vector<std::size_t> found, later;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
        const Term& term = terms_[i];
        if (contains(term.name) || std::any_of(term.also.begin(), term.also.end(), contains))
            found.push_back(i);
        else if (contains(term.text))
            later.push_back(i);
    }
    const auto by_name = [&](std::size_t a, std::size_t b) {
        return lower(terms_[a].name) < lower(terms_[b].name);
    };
    std::sort(found.begin(), found.end(), by_name);
    std::sort(later.begin(), later.end(), by_name);
    found.insert(found.end(), later.begin(), later.end());
    return found;
}

const Glossary& glossary() {
    return loaded().glossary;
}
const Diagnostics& glossary_problems() {
    return loaded().problems;
}

}  // namespace lanescope::scene
