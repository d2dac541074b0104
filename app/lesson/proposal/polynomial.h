// Polynomials with whole coefficients over named sizes: expressions of host code in their simplest form.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::lesson {

class Polynomial {
  public:
    using Monomial = std::vector<std::string>;  // sorted factors; empty: the constant

    Polynomial() = default;
    explicit Polynomial(std::int64_t constant);
    // A size: an identifier, or an expression of the front matter that is not taken apart.
    static Polynomial of(const std::string& atom);

    // Nothing if the result is too large to be worth writing down.
    static std::optional<Polynomial> sum(const Polynomial& a, const Polynomial& b);
    static std::optional<Polynomial> difference(const Polynomial& a, const Polynomial& b);
    static std::optional<Polynomial> product(const Polynomial& a, const Polynomial& b);

    std::optional<std::int64_t> constant() const;  // nothing if it contains a size
    bool never_negative() const;                   // for sizes of at least 1
    std::string text() const;                      // "M * K + 2"

    const std::map<Monomial, std::int64_t>& terms() const { return terms_; }
    bool operator==(const Polynomial&) const = default;

  private:
    bool add(const Monomial& monomial, __int128 coefficient);
    std::map<Monomial, std::int64_t> terms_;  // without zeros
};

}  // namespace lanescope::lesson
