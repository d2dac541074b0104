#include "analysis/layouts/naming.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <tuple>

namespace lanescope::analysis {
namespace {

constexpr std::size_t most_digits = 6;
constexpr std::size_t most_swizzled = 1 << 17;  // elements for which swizzles are tried
constexpr int most_swizzle_bits = 5, most_swizzle_base = 7, most_swizzle_shift = 10;

using Elements = std::span<const PlacedElement>;

// What row and column add to an offset, where that is a sum of two terms.
struct Terms {
    std::vector<std::int64_t> rows, columns;  // the first of each is 0
    std::int64_t base = 0;
};

// Elements joined by rows and columns give each term from its neighbours'; all of them must agree.
class TermFinder {
  public:
    TermFinder(Elements elements, std::uint32_t rows, std::uint32_t columns)
        : elements_(elements), rows_(rows), nodes_(std::size_t{rows} + columns), seen_(nodes_) {
        list_elements();
    }

    // `offset_of` maps the elements' offsets before they are compared.
    template <class F>
    std::optional<Terms> find(F&& offset_of) {
        term_.assign(nodes_, 0);
        std::fill(seen_.begin(), seen_.end(), false);
        std::vector<std::uint32_t> open{0};
        seen_[0] = true;
        std::size_t reached = 0;
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            open.pop_back();
            ++reached;
            for (const std::uint32_t i : list_of(node)) {
                const PlacedElement& element = elements_[i];
                const std::uint32_t other = node < rows_ ? rows_ + element.column : element.row;
                const std::int64_t term = offset_of(element.offset) - term_[node];
                if (!seen_[other]) {
                    seen_[other] = true;
                    term_[other] = term;
                    open.push_back(other);
                } else if (term_[other] != term) {
                    return {};
                }
            }
        }
        if (reached != nodes_) return {};  // rows without an element, or parts that do not touch
        Terms terms;
        terms.rows.assign(term_.begin(), term_.begin() + rows_);
        terms.columns.assign(term_.begin() + rows_, term_.end());
        terms.base = terms.rows[0] + terms.columns[0];
        for (std::vector<std::int64_t>* each : {&terms.rows, &terms.columns}) {
            const std::int64_t first = each->front();
            for (std::int64_t& value : *each)
                value -= first;
        }
        return terms;
    }

  private:
    void list_elements() {
        std::vector<std::uint32_t> counts(nodes_ + 1, 0);
        for (const PlacedElement& each : elements_)
            ++counts[each.row + 1], ++counts[rows_ + each.column + 1];
        for (std::size_t i = 1; i < counts.size(); ++i)
            counts[i] += counts[i - 1];
        starts_ = counts;
        lists_.resize(elements_.size() * 2);
        for (std::uint32_t i = 0; i < elements_.size(); ++i) {
            lists_[counts[elements_[i].row]++] = i;
            lists_[counts[rows_ + elements_[i].column]++] = i;
        }
    }
    std::span<const std::uint32_t> list_of(std::uint32_t node) const {
        return std::span(lists_).subspan(starts_[node], starts_[node + 1] - starts_[node]);
    }

    Elements elements_;
    std::uint32_t rows_;
    std::size_t nodes_;  // rows, then columns
    std::vector<bool> seen_;
    std::vector<std::uint32_t> starts_, lists_;  // the elements of each node
    std::vector<std::int64_t> term_;
};

bool fit_digits(const std::vector<std::int64_t>& values, LayoutMode& mode) {
    const std::size_t count = values.size();
    if (count == 1) return true;
    if (mode.shape.size() == most_digits) return false;
    std::size_t run = 2;
    while (run < count && values[run] == static_cast<std::int64_t>(run) * values[1])
        ++run;
    for (std::size_t size = run; size >= 2; --size) {
        if (count % size != 0) continue;
        bool repeats = true;
        for (std::size_t i = size; i < count && repeats; ++i)
            repeats = values[i] == values[i % size] + values[i - i % size];
        if (!repeats) continue;
        std::vector<std::int64_t> rest;
        for (std::size_t i = 0; i < count; i += size)
            rest.push_back(values[i]);
        LayoutMode longer = mode;
        longer.shape.push_back(static_cast<std::uint32_t>(size));
        longer.stride.push_back(values[1]);
        if (fit_digits(rest, longer)) {
            mode = std::move(longer);
            return true;
        }
    }
    return false;
}

std::optional<LayoutName> linear(TermFinder& finder, const Swizzle& swizzle) {
    // A swizzle whose shift is not less than its bits is its own inverse.
    const std::optional<Terms> terms =
        finder.find([&](std::int64_t offset) { return swizzle.bits == 0 ? offset : swizzle(offset); });
    if (!terms) return {};
    std::optional<LayoutMode> rows = fit_mode(terms->rows), columns = fit_mode(terms->columns);
    if (!rows || !columns) return {};
    LayoutName name;
    name.kind = swizzle.bits == 0 ? LayoutName::Kind::linear : LayoutName::Kind::swizzled;
    name.rows = std::move(*rows);
    name.columns = std::move(*columns);
    name.base = terms->base;
    name.swizzle = swizzle;
    return name;
}

std::size_t digits_of(const LayoutName& name) {
    return name.rows.shape.size() + name.columns.shape.size();
}

// The simplest of the swizzled layouts: the fewest digits, then the fewest bits.
std::optional<LayoutName> swizzled(TermFinder& finder, Elements elements) {
    std::int64_t largest = 0;
    for (const PlacedElement& each : elements)
        largest = std::max(largest, each.offset);
    const int width = std::bit_width(static_cast<std::uint64_t>(largest));
    std::optional<LayoutName> best;
    for (int bits = 1; bits <= most_swizzle_bits; ++bits)
        for (int base = 0; base <= most_swizzle_base && base + bits <= width; ++base)
            for (int distance = bits; distance <= most_swizzle_shift && base + distance < width; ++distance)
                for (const int shift : {distance, -distance}) {
                    std::optional<LayoutName> name = linear(finder, {bits, base, shift});
                    if (name && (!best || digits_of(*name) < digits_of(*best))) best = std::move(name);
                }
    return best;
}

// What each bit of a coordinate adds by XOR. Rows and columns are powers of two.
std::optional<LayoutName> by_bits(Elements elements, std::uint32_t rows, std::uint32_t columns) {
    if (!std::has_single_bit(rows) || !std::has_single_bit(columns)) return {};
    const int row_bits = std::countr_zero(rows), column_bits = std::countr_zero(columns);
    if (elements.size() != std::uint64_t{rows} * columns) return {};
    std::vector<std::int64_t> places(elements.size());
    for (const PlacedElement& each : elements)
        places[std::size_t{each.row} * columns + each.column] = each.offset;
    LayoutName name;
    name.kind = LayoutName::Kind::bits;
    name.base = places[0];
    for (int bit = 0; bit < row_bits; ++bit)
        name.row_bits.push_back(places[(std::size_t{1} << bit) * columns] ^ name.base);
    for (int bit = 0; bit < column_bits; ++bit)
        name.column_bits.push_back(places[std::size_t{1} << bit] ^ name.base);
    for (const PlacedElement& each : elements) {
        std::int64_t offset = name.base;
        for (int bit = 0; bit < row_bits; ++bit)
            if ((each.row >> bit & 1) != 0) offset ^= name.row_bits[static_cast<std::size_t>(bit)];
        for (int bit = 0; bit < column_bits; ++bit)
            if ((each.column >> bit & 1) != 0) offset ^= name.column_bits[static_cast<std::size_t>(bit)];
        if (offset != each.offset) return {};
    }
    return name;
}

// The plain layout that most elements follow.
LayoutName nearest(Elements elements) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> at;
    for (const PlacedElement& each : elements)
        at[{each.row, each.column}] = each.offset;
    std::map<std::int64_t, std::uint64_t> right, down;
    for (const auto& [place, offset] : at) {
        if (const auto next = at.find({place.first, place.second + 1}); next != at.end())
            ++right[next->second - offset];
        if (const auto next = at.find({place.first + 1, place.second}); next != at.end())
            ++down[next->second - offset];
    }
    const auto most = [](const std::map<std::int64_t, std::uint64_t>& counts) {
        const auto found = std::max_element(counts.begin(), counts.end(),
                                            [](const auto& a, const auto& b) { return a.second < b.second; });
        return found == counts.end() ? std::int64_t{0} : found->first;
    };
    LayoutName name;
    name.rows.stride = {most(down)};
    name.columns.stride = {most(right)};
    std::map<std::int64_t, std::uint64_t> bases;
    for (const PlacedElement& each : elements)
        ++bases[each.offset - each.row * name.rows.stride[0] - each.column * name.columns.stride[0]];
    name.base = most(bases);
    name.follows = bases.empty() ? 0 : bases[name.base];
    return name;
}

std::string size_of(std::uint32_t rows, std::uint32_t columns) {
    return std::to_string(rows) + "×" + std::to_string(columns);
}

std::string with_padding(const char* order, std::int64_t stride, std::uint32_t length) {
    std::string text = std::string(order) + ", stride " + std::to_string(stride);
    const std::int64_t padding = stride - length;
    if (padding > 0 && padding < length && (padding <= 16 || padding < length / 2))
        text += " (" + std::to_string(length) + " + " + std::to_string(padding) + " padding)";
    return text;
}

// "row-major, stride 32" of two plain modes; empty: neither is contiguous.
std::string plain_words(const LayoutName& name, std::uint32_t rows, std::uint32_t columns) {
    if (!name.rows.plain() || !name.columns.plain()) return {};
    const std::int64_t down = name.rows.stride[0], right = name.columns.stride[0];
    if (rows == 1 || columns == 1) {
        const std::int64_t stride = rows == 1 ? right : down;
        return rows * columns == 1 ? "one element"
               : stride == 1       ? "contiguous"
                                   : "stride " + std::to_string(stride);
    }
    if (right == 1 && down >= columns) return with_padding("row-major", down, columns);
    if (down == 1 && right >= rows) return with_padding("column-major", right, rows);
    return {};
}

std::string joined(const std::vector<std::int64_t>& numbers) {
    std::string text;
    for (const std::int64_t each : numbers)
        text += (text.empty() ? "" : ",") + std::to_string(each);
    return "(" + text + ")";
}

void put_into_words(LayoutName& name, std::uint32_t rows, std::uint32_t columns) {
    if (name.kind == LayoutName::Kind::bits) {
        name.text = "linear over XOR: row bits " + joined(name.row_bits) + ", column bits " +
                    joined(name.column_bits);
        return;
    }
    const bool one_row = rows == 1 && columns > 1, one_column = columns == 1;
    if (name.exact()) {
        const std::string down = mode_text(name.rows.shape), right = mode_text(name.columns.shape);
        name.shape = one_row ? right : one_column ? down : "(" + down + "," + right + ")";
        name.stride = one_row ? mode_text(name.columns.stride)
                      : one_column
                          ? mode_text(name.rows.stride)
                          : "(" + mode_text(name.rows.stride) + "," + mode_text(name.columns.stride) + ")";
    }
    const std::string words = plain_words(name, rows, columns);
    const std::string formula = name.shape + ":" + name.stride;
    switch (name.kind) {
        case LayoutName::Kind::linear:
            name.text = words.empty() ? formula : words;
            return;
        case LayoutName::Kind::swizzled: {
            const std::string sort = words.starts_with("row-major") && name.rows.stride[0] == columns
                                         ? "row-major " + size_of(rows, columns)
                                     : words.starts_with("column-major") && name.columns.stride[0] == rows
                                         ? "column-major " + size_of(rows, columns)
                                     : words.empty() ? formula
                                                     : words;
            name.text = "Swizzle<" + std::to_string(name.swizzle.bits) + "," +
                        std::to_string(name.swizzle.base) + "," + std::to_string(name.swizzle.shift) +
                        "> on " + sort;
            return;
        }
        default:
            name.text = "not linear: " + std::to_string(name.follows) + " of " +
                        std::to_string(name.elements) + " elements follow " +
                        (words.empty() ? "strides " + std::to_string(name.rows.stride[0]) + " down, " +
                                             std::to_string(name.columns.stride[0]) + " right"
                                       : words);
    }
}

}  // namespace

std::int64_t Swizzle::operator()(std::int64_t offset) const {
    const std::int64_t mask = (std::int64_t{1} << bits) - 1;
    if (shift >= 0) return offset ^ ((offset & mask << (base + shift)) >> shift);
    return offset ^ ((offset & mask << base) << -shift);
}

std::optional<LayoutMode> fit_mode(const std::vector<std::int64_t>& values) {
    LayoutMode mode;
    if (values.empty() || values[0] != 0 || !fit_digits(values, mode)) return {};
    if (mode.shape.empty()) mode = {{1}, {0}};
    return mode;
}

std::string mode_text(const std::vector<std::int64_t>& stride) {
    return stride.size() == 1 ? std::to_string(stride[0]) : joined(stride);
}
std::string mode_text(const std::vector<std::uint32_t>& shape) {
    return mode_text(std::vector<std::int64_t>(shape.begin(), shape.end()));
}

LayoutName name_layout(Elements elements, std::uint32_t rows, std::uint32_t columns) {
    LayoutName name;
    if (elements.empty() || rows == 0 || columns == 0) return name;
    TermFinder finder(elements, rows, columns);
    std::optional<LayoutName> found = linear(finder, {});
    if (!found && elements.size() <= most_swizzled) found = swizzled(finder, elements);
    if (!found) found = by_bits(elements, rows, columns);
    name = found ? std::move(*found) : nearest(elements);
    name.elements = elements.size();
    if (name.exact()) name.follows = name.elements;
    put_into_words(name, rows, columns);
    return name;
}

}  // namespace lanescope::analysis
