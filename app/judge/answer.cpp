#include "judge/answer.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "judge/words.h"

namespace lanescope::judge {

namespace {

using lesson::MeasuredValue;

std::string plain(std::string_view text, const std::string& unit) {
    std::string lower(trimmed(lower_case(text)));
    for (const std::string& tail : {lower_case(unit), std::string("%")})
        if (!tail.empty() && lower.size() > tail.size() && lower.ends_with(tail))
            lower = trimmed(lower.substr(0, lower.size() - tail.size()));
    return lower;
}

struct TypedNumber {
    double value = 0;
    int decimals = 0;
};
// "1023", "1,023", "1 023", "0x1f", "-2.50"; commas and spaces only where they separate thousands.
std::optional<TypedNumber> number_in(const std::string& text) {
    std::string digits;
    const bool hex = text.starts_with("0x");
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool separates = (text[i] == ',' || text[i] == ' ') && i > 0 && i + 3 < text.size() &&
                               std::isdigit(static_cast<unsigned char>(text[i + 1])) &&
                               std::isdigit(static_cast<unsigned char>(text[i + 2])) &&
                               std::isdigit(static_cast<unsigned char>(text[i + 3]));
        if (!separates) digits += text[i];
    }
    if (hex) {
        std::int64_t value = 0;
        const char* const end = digits.data() + digits.size();
        const auto [rest, bad] = std::from_chars(digits.data() + 2, end, value, 16);
        if (bad != std::errc() || rest != end) return std::nullopt;
        return TypedNumber{static_cast<double>(value), 0};
    }
    double value = 0;
    const char* const end = digits.data() + digits.size();
    const char* const begin = digits.data() + (digits.starts_with("+") ? 1 : 0);
    const auto [rest, bad] = std::from_chars(begin, end, value);
    if (bad != std::errc() || rest != end) return std::nullopt;
    const std::size_t point = digits.find('.');
    return TypedNumber{value, point == std::string::npos ? 0 : static_cast<int>(digits.size() - point - 1)};
}

}  // namespace

bool is_answer(const std::string& typed, const MeasuredValue& value, const std::string& unit) {
    const std::string text = plain(typed, unit);
    if (const auto* wanted = std::get_if<std::string>(&value))
        return folded(text) == folded(plain(*wanted, ""));
    const std::optional<TypedNumber> number = number_in(text);
    if (!number) return false;
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return number->value == static_cast<double>(*integer);
    const double real = std::get<double>(value);
    // A person rounds: 71 names 71.2, but 71.3 does not.
    const double half = 0.5 * std::pow(10.0, -number->decimals);
    return std::abs(number->value - real) <= half + relative_tolerance * std::abs(real);
}

Result<AnswerVerdict> judge_answer(const lesson::LessonEntry& entry, const lesson::Question& question,
                                   const std::string& typed, const std::atomic<bool>* cancel) {
    if (!question.measure) return error("the question cannot be judged");
    const Result<MeasuredValue> measured = MeasuredLesson(entry, cancel).measure(*question.measure);
    if (!measured) return measured.diagnostics();
    return AnswerVerdict{is_answer(typed, *measured, question.unit), to_text(*measured)};
}

}  // namespace lanescope::judge
