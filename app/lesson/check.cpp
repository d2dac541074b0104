#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <mutex>

#include "base/number_text.h"
#include "lesson/element_type.h"
#include "lesson/expression.h"
#include "lesson/instance.h"
#include "lesson/parallel.h"
#include "lesson/references.h"

namespace lanescope::lesson {

namespace {

double tolerance_of(const Expectation& expectation, const ElementType& type) {
    if (expectation.tolerance > 0) return expectation.tolerance;
    return type.scalar_bytes == 8 ? 1e-12 : type.scalar_bytes == 4 ? 1e-5 : 2e-3;
}

// Compares a buffer's result with its expected elements.
struct Comparison {
    const BufferInstance& buffer;
    ElementType type;
    const BufferResult& result;
    const Expected& expected;
    std::uint64_t compared;  // elements
    double tolerance;

    bool set(std::uint64_t element) const {
        if (result.set.empty()) return true;
        const std::uint64_t first = element * type.bytes();
        for (std::uint64_t i = first; i < first + type.bytes(); ++i)
            if (!result.set[i]) return false;
        return true;
    }

    // The first bytes hold the expected element as the buffer would.
    std::array<std::byte, 32> expected_bytes(std::uint64_t element) const {
        std::array<std::byte, 32> bytes{};
        for (std::uint32_t c = 0; c < type.components; ++c) {
            const std::uint64_t scalar = element * type.components + c;
            if (type.floating())
                store_real(bytes, type, c, expected.reals[scalar]);
            else
                store_integer(bytes, type, c, expected.integers[scalar]);
        }
        return bytes;
    }

    bool equal(std::uint64_t element) const {
        const auto bytes = expected_bytes(element);
        if (std::memcmp(bytes.data(), result.contents.data() + element * type.bytes(), type.bytes()) == 0)
            return true;
        if (!type.floating()) return false;
        for (std::uint32_t c = 0; c < type.components; ++c) {
            const std::uint64_t scalar = element * type.components + c;
            const double actual = load_real(result.contents, type, scalar),
                         wanted = load_real(bytes, type, c);
            const bool same = actual == wanted || (std::isnan(actual) && std::isnan(wanted));
            if (same) continue;
            const double distance = std::abs(actual - expected.reals[scalar]);
            if (!std::isfinite(distance) || distance > tolerance * expected.magnitudes[scalar]) return false;
        }
        return true;
    }
};

// What differs, in words, and the first element that does.
struct Mismatch {
    std::string text;  // empty: nothing differs
    std::optional<std::uint64_t> element;
};

Mismatch compare(const Comparison& c) {
    std::uint64_t differ = 0, first = c.compared;
    std::mutex mutex;
    in_parts(c.compared, [&](std::uint64_t begin, std::uint64_t end) {
        std::uint64_t here = 0, earliest = end;
        for (std::uint64_t i = begin; i < end; ++i)
            if ((!c.set(i) || !c.equal(i)) && here++ == 0) earliest = i;
        const std::scoped_lock lock(mutex);
        differ += here;
        if (here > 0) first = std::min(first, earliest);
    });
    if (differ == 0) return {};
    const std::string share =
        " (" + std::to_string(differ) + " of " + std::to_string(c.compared) + " differ)";
    TypeTable types;
    const TypeId type = types.named(c.buffer.type);
    const auto expected = c.expected_bytes(first);
    const std::string wanted = format_value(types, type, std::span(expected).first(c.type.bytes()));
    if (!c.set(first))
        return {element_text(c.buffer.name, c.buffer.extents, first) + " was never written, expected " +
                    wanted + share,
                first};
    const std::span<const std::byte> actual(c.result.contents);
    return {element_text(c.buffer.name, c.buffer.extents, first) + ": " +
                format_value(types, type, actual.subspan(first * c.type.bytes(), c.type.bytes())) +
                ", expected " + wanted + share,
            first};
}

Result<Expected> listed(const Expectation& expectation, const BufferInstance& buffer, const ElementType& type,
                        const std::string& file) {
    const std::uint64_t scalars = buffer.count * type.components;
    if (expectation.values.size() != scalars)
        return error_at(file, expectation.line, 0,
                        "'" + buffer.name + "' has " + std::to_string(scalars) + " elements, but " +
                            std::to_string(expectation.values.size()) + " values are listed");
    Expected expected;
    for (const double value : expectation.values) {
        if (!holds(type, value))
            return error_at(file, expectation.line, 0, "a value is not a valid " + buffer.type);
        expected.reals.push_back(value);
        expected.magnitudes.push_back(std::abs(value));
        expected.integers.push_back(value < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                                    : type.floating() ? 0
                                                      : static_cast<std::uint64_t>(value));
    }
    return expected;
}

Mismatch mismatch_of(const Expectation& expectation, const Instance& instance, const Results& results,
                     const Names& names, const std::string& file) {
    const auto buffer =
        std::find_if(instance.buffers.begin(), instance.buffers.end(),
                     [&](const BufferInstance& each) { return each.name == expectation.buffer; });
    const auto type = buffer == instance.buffers.end() ? std::nullopt : element_type(buffer->type);
    if (!type) return {"no buffer is named '" + expectation.buffer + "'", {}};
    const auto result = results.find(expectation.buffer);
    const std::uint64_t bytes = buffer->count * type->bytes();
    if (result == results.end() || result->second.contents.size() != bytes ||
        (!result->second.set.empty() && result->second.set.size() != bytes))
        return {"the run left no contents of '" + expectation.buffer + "'", {}};
    const auto expected = expectation.equals.text.empty() ? listed(expectation, *buffer, *type, file)
                                                          : expected_contents(expectation.equals, *buffer,
                                                                              instance, results, names, file);
    if (!expected) return {expected.diagnostics().front().message, {}};
    std::uint64_t compared = std::min(buffer->count, expected->compared);
    if (!expectation.first.text.empty()) {
        const Result<std::int64_t> first = evaluate(expectation.first, names, file);
        if (!first) return {first.diagnostics().front().message, {}};
        if (*first < 0 || static_cast<std::uint64_t>(*first) > buffer->count)
            return {"'first' is " + std::to_string(*first) + ", but '" + buffer->name + "' has " +
                        std::to_string(buffer->count) + " elements",
                    {}};
        compared = std::min(compared, static_cast<std::uint64_t>(*first));
    }
    return compare({*buffer, *type, result->second, *expected, compared, tolerance_of(expectation, *type)});
}

}  // namespace

Result<std::vector<ExpectOutcome>> check(const Instance& instance, const Results& results,
                                         const std::string& file) {
    const Names names = names_of(instance);
    std::vector<ExpectOutcome> outcomes;
    for (const Expectation& expectation : instance.front.expectations) {
        ExpectOutcome outcome;
        outcome.buffer = expectation.buffer;
        Mismatch mismatch = mismatch_of(expectation, instance, results, names, file);
        outcome.mismatch = std::move(mismatch.text);
        outcome.element = mismatch.element;
        outcome.ok = outcome.mismatch.empty();
        outcomes.push_back(std::move(outcome));
    }
    return outcomes;
}

}  // namespace lanescope::lesson
