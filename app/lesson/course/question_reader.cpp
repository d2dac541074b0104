#include "lesson/course/question_reader.h"

#include <algorithm>

#include "lesson/suggest.h"

namespace lanescope::lesson {

namespace {

const std::vector<std::string> measure_keys{"is",    "of",     "at",  "code",     "line",
                                            "block", "thread", "set", "schedule", "right"};
const char* const question_where = "[[lesson.question]]";
const char* const claim_where = "[[lesson.claim]]";

bool needs_step(MeasureKind kind) {
    return kind == MeasureKind::lanes || kind == MeasureKind::warps || kind == MeasureKind::value ||
           kind == MeasureKind::step || kind == MeasureKind::phase;
}

bool needs_what(MeasureKind kind) {
    return kind == MeasureKind::value || kind == MeasureKind::depth || kind == MeasureKind::number ||
           kind == MeasureKind::buffer;
}

std::vector<std::string> with(std::vector<std::string> keys, const std::vector<std::string>& more) {
    keys.insert(keys.end(), more.begin(), more.end());
    return keys;
}

}  // namespace

int QuestionReader::number(const toml::table& table, const char* key, std::int64_t least, int otherwise) {
    const std::optional<std::int64_t> value = reader_.integer(table, key);
    if (!value) return otherwise;
    if (*value < least || *value > 1'000'000'000) {
        reader_.fail(*table.get(key), "'" + std::string(key) + "' must be a number from " +
                                          std::to_string(least) + " to 1000000000");
        return otherwise;
    }
    return static_cast<int>(*value);
}

bool QuestionReader::read_line(const toml::table& table, CodeLine& line) {
    if (table.contains("line") == table.contains("code")) {
        reader_.fail(table, "either 'code' or 'line' must name a line", "as in code = \"s[t] +=\"");
        return false;
    }
    line.number = number(table, "line", 1, 0);
    line.code = reader_.text(table, "code").value_or("");
    if (table.contains("code") && line.code.find_first_not_of(" \t") == std::string::npos) {
        reader_.fail(*table.get("code"), "'code' is empty");
        return false;
    }
    return line.number > 0 || !line.code.empty();
}

std::optional<StepPlace> QuestionReader::place(const toml::table& table, const char* key) {
    if (!table.contains(key)) return std::nullopt;
    const toml::table* given = reader_.table(table, key);
    if (given == nullptr) return std::nullopt;
    reader_.check_keys(*given, {"code", "line", "visit", "block"}, "a place");
    StepPlace place;
    if (!read_line(*given, place.line)) return std::nullopt;
    place.visit = number(*given, "visit", -1'000'000'000, 1);
    place.block = number(*given, "block", 0, 0);
    if (place.visit == 0) {
        reader_.fail(*given->get("visit"), "'visit' counts from 1, or from the end: -1 is the last visit");
        return std::nullopt;
    }
    return place;
}

void QuestionReader::read_right(const toml::table& table, Measure& measure) {
    const toml::node* right = table.get("right");
    if (const auto* integer = right->as_integer())
        measure.right = integer->get();
    else if (const auto* real = right->as_floating_point())
        measure.right = real->get();
    else if (const auto* text = right->as_string())
        measure.right = text->get();
    else
        reader_.fail(*right, "'right' must be a number or a text");
}

void QuestionReader::read_kind(const toml::table& table, Measure& measure) {
    measure.name = reader_.text(table, "is").value_or("");
    const std::vector<std::string> names = measure_names();
    const auto found = std::find(names.begin(), names.end(), measure.name);
    measure.kind = static_cast<MeasureKind>(found - names.begin());  // the rest are fields of the metrics
}

bool QuestionReader::check_kind(const toml::table& table, const Measure& measure) {
    const std::string is = "'" + measure.name + "'";
    const auto needs = [&](const char* key, const std::string& what, const char* hint) {
        if (!table.contains(key)) reader_.fail(*table.get("is"), is + " needs " + what, hint);
        return false;
    };
    if (needs_step(measure.kind) && !measure.at)
        return needs("at", "a place", "at = { code = \"…\", visit = 1 }");
    if (needs_what(measure.kind) && measure.of.empty()) return needs("of", "'of'", "as in of = \"s[3]\"");
    if (measure.kind == MeasureKind::buffer && measure.of.find('[') == std::string::npos) {
        reader_.fail(*table.get("of"), "'of' must name an element of a buffer", "as in of = \"out[3]\"");
        return false;
    }
    if (measure.kind == MeasureKind::line && !measure.line)
        return needs("code", "'code'", "the line that the answer names");
    return true;
}

std::optional<Measure> QuestionReader::measure(const toml::table& table, const std::string& where) {
    Measure measure;
    measure.toml_line = TomlReader::line_of(table);
    if (!table.contains("right")) {
        reader_.missing(table, "right", where, "right = 4");
        return std::nullopt;
    }
    read_kind(table, measure);
    read_right(table, measure);
    measure.of = reader_.text(table, "of").value_or("");
    if (measure.kind == MeasureKind::number)
        measure.number = reader_.expression(table, "of").value_or(Expression());
    measure.at = place(table, "at");
    if (table.contains("code") || table.contains("line")) {
        CodeLine line;
        if (read_line(table, line)) measure.line = line;
    }
    measure.block = number(table, "block", 0, 0);
    measure.thread = number(table, "thread", 0, 0);
    measure.schedule = reader_.text(table, "schedule").value_or("");
    if (const toml::table* set = reader_.table(table, "set"))
        for (const auto& [key, value] : TomlReader::in_order(*set))
            if (const auto given = reader_.integer(*set, key->str()))
                measure.set[std::string(key->str())] = *given;
    if (!check_kind(table, measure)) return std::nullopt;
    return measure;
}

// The first try has the values that the measure states; other names state theirs.
void QuestionReader::read_numbers(const toml::table& table, Question& question) {
    const toml::table* numbers = reader_.table(table, "numbers");
    if (!numbers || !question.measure) return;
    for (const auto& [key, node] : TomlReader::in_order(*numbers)) {
        QuestionNumber number;
        number.name = std::string(key->str());
        const toml::table* given = node->as_table();
        const std::string example = number.name + " = { min = 1, max = 6 }";
        if (!given) {
            reader_.fail(*node, "a number must be a table", "as in " + example);
            continue;
        }
        reader_.check_keys(*given, {"default", "min", "max", "choices"}, "a number");
        const Measure& measure = *question.measure;
        const auto parameter = measure.set.find(number.name);
        if (number.name == "visit" && measure.at)
            number.first = measure.at->visit;
        else if (number.name == "thread")
            number.first = measure.thread;
        else if (parameter != measure.set.end())
            number.first = parameter->second;
        else if (!given->contains("default"))
            reader_.fail(*node, "'" + number.name + "' is not in 'set' and has no 'default'",
                         "as in " + number.name + " = { default = 3, min = 1, max = 6 }");
        number.first = reader_.integer(*given, "default").value_or(number.first);
        number.choices = reader_.integers(*given, "choices");
        number.least = reader_.integer(*given, "min").value_or(0);
        number.most = reader_.integer(*given, "max").value_or(0);
        const bool inside =
            number.choices.empty()
                ? number.least < number.most && number.first >= number.least && number.first <= number.most
                : std::find(number.choices.begin(), number.choices.end(), number.first) !=
                      number.choices.end();
        if (!inside)
            reader_.fail(*node,
                         "'" + number.name + "' needs 'choices', or 'min' and 'max', with the first value " +
                             std::to_string(number.first) + " among them",
                         "as in " + example);
        question.numbers.push_back(std::move(number));
    }
    for (unsigned attempt = 0; attempt < checked_tries; ++attempt)
        if (const auto fine = asked(question, attempt); reader_.ok() && !fine)
            reader_.fail(*table.get("numbers"), fine.diagnostics().front().message);
}

std::vector<Question> QuestionReader::questions(const toml::table& lesson) {
    std::vector<Question> questions;
    for (const toml::table* table : reader_.tables(lesson, "question")) {
        reader_.check_keys(*table, with(measure_keys, {"id", "ask", "answer", "unit", "numbers"}),
                           question_where);
        bool whole = true;
        for (const char* key : {"ask", "answer"})
            if (!table->contains(key)) {
                reader_.missing(*table, key, question_where, std::string(key) + " = \"…\"");
                whole = false;
            }
        if (!whole) continue;
        Question question;
        question.toml_line = TomlReader::line_of(*table);
        question.id = reader_.text(*table, "id").value_or("");
        question.ask = reader_.text(*table, "ask").value_or("");
        question.answer = reader_.text(*table, "answer").value_or("");
        question.unit = reader_.text(*table, "unit").value_or("");
        if (table->contains("is"))
            question.measure = measure(*table, question_where);
        else
            for (const std::string& key : measure_keys)
                if (key != "at" && table->contains(key))
                    reader_.fail(*table->get(key), "'" + key + "' belongs to a measure: 'is' is missing");
        read_numbers(*table, question);
        question.at = question.measure ? question.measure->at : place(*table, "at");
        questions.push_back(std::move(question));
    }
    for (const std::string& ask : reader_.texts(lesson, "try"))
        questions.emplace_back().ask = ask;
    return questions;
}

std::vector<Claim> QuestionReader::claims(const toml::table& lesson) {
    std::vector<Claim> claims;
    for (const toml::table* table : reader_.tables(lesson, "claim")) {
        reader_.check_keys(*table, with(measure_keys, {"id", "says"}), claim_where);
        bool whole = true;
        for (const char* key : {"says", "is"})
            if (!table->contains(key)) {
                reader_.missing(*table, key, claim_where, std::string(key) + " = \"…\"");
                whole = false;
            }
        if (!whole) continue;
        if (std::optional<Measure> read = measure(*table, claim_where))
            claims.push_back({reader_.text(*table, "id").value_or(""),
                              reader_.text(*table, "says").value_or(""), std::move(*read)});
    }
    return claims;
}

}  // namespace lanescope::lesson
