#include "lesson/references.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lesson/parallel.h"
#include "lesson/reference_parts.h"
#include "lesson/suggest.h"

namespace lanescope::lesson {

namespace {

template <class Value>
ReferenceFault block_sums(const Arguments& a, Sink& out) {
    const Source& in = a.sources[0];
    if (a.numbers[0] < 1) return "needs a section of at least 1 element, got " + std::to_string(a.numbers[0]);
    const auto section = static_cast<std::uint64_t>(a.numbers[0]);
    const std::uint64_t sections = in.size() / section + (in.size() % section > 0);
    if (out.size() < sections) return wrong_size(out, sections);
    for (std::uint64_t k = 0; k < out.size(); ++k) {  // sections past the end are empty and give 0
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
ReferenceFault grid_sums(const Arguments& a, Sink& out) {
    const Source& in = a.sources[0];
    if (a.numbers[0] < 1 || a.numbers[1] < 1) return "needs at least 1 block of at least 1 thread";
    const auto blocks = static_cast<std::uint64_t>(a.numbers[0]),
               block = static_cast<std::uint64_t>(a.numbers[1]);
    if (const ReferenceFault fault = wrong_size(out, blocks); !fault.empty()) return fault;
    std::vector<Sum<Value>> sums(blocks);
    for (std::uint64_t i = 0; i < in.size(); ++i)
        sums[i / block % blocks].add(in.at<Value>(i));
    for (std::uint64_t k = 0; k < blocks; ++k)
        sums[k].store(out, k);
    return {};
}

template <class Value>
ReferenceFault sum(const Arguments& a, Sink& out) {
    if (const ReferenceFault fault = wrong_size(out, 1); !fault.empty()) return fault;
    Sum<Value> total;
    for (std::uint64_t i = 0; i < a.sources[0].size(); ++i)
        total.add(a.sources[0].at<Value>(i));
    total.store(out, 0);
    return {};
}

template <class Value>
ReferenceFault product(const Arguments& a, Sink& out) {
    if (const ReferenceFault fault = wrong_size(out, 1); !fault.empty()) return fault;
    Value total = 1;
    for (std::uint64_t i = 0; i < a.sources[0].size(); ++i)
        total *= a.sources[0].at<Value>(i);
    out.put(0, total);
    return {};
}

template <class Value, bool smallest>
ReferenceFault extreme(const Arguments& a, Sink& out) {
    const Source& in = a.sources[0];
    if (const ReferenceFault fault = wrong_size(out, 1); !fault.empty()) return fault;
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
ReferenceFault prefix(const Arguments& a, Sink& out) {
    const Source& in = a.sources[0];
    if (const ReferenceFault fault = wrong_size(out, in.size()); !fault.empty()) return fault;
    Sum<Value> total;
    for (std::uint64_t i = 0; i < in.size(); ++i) {
        if (!inclusive) total.store(out, i);
        total.add(in.at<Value>(i));
        if (inclusive) total.store(out, i);
    }
    return {};
}

template <class Value>
ReferenceFault add(const Arguments& a, Sink& out) {
    for (const Source& source : a.sources)
        if (const ReferenceFault fault = wrong_size(out, source.size()); !fault.empty()) return fault;
    for_each_index(out.size(), [&](std::uint64_t i) {
        Sum<Value> total;
        for (const Source& source : a.sources)
            total.add(source.at<Value>(i));
        total.store(out, i);
    });
    return {};
}

template <class Value>
ReferenceFault axpy(const Arguments& a, Sink& out) {
    for (const Source& source : a.sources)
        if (const ReferenceFault fault = wrong_size(out, source.size()); !fault.empty()) return fault;
    const auto factor = static_cast<Value>(a.numbers[0]);
    for_each_index(out.size(), [&](std::uint64_t i) {
        Sum<Value> total;
        total.add(factor * a.sources[0].at<Value>(i));
        total.add(a.sources[1].at<Value>(i));
        total.store(out, i);
    });
    return {};
}

template <class Value>
ReferenceFault dot(const Arguments& a, Sink& out) {
    if (const ReferenceFault fault = wrong_size(out, 1); !fault.empty()) return fault;
    const Source &left = a.sources[0], &right = a.sources[1];
    if (left.size() != right.size())
        return "cannot multiply " + std::to_string(left.size()) + " elements by " +
               std::to_string(right.size());
    Sum<Value> total;
    for (std::uint64_t i = 0; i < left.size(); ++i)
        total.add(left.at<Value>(i) * right.at<Value>(i));
    total.store(out, 0);
    return {};
}

template <class Value>
ReferenceFault multiply(const Arguments& a, Sink& out) {
    for (const Source& source : a.sources)
        if (const ReferenceFault fault = wrong_size(out, source.size()); !fault.empty()) return fault;
    for_each_index(out.size(), [&](std::uint64_t i) {
        out.put(i, a.sources[0].at<Value>(i) * a.sources[1].at<Value>(i));
    });
    return {};
}

template <class Value>
ReferenceFault copy(const Arguments& a, Sink& out) {
    return add<Value>(a, out);
}

template <class Value>
ReferenceFault square(const Arguments& a, Sink& out) {
    if (const ReferenceFault fault = wrong_size(out, a.sources[0].size()); !fault.empty()) return fault;
    for_each_index(out.size(), [&](std::uint64_t i) {
        const Value value = a.sources[0].at<Value>(i);
        out.put(i, value * value);
    });
    return {};
}

template <class Value>
ReferenceFault constant(const Arguments& a, Sink& out) {
    for (std::uint64_t i = 0; i < out.size(); ++i)
        out.put(i, static_cast<Value>(a.numbers[0]));
    return {};
}

template <class Value>
ReferenceFault reverse(const Arguments& a, Sink& out) {
    const Source& in = a.sources[0];
    if (a.numbers[0] < 1) return "needs a section of at least 1 element, got " + std::to_string(a.numbers[0]);
    if (const ReferenceFault fault = wrong_size(out, in.size()); !fault.empty()) return fault;
    const std::uint64_t section = static_cast<std::uint64_t>(a.numbers[0]), parts = in.type.components,
                        count = in.size() / parts;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t first = i / section * section, end = std::min(count, first + section);
        for (std::uint64_t part = 0; part < parts; ++part)
            out.put(i * parts + part, in.at<Value>((first + end - 1 - i) * parts + part));
    }
    return {};
}

template <class Value>
ReferenceFault histogram(const Arguments& a, Sink& out) {
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
ReferenceFault letter_histogram(const Arguments& a, Sink& out) {
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

using Function = ReferenceFault (*)(const Arguments&, Sink&);

// pairs: of integers; to_reals: the target must be floating-point.
enum class Takes { any_scalars, same_components, integers, pairs, to_reals };

struct Entry {
    const char* name;
    const char* signature;
    const char* description;
    // Kinds of the arguments: b for a buffer, i for a buffer of indices, n for a number, N for one that may
    // be missing, c for a condition on an element x.
    const char* kinds;
    Takes takes;
    Function integer, real;
};

#define BOTH(function) function<std::uint64_t>, function<double>
const Entry entries[] = {
    {"add", "add(a, b)", "a[i] + b[i]", "bb", Takes::same_components, BOTH(add)},
    {"attention", "attention(q, k, v)",
     "the rows of v, weighted by the softmax of q · transpose(k) / √d, where d is the number of columns of q",
     "bbb", Takes::to_reals, nullptr, attention<false>},
    {"attention_causal", "attention_causal(q, k, v)",
     "as attention, where row i of q meets rows 0 to i of k and v only", "bbb", Takes::to_reals, nullptr,
     attention<true>},
    {"axpy", "axpy(c, x, y)", "c · x[i] + y[i]", "nbb", Takes::same_components, BOTH(axpy)},
    {"block_compose", "block_compose(in, section)",
     "the composition of each section's affine maps, first map first", "bn", Takes::pairs, block_compose,
     nullptr},
    {"block_sums", "block_sums(in, section)", "the sum of each section of `section` consecutive elements",
     "bn", Takes::any_scalars, BOTH(block_sums)},
    {"compact", "compact(in, x > 0)",
     "the elements that meet the condition, in their order; what follows them may have any value", "bc",
     Takes::integers, compact, nullptr},
    {"compose", "compose(in)", "the composition of all affine maps (a, b) = x → a · x + b, in[0] first", "b",
     Takes::pairs, compose, nullptr},
    {"constant", "constant(c)", "c in every element", "n", Takes::same_components, BOTH(constant)},
    {"convolve", "convolve(in, mask)",
     "the sum of the mask, centred at each element, times the elements under it; zeros outside", "bb",
     Takes::any_scalars, convolve_integers<Beyond::zeros>, convolve_reals<Beyond::zeros>},
    {"convolve_channels", "convolve_channels(in, weights, channels, rows)",
     "images of `channels` channels of `rows` rows, one below the other, under filters of as many channels, "
     "centred at each element; zeros outside; a row of `weights` is a filter, channel by channel",
     "bbnn", Takes::any_scalars, convolve_channels_integers, convolve_channels_reals},
    {"convolve_clamp", "convolve_clamp(in, mask)", "as convolve; outside the nearest element", "bb",
     Takes::any_scalars, convolve_integers<Beyond::clamp>, convolve_reals<Beyond::clamp>},
    {"convolve_mirror", "convolve_mirror(in, mask)",
     "as convolve; outside the row mirrored at its last element", "bb", Takes::any_scalars,
     convolve_integers<Beyond::mirror>, convolve_reals<Beyond::mirror>},
    {"convolve_wrap", "convolve_wrap(in, mask)", "as convolve; outside the other end of the row", "bb",
     Takes::any_scalars, convolve_integers<Beyond::wrap>, convolve_reals<Beyond::wrap>},
    {"copy", "copy(in)", "in[i]", "b", Takes::same_components, BOTH(copy)},
    {"count_if", "count_if(in, x > 0)", "the number of elements that meet the condition", "bc",
     Takes::integers, count_if, nullptr},
    {"dot", "dot(a, b)", "the sum of all a[i] · b[i]", "bb", Takes::any_scalars, BOTH(dot)},
    {"gather", "gather(in, index)", "in[index[i]]", "bi", Takes::any_scalars, gather_integers, gather_reals},
    {"grid_sums", "grid_sums(in, blocks, block)",
     "the sum of the elements that each block reads in a grid-stride loop", "bnn", Takes::any_scalars,
     BOTH(grid_sums)},
    {"heat", "heat(in, steps, planes)",
     "after so many steps in[i] + (sum of the neighbours − 4 · in[i]) / 8, with the border fixed; with "
     "`planes` in three dimensions: − 6 · in[i]",
     "bnN", Takes::any_scalars, heat, heat},
    {"histogram", "histogram(in, width)", "the number of elements in [k·width, (k + 1)·width)", "bn",
     Takes::integers, BOTH(histogram)},
    {"layer_norm", "layer_norm(in, gamma, beta)",
     "(x - mean) / √(variance + 1e-5) · gamma[column] + beta[column], with mean and variance of the row",
     "bbb", Takes::to_reals, nullptr, layer_norm},
    {"letter_histogram", "letter_histogram(text, letters)",
     "the number of lower-case letters in the k-th group of `letters` letters", "bn", Takes::integers,
     BOTH(letter_histogram)},
    {"levels", "levels(offsets, columns, source)",
     "the distance of each vertex from the source, in edges of a graph in compressed rows; −1 without a path",
     "iin", Takes::any_scalars, levels_integers, levels_reals},
    {"matmul", "matmul(a, b)", "the matrix product", "bb", Takes::any_scalars, matmul_integers, matmul_reals},
    {"max", "max(in)", "the largest element", "b", Takes::any_scalars, extreme<std::uint64_t, false>,
     extreme<double, false>},
    {"merge", "merge(a, b)", "the elements of both in ascending order", "bb", Takes::any_scalars,
     merge_integers, merge_reals},
    {"min", "min(in)", "the smallest element", "b", Takes::any_scalars, extreme<std::uint64_t, true>,
     extreme<double, true>},
    {"multiply", "multiply(a, b)", "a[i] · b[i]", "bb", Takes::same_components, BOTH(multiply)},
    {"prefix_exclusive", "prefix_exclusive(in)", "in[0] + … + in[i - 1]", "b", Takes::any_scalars,
     prefix<std::uint64_t, false>, prefix<double, false>},
    {"prefix_inclusive", "prefix_inclusive(in)", "in[0] + … + in[i]", "b", Takes::any_scalars,
     prefix<std::uint64_t, true>, prefix<double, true>},
    {"product", "product(in)", "the product of all elements", "b", Takes::any_scalars, BOTH(product)},
    {"reverse", "reverse(in, section)", "the elements of each section in reverse order", "bn",
     Takes::same_components, BOTH(reverse)},
    {"softmax", "softmax(in)", "exp(x) divided by the sum of exp over the row", "b", Takes::to_reals, nullptr,
     softmax},
    {"sort", "sort(in, section)",
     "the elements in ascending order, of each section by itself; without `section` all of them", "bN",
     Takes::any_scalars, sort_integers, sort_reals},
    {"spmv", "spmv(offsets, columns, values, x)", "the product of a matrix in compressed rows and x", "iibb",
     Takes::any_scalars, spmv_integers, spmv_reals},
    {"square", "square(in)", "in[i] · in[i]", "b", Takes::same_components, BOTH(square)},
    {"sum", "sum(in)", "the sum of all elements", "b", Takes::any_scalars, BOTH(sum)},
    {"transpose", "transpose(in)", "in[column][row]", "b", Takes::any_scalars, transpose_integers,
     transpose_reals},
};
#undef BOTH

const Entry* find_entry(std::string_view name) {
    for (const Entry& entry : entries)
        if (entry.name == name) return &entry;
    return nullptr;
}

// Returns why this reference cannot compute a target of type `to` from a source of type `from`; empty if it
// can.
std::string mismatched(const Entry& entry, const std::string& from_name, const std::string& to_name) {
    const auto from = element_type(from_name), to = element_type(to_name);
    if (!from || !to) return "a buffer has an unknown type";
    if (entry.takes == Takes::integers && from->floating()) return "counts integers, not " + from_name;
    if (entry.takes == Takes::to_reals && !to->floating())
        return "gives real numbers, but the buffer holds " + to_name;
    if (entry.takes != Takes::integers && from->floating() && !to->floating())
        return "gives " + from_name + ", but the buffer holds " + to_name;
    const bool pairs = entry.takes == Takes::pairs;
    if (pairs && (from->floating() || to->floating()))
        return "composes pairs of integers and cannot turn " + from_name + " into " + to_name;
    if (from->components != to->components ||
        (entry.takes != Takes::same_components && from->components != (pairs ? 2 : 1)))
        return "cannot turn " + from_name + " into " + to_name;
    return {};
}

std::string unfit_index(const std::string& name) {
    const auto type = element_type(name);
    if (type && !type->floating() && type->components == 1) return {};
    return "needs integers as indices, not " + name;
}

Diagnostic at(const Expression& place, const std::string& file, std::string message, std::string hint = {}) {
    return error_at(file, place.line, place.column, std::move(message), std::move(hint));
}

// Returns the entry that a call names and checks the number of arguments.
Result<const Entry*> entry_of(const Call& call, const std::string& file) {
    const Entry* entry = find_entry(call.name.text);
    if (!entry) {
        std::vector<std::string> known;
        for (const Entry& each : entries)
            known.push_back(each.name);
        return at(call.name, file, "unknown reference '" + call.name.text + "'",
                  suggestion(call.name.text, known));
    }
    const std::size_t most = std::string_view(entry->kinds).size();
    const std::size_t least = entry->kinds[most - 1] == 'N' ? most - 1 : most;
    if (call.arguments.size() < least || call.arguments.size() > most)
        return at(call.name, file,
                  "'" + call.name.text + "' got " + std::to_string(call.arguments.size()) +
                      (call.arguments.size() == 1 ? " value" : " values"),
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
        const char kind = (*entry)->kinds[i];
        if (kind == 'n' || kind == 'N') {
            if (const auto fine = check_expression(argument, names, file); !fine) return fine.diagnostics();
            continue;
        }
        if (kind == 'c') {
            const auto fine = ElementCondition::make(argument, names, file);
            if (!fine) return fine.diagnostics();
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
        if (!source->has_contents() && source->name == target.name)
            return at(argument, file,
                      "the buffer '" + argument.text + "' has no initial contents to compare it with",
                      "without them a reference takes the contents after the last launch");
        const std::string why =
            kind == 'i' ? unfit_index(source->type) : mismatched(**entry, source->type, target.type);
        if (!why.empty()) return at(argument, file, "'" + call->name.text + "' " + why);
    }
    return {};
}

Result<Expected> expected_contents(const Expression& expression, const BufferInstance& target,
                                   const Instance& instance, const Results& results, const Names& names,
                                   const std::string& file) {
    const auto call = parse_call(expression, file);
    if (!call) return call.diagnostics();
    const auto entry = entry_of(*call, file);
    if (!entry) return entry.diagnostics();
    Arguments arguments;
    arguments.extents = target.extents;
    for (std::size_t i = 0; i < call->arguments.size(); ++i) {
        const Expression& argument = call->arguments[i];
        const char kind = (*entry)->kinds[i];
        if (kind == 'c') {
            auto condition = ElementCondition::make(argument, names, file);
            if (!condition) return condition.diagnostics();
            arguments.conditions.push_back(std::move(*condition));
            continue;
        }
        if (kind == 'n' || kind == 'N') {
            const auto number = evaluate(argument, names, file);
            if (!number) return number.diagnostics();
            arguments.numbers.push_back(*number);
            continue;
        }
        const auto source =
            std::find_if(instance.buffers.begin(), instance.buffers.end(),
                         [&](const BufferInstance& buffer) { return buffer.name == argument.text; });
        const auto left = results.find(argument.text);
        if (source == instance.buffers.end() || (!source->initialised && left == results.end()))
            return at(argument, file, "the buffer '" + argument.text + "' has no contents");
        const std::string why =
            kind == 'i' ? unfit_index(source->type) : mismatched(**entry, source->type, target.type);
        if (!why.empty()) return at(argument, file, "'" + call->name.text + "' " + why);
        const std::span<const std::byte> contents =
            source->initialised ? std::span(source->contents) : std::span(left->second.contents);
        if (contents.size() != source->count * element_type(source->type)->bytes())
            return at(argument, file, "the run left no contents of '" + argument.text + "'");
        arguments.sources.push_back({&*source, *element_type(source->type), contents});
    }
    const auto type = element_type(target.type);
    if (!type) return at(expression, file, "the buffer '" + target.name + "' has an unknown type");
    Sink out(target.count * type->components, type->floating());
    const ReferenceFault fault = (type->floating() ? (*entry)->real : (*entry)->integer)(arguments, out);
    if (!fault.empty())
        return at(expression, file, "'" + call->name.text + "' " + fault + " ('" + target.name + "')");
    return out.take();
}

}  // namespace lanescope::lesson
