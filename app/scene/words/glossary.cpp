#include "scene/words/glossary.h"

#include <algorithm>

#include "base/files.h"
#include "base/folders.h"
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

// Returns how many bytes `word` takes at this place of a lower-case text, with a plural's s; 0: it is not
// there.
std::size_t match(std::string_view text, std::size_t at, const std::string& word) {
    if (text.substr(at, word.size()) != word) return 0;
    std::size_t end = at + word.size();
    const auto ends = [&](std::size_t place) { return place >= text.size() || !is_word(text[place]); };
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
        const auto file = resource_folder() / "assets" / "glossary.toml";
        const Result<std::string> text = read_text_file(file);
        Result<Glossary> read =
            text ? Glossary::parse(*text, file.string()) : Result<Glossary>(text.diagnostics());
        if (read)
            made.glossary = std::move(*read);
        else
            made.problems = read.diagnostics();
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
        const Term& last = made.terms_.back();
        made.words_.push_back({lower(last.name), made.terms_.size() - 1});
        for (const std::string& word : last.also)
            made.words_.push_back({lower(word), made.terms_.size() - 1});
        for (const std::string& word : last.ambiguous)
            made.words_.push_back({lower(word), made.terms_.size() - 1, true});
    }
    if (!reader.problems().empty()) return reader.problems();
    std::stable_sort(made.words_.begin(), made.words_.end(),
                     [](const Word& a, const Word& b) { return a.text.size() > b.text.size(); });
    return made;
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
        if (is_word(small[at]) && (at == 0 || !is_word(small[at - 1])))
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
