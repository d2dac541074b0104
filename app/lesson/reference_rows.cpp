// Host references over the rows of a matrix: softmax, layer normalisation and attention, in real numbers.
#include <limits>

#include "base/elementary.h"
#include "lesson/parallel.h"
#include "lesson/reference_parts.h"

namespace lanescope::lesson {

namespace {

// Relative to this, floats below the smallest normal one have no precision.
constexpr double smallest = std::numeric_limits<float>::min();

// Calls each(row), on several threads if there is enough work.
template <class Each>
void for_each_row(const Extents& size, const Each& each) {
    in_parts(
        size[0],
        [&](std::uint64_t first, std::uint64_t last) {
            for (std::uint64_t row = first; row < last; ++row)
                each(row);
        },
        (1u << 17) / std::max<std::uint64_t>(1, size[1]));
}

// Replaces scores by their softmax and returns the largest score.
double make_softmax(std::span<double> scores) {
    const double largest = scores.empty() ? 0 : *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (double& score : scores)
        sum += score = elementary::exp(score - largest);
    for (double& score : scores)
        score /= sum;
    return largest;
}

}  // namespace

ReferenceFault softmax(const Arguments& a, Sink& out) {
    const Source& in = a.sources[0];
    if (const ReferenceFault fault = wrong_size(out, in.size()); !fault.empty()) return fault;
    const Extents size = as_matrix(in);
    for_each_row(size, [&](std::uint64_t row) {
        std::vector<double> weights(size[1]);
        for (std::uint64_t col = 0; col < size[1]; ++col)
            weights[col] = in.at<double>(row * size[1] + col);
        const double largest = make_softmax(weights);
        for (std::uint64_t col = 0; col < size[1]; ++col) {
            // An error of x - largest is a relative error of its exponential.
            const double below = largest - in.at<double>(row * size[1] + col);
            const double magnitude = weights[col] > 0 ? weights[col] * (1 + below) : 0;
            out.put(row * size[1] + col, weights[col], magnitude + smallest);
        }
    });
    return {};
}

ReferenceFault layer_norm(const Arguments& a, Sink& out) {
    const Source &in = a.sources[0], &gamma = a.sources[1], &beta = a.sources[2];
    if (const ReferenceFault fault = wrong_size(out, in.size()); !fault.empty()) return fault;
    const Extents size = as_matrix(in);
    for (const Source* each : {&gamma, &beta})
        if (each->size() != size[1])
            return "needs " + std::to_string(size[1]) + " elements in '" + each->buffer->name +
                   "', one for each column";
    const auto count = static_cast<double>(size[1]);
    for_each_row(size, [&](std::uint64_t row) {
        const auto x = [&](std::uint64_t col) { return in.at<double>(row * size[1] + col); };
        double mean = 0, variance = 0;
        for (std::uint64_t col = 0; col < size[1]; ++col)
            mean += x(col) / count;
        for (std::uint64_t col = 0; col < size[1]; ++col)
            variance += (x(col) - mean) * (x(col) - mean) / count;
        const double deviation = std::sqrt(variance + 1e-5);
        for (std::uint64_t col = 0; col < size[1]; ++col) {
            const double g = gamma.at<double>(col) / deviation, b = beta.at<double>(col);
            out.put(row * size[1] + col, (x(col) - mean) * g + b,
                    (std::abs(x(col)) + std::abs(mean)) * std::abs(g) + std::abs(b));
        }
    });
    return {};
}

template <bool causal>
ReferenceFault attention(const Arguments& a, Sink& out) {
    const Source &q = a.sources[0], &k = a.sources[1], &v = a.sources[2];
    const Extents queries = as_matrix(q), keys = as_matrix(k), values = as_matrix(v);
    if (queries[1] != keys[1])
        return "cannot multiply " + text_of(queries) + " by the transpose of " + text_of(keys);
    if (keys[0] != values[0])
        return "cannot weight " + text_of(values) + " elements by " + std::to_string(keys[0]) + " keys";
    if (const ReferenceFault fault = wrong_size(out, queries[0] * values[1]); !fault.empty()) return fault;
    const double scale = 1 / std::sqrt(static_cast<double>(queries[1]));
    for_each_row({queries[0], keys[0] * queries[1]}, [&](std::uint64_t i) {
        const std::uint64_t seen = causal ? std::min(i + 1, keys[0]) : keys[0];
        std::vector<double> weights(seen), terms(seen);
        for (std::uint64_t j = 0; j < seen; ++j)
            for (std::uint64_t c = 0; c < keys[1]; ++c) {
                const double product = q.at<double>(i * keys[1] + c) * k.at<double>(j * keys[1] + c) * scale;
                weights[j] += product;
                terms[j] += std::abs(product);
            }
        const double largest = std::abs(make_softmax(weights));
        for (std::uint64_t c = 0; c < values[1]; ++c) {
            double sum = 0, magnitude = smallest;
            for (std::uint64_t j = 0; j < seen; ++j) {
                const double term = weights[j] * v.at<double>(j * values[1] + c);
                sum += term;
                magnitude += std::abs(term) * (1 + terms[j] + largest);
            }
            out.put(i * values[1] + c, sum, magnitude);
        }
    });
    return {};
}
template ReferenceFault attention<false>(const Arguments&, Sink&);
template ReferenceFault attention<true>(const Arguments&, Sink&);

}  // namespace lanescope::lesson
