#include "lesson/references.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lesson/suggest.h"

namespace lanescope::lesson {

namespace {

// A source: the initial contents of a buffer.
struct Source {
    const BufferInstance* buffer = nullptr;
    ElementType type;

    std::uint64_t size() const { return buffer->count * type.components; }
    template <class Value>
    Value at(std::uint64_t i) const {
        if constexpr (std::is_same_v<Value, double>)
            return load_real(buffer->contents, type, i);
        else
            return load_integer(buffer->contents, type, i);
    }
};

struct Arguments {
    std::vector<Source> sources;
    std::vector<std::int64_t> numbers;
    std::vector<std::uint64_t> extents;  // of the target
};

class Sink {
  public:
    Sink(std::uint64_t size, bool floating) : size_(size) {
        if (floating) {
            expected_.reals.assign(size, 0);
            expected_.magnitudes.assign(size, 0);
        } else {
            expected_.integers.assign(size, 0);
        }
    }
    std::uint64_t size() const { return size_; }
    void put(std::uint64_t i, std::uint64_t value) { expected_.integers[i] = value; }
    void put(std::uint64_t i, double value) { put(i, value, std::abs(value)); }
    void put(std::uint64_t i, double value, double magnitude) {
        expected_.reals[i] = value;
        expected_.magnitudes[i] = magnitude;
    }
    Expected take() { return std::move(expected_); }

  private:
    std::uint64_t size_;
    Expected expected_;
};

// Running sum. Reals are compensated (Neumaier), so that the reference's own rounding is far below any
// tolerance.
template <class Value>
class Sum;

template <>
class Sum<std::uint64_t> {
  public:
    void add(std::uint64_t value) { total_ += value; }
    void store(Sink& out, std::uint64_t i) const { out.put(i, total_); }

  private:
    std::uint64_t total_ = 0;
};

template <>
class Sum<double> {
  public:
    void add(double value) {
        const double next = total_ + value;
        if (std::isfinite(next))
            lost_ += std::abs(total_) >= std::abs(value) ? (total_ - next) + value : (value - next) + total_;
        total_ = next;
        magnitude_ += std::abs(value);
    }
    void store(Sink& out, std::uint64_t i) const { out.put(i, total_ + lost_, magnitude_); }

  private:
    double total_ = 0, lost_ = 0, magnitude_ = 0;
};

using Fault = std::string;  // empty: fine

Fault wrong_size(const Sink& out, std::uint64_t wanted) {
    if (out.size() == wanted) return {};
    return "gives " + std::to_string(wanted) + " elements, the buffer has " + std::to_string(out.size());
}

template <class Value>
Fault block_sums(const Arguments& a, Sink& out) {
    const Source& in = a.sources[0];
    if (a.numbers[0] < 1) return "needs a section of at least 1 element, got " + std::to_string(a.numbers[0]);
    const auto section = static_cast<std::uint64_t>(a.numbers[0]);
    const std::uint64_t sections = in.size() / section + (in.size() % section > 0);
    if (out.size() < sections) return wrong_size(out, sections);
    for (std::uint64_t k = 0; k < out.size(); ++k) {  // sections behind the end are empty: 0
        Sum<Value> sum;
        const std::uint64_t first = std::min(k, sections) * section,
                            left = in.size() - std::min(first, in.size());
        for (std::uint64_t i = first; i < first + std::min(section, left); ++i)
            sum.add(in.at<Value>(i));
        sum.store(out, k);
    }
    return {};
}

template <class Value>
Fault grid_sums(const Arguments& a, Sink& out) {
    const Source& in = a.sources[0];
    if (a.numbers[0] < 1 || a.numbers[1] < 1) return "needs at least 1 block of at least 1 thread";
    const auto blocks = static_cast<std::uint64_t>(a.numbers[0]),
               block = static_cast<std::uint64_t>(a.numbers[1]);
    if (const Fault fault = wrong_size(out, blocks); !fault.empty()) return fault;
    std::vector<Sum<Value>> sums(blocks);
    for (std::uint64_t i = 0; i < in.size(); ++i)
        sums[i / block % blocks].add(in.at<Value>(i));
    for (std::uint64_t k = 0; k < blocks; ++k)
        sums[k].store(out, k);
    return {};
}

template <class Value>
Fault sum(const Arguments& a, Sink& out) {
    if (const Fault fault = wrong_size(out, 1); !fault.empty()) return fault;
    Sum<Value> total;
    for (std::uint64_t i = 0; i < a.sources[0].size(); ++i)
        total.add(a.sources[0].at<Value>(i));
    total.store(out, 0);
    return {};
}

template <class Value>
Fault product(const Arguments& a, Sink& out) {
    if (const Fault fault = wrong_size(out, 1); !fault.empty()) return fault;
    Value total = 1;
    for (std::uint64_t i = 0; i < a.sources[0].size(); ++i)
        total *= a.sources[0].at<Value>(i);
    out.put(0, total);
    return {};
}

// Integers come extended to 64 bits: the type's sign decides how they compare.
bool less(const ElementType& type, std::uint64_t a, std::uint64_t b) {
    if (type.kind == ElementType::Kind::unsigned_int) return a < b;
    return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
}
bool less(const ElementType&, double a, double b) {
    return a < b;
}

template <class Value, bool smallest>
Fault extreme(const Arguments& a, Sink& out) {
    const Source& in = a.sources[0];
    if (const Fault fault = wrong_size(out, 1); !fault.empty()) return fault;
    if (in.size() == 0) return "has no value for an empty buffer";
    Value best = in.at<Value>(0);
    for (std::uint64_t i = 1; i < in.size(); ++i) {
        const Value next = in.at<Value>(i);
        if (smallest ? less(in.type, next, best) : less(in.type, best, next)) best = next;
    }
    out.put(0, best);
    return {};
}

template <class Value, bool inclusive>
Fault prefix(const Arguments& a, Sink& out) {
    const Source& in = a.sources[0];
    if (const Fault fault = wrong_size(out, in.size()); !fault.empty()) return fault;
    Sum<Value> total;
    for (std::uint64_t i = 0; i < in.size(); ++i) {
        if (!inclusive) total.store(out, i);
        total.add(in.at<Value>(i));
        if (inclusive) total.store(out, i);
    }
    return {};
}

template <class Value>
Fault add(const Arguments& a, Sink& out) {
    for (const Source& source : a.sources)
        if (const Fault fault = wrong_size(out, source.size()); !fault.empty()) return fault;
    for (std::uint64_t i = 0; i < out.size(); ++i) {
        Sum<Value> total;
        for (const Source& source : a.sources)
            total.add(source.at<Value>(i));
        total.store(out, i);
    }
    return {};
}

template <class Value>
Fault copy(const Arguments& a, Sink& out) {
    return add<Value>(a, out);
}

template <class Value>
Fault square(const Arguments& a, Sink& out) {
    if (const Fault fault = wrong_size(out, a.sources[0].size()); !fault.empty()) return fault;
    for (std::uint64_t i = 0; i < out.size(); ++i) {
        const Value value = a.sources[0].at<Value>(i);
        out.put(i, value * value);
    }
    return {};
}

template <class Value>
Fault constant(const Arguments& a, Sink& out) {
    for (std::uint64_t i = 0; i < out.size(); ++i)
        out.put(i, static_cast<Value>(a.numbers[0]));
    return {};
}

template <class Value>
Fault transpose(const Arguments& a, Sink& out) {
    const auto& from = a.sources[0].buffer->extents;
    if (from.size() != 2 || a.extents.size() != 2) return "needs buffers with a 'shape'";
    if (from[0] != a.extents[1] || from[1] != a.extents[0])
        return "gives " + std::to_string(from[1]) + " × " + std::to_string(from[0]) +
               " elements, the buffer has " + std::to_string(a.extents[0]) + " × " +
               std::to_string(a.extents[1]);
    for (std::uint64_t row = 0; row < from[0]; ++row)
        for (std::uint64_t column = 0; column < from[1]; ++column)
            out.put(column * from[0] + row, a.sources[0].at<Value>(row * from[1] + column));
    return {};
}

template <class Value>
Fault histogram(const Arguments& a, Sink& out) {
    const Source& in = a.sources[0];
    if (a.numbers[0] < 1) return "needs bins of at least 1 value, got " + std::to_string(a.numbers[0]);
    std::vector<std::uint64_t> bins(out.size(), 0);
    for (std::uint64_t i = 0; i < in.size(); ++i) {
        const std::uint64_t value = in.at<std::uint64_t>(i);
        const bool negative =
            in.type.kind == ElementType::Kind::signed_int && static_cast<std::int64_t>(value) < 0;
        const std::uint64_t bin = value / static_cast<std::uint64_t>(a.numbers[0]);
        if (!negative && bin < bins.size()) ++bins[bin];
    }
    for (std::uint64_t i = 0; i < bins.size(); ++i)
        out.put(i, static_cast<Value>(bins[i]));
    return {};
}

template <class Value>
Fault letter_histogram(const Arguments& a, Sink& out) {
    const Source& in = a.sources[0];
    if (a.numbers[0] < 1) return "needs bins of at least 1 letter, got " + std::to_string(a.numbers[0]);
    std::vector<std::uint64_t> bins(out.size(), 0);
    for (std::uint64_t i = 0; i < in.size(); ++i) {
        const std::uint64_t letter = in.at<std::uint64_t>(i) - 'a';
        const std::uint64_t bin = letter / static_cast<std::uint64_t>(a.numbers[0]);
        if (letter < 26 && bin < bins.size()) ++bins[bin];
    }
    for (std::uint64_t i = 0; i < bins.size(); ++i)
        out.put(i, static_cast<Value>(bins[i]));
    return {};
}

using Function = Fault (*)(const Arguments&, Sink&);

enum class Takes { scalars, same_components, integers };

struct Entry {
    const char* name;
    const char* signature;
    const char* description;
    const char* kinds;  // of the arguments: b buffer, n number
    Takes takes;
    Function integer, real;
};

#define BOTH(function) function<std::uint64_t>, function<double>
const Entry entries[] = {
    {"add", "add(a, b)", "a[i] + b[i]", "bb", Takes::same_components, BOTH(add)},
    {"block_sums", "block_sums(in, section)", "the sum of each section of so many consecutive elements", "bn",
     Takes::scalars, BOTH(block_sums)},
    {"constant", "constant(c)", "c in every element", "n", Takes::same_components, BOTH(constant)},
    {"copy", "copy(in)", "in[i]", "b", Takes::same_components, BOTH(copy)},
    {"grid_sums", "grid_sums(in, blocks, block)", "the sum of what each block adds up in a grid-stride loop",
     "bnn", Takes::scalars, BOTH(grid_sums)},
    {"histogram", "histogram(in, width)", "how many elements are in [k·width, (k + 1)·width)", "bn",
     Takes::integers, BOTH(histogram)},
    {"letter_histogram", "letter_histogram(text, letters)", "how many of the k-th so many lower-case letters",
     "bn", Takes::integers, BOTH(letter_histogram)},
    {"max", "max(in)", "the largest element", "b", Takes::scalars, extreme<std::uint64_t, false>,
     extreme<double, false>},
    {"min", "min(in)", "the smallest element", "b", Takes::scalars, extreme<std::uint64_t, true>,
     extreme<double, true>},
    {"prefix_exclusive", "prefix_exclusive(in)", "in[0] + … + in[i - 1]", "b", Takes::scalars,
     prefix<std::uint64_t, false>, prefix<double, false>},
    {"prefix_inclusive", "prefix_inclusive(in)", "in[0] + … + in[i]", "b", Takes::scalars,
     prefix<std::uint64_t, true>, prefix<double, true>},
    {"product", "product(in)", "the product of all elements", "b", Takes::scalars, BOTH(product)},
    {"square", "square(in)", "in[i] · in[i]", "b", Takes::same_components, BOTH(square)},
    {"sum", "sum(in)", "the sum of all elements", "b", Takes::scalars, BOTH(sum)},
    {"transpose", "transpose(in)", "in[column][row]", "b", Takes::scalars, BOTH(transpose)},
};
#undef BOTH

const Entry* find_entry(std::string_view name) {
    for (const Entry& entry : entries)
        if (entry.name == name) return &entry;
    return nullptr;
}

// Why a source of type `from` has no place in this reference for a target of type `to`; empty when it has.
std::string mismatched(const Entry& entry, const std::string& from_name, const std::string& to_name) {
    const auto from = element_type(from_name), to = element_type(to_name);
    if (!from || !to) return "a buffer has an unknown type";
    if (entry.takes == Takes::integers && from->floating()) return "counts integers, not " + from_name;
    if (entry.takes != Takes::integers && from->floating() && !to->floating())
        return "gives " + from_name + ", the buffer holds " + to_name;
    if (from->components != to->components ||
        (entry.takes != Takes::same_components && from->components != 1))
        return "does not turn " + from_name + " into " + to_name;
    return {};
}

Diagnostic at(const Expression& place, const std::string& file, std::string message, std::string hint = {}) {
    return error_at(file, place.line, place.column, std::move(message), std::move(hint));
}

// The entry that a call names, with as many arguments as it takes.
Result<const Entry*> entry_of(const Call& call, const std::string& file) {
    const Entry* entry = find_entry(call.name.text);
    if (!entry) {
        std::vector<std::string> known;
        for (const Entry& each : entries)
            known.push_back(each.name);
        return at(call.name, file, "unknown reference '" + call.name.text + "'",
                  suggestion(call.name.text, known));
    }
    const std::size_t wanted = std::string_view(entry->kinds).size();
    if (call.arguments.size() != wanted)
        return at(call.name, file,
                  "'" + call.name.text + "' got " + std::to_string(call.arguments.size()) + " values",
                  "expected " + std::string(entry->signature));
    return entry;
}

}  // namespace

const std::vector<ReferenceInfo>& references() {
    static const std::vector<ReferenceInfo> list = [] {
        std::vector<ReferenceInfo> all;
        for (const Entry& entry : entries)
            all.push_back({entry.name, entry.signature, entry.description});
        return all;
    }();
    return list;
}

Result<void> check_reference(const Expression& expression, const Buffer& target,
                             const std::vector<Buffer>& buffers, const Names& names,
                             const std::string& file) {
    const auto call = parse_call(expression, file);
    if (!call) return call.diagnostics();
    const auto entry = entry_of(*call, file);
    if (!entry) return entry.diagnostics();
    for (std::size_t i = 0; i < call->arguments.size(); ++i) {
        const Expression& argument = call->arguments[i];
        if ((*entry)->kinds[i] == 'n') {
            if (const auto fine = check_expression(argument, names, file); !fine) return fine.diagnostics();
            continue;
        }
        std::vector<std::string> known;
        const Buffer* source = nullptr;
        for (const Buffer& buffer : buffers) {
            known.push_back(buffer.name);
            if (buffer.name == argument.text) source = &buffer;
        }
        if (!source)
            return at(argument, file, "no buffer is named '" + argument.text + "'",
                      suggestion(argument.text, known));
        if (!source->has_contents())
            return at(argument, file, "the buffer '" + argument.text + "' has no initial contents");
        if (const std::string why = mismatched(**entry, source->type, target.type); !why.empty())
            return at(argument, file, "'" + call->name.text + "' " + why);
    }
    return {};
}

Result<Expected> expected_contents(const Expression& expression, const BufferInstance& target,
                                   const Instance& instance, const Names& names, const std::string& file) {
    const auto call = parse_call(expression, file);
    if (!call) return call.diagnostics();
    const auto entry = entry_of(*call, file);
    if (!entry) return entry.diagnostics();
    Arguments arguments;
    arguments.extents = target.extents;
    for (std::size_t i = 0; i < call->arguments.size(); ++i) {
        const Expression& argument = call->arguments[i];
        if ((*entry)->kinds[i] == 'n') {
            const auto number = evaluate(argument, names, file);
            if (!number) return number.diagnostics();
            arguments.numbers.push_back(*number);
            continue;
        }
        const auto source =
            std::find_if(instance.buffers.begin(), instance.buffers.end(),
                         [&](const BufferInstance& buffer) { return buffer.name == argument.text; });
        if (source == instance.buffers.end() || !source->initialised)
            return at(argument, file, "the buffer '" + argument.text + "' has no initial contents");
        if (const std::string why = mismatched(**entry, source->type, target.type); !why.empty())
            return at(argument, file, "'" + call->name.text + "' " + why);
        arguments.sources.push_back({&*source, *element_type(source->type)});
    }
    const auto type = element_type(target.type);
    if (!type) return at(expression, file, "the buffer '" + target.name + "' has an unknown type");
    Sink out(target.count * type->components, type->floating());
    const Fault fault = (type->floating() ? (*entry)->real : (*entry)->integer)(arguments, out);
    if (!fault.empty())
        return at(expression, file, "'" + call->name.text + "' " + fault + " ('" + target.name + "')");
    return out.take();
}

}  // namespace lanescope::lesson
