#include "preview/filter/mask.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/elementary.h"
#include "base/files.h"
#include "preview/filter/sigma.h"

namespace lanescope::preview {

namespace {

Mask mask_of(std::uint32_t columns, std::vector<double> values) {
    Mask mask;
    mask.columns = columns;
    mask.rows = static_cast<std::uint32_t>(values.size()) / columns;
    mask.values = std::move(values);
    return mask;
}

Mask square(std::uint32_t size) {
    return mask_of(size, std::vector<double>(std::size_t{size} * size, 0.0));
}

Mask sobel_x() {
    return mask_of(3, {-1, 0, 1, -2, 0, 2, -1, 0, 1});
}

Mask unsharp(std::uint32_t size, double sigma) {
    Mask mask = gaussian(size, sigma);
    for (double& value : mask.values)
        value = -value;
    mask.at(size / 2, size / 2) += 2;
    return mask;
}

// A line through the centre, `size` pixels long; each of its points is spread over the four pixels around it.
Mask motion(std::uint32_t size, double degrees) {
    Mask mask = square(size);
    const double angle = degrees * std::numbers::pi / 180, centre = size / 2;
    const int points = static_cast<int>(8 * (size - 1) + 1);
    for (int i = 0; i < points; ++i) {
        const double along = points == 1 ? 0 : (static_cast<double>(i) / (points - 1) - 0.5) * (size - 1);
        // Sines of whole quarters are not exactly 0; a point must not fall off the mask for that.
        const double x =
            std::clamp(centre + std::round(along * std::cos(angle) * 1e9) / 1e9, 0.0, size - 1.0);
        const double y =
            std::clamp(centre - std::round(along * std::sin(angle) * 1e9) / 1e9, 0.0, size - 1.0);
        const auto left = static_cast<std::uint32_t>(x), top = static_cast<std::uint32_t>(y);
        for (std::uint32_t r = top; r < std::min(top + 2, size); ++r)
            for (std::uint32_t c = left; c < std::min(left + 2, size); ++c)
                mask.at(r, c) += (1 - std::abs(y - r)) * (1 - std::abs(x - c));
    }
    return *normalised(mask);
}

// The words of "gaussian:5:1.4", each with its column.
struct Word {
    std::string text;
    std::size_t column = 1;
};

std::vector<Word> words_of(const std::string& text) {
    std::vector<Word> words;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(':', begin), text.size());
        words.push_back({text.substr(begin, end - begin), begin + 1});
        begin = end + 1;
    }
    return words;
}

class FilterParser {
  public:
    explicit FilterParser(const std::string& text) : text_(text), words_(words_of(text)) {}

    Result<Filter> parse() {
        const std::string& name = words_[0].text;
        if (name == "identity") return made(0, [] { return Mask(); });
        if (name == "sharpen") return made(0, [] { return mask_of(3, {0, -1, 0, -1, 5, -1, 0, -1, 0}); });
        if (name == "sobel_x") return made(0, [] { return sobel_x(); });
        if (name == "sobel_y") return made(0, [] { return transposed(sobel_x()); });
        if (name == "laplacian") return made(0, [] { return mask_of(3, {0, 1, 0, 1, -4, 1, 0, 1, 0}); });
        if (name == "emboss") return made(0, [] { return mask_of(3, {-2, -1, 0, -1, 1, 1, 0, 1, 2}); });
        if (name == "box") return made(1, [this] { return box(size(3)); });
        if (name == "gaussian") return made(2, [this] { return blur(gaussian); });
        if (name == "unsharp") return made(2, [this] { return blur(unsharp); });
        if (name == "motion") return made(2, [this] { return line(); });
        if (name != "sobel") return from_file();
        Result<Filter> filter = made(0, [] { return sobel_x(); });
        if (filter) filter->masks.push_back(transposed(sobel_x()));
        return filter;
    }

  private:
    template <class Make>
    Result<Filter> made(std::size_t numbers, const Make& make) {
        if (words_.size() > numbers + 1)
            return at(words_[numbers + 1], "'" + words_[numbers + 1].text + "' is one number too many",
                      form());
        Mask mask = make();
        if (!problem_.message.empty()) return problem_;
        return Filter{text_, {std::move(mask)}};
    }

    template <class Make>
    Mask blur(const Make& make) {
        const std::uint32_t side = size(5);
        return make(side, words_.size() > 2 ? sigma(side) : default_sigma(side));
    }

    Mask line() {
        const std::uint32_t side = size(9);
        double degrees = 0;
        if (words_.size() > 2 && !read_number(words_[2].text, degrees))
            problem_ = at(words_[2], "'" + words_[2].text + "' is not an angle in degrees", form());
        return motion(side, degrees);
    }

    std::uint32_t size(std::uint32_t otherwise) {
        if (words_.size() < 2) return otherwise;
        double value = 0;
        const bool odd = read_number(words_[1].text, value) && value >= 1 && value <= max_mask_side &&
                         std::fmod(value, 2) == 1;
        if (odd) return static_cast<std::uint32_t>(value);
        problem_ = at(words_[1], "'" + words_[1].text + "' is not a size", "use an odd number from 1 to 15");
        return otherwise;
    }

    double sigma(std::uint32_t side) {
        const SigmaResult found = evaluate_sigma(words_[2].text, side);
        if (found.message.empty() && found.value > 0 && found.value <= 1000) return found.value;
        if (problem_.message.empty()) {
            const Word place{words_[2].text, words_[2].column + (found.message.empty() ? 0 : found.offset)};
            problem_ =
                at(place, found.message.empty() ? "sigma must be between 0 and 1000" : found.message, form());
        }
        return 1;
    }

    Result<Filter> from_file() const {
        const bool is_path = text_.find_first_of("/.\\") != std::string::npos;
        if (!is_path) {
            std::string known;
            for (const MaskKind& kind : mask_kinds())
                known += (known.empty() ? "" : ", ") + kind.name;
            return at(words_[0], "unknown mask '" + words_[0].text + "'",
                      "use " + known + ", or a file: ./my.mask");
        }
        const Result<std::string> text = read_text_file(text_, 1 << 20);
        if (!text) return text.diagnostics();
        Result<Mask> mask = parse_mask(*text, text_);
        if (!mask) return mask.diagnostics();
        return Filter{text_, {std::move(*mask)}};
    }

    static bool read_number(const std::string& text, double& value) {
        const char* const end = text.data() + text.size();
        const auto [stopped, status] = std::from_chars(text.data(), end, value);
        return status == std::errc{} && stopped == end && std::isfinite(value);
    }

    std::string form() const {
        for (const MaskKind& kind : mask_kinds())
            if (kind.name == words_[0].text) return "use " + kind.form;
        return {};
    }

    Diagnostic at(const Word& word, const std::string& message, const std::string& hint) const {
        return error("mask '" + text_ + "', column " + std::to_string(word.column) + ": " + message, hint);
    }

    const std::string& text_;
    std::vector<Word> words_;
    Diagnostic problem_;
};

}  // namespace

double Mask::sum() const {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

double Mask::size() const {
    return std::accumulate(values.begin(), values.end(), 0.0,
                           [](double a, double b) { return a + std::abs(b); });
}

const std::vector<MaskKind>& mask_kinds() {
    static const std::vector<MaskKind> kinds{
        {"identity", "identity", "the image itself"},
        {"box", "box[:SIZE]", "the mean of SIZE × SIZE pixels"},
        {"gaussian", "gaussian[:SIZE[:SIGMA]]", "smooth blur"},
        {"sharpen", "sharpen", "5 in the middle, −1 around it"},
        {"unsharp", "unsharp[:SIZE[:SIGMA]]", "twice the image less its blur"},
        {"sobel_x", "sobel_x", "derivative along x"},
        {"sobel_y", "sobel_y", "derivative along y"},
        {"sobel", "sobel", "magnitude of both derivatives"},
        {"laplacian", "laplacian", "second derivatives"},
        {"emboss", "emboss", "relief, lit from the upper left"},
        {"motion", "motion[:SIZE[:DEGREES]]", "blur along a line"}};
    return kinds;
}

Result<Filter> parse_filter(const std::string& text) {
    return FilterParser(text).parse();
}

Mask box(std::uint32_t size) {
    Mask mask = square(size);
    std::fill(mask.values.begin(), mask.values.end(), 1.0 / (double{1} * size * size));
    return mask;
}

double default_sigma(std::uint32_t size) {
    return 0.3 * ((size - 1) * 0.5 - 1) + 0.8;
}

Mask gaussian(std::uint32_t size, double sigma) {
    Mask mask = square(size);
    const double centre = size / 2;
    for (std::uint32_t r = 0; r < size; ++r)
        for (std::uint32_t c = 0; c < size; ++c)
            mask.at(r, c) = elementary::exp(-((r - centre) * (r - centre) + (c - centre) * (c - centre)) /
                                            (2 * sigma * sigma));
    return *normalised(mask);
}

Result<Mask> normalised(const Mask& mask) {
    const double sum = mask.sum();
    if (std::abs(sum) < 1e-9 * std::max(mask.size(), 1e-300))
        return error("a mask that sums to 0 cannot be normalised");
    Mask made = mask;
    for (double& value : made.values)
        value /= sum;
    return made;
}

Mask transposed(const Mask& mask) {
    Mask made = mask;
    std::swap(made.rows, made.columns);
    for (std::uint32_t r = 0; r < mask.rows; ++r)
        for (std::uint32_t c = 0; c < mask.columns; ++c)
            made.at(c, r) = mask.at(r, c);
    return made;
}

Mask rotated(const Mask& mask) {
    Mask made = mask;
    std::swap(made.rows, made.columns);
    for (std::uint32_t r = 0; r < mask.rows; ++r)
        for (std::uint32_t c = 0; c < mask.columns; ++c)
            made.at(c, mask.rows - 1 - r) = mask.at(r, c);
    return made;
}

Mask resized(const Mask& mask, std::uint32_t rows, std::uint32_t columns) {
    Mask made = mask_of(columns, std::vector<double>(std::size_t{rows} * columns, 0.0));
    const int down = static_cast<int>(rows / 2) - static_cast<int>(mask.rows / 2);
    const int right = static_cast<int>(columns / 2) - static_cast<int>(mask.columns / 2);
    for (std::uint32_t r = 0; r < mask.rows; ++r)
        for (std::uint32_t c = 0; c < mask.columns; ++c) {
            const int to_row = static_cast<int>(r) + down, to_column = static_cast<int>(c) + right;
            if (to_row >= 0 && to_row < static_cast<int>(rows) && to_column >= 0 &&
                to_column < static_cast<int>(columns))
                made.at(static_cast<std::uint32_t>(to_row), static_cast<std::uint32_t>(to_column)) =
                    mask.at(r, c);
        }
    return made;
}

void set_symmetric(Mask& mask, std::uint32_t row, std::uint32_t column, double value) {
    const std::uint32_t last_row = mask.rows - 1, last_column = mask.columns - 1;
    for (const std::uint32_t r : {row, last_row - row})
        for (const std::uint32_t c : {column, last_column - column}) {
            mask.at(r, c) = value;
            if (mask.rows == mask.columns) mask.at(c, r) = value;
        }
}

}  // namespace lanescope::preview
