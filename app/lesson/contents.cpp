#include "lesson/contents.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <mutex>

#include "base/files.h"
#include "image/decode.h"
#include "lesson/data_file.h"
#include "lesson/element_type.h"
#include "lesson/parallel.h"
#include "lesson/suggest.h"

namespace lanescope::lesson {

namespace {

struct InitForm {
    const char* name;
    std::size_t fewest, most;  // arguments
};
constexpr std::array init_forms{InitForm{"zero", 0, 0}, InitForm{"constant", 1, 1}, InitForm{"iota", 0, 2},
                                InitForm{"random", 2, 2}, InitForm{"each", 1, 1}};

// PCG32, the XSH RR 64/32 member.
class Random {
  public:
    explicit Random(std::string_view seed) {
        std::uint64_t hash = 0xcbf29ce484222325u;
        for (const char c : seed)
            hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
        next();
        state_ += hash;
        next();
    }

    std::uint32_t next() {
        const std::uint64_t old = state_;
        state_ = old * multiplier + increment;
        const auto shifted = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
        const auto rotation = static_cast<std::uint32_t>(old >> 59);
        return (shifted >> rotation) | (shifted << ((32 - rotation) & 31));
    }

    std::uint64_t next64() {
        const std::uint64_t high = next();
        return high << 32 | next();
    }

    // Advances as if `draws` numbers had been drawn (F. Brown, "Random Number Generation with Arbitrary
    // Strides", 1994).
    void skip(std::uint64_t draws) {
        std::uint64_t factor = multiplier, summand = increment, all_factors = 1, all_summands = 0;
        for (; draws > 0; draws /= 2) {
            if (draws % 2) {
                all_factors *= factor;
                all_summands = all_summands * factor + summand;
            }
            summand *= factor + 1;
            factor *= factor;
        }
        state_ = state_ * all_factors + all_summands;
    }

    // Returns a uniform number in [0, last]. Rejects draws from the incomplete last round.
    std::uint64_t up_to(std::uint64_t last) {
        if (last == std::numeric_limits<std::uint64_t>::max()) return next64();
        const std::uint64_t bound = last + 1;
        const bool narrow = bound <= std::numeric_limits<std::uint32_t>::max();
        const std::uint64_t threshold =
            narrow ? (std::uint64_t{1} << 32) % bound : (std::uint64_t{0} - bound) % bound;
        for (;;) {
            const std::uint64_t draw = narrow ? next() : next64();
            if (draw >= threshold) return draw % bound;
            ++rejected_;
        }
    }

    double unit() { return std::ldexp(static_cast<double>(next64() >> 11), -53); }

    std::uint64_t rejected() const { return rejected_; }  // draws that up_to(), below 2^32, rejected so far

  private:
    static constexpr std::uint64_t multiplier = 6364136223846793005u, increment = 1442695040888963407u;
    std::uint64_t state_ = 0, rejected_ = 0;
};

struct Number {
    Expression source;
    bool is_real = false;
    std::int64_t integer = 0;
    double real = 0;
};

bool holds_number(const ElementType& type, const Number& number) {
    if (type.floating()) return true;
    if (number.is_real) return false;
    if (type.scalar_bytes == 8) return type.kind == ElementType::Kind::signed_int || number.integer >= 0;
    return holds(type, number.real);
}

Result<Number> number_of(const Expression& source, const ElementType& type, const std::string& type_name,
                         const Names& names, const std::string& file) {
    Number number{source, false, 0, 0};
    if (const auto real = real_literal(source.text)) {
        number.is_real = true;
        number.real = *real;
    } else {
        const auto value = evaluate(source, names, file);
        if (!value) return value.diagnostics();
        number.integer = *value;
        number.real = static_cast<double>(*value);
    }
    if (!holds_number(type, number))
        return error_at(file, source.line, source.column,
                        "'" + source.text + "' does not fit into " + type_name);
    return number;
}

struct Target {
    std::span<std::byte> bytes;
    ElementType type;
    std::uint64_t scalars;

    template <class F>
    void integers(F value) const {
        for_each_index(scalars, [&](std::uint64_t i) {
            store_integer(bytes, type, i, static_cast<std::uint64_t>(value(i)));
        });
    }
    template <class F>
    void reals(F value) const {
        for_each_index(scalars, [&](std::uint64_t i) { store_real(bytes, type, i, value(i)); });
    }
};

// Stores whole numbers of [first, first + last] in parallel parts. The draw at which a part begins is known
// in advance unless an earlier part rejects draws; then the later parts are made again. Parts are used only
// where rejections are rare.
void random_integers(const Target& target, const std::string& seed, std::uint64_t first, std::uint64_t last) {
    constexpr std::uint64_t part = 1u << 20;
    constexpr std::uint64_t rarely = 64;  // rejections in 2^32 draws
    const bool narrow = last < std::numeric_limits<std::uint32_t>::max();
    const bool whole = !narrow || (std::uint64_t{1} << 32) % (last + 1) > rarely;
    const std::uint64_t share = whole ? std::max<std::uint64_t>(target.scalars, 1) : part;
    const std::uint64_t parts = (target.scalars + share - 1) / share;
    std::vector<std::uint64_t> rejected(parts);
    std::uint64_t extra = 0;  // rejected draws in all parts before `done`
    for (std::uint64_t done = 0; done < parts;) {
        in_parts(
            parts - done,
            [&](std::uint64_t from, std::uint64_t to) {
                for (std::uint64_t p = done + from; p < done + to; ++p) {
                    Random random(seed);
                    random.skip(p * share + extra);
                    for (std::uint64_t i = p * share; i < std::min(target.scalars, (p + 1) * share); ++i)
                        store_integer(target.bytes, target.type, i, first + random.up_to(last));
                    rejected[p] = random.rejected();
                }
            },
            1);
        while (done < parts && rejected[done] == 0)
            ++done;
        if (done < parts) extra += rejected[done++];
    }
}

Result<void> fill_random(const Target& target, const std::string& seed, const Number& low, const Number& high,
                         const std::string& file) {
    if (low.real > high.real || (!low.is_real && !high.is_real && low.integer > high.integer))
        return error_at(file, low.source.line, low.source.column,
                        "random: the lower bound is above the upper one");
    if (low.is_real || high.is_real) {
        in_parts(target.scalars, [&](std::uint64_t begin, std::uint64_t end) {
            Random random(seed);
            random.skip(2 * begin);  // a real number takes two draws
            // fma, so that contraction by a compiler does not change the numbers
            for (std::uint64_t i = begin; i < end; ++i)
                store_real(target.bytes, target.type, i,
                           std::fma(high.real - low.real, random.unit(), low.real));
        });
        return {};
    }
    const auto first = static_cast<std::uint64_t>(low.integer);
    const std::uint64_t last = static_cast<std::uint64_t>(high.integer) - first;
    random_integers(target, seed, first, last);
    return {};
}

// Reports the first element at which the expression fails.
Result<void> fill_each(const Target& target, const Buffer& buffer, const Expression& source,
                       const Names& names, const std::string& file) {
    const auto whole = ElementExpression::make(source, "i", names, file);
    if (!whole) return whole.diagnostics();
    std::mutex mutex;
    std::uint64_t failed = target.scalars;
    Diagnostic why;
    in_parts(target.scalars, [&](std::uint64_t begin, std::uint64_t end) {
        ElementExpression expression = *whole;
        for (std::uint64_t i = begin; i < end; ++i) {
            const Result<std::int64_t> value = expression.at(static_cast<std::int64_t>(i));
            if (value && holds_number(target.type, {source, false, *value, static_cast<double>(*value)})) {
                if (target.type.floating())
                    store_real(target.bytes, target.type, i, static_cast<double>(*value));
                else
                    store_integer(target.bytes, target.type, i, static_cast<std::uint64_t>(*value));
                continue;
            }
            const std::lock_guard lock(mutex);
            if (i >= failed) return;
            failed = i;
            why = value ? error_at(file, source.line, source.column,
                                   std::to_string(*value) + " does not fit into " + buffer.type)
                        : value.diagnostics().front();
            return;
        }
    });
    if (failed == target.scalars) return {};
    why.message = "element " + std::to_string(failed) + " of '" + buffer.name + "': " + why.message;
    return why;
}

Result<void> fill_init(const Target& target, const Buffer& buffer, const Names& names,
                       const std::string& file) {
    const auto call = parse_call(buffer.init, file);
    if (!call) return call.diagnostics();
    if (call->name.text == "each") return fill_each(target, buffer, call->arguments[0], names, file);
    std::vector<Number> numbers;
    for (const Expression& argument : call->arguments) {
        auto number = number_of(argument, target.type, buffer.type, names, file);
        if (!number) return number.diagnostics();
        numbers.push_back(std::move(*number));
    }
    const std::string& form = call->name.text;
    if (form == "random") {
        const std::string seed =
            buffer.seed == 0 ? buffer.name : buffer.name + "#" + std::to_string(buffer.seed);
        return fill_random(target, seed, numbers[0], numbers[1], file);
    }
    if (form == "constant" && numbers[0].is_real)
        target.reals([&](std::uint64_t) { return numbers[0].real; });
    if (form == "constant" && !numbers[0].is_real)
        target.integers([&](std::uint64_t) { return numbers[0].integer; });
    if (form != "iota") return {};
    const Number start = !numbers.empty() ? numbers[0] : Number{{}, false, 0, 0};
    const Number step = numbers.size() > 1 ? numbers[1] : Number{{}, false, 1, 1};
    if (target.type.floating())
        target.reals(
            [&](std::uint64_t i) { return std::fma(static_cast<double>(i), step.real, start.real); });
    else
        target.integers([&](std::uint64_t i) {
            return static_cast<std::uint64_t>(start.integer) + i * static_cast<std::uint64_t>(step.integer);
        });
    return {};
}

Result<std::string> read_image(const Buffer& buffer, const std::string& file) {
    const auto path = std::filesystem::path(file).parent_path() / buffer.image;
    auto bytes = read_file(path, 1ull << 28);
    if (bytes) return bytes;
    return error_at(file, buffer.line, 0,
                    "image of '" + buffer.name + "': " + bytes.diagnostics().front().message);
}

// Returns the error at the line that names the image.
Diagnostic refused(const Buffer& buffer, const std::string& file, const Diagnostic& why) {
    return error_at(file, buffer.line, 0, "'" + buffer.image + "': " + why.message, why.hint);
}

Result<void> fill_image(const Target& target, const Buffer& buffer, const BufferInstance& instance,
                        const std::string& file) {
    const auto bytes = read_image(buffer, file);
    if (!bytes) return bytes.diagnostics();
    auto decoded = image::decode(*bytes, buffer.image);
    if (!decoded) return refused(buffer, file, decoded.diagnostics().front());
    if (instance.extents.size() != 2 || decoded->height != instance.extents[0] ||
        decoded->width != instance.extents[1])
        return error_at(file, buffer.line, 0, "'" + buffer.image + "' changed while it was read");
    // Levels of 16 bits also become 0 to 1 in floating point; integers keep them if the type is wide enough.
    const image::Image image = image::with_channels(std::move(*decoded), target.type.components);
    const double most = image.max_level();
    const unsigned shift = image.bits == 16 && !holds(target.type, most) ? 8 : 0;
    if (target.type.floating())
        target.reals([&](std::uint64_t i) { return image.samples[i] / most; });
    else
        target.integers([&](std::uint64_t i) { return std::uint64_t(image.samples[i] >> shift); });
    return {};
}

}  // namespace

Result<void> check_init(const Expression& init, const Names& names, const std::string& file) {
    const auto call = parse_call(init, file);
    if (!call) return call.diagnostics();
    std::vector<std::string> known;
    for (const InitForm& form : init_forms) {
        known.push_back(form.name);
        if (call->name.text != form.name) continue;
        const std::size_t count = call->arguments.size();
        if (count < form.fewest || count > form.most)
            return error_at(
                file, call->name.line, call->name.column,
                "'" + call->name.text + "' got " + std::to_string(count) + " values",
                "the forms are zero, constant(c), iota, iota(start, step), random(lo, hi), each(i * i)");
        Diagnostics problems;
        for (const Expression& argument : call->arguments) {
            const bool of_index = call->name.text == "each";
            if (real_literal(argument.text) && !of_index) continue;
            Names known_names = names;
            if (of_index) known_names["i"] = 0;
            const auto fine = check_expression(argument, known_names, file);
            if (!fine) problems.insert(problems.end(), fine.diagnostics().begin(), fine.diagnostics().end());
        }
        if (!problems.empty()) return problems;
        return {};
    }
    return error_at(file, call->name.line, call->name.column, "unknown contents '" + call->name.text + "'",
                    suggestion(call->name.text, known));
}

Result<void> fill(const Buffer& buffer, const Names& names, const std::string& file,
                  BufferInstance& instance) {
    const auto type = element_type(instance.type);
    if (!buffer.has_contents() || !type) return {};
    instance.initialised = true;
    instance.contents.assign(instance.count * type->bytes(), std::byte{0});
    const Target target{instance.contents, *type, instance.count * type->components};
    if (!buffer.file.empty()) return read_data(buffer, file, instance.contents);
    if (!buffer.addresses.empty()) return {};  // put in by Instantiation, which knows all buffers
    if (!buffer.image.empty()) return fill_image(target, buffer, instance, file);
    if (!buffer.init.text.empty()) return fill_init(target, buffer, names, file);
    if (!buffer.values.empty())
        target.reals([&](std::uint64_t i) { return buffer.values[i % buffer.values.size()]; });
    else
        target.integers(
            [&](std::uint64_t i) { return static_cast<unsigned char>(buffer.text[i % buffer.text.size()]); });
    return {};
}

Result<std::array<std::uint64_t, 2>> image_extents(const Buffer& buffer, const std::string& file) {
    const auto bytes = read_image(buffer, file);
    if (!bytes) return bytes.diagnostics();
    const auto header = image::read_header(*bytes, buffer.image);
    if (!header) return refused(buffer, file, header.diagnostics().front());
    return std::array<std::uint64_t, 2>{header->height, header->width};
}

}  // namespace lanescope::lesson
