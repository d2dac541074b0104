#include "execution/proposal/size_expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

namespace lanescope::execution {

namespace {

std::optional<std::int64_t> number(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failed == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

bool is_sum(const std::string& text) {
    int depth = 0;
    for (const char c : text) {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (depth == 0 && (c == '+' || c == '-' || c == '?' || c == '/')) return true;
    }
    return false;
}

std::string factor_text(const std::string& text) {
    return is_sum(text) ? "(" + text + ")" : text;
}

}  // namespace

std::string product(const std::string& a, const std::string& b) {
    const auto x = number(a), y = number(b);
    if (x && y) return std::to_string(*x * *y);
    if (x == 1) return b;
    if (y == 1) return a;
    if (y) return product(b, a);
    // "4 * (2 * n)" is "8 * n".
    if (x)
        if (const std::size_t times = b.find(" * "); times != b.npos && !is_sum(b))
            if (const auto inner = number(b.substr(0, times)))
                return std::to_string(*x * *inner) + b.substr(times);
    return factor_text(a) + " * " + factor_text(b);
}

std::string SizeText::whole() const {
    if (text.empty()) return std::to_string(more);
    const std::string multiple = product(std::to_string(factor), text);
    return more == 0 ? multiple : multiple + " + " + std::to_string(more);
}

std::string SizeText::times(std::int64_t by) const {
    return SizeText{factor * by, text, more * by}.whole();
}

SizeChoice::SizeChoice(const std::vector<std::string>& bases, const lesson::Names& first,
                       const lesson::Names& second) {
    constexpr std::array<std::int64_t, 7> factors{1, 2, 3, 4, 8, 16, 32};
    for (const std::int64_t factor : factors)
        for (const std::string& base : bases) {
            const auto a = lesson::evaluate({base, 0, 0}, first, {});
            const auto b = lesson::evaluate({base, 0, 0}, second, {});
            constexpr std::int64_t most = std::int64_t{1} << 40;
            if (a && b && *a > 0 && *b > 0 && *a < most && *b < most)
                candidates_.push_back({factor, base, *a * factor, *b * factor});
        }
}

SizeText SizeChoice::covering(std::uint64_t first, std::uint64_t second) const {
    const auto a = static_cast<std::int64_t>(std::max<std::uint64_t>(first, 1));
    const auto b = static_cast<std::int64_t>(std::max<std::uint64_t>(second, 1));
    const Candidate* best = nullptr;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const Candidate& each : candidates_) {
        if (a == b && each.first == each.second && !number(each.text)) continue;
        const std::int64_t over_a = each.first - a, over_b = each.second - b;
        constexpr std::int64_t most_more = 64;
        if (over_a >= 0 && over_b >= 0 && over_a + over_b < least) {
            least = over_a + over_b;
            best = &each;
        }
        // As many elements more in both runs: the edge of a stencil, or a mistake.
        if (over_a < 0 && over_a == over_b && -over_a <= most_more && each.factor == 1 && -over_a < least &&
            (best == nullptr || least > -over_a))
            if (a != b) {
                least = -over_a;
                best = &each;
            }
    }
    if (a == b && (best == nullptr || least > 0)) return {1, {}, a};
    if (best == nullptr) return {1, {}, std::max(a, b)};
    const std::int64_t more = std::max<std::int64_t>(a - best->first, 0);
    return {best->factor, best->text, more};
}

std::string SizeChoice::equal(std::uint64_t first) const {
    for (const Candidate& each : candidates_)
        if (each.first == static_cast<std::int64_t>(first))
            return product(std::to_string(each.factor), each.text);
    return {};
}

}  // namespace lanescope::execution
