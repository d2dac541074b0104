#include "preview/filter/sigma.h"

#include <charconv>
#include <cmath>

namespace lanescope::preview {

namespace {

class Reader {
  public:
    Reader(std::string_view text, std::uint32_t size) : text_(text), size_(size) {}

    SigmaResult read() {
        SigmaResult result;
        result.value = sum();
        if (message_.empty() && next() != '\0')
            fail("'" + std::string(text_.substr(at_)) + "' is not expected here");
        if (message_.empty() && !std::isfinite(result.value)) fail("sigma is not finite");
        result.message = message_;
        result.offset = at_;
        return result;
    }

  private:
    char next() {
        while (at_ < text_.size() && text_[at_] == ' ')
            ++at_;
        return at_ < text_.size() && message_.empty() ? text_[at_] : '\0';
    }

    double sum() {
        double value = product();
        for (char c = next(); c == '+' || c == '-'; c = next()) {
            ++at_;
            const double other = product();
            value += c == '+' ? other : -other;
        }
        return value;
    }

    double product() {
        double value = factor();
        for (char c = next(); c == '*' || c == '/'; c = next()) {
            ++at_;
            const double other = factor();
            value = c == '*' ? value * other : value / other;
        }
        return value;
    }

    double factor() {
        if (++depth_ > 64) return fail("too many nested parentheses");
        const double value = next() == '(' ? group() : atom();
        --depth_;
        return value;
    }

    double group() {
        ++at_;
        const double value = sum();
        if (next() != ')') return fail("')' is missing");
        ++at_;
        return value;
    }

    double atom() {
        const std::string_view rest = text_.substr(at_);
        for (const auto& [name, value] :
             {std::pair<std::string_view, double>{"size", size_}, {"radius", size_ / 2}})
            if (rest.starts_with(name)) {
                at_ += name.size();
                return value;
            }
        double value = 0;
        const auto [end, status] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
        if (status != std::errc{}) return fail("a number, 'size' or 'radius' is expected");
        at_ += static_cast<std::size_t>(end - rest.data());
        return value;
    }

    double fail(std::string message) {
        if (message_.empty()) message_ = std::move(message);
        return 0;
    }

    std::string_view text_;
    std::uint32_t size_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::string message_;
};

}  // namespace

SigmaResult evaluate_sigma(std::string_view text, std::uint32_t size) {
    return Reader(text, size).read();
}

}  // namespace lanescope::preview
