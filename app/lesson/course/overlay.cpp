#include "lesson/course/overlay.h"

#include <algorithm>
#include <set>

#include "lesson/course/markdown_text.h"
#include "lesson/suggest.h"
#include "lesson/toml_reader.h"

namespace lanescope::lesson {

namespace {

// Figures and links of a text, which its translation keeps.
std::multiset<std::string> targets_of(const std::string& text) {
    std::multiset<std::string> targets;
    const auto add = [&](const std::vector<Span>& spans) {
        for (const Span& span : spans)
            if (!span.target.empty()) targets.insert(span.target);
    };
    for (const Paragraph& paragraph : parse_markdown(text)) {
        if (paragraph.kind == ParagraphKind::figure) targets.insert(paragraph.target);
        add(paragraph.spans);
        for (const TableRow& row : paragraph.rows)
            for (const std::vector<Span>& cell : row)
                add(cell);
    }
    return targets;
}

// "{n}" in what a question with numbers asks.
std::set<std::string> in_braces(const Question& question) {
    std::set<std::string> found;
    const std::string& ask = question.ask;
    if (question.numbers.empty()) return found;
    for (std::size_t at = ask.find('{'); at != ask.npos; at = ask.find('{', at + 1))
        found.insert(ask.substr(at, ask.find('}', at) - at));
    return found;
}

class OverlayReader {
  public:
    OverlayReader(const std::filesystem::path& file, Topic& topic) : reader_(file.string()), topic_(topic) {}

    Diagnostics read(const std::string& text) {
        const auto root = reader_.parse(text);
        if (!root) return reader_.problems();
        reader_.check_keys(*root, {"title", "goals", "text", "lesson", "exercise"}, "a translated topic");
        begin(*root, "the topic", topic_.untranslated);
        take("title", topic_.title);
        take("text", topic_.text);
        take("goals", topic_.goals);
        read_exercises(*root, topic_.exercises);
        check_names(*root, "lesson", "file", file_names());
        for (LessonEntry& entry : topic_.lessons)
            if (entry.line > 0) read_lesson(*root, entry);
        return reader_.problems();
    }

  private:
    // Later calls of take() read this table; `what` names it in messages: "the note 'sums'".
    void begin(const toml::table& table, const std::string& what, Diagnostics& untranslated) {
        table_ = &table, what_ = what, untranslated_ = &untranslated;
    }

    void lacks(const toml::table& table, const std::string& what) {
        untranslated_->push_back(
            error_at(reader_.file(), TomlReader::line_of(table), 0, what + " is not translated"));
    }

    bool is_there(const char* key, bool in_english) {
        if (table_->contains(key) && in_english) return true;
        if (table_->contains(key))
            reader_.fail(*table_->get(key), what_ + " has no '" + key + "' in lesson.toml");
        else if (in_english)
            lacks(*table_, "'" + std::string(key) + "' of " + what_);
        return false;
    }

    void replace(const toml::node& node, std::string translated, std::string& text) {
        if (targets_of(translated) != targets_of(text))
            untranslated_->push_back(
                error_at(reader_.file(), TomlReader::line_of(node), 0,
                         "the figures and links of " + what_ + " are others than in English"));
        text = std::move(translated);
    }

    void take(const char* key, std::string& text) {
        if (!is_there(key, !text.empty())) return;
        if (auto translated = reader_.text(*table_, key))
            replace(*table_->get(key), std::move(*translated), text);
    }

    void take(const char* key, const std::vector<std::string*>& texts) {
        if (!is_there(key, !texts.empty())) return;
        const std::vector<std::string> translated = reader_.texts(*table_, key);
        if (translated.size() != texts.size())
            return reader_.fail(*table_->get(key), what_ + " has " + std::to_string(texts.size()) + " '" +
                                                       key + "' in lesson.toml, and " +
                                                       std::to_string(translated.size()) + " here");
        for (std::size_t i = 0; i < texts.size(); ++i)
            if (!texts[i]->empty()) replace(*table_->get(key), translated[i], *texts[i]);
    }

    void take(const char* key, std::vector<std::string>& texts) {
        std::vector<std::string*> each;
        for (std::string& text : texts)
            each.push_back(&text);
        take(key, each);
    }

    // Reports tables whose `key` is none of `known`.
    void check_names(const toml::table& table, const char* list, const char* key,
                     const std::vector<std::string>& known) {
        std::set<std::string> seen;
        for (const toml::table* each : reader_.tables(table, list)) {
            const std::string name = reader_.text(*each, key).value_or("");
            const std::string what = "[[" + std::string(list) + "]] ";
            if (name.empty())
                reader_.fail(*each, what + "needs '" + key + "'");
            else if (std::find(known.begin(), known.end(), name) == known.end())
                reader_.fail(*each->get(key), what + "names '" + name + "', which lesson.toml does not have",
                             suggestion(name, known));
            else if (!seen.insert(name).second)
                reader_.fail(*each->get(key), what + "names '" + name + "' twice");
        }
    }

    // Each item of the lesson with its table in the overlay. `take_texts` takes what the item has.
    template <class Item, class Name, class TakeTexts>
    void read_items(const toml::table& table, const char* list, const char* key,
                    const std::vector<std::string>& keys, std::vector<Item>& items, const Name& name,
                    const TakeTexts& take_texts) {
        Diagnostics& untranslated = *untranslated_;
        std::vector<std::string> names;
        for (const Item& item : items)
            names.push_back(name(item));
        check_names(table, list, key, names);
        const std::vector<const toml::table*> tables = reader_.tables(table, list);
        for (const toml::table* each : tables)
            reader_.check_keys(*each, keys, "[[" + std::string(list) + "]]");
        for (std::size_t i = 0; i < items.size(); ++i) {
            const auto found = std::find_if(tables.begin(), tables.end(), [&](const toml::table* each) {
                return !names[i].empty() && (*each)[key].value<std::string>() == names[i];
            });
            const std::string what = "the " + std::string(list) + " '" + names[i] + "'" + of_lesson_;
            if (found == tables.end()) {
                lacks(table,
                      names[i].empty() ? "a " + std::string(list) + " without 'id'" + of_lesson_ : what);
                continue;
            }
            begin(**found, what, untranslated);
            take_texts(items[i]);
        }
    }

    void read_exercises(const toml::table& table, std::vector<Exercise>& exercises) {
        read_items(
            table, "exercise", "name", {"name", "title", "text", "hints", "hidden"}, exercises,
            [](const Exercise& each) { return each.name; },
            [&](Exercise& each) {
                take("title", each.title);
                take("text", each.text);
                take("hints", each.hints);
                std::vector<std::string*> about;
                for (HiddenCase& hidden : each.hidden)
                    about.push_back(&hidden.about);
                const bool none = std::all_of(about.begin(), about.end(),
                                              [](const std::string* text) { return text->empty(); });
                if (!none || table_->contains("hidden")) take("hidden", about);
            });
    }

    void read_lesson(const toml::table& root, LessonEntry& entry) {
        const std::string file = entry.path.filename().string();
        of_lesson_.clear();
        untranslated_ = &entry.untranslated;
        const toml::table* table = nullptr;
        for (const toml::table* each : reader_.tables(root, "lesson"))
            if ((*each)["file"].value<std::string>() == file) table = each;
        if (table == nullptr) return lacks(root, "the lesson '" + file + "'");
        reader_.check_keys(*table,
                           {"file", "title", "goals", "text", "look", "timing", "seen", "try", "note",
                            "question", "claim", "exercise", "schedules"},
                           "a translated [[lesson]]");
        begin(*table, "the lesson '" + file + "'", entry.untranslated);
        take("title", entry.title);
        take("goals", entry.goals);
        take("text", entry.text);
        take("look", entry.look);
        take("timing", entry.timing);
        take("seen", entry.seen);
        std::vector<std::string*> only_asked;
        for (Question& question : entry.questions)
            if (question.toml_line == 0) only_asked.push_back(&question.ask);
        take("try", only_asked);
        of_lesson_ = " of '" + entry.name + "'";
        read_parts(*table, entry);
        of_lesson_.clear();
    }

    void read_parts(const toml::table& table, LessonEntry& entry) {
        const auto id = [](const auto& each) { return each.id; };
        read_items(table, "note", "id", {"id", "text"}, entry.notes, id,
                   [&](StepNote& note) { take("text", note.text); });
        std::vector<Question*> questions;
        for (Question& question : entry.questions)
            if (question.toml_line > 0) questions.push_back(&question);
        read_items(
            table, "question", "id", {"id", "ask", "answer", "unit"}, questions,
            [](const Question* each) { return each->id; },
            [&](Question* question) {
                const std::set<std::string> numbers = in_braces(*question);
                take("ask", question->ask);
                if (in_braces(*question) != numbers)
                    reader_.fail(*table_, "'ask' has other numbers in braces than in English");
                take("answer", question->answer);
                take("unit", question->unit);
            });
        read_items(table, "claim", "id", {"id", "says"}, entry.claims, id, [&](Claim& claim) {
            take("says", claim.says);
            claim.file = reader_.file();
            claim.line = TomlReader::line_of(*table_);
        });
        read_items(
            table, "schedules", "name", {"name", "text"}, entry.schedules,
            [](const NamedSchedule& each) { return each.name; },
            [&](NamedSchedule& named) { take("text", named.text); });
        read_exercises(table, entry.exercises);
    }

    std::vector<std::string> file_names() const {
        std::vector<std::string> names;
        for (const LessonEntry& entry : topic_.lessons)
            names.push_back(entry.path.filename().string());
        return names;
    }

    TomlReader reader_;
    Topic& topic_;
    const toml::table* table_ = nullptr;
    std::string what_, of_lesson_;
    Diagnostics* untranslated_ = nullptr;
};

}  // namespace

std::filesystem::path overlay_file(const std::filesystem::path& folder, const std::string& language) {
    return folder / ("lesson." + language + ".toml");
}

Diagnostics apply_overlay(const std::filesystem::path& file, const std::string& text, Topic& topic) {
    return OverlayReader(file, topic).read(text);
}

}  // namespace lanescope::lesson
