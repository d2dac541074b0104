#include "lesson/proposal/polynomial.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace lanescope::lesson {

namespace {

constexpr std::size_t most_terms = 24, most_factors = 6;
constexpr __int128 most_coefficient = __int128{1} << 50;

// An expression among other factors needs parentheses unless it is a name or a call.
std::string factor_text(const std::string& atom) {
    int depth = 0;
    for (const char c : atom) {
        depth += (c == '(') - (c == ')');
        if (c == ' ' && depth == 0) return "(" + atom + ")";
    }
    return atom;
}

}  // namespace

Polynomial::Polynomial(std::int64_t constant) {
    if (constant > most_coefficient || constant < -most_coefficient)
        terms_[{std::to_string(constant)}] = 1;  // no sum or product of it is computed
    else if (constant != 0)
        terms_[{}] = constant;
}

Polynomial Polynomial::of(const std::string& atom) {
    Polynomial made;
    made.terms_[{atom}] = 1;
    return made;
}

bool Polynomial::add(const Monomial& monomial, __int128 coefficient) {
    const auto found = terms_.find(monomial);
    if (found != terms_.end()) coefficient += found->second;
    if (coefficient > most_coefficient || coefficient < -most_coefficient) return false;
    if (coefficient == 0)
        terms_.erase(monomial);
    else
        terms_[monomial] = static_cast<std::int64_t>(coefficient);
    return terms_.size() <= most_terms;
}

std::optional<Polynomial> Polynomial::sum(const Polynomial& a, const Polynomial& b) {
    Polynomial made = a;
    for (const auto& [monomial, coefficient] : b.terms_)
        if (!made.add(monomial, coefficient)) return std::nullopt;
    return made;
}

std::optional<Polynomial> Polynomial::difference(const Polynomial& a, const Polynomial& b) {
    Polynomial made = a;
    for (const auto& [monomial, coefficient] : b.terms_)
        if (!made.add(monomial, -__int128{coefficient})) return std::nullopt;
    return made;
}

std::optional<Polynomial> Polynomial::product(const Polynomial& a, const Polynomial& b) {
    Polynomial made;
    for (const auto& [left, x] : a.terms_)
        for (const auto& [right, y] : b.terms_) {
            Monomial both = left;
            both.insert(both.end(), right.begin(), right.end());
            std::sort(both.begin(), both.end());
            if (both.size() > most_factors || !made.add(both, __int128{x} * y)) return std::nullopt;
        }
    return made;
}

std::optional<std::int64_t> Polynomial::constant() const {
    if (terms_.empty()) return 0;
    if (terms_.size() > 1 || !terms_.begin()->first.empty()) return std::nullopt;
    return terms_.begin()->second;
}

bool Polynomial::never_negative() const {
    // A negative constant is made up for by sizes, each of which is at least 1: n - 1.
    std::int64_t least = 0;
    for (const auto& [monomial, coefficient] : terms_) {
        if (coefficient < 0 && !monomial.empty()) return false;
        least += coefficient;
    }
    return least >= 0;
}

std::string Polynomial::text() const {
    std::vector<std::pair<Monomial, std::int64_t>> ordered(terms_.begin(), terms_.end());
    // A positive term comes first, and the constant last.
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
        if ((a.second > 0) != (b.second > 0)) return a.second > 0;
        return a.first.size() > b.first.size();
    });
    std::string text;
    for (const auto& [monomial, coefficient] : ordered) {
        const std::int64_t size = coefficient < 0 ? -coefficient : coefficient;
        std::string term = size == 1 && !monomial.empty() ? "" : std::to_string(size);
        for (const std::string& atom : monomial)
            term += (term.empty() ? "" : " * ") +
                    (monomial.size() == 1 && size == 1 && ordered.size() == 1 ? atom : factor_text(atom));
        if (text.empty())
            text = (coefficient < 0 ? "-" : "") + term;
        else
            text += (coefficient < 0 ? " - " : " + ") + term;
    }
    return text.empty() ? "0" : text;
}

}  // namespace lanescope::lesson
