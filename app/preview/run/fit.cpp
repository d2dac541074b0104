#include "preview/run/fit.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "lesson/expression.h"

namespace lanescope::preview {

namespace {

using lesson::Expression;
using lesson::Names;
using lesson::Parameter;

std::string text_of(std::uint64_t rows, std::uint64_t columns) {
    return std::to_string(rows) + " × " + std::to_string(columns);
}

bool mentions(const std::string& text, const std::string& name) {
    const auto part_of_name = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const bool begins = at == 0 || !part_of_name(text[at - 1]);
        const std::size_t end = at + name.size();
        if (begins && (end == text.size() || !part_of_name(text[end]))) return true;
    }
    return false;
}

class Fitting {
  public:
    Fitting(const KernelFile& kernel, const Convolution& convolution, const lesson::ParameterValues& settings)
        : kernel_(kernel), convolution_(convolution), settings_(settings), front_(kernel.front) {
        for (const Parameter& parameter : front_.parameters)
            names_[parameter.name] = parameter.default_value;
        for (const auto& [name, value] : settings)
            names_[name] = value;
    }

    Result<Fit> run(const Plane& plane, const Mask& mask) {
        made_.separable = convolution_.separable;
        if (const Result<void> sized = choose_sizes(plane, mask); !sized) return sized.diagnostics();
        keep_what_is_needed();
        lesson::ParameterValues parameters = settings_;
        for (const std::string& name : chosen_)
            parameters[name] = names_.at(name);
        Result<lesson::Instance> instance = lesson::instantiate(front_, parameters, kernel_.file);
        if (!instance) return instance.diagnostics();
        made_.instance = std::move(*instance);
        made_.image = number_of(convolution_.image);
        made_.mask = number_of(convolution_.mask);
        made_.out = number_of(convolution_.out);
        if (const Result<void> typed = choose_types(plane, mask); !typed) return typed.diagnostics();
        return std::move(made_);
    }

  private:
    Diagnostic at(const Expression& place, const std::string& message, const std::string& hint = {}) const {
        return error_at(kernel_.file, place.line, place.column, message, hint);
    }

    const lesson::Buffer& buffer(const std::string& name) const {
        return *std::find_if(front_.buffers.begin(), front_.buffers.end(),
                             [&](const lesson::Buffer& each) { return each.name == name; });
    }

    std::size_t number_of(const std::string& name) const {
        const auto& buffers = made_.instance.buffers;
        const auto found =
            std::find_if(buffers.begin(), buffers.end(), [&](const auto& each) { return each.name == name; });
        return static_cast<std::size_t>(found - buffers.begin());
    }

    Result<void> choose_sizes(const Plane& plane, const Mask& mask) {
        const lesson::Buffer& image = buffer(convolution_.image);
        const Result<std::int64_t> rows = choose(image.shape[0], plane.rows, false,
                                                 "the image has " + std::to_string(plane.rows) + " rows");
        if (!rows) return rows.diagnostics();
        const Result<std::int64_t> columns =
            choose(image.shape[1], plane.columns, false,
                   "the image has " + std::to_string(plane.columns) + " columns");
        if (!columns) return columns.diagnostics();
        // If one parameter gives both sides, the second side may have raised it.
        const Result<std::int64_t> raised = lesson::evaluate(image.shape[0], names_, kernel_.file);
        if (!raised) return raised.diagnostics();
        made_.rows = static_cast<std::uint64_t>(*raised);
        made_.columns = static_cast<std::uint64_t>(*columns);
        return choose_mask_size(mask);
    }

    Result<void> choose_mask_size(const Mask& mask) {
        const lesson::Buffer& taken = buffer(convolution_.mask);
        const std::uint32_t side = std::max(mask.rows, mask.columns);
        const std::string why = "the mask is " + text_of(mask.rows, mask.columns);
        if (made_.separable) {
            const Expression& count = taken.shape.empty() ? taken.count : taken.shape[0];
            const Result<std::int64_t> length = choose(count, side, true, why);
            if (!length) return length.diagnostics();
            made_.mask_columns = static_cast<std::uint32_t>(*length);
            return {};
        }
        const Result<std::int64_t> rows = choose(taken.shape[0], side, true, why);
        if (!rows) return rows.diagnostics();
        const Result<std::int64_t> columns = choose(taken.shape[1], side, true, why);
        if (!columns) return columns.diagnostics();
        made_.mask_rows = static_cast<std::uint32_t>(*rows);
        made_.mask_columns = static_cast<std::uint32_t>(*columns);
        return {};
    }

    // Chooses a size of at least `least`, as small as possible, by the first parameter in the expression that
    // can give it. A mask's size must also be odd, so that it has a middle. A parameter that was chosen for
    // the other side is only raised.
    Result<std::int64_t> choose(const Expression& size, std::uint64_t least, bool odd,
                                const std::string& why) {
        const auto wanted = static_cast<std::int64_t>(least);
        for (const Parameter& parameter : front_.parameters) {
            if (!mentions(size.text, parameter.name) || settings_.contains(parameter.name)) continue;
            const bool again = chosen_.contains(parameter.name);
            if (again && odd) continue;
            const std::optional<std::int64_t> value = smallest(parameter, size, wanted, odd);
            if (!value) continue;
            std::int64_t& kept = names_[parameter.name];
            kept = again ? std::max(kept, *value) : *value;
            chosen_.insert(parameter.name);
            break;
        }
        const Result<std::int64_t> found = lesson::evaluate(size, names_, kernel_.file);
        if (!found) return found;
        if (*found >= wanted && (!odd || *found % 2 == 1)) return found;
        return at(size, "this file takes at most " + std::to_string(largest(size)) + ", but " + why);
    }

    std::optional<std::int64_t> value_with(const Parameter& parameter, std::int64_t value,
                                           const Expression& size) const {
        Names names = names_;
        names[parameter.name] = value;
        const Result<std::int64_t> found = lesson::evaluate(size, names, kernel_.file);
        return found ? std::optional(*found) : std::nullopt;
    }

    std::optional<std::int64_t> smallest(const Parameter& parameter, const Expression& size,
                                         std::int64_t wanted, bool odd) const {
        const auto enough = [&](std::int64_t value) {
            const std::optional<std::int64_t> found = value_with(parameter, value, size);
            return found && *found >= wanted && (!odd || *found % 2 == 1);
        };
        if (!parameter.choices.empty()) {
            std::vector<std::int64_t> choices = parameter.choices;
            std::sort(choices.begin(), choices.end());
            const auto found = std::find_if(choices.begin(), choices.end(), enough);
            return found == choices.end() ? std::nullopt : std::optional(*found);
        }
        std::int64_t low = parameter.min.value_or(0), high = parameter.max.value_or(std::int64_t{1} << 20);
        const auto reaches = [&](std::int64_t value) {
            const std::optional<std::int64_t> found = value_with(parameter, value, size);
            return found && *found >= wanted;
        };
        if (low > high || !reaches(high)) return std::nullopt;
        while (low < high) {  // sizes grow with their parameters
            const std::int64_t middle = low + (high - low) / 2;
            if (reaches(middle))
                high = middle;
            else
                low = middle + 1;
        }
        if (!enough(low) && enough(low + 1) && (!parameter.max || low < *parameter.max)) ++low;
        return enough(low) ? std::optional(low) : std::nullopt;
    }

    std::int64_t largest(const Expression& size) const {
        std::int64_t most = 0;
        for (const Parameter& parameter : front_.parameters) {
            std::vector<std::int64_t> values = parameter.choices;
            values.push_back(names_.at(parameter.name));
            if (parameter.choices.empty() && parameter.max && mentions(size.text, parameter.name) &&
                !settings_.contains(parameter.name))
                values.push_back(*parameter.max);
            for (const std::int64_t value : values)
                if (!settings_.contains(parameter.name))
                    most = std::max(most, value_with(parameter, value, size).value_or(0));
        }
        const Result<std::int64_t> now = lesson::evaluate(size, names_, kernel_.file);
        return std::max(most, now ? *now : 0);
    }

    // Drops contents, which come from the image, and launches that the result does not need.
    void keep_what_is_needed() {
        front_.expectations.clear();
        std::set<std::string> needed{convolution_.out};
        for (std::size_t i = front_.launches.size(); i-- > 0;) {
            const std::vector<Expression>& arguments = front_.launches[i].args;
            const bool is_needed =
                std::any_of(arguments.begin(), arguments.end(),
                            [&](const Expression& each) { return needed.contains(each.text); });
            if (!is_needed) {
                front_.launches.erase(front_.launches.begin() + static_cast<std::ptrdiff_t>(i));
                continue;
            }
            for (const lesson::Buffer& each : front_.buffers)
                if (!each.has_contents() &&
                    std::any_of(arguments.begin(), arguments.end(),
                                [&](const Expression& one) { return one.text == each.name; }))
                    needed.insert(each.name);
        }
        for (lesson::Buffer& each : front_.buffers)
            if (each.name == convolution_.image || each.name == convolution_.mask ||
                each.name == convolution_.out) {
                each.init = {};
                each.text.clear();
                each.image.clear();
                each.values.clear();
            }
    }

    Result<void> choose_types(const Plane& plane, const Mask& mask) {
        const auto type_of = [&](std::size_t number, lesson::ElementType& type) {
            const std::optional<lesson::ElementType> found =
                lesson::element_type(made_.instance.buffers[number].type);
            if (found) type = *found;
            return found && found->components == 1;
        };
        if (!type_of(made_.image, made_.image_type) || !type_of(made_.mask, made_.mask_type) ||
            !type_of(made_.out, made_.out_type))
            return error_at(kernel_.file, convolution_.line, 0,
                            "image, mask and result must be buffers of single numbers");
        const std::vector<std::uint64_t>& extents = made_.instance.buffers[made_.out].extents;
        if (extents.size() != 2 || extents[0] < plane.rows || extents[1] < plane.columns)
            return error_at(kernel_.file, buffer(convolution_.out).line, 0,
                            "'" + convolution_.out + "' is smaller than '" + convolution_.image + "'",
                            "give it the shape of '" + convolution_.image + "'");
        if (!made_.image_type.floating() && !lesson::holds(made_.image_type, plane.max_level)) {
            const lesson::Buffer& image = buffer(convolution_.image);
            return error_at(kernel_.file, image.line, 0,
                            "'" + image.name + "' is " + image.type +
                                ", which cannot hold the image's values up to " +
                                std::to_string(static_cast<int>(plane.max_level)));
        }
        if (made_.separable) {
            if (const Result<void> possible = factor(mask); !possible) return possible;
        }
        return choose_scale(plane, mask);
    }

    // Gives integers as many binary digits behind the point as the largest possible sum leaves room for, and
    // no more than the mask needs.
    Result<void> choose_scale(const Plane& plane, const Mask& mask) {
        if (made_.mask_type.floating()) return {};
        const unsigned bits = made_.out_type.floating() ? (made_.out_type.scalar_bytes == 8 ? 52 : 24)
                                                        : 8 * made_.out_type.scalar_bytes - 1;
        const double room = std::ldexp(1.0, static_cast<int>(std::min(bits, 52u))) - 1;
        std::vector<double> values = mask.values;
        double largest = plane.max_level * mask.size();
        if (made_.separable) {
            values = vector_;
            const double size = std::sqrt(mask.size());
            largest = plane.max_level * size * size;
        }
        int digits = 0;
        const auto exact = [&] {
            return std::all_of(values.begin(), values.end(), [&](double value) {
                const double scaled = std::ldexp(value, digits);
                return scaled == std::round(scaled);
            });
        };
        const int factors = made_.separable ? 2 : 1;
        const auto fits = [&](int wanted) {
            const double half_units =
                0.5 * static_cast<double>(made_.mask_rows) * made_.mask_columns * plane.max_level;
            const double sums =
                std::ldexp(largest, wanted * factors) + (factors == 1 ? half_units : 0) +
                (factors == 2 ? std::ldexp(half_units * std::sqrt(mask.size()) * 2, wanted) : 0);
            const double most = *std::max_element(
                values.begin(), values.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
            return sums < room &&
                   lesson::holds(made_.mask_type, std::round(std::ldexp(std::abs(most), wanted)));
        };
        if (!fits(0))
            return error_at(kernel_.file, convolution_.line, 0,
                            "the sums of this mask do not fit into the " +
                                made_.instance.buffers[made_.out].type + " of '" + convolution_.out + "'");
        while (!exact() && digits < 30 && fits(digits + 1))
            ++digits;
        made_.scale = std::ldexp(1.0, digits * factors);
        return {};
    }

    Result<void> factor(const Mask& mask) {
        const std::uint32_t side = std::max(mask.rows, mask.columns);
        const Mask square = resized(mask, side, side);
        const double middle = square.at(side / 2, side / 2);
        const std::string what = kernel_.file + " filters rows and columns by the same numbers";
        if (middle > 0) {
            const double root = std::sqrt(middle);
            for (std::uint32_t i = 0; i < side; ++i)
                vector_.push_back(square.at(side / 2, i) / root);
            double worst = 0;
            for (std::uint32_t r = 0; r < side; ++r)
                for (std::uint32_t c = 0; c < side; ++c)
                    worst = std::max(worst, std::abs(square.at(r, c) - vector_[r] * vector_[c]));
            if (worst <= 1e-9 * square.size()) return {};
        }
        return error_at(kernel_.file, convolution_.line, 0,
                        "this mask is not the product of a column and the same row",
                        "use a mask such as box or gaussian");
    }

    const KernelFile& kernel_;
    const Convolution& convolution_;
    const lesson::ParameterValues& settings_;
    lesson::FrontMatter front_;
    Names names_;
    std::set<std::string> chosen_;
    std::vector<double> vector_;
    Fit made_;
};

}  // namespace

std::vector<double> Fit::mask_values(const Mask& wanted) const {
    Mask given;
    if (separable) {
        const std::uint32_t side = std::max(wanted.rows, wanted.columns);
        const Mask square = resized(wanted, side, side);
        given.rows = 1;
        given.columns = side;
        given.values.clear();
        for (std::uint32_t i = 0; i < side; ++i)
            given.values.push_back(square.at(side / 2, i) / std::sqrt(square.at(side / 2, side / 2)));
        given = resized(given, 1, mask_columns);
    } else {
        given = resized(wanted, mask_rows, mask_columns);
    }
    const double factor = separable ? std::sqrt(scale) : scale;
    for (double& value : given.values)
        value = mask_type.floating() ? value * factor : std::round(value * factor);
    return given.values;
}

double Fit::rounding(const Mask& wanted, double max_level) const {
    if (mask_type.floating()) return 0;
    const std::vector<double> values = mask_values(wanted);
    double sum = 0;
    if (separable) {
        const Mask square = resized(wanted, mask_columns, mask_columns);
        for (std::uint32_t r = 0; r < mask_columns; ++r)
            for (std::uint32_t c = 0; c < mask_columns; ++c)
                sum += std::abs(values[r] * values[c] / scale - square.at(r, c));
    } else {
        const Mask whole = resized(wanted, mask_rows, mask_columns);
        for (std::size_t i = 0; i < values.size(); ++i)
            sum += std::abs(values[i] / scale - whole.values[i]);
    }
    return sum * max_level;
}

std::vector<std::byte> Fit::mask_contents(const Mask& wanted) const {
    const lesson::BufferInstance& buffer = instance.buffers[mask];
    std::vector<std::byte> contents(buffer.count * buffer.element_bytes);
    const std::vector<double> values = mask_values(wanted);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (mask_type.floating())
            lesson::store_real(contents, mask_type, i, values[i]);
        else
            lesson::store_integer(contents, mask_type, i,
                                  static_cast<std::uint64_t>(static_cast<std::int64_t>(values[i])));
    }
    return contents;
}

std::string Fit::arithmetic() const {
    const std::string& type = instance.buffers[mask].type;
    if (mask_type.floating() || scale == 1) return type;
    return type + ", mask × 2^" +
           std::to_string(static_cast<int>(std::log2(separable ? std::sqrt(scale) : scale)));
}

Result<Fit> fit(const KernelFile& kernel, const Plane& plane, const Mask& mask,
                const lesson::ParameterValues& settings) {
    for (const auto& [name, value] : settings) {
        (void)value;
        const auto is_named = [&wanted = name](const lesson::Parameter& each) { return each.name == wanted; };
        if (std::none_of(kernel.front.parameters.begin(), kernel.front.parameters.end(), is_named))
            return error_at(kernel.file, 0, 0, "unknown parameter '" + name + "'");
    }
    Result<Fit> found = Fitting(kernel, kernel.convolutions.front(), settings).run(plane, mask);
    for (std::size_t i = 1; i < kernel.convolutions.size() && !found; ++i)
        if (Result<Fit> other = Fitting(kernel, kernel.convolutions[i], settings).run(plane, mask); other)
            return other;
    return found;
}

}  // namespace lanescope::preview
