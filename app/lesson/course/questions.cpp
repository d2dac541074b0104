#include "lesson/course/questions.h"

#include <algorithm>
#include <random>

namespace lanescope::lesson {

namespace {

constexpr const char* kind_names[] = {
    "lanes", "warps",    "value",  "step",    "phase",           "steps", "phases", "operations",
    "depth", "problems", "result", "console", "simt_efficiency", "line",  "number", "buffer"};

// Puts values in the place of "{n}" and "{2 * n}".
Result<std::string> filled(const std::string& text, const Names& numbers) {
    std::string made;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t open = text.find('{', at), close = text.find('}', open);
        made += text.substr(at, open - at);
        if (open == text.npos) break;
        if (close == text.npos) return error("a '{' has no '}': " + text.substr(open));
        Expression value;
        value.text = text.substr(open + 1, close - open - 1);
        const Result<std::int64_t> number = evaluate(value, numbers, "");
        if (!number) return error("'{" + value.text + "}': " + number.diagnostics().front().message);
        made += std::to_string(*number);
        at = close + 1;
    }
    return made;
}

// Evenly among the values that follow `before` in their order.
std::int64_t another(const QuestionNumber& number, std::int64_t before, std::mt19937_64& random) {
    if (!number.choices.empty()) {
        std::vector<std::int64_t> others = number.choices;
        std::erase(others, before);
        return others.empty() ? before : others[random() % others.size()];
    }
    const auto span = static_cast<std::uint64_t>(number.most - number.least);
    const auto from = static_cast<std::uint64_t>(before - number.least);
    return number.least + static_cast<std::int64_t>((from + 1 + random() % span) % (span + 1));
}

Names numbers_of(const Question& question, unsigned attempt) {
    Names numbers;
    for (const QuestionNumber& each : question.numbers) {
        std::mt19937_64 random(each.first);
        std::int64_t value = each.first;
        for (unsigned i = 0; i < attempt; ++i)
            value = another(each, value, random);
        numbers[each.name] = value;
    }
    return numbers;
}

}  // namespace

std::vector<std::string> measure_names() {
    return {std::begin(kind_names), std::end(kind_names)};
}

Result<Question> asked(const Question& question, unsigned attempt) {
    if (question.numbers.empty()) return question;
    const Names numbers = numbers_of(question, attempt);
    Question made = question;
    for (std::string* text : {&made.ask, &made.answer}) {
        const Result<std::string> whole = filled(*text, numbers);
        if (!whole) return whole.diagnostics();
        *text = *whole;
    }
    if (!made.measure) return made;
    Measure& measure = *made.measure;
    const Result<std::string> of = filled(measure.of, numbers);
    if (!of) return of.diagnostics();
    measure.of = *of;
    if (measure.kind == MeasureKind::number) measure.number.text = *of;
    for (const auto& [name, value] : numbers)
        if (name == "visit" && measure.at)
            measure.at->visit = static_cast<int>(value);
        else if (name == "thread")
            measure.thread = static_cast<int>(value);
        else if (const auto parameter = measure.set.find(name); parameter != measure.set.end())
            parameter->second = value;
    made.at = measure.at;
    return made;
}

std::string to_text(const CodeLine& line) {
    if (line.number > 0) return "line " + std::to_string(line.number);
    return "the line with '" + line.code + "'";
}

Result<int> line_in(std::string_view source, const CodeLine& line) {
    // The front matter may quote code, too.
    const std::size_t head = source.starts_with("/*--- lanescope") ? source.find("---*/") : 0;
    int number = 1, found = 0;
    for (std::size_t begin = 0; begin <= source.size(); ++number) {
        const std::size_t end = std::min(source.find('\n', begin), source.size());
        if (line.number > 0 && number == line.number) return number;
        if (line.number == 0 && begin >= head &&
            source.substr(begin, end - begin).find(line.code) != std::string_view::npos) {
            if (found != 0)
                return error("lines " + std::to_string(found) + " and " + std::to_string(number) +
                                 " both contain '" + line.code + "'",
                             "give more of the line");
            found = number;
        }
        begin = end + 1;
    }
    if (line.number > 0) return error("the file has no line " + std::to_string(line.number));
    if (found == 0) return error("no line behind the front matter contains '" + line.code + "'");
    return found;
}

}  // namespace lanescope::lesson
