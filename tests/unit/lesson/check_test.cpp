#include <cmath>
#include <limits>

#include "lesson/instance.h"
#include "lesson/references.h"
#include "support.h"

namespace lanescope::lesson {
namespace check_test {

// Returns an instance with in = 3 1 7 0 4 1 6 3 and an output of `count` elements
// that must equal `reference`.
Instance expecting(const std::string& reference, const std::string& type, const std::string& count,
                   const std::string& values = "3, 1, 7, 0, 4, 1, 6, 3", const std::string& in_type = "int") {
    return instance_of("[params]\nn = {default = 2}\n[buffers]\nin = {type = \"" + in_type +
                       "\", values = [" + values +
                       "]}\nb = {type = \"int\", count = 8, init = \"constant(10)\"}\n"
                       "m = {type = \"int\", values = [1, 10, 100]}\nout = {type = \"" +
                       type + "\", count = " + count + "}\n" + some_launch +
                       "[[expect]]\nbuffer = \"out\"\nequals = \"" + reference + "\"\n");
}

std::string outcome(const Instance& instance, const BufferResult& result) {
    const auto outcomes = check(instance, {{"out", result}}, "k.cu");
    EXPECT_TRUE(outcomes);
    EXPECT_EQ(outcomes->at(0).ok, outcomes->at(0).mismatch.empty());
    return outcomes->at(0).ok ? "ok" : outcomes->at(0).mismatch;
}

// Expects that the reference gives these numbers and that the check notices any wrong one.
void expect_reference(const std::string& reference, const std::vector<double>& right,
                      const std::string& type = "int") {
    const Instance instance = expecting(reference, type, std::to_string(right.size()));
    EXPECT_EQ(outcome(instance, written(right, type)), "ok") << reference;
    for (std::size_t i = 0; i < right.size(); ++i) {
        auto wrong = right;
        wrong[i] += 1;
        EXPECT_NE(outcome(instance, written(wrong, type)), "ok") << reference << " at " << i;
    }
}

TEST(references, of_the_sample) {
    expect_reference("sum(in)", {25});
    expect_reference("product(in)", {0});
    expect_reference("min(in)", {0});
    expect_reference("max(in)", {7});
    expect_reference("copy(in)", {3, 1, 7, 0, 4, 1, 6, 3});
    expect_reference("square(in)", {9, 1, 49, 0, 16, 1, 36, 9});
    expect_reference("add(in, b)", {13, 11, 17, 10, 14, 11, 16, 13});
    expect_reference("multiply(in, b)", {30, 10, 70, 0, 40, 10, 60, 30});
    expect_reference("axpy(n, in, b)", {16, 12, 24, 10, 18, 12, 22, 16});
    expect_reference("axpy(1 - n, in, in)", {0, 0, 0, 0, 0, 0, 0, 0});
    expect_reference("dot(in, b)", {250});
    expect_reference("dot(in, in)", {9 + 1 + 49 + 16 + 1 + 36 + 9}, "float");
    expect_reference("prefix_inclusive(in)", {3, 4, 11, 11, 15, 16, 22, 25});
    expect_reference("prefix_exclusive(in)", {0, 3, 4, 11, 11, 15, 16, 22});
    expect_reference("block_sums(in, 2 * n)", {11, 14});
    expect_reference("block_sums(in, 3)", {11, 5, 9});
    expect_reference("block_sums(in, 100)", {25});
    expect_reference("block_sums(in, 1 << 62)", {25, 0});
    expect_reference("grid_sums(in, 3, 2)", {3 + 1 + 6 + 3, 7 + 0, 4 + 1});
    expect_reference("grid_sums(in, 1, 64)", {25});
    expect_reference("histogram(in, 1)", {1, 2, 0, 2, 1, 0, 1, 1});
    expect_reference("histogram(in, 4)", {5, 3});
    expect_reference("constant(n)", {2, 2});
    expect_reference("merge(in, m)", {0, 1, 1, 1, 3, 3, 4, 6, 7, 10, 100});
    expect_reference("merge(b, m)", {1, 10, 10, 10, 10, 10, 10, 10, 10, 10, 100});  // both sorted
    expect_reference("reverse(in, 8)", {3, 6, 1, 4, 0, 7, 1, 3});
    expect_reference("reverse(in, n + 1)", {7, 1, 3, 1, 4, 0, 3, 6});
    expect_reference("convolve(in, m)", {3 * 10 + 1 * 100, 3 + 10 + 700, 1 + 70, 7 + 400, 40 + 100,
                                         4 + 10 + 600, 1 + 60 + 300, 6 + 30});
    expect_reference("convolve_clamp(in, m)", {133, 713, 71, 407, 140, 614, 361, 336});
    expect_reference("convolve_mirror(in, m)", {131, 713, 71, 407, 140, 614, 361, 636});
    expect_reference("convolve_wrap(in, m)", {133, 713, 71, 407, 140, 614, 361, 336});
    expect_reference("convolve_wrap(in, b)", {250, 250, 250, 250, 250, 250, 250, 250});
    expect_reference("convolve_clamp(in, b)", {230, 240, 220, 250, 250, 250, 270, 230});
}

// in = 3x + 1, 7x, 4x + 1, 6x + 3; the composition is 21x + 7 after two maps, 84x + 29 after three.
TEST(references, of_affine_maps) {
    const auto composed = [](const std::string& reference, const std::vector<double>& got,
                             const std::string& type = "int2",
                             const std::string& values = "3, 1, 7, 0, 4, 1, 6, 3") {
        return outcome(expecting(reference, type, std::to_string(got.size() / 2), values, type),
                       written(got, type));
    };
    EXPECT_EQ(composed("compose(in)", {504, 177}), "ok");
    EXPECT_NE(composed("compose(in)", {504, 178}), "ok");
    EXPECT_NE(composed("compose(in)", {504, 127}), "ok");  // would apply the last map first
    EXPECT_EQ(composed("block_compose(in, n)", {21, 7, 24, 9}), "ok");
    EXPECT_EQ(composed("block_compose(in, 3)", {84, 29, 6, 3, 1, 0}), "ok");
    EXPECT_EQ(composed("block_compose(in, pow(2, 62))", {504, 177}), "ok");
    EXPECT_NE(composed("block_compose(in, 3)", {84, 29, 6, 4}), "ok");
    EXPECT_EQ(composed("compose(in)", {0, 4294901759.0}, "uint2", "65536, 4294967295, 65536, 4294967295"),
              "ok");
    EXPECT_EQ(composed("compose(in)", {1, -5}, "long2", "-1, 2, -1, -3"), "ok");
    EXPECT_EQ(composed("block_compose(in, 3)", {84, 29}),
              "'block_compose' gives 2 pairs, but the buffer has 1 ('out')");
    EXPECT_EQ(composed("block_compose(in, 0)", {84, 29}),
              "'block_compose' needs a section of at least 1 element, got 0 ('out')");
    EXPECT_EQ(composed("compose(in)", {1, 0, 1, 0}), "'compose' gives 1 pair, but the buffer has 2 ('out')");
}

TEST(references, in_other_types) {
    expect_reference("sum(in)", {25}, "long");
    expect_reference("sum(in)", {25}, "float");
    expect_reference("sum(in)", {25}, "double");
    expect_reference("prefix_inclusive(in)", {3, 4, 11, 11, 15, 16, 22, 25}, "half");
    EXPECT_EQ(outcome(expecting("sum(in)", "uchar", "1", "200, 100", "uchar"), written({44}, "uchar")), "ok");
    EXPECT_EQ(
        outcome(expecting("sum(in)", "int", "1", "2147483647, 1", "int"), written({-2147483648.0}, "int")),
        "ok");
    EXPECT_EQ(outcome(expecting("min(in)", "char", "1", "-3, 2", "char"), written({-3}, "char")), "ok");
    EXPECT_EQ(
        outcome(expecting("max(in)", "uint", "1", "1, 4294967295", "uint"), written({4294967295.0}, "uint")),
        "ok");
    EXPECT_EQ(outcome(expecting("product(in)", "float", "1", "2, 2", "float"), written({4}, "float")), "ok");
    EXPECT_EQ(outcome(expecting("add(in, in)", "float2", "2", "1, 2, 3, 4", "float2"),
                      written({2, 4, 6, 8}, "float2")),
              "ok");
}

TEST(references, of_letters) {
    const Instance instance = instance_of(
        "[buffers]\nt = {type = \"char\", text = \"Programming Massively Parallel Processors\"}\n"
        "out = {type = \"int\", count = 7}\n" +
        some_launch + "[[expect]]\nbuffer = \"out\"\nequals = \"letter_histogram(t, 4)\"\n");
    EXPECT_EQ(outcome(instance, written({5, 5, 6, 6, 10, 1, 1}, "int")), "ok");
}

TEST(references, of_matrices) {
    const Instance instance = instance_of(
        "[buffers]\nin = {type = \"int\", shape = [2, 3], init = \"iota\"}\n"
        "out = {type = \"int\", shape = [3, 2]}\n" +
        some_launch + "[[expect]]\nbuffer = \"out\"\nequals = \"transpose(in)\"\n");
    EXPECT_EQ(outcome(instance, written({0, 3, 1, 4, 2, 5}, "int")), "ok");
    EXPECT_EQ(outcome(instance, written({0, 3, 1, 4, 2, 6}, "int")),
              "out[2][1]: 6, expected 5 (1 of 6 differ)");
}

TEST(references, of_products_and_masks) {
    const auto made = [](const std::string& equals, const std::string& shape) {
        return instance_of(
            "[buffers]\na = {type = \"int\", shape = [2, 3], values = [1, 2, 3, 4, 5, 6]}\n"
            "b = {type = \"int\", shape = [3, 2], values = [1, 0, 0, 1, 2, -1]}\n"
            "out = {type = \"float\", shape = " +
            shape + "}\n" + some_launch + "[[expect]]\nbuffer = \"out\"\nequals = \"" + equals + "\"\n");
    };
    EXPECT_EQ(outcome(made("matmul(a, b)", "[2, 2]"), written({7, -1, 16, -1}, "float")), "ok");
    EXPECT_NE(outcome(made("matmul(a, b)", "[2, 2]"), written({7, -1, 16, 1}, "float")), "ok");
    EXPECT_EQ(outcome(made("matmul(a, a)", "[2, 3]"), written({0, 0, 0, 0, 0, 0}, "float")),
              "'matmul' cannot multiply 2 × 3 by 2 × 3 ('out')");
    EXPECT_EQ(outcome(made("matmul(a, b)", "[2, 3]"), written({0, 0, 0, 0, 0, 0}, "float")),
              "'matmul' gives 2 × 2 elements, but the buffer has 2 × 3 ('out')");
    // The centre of b is row 1, column 1, so out[r][c] = a[r-1][c-1] + a[r][c] + 2 a[r+1][c-1] - a[r+1][c]
    EXPECT_EQ(outcome(made("convolve(a, b)", "[2, 3]"),
                      written({1 - 4, 2 + 8 - 5, 3 + 10 - 6, 4, 5 + 1, 6 + 2}, "float")),
              "ok");
}

// An odd number of rows and more than eight columns; negative elements, so that terms cancel.
TEST(references, products_of_floats_and_halves) {
    for (const auto& [left, right] : {std::pair{"float", "float"}, {"half", "half"}, {"double", "float"}}) {
        const Instance instance =
            instance_of("[buffers]\na = {type = \"" + std::string(left) +
                        "\", shape = [3, 5], init = \"iota(-7, 1)\"}\nb = {type = \"" + std::string(right) +
                        "\", shape = [5, 11], init = \"iota(-20, 1)\"}\n"
                        "out = {type = \"float\", shape = [3, 11]}\n" +
                        some_launch + "[[expect]]\nbuffer = \"out\"\nequals = \"matmul(a, b)\"\n");
        std::vector<double> product(33, 0);
        for (int i = 0; i < 33; ++i)
            for (int k = 0; k < 5; ++k)
                product[i] += (i / 11 * 5 + k - 7) * (k * 11 + i % 11 - 20);
        EXPECT_EQ(outcome(instance, written(product, "float")), "ok") << left;
        // The terms of the last element have the size 3 · 10 + 4 · 1 + … + 7 · 34 = 470, of which 1e-5 is
        // allowed.
        product[32] += 0.003;
        EXPECT_EQ(outcome(instance, written(product, "float")), "ok") << left;
        product[32] += 0.007;
        EXPECT_NE(outcome(instance, written(product, "float")), "ok") << left;
    }
}

TEST(references, of_rows) {
    const auto made = [](const std::string& equals, const std::string& shape,
                         const std::string& type = "float") {
        return instance_of(
            "[buffers]\nin = {type = \"int\", shape = [2, 3], values = [0, 0, 0, 1000, 1000, -1000]}\n"
            "k = {type = \"int\", shape = [2, 1], values = [0, 0]}\n"
            "v = {type = \"int\", shape = [2, 2], values = [2, 4, 6, 8]}\n"
            "g = {type = \"int\", count = 3, values = [1, 2, 1]}\nb = {type = \"int\", count = 3, values = "
            "[0, 0, 5]}\n"
            "out = {type = \"" +
            type + "\", shape = " + shape + "}\n" + some_launch +
            "[[expect]]\nbuffer = \"out\"\nequals = \"" + equals + "\"\n");
    };
    const double third = 1.0 / 3, half = 0.5;
    EXPECT_EQ(outcome(made("softmax(in)", "[2, 3]"), written({third, third, third, half, half, 0}, "float")),
              "ok");
    EXPECT_NE(outcome(made("softmax(in)", "[2, 3]"), written({third, third, third, half, 0.501, 0}, "float")),
              "ok");
    EXPECT_EQ(outcome(made("softmax(in)", "[2, 2]"), written({0, 0, 0, 0}, "float")),
              "'softmax' gives 6 elements, but the buffer has 4 ('out')");
    // Row 1 has the mean 1000 / 3 and the variance 8e6 / 9.
    const double low = std::sqrt(half);
    EXPECT_EQ(outcome(made("layer_norm(in, g, b)", "[2, 3]"),
                      written({0, 0, 5, low, 2 * low, 5 - 2 * low}, "float")),
              "ok");
    EXPECT_NE(
        outcome(made("layer_norm(in, g, b)", "[2, 3]"), written({0, 0, 5, low, low, 5 - 2 * low}, "float")),
        "ok");
    EXPECT_EQ(outcome(made("layer_norm(in, g, k)", "[2, 3]"), written({0, 0, 0, 0, 0, 0}, "float")),
              "'layer_norm' needs 3 elements in 'k', one for each column ('out')");
    EXPECT_EQ(outcome(made("attention(k, k, v)", "[2, 2]"), written({4, 6, 4, 6}, "float")), "ok");
    EXPECT_EQ(outcome(made("attention_causal(k, k, v)", "[2, 2]"), written({2, 4, 4, 6}, "float")), "ok");
    EXPECT_NE(outcome(made("attention_causal(k, k, v)", "[2, 2]"), written({4, 6, 4, 6}, "float")), "ok");
    EXPECT_EQ(outcome(made("attention(in, k, v)", "[2, 2]"), written({4, 6, 4, 6}, "float")),
              "'attention' cannot multiply 2 × 3 by the transpose of 2 × 1 ('out')");
}

// Two images of two channels of 1 × 2, under one filter with a row of three weights in the middle of each
// channel.
TEST(references, of_channels) {
    const auto made = [](const std::string& channels, const std::string& rows) {
        return instance_of(
            "[buffers]\nin = {type = \"int\", shape = [4, 2], init = \"iota\"}\n"
            "w = {type = \"int\", shape = [1, 18], values = [0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 10, 0, "
            "0, 0, 0]}\n"
            "out = {type = \"int\", shape = [2, 2]}\n" +
            some_launch + "[[expect]]\nbuffer = \"out\"\nequals = \"convolve_channels(in, w, " + channels +
            ", " + rows + ")\"\n");
    };
    EXPECT_EQ(outcome(made("2", "1"), written({3 + 20, 2 + 30, 8 + 15 + 60, 4 + 10 + 70}, "int")), "ok");
    EXPECT_NE(outcome(made("2", "1"), written({3 + 20, 2 + 30, 8 + 15 + 60, 4 + 10 + 60}, "int")), "ok");
    EXPECT_EQ(outcome(made("2", "3"), written({0, 0, 0, 0}, "int")),
              "'convolve_channels' cannot cut 4 rows into images of 2 channels of 3 rows ('out')");
    EXPECT_EQ(outcome(made("4", "1"), written({0, 0, 0, 0}, "int")),
              "'convolve_channels' needs filters of 4 squares, not 1 × 18 ('out')");
}

TEST(references, of_sparse_matrices_and_graphs) {
    const auto outcome_of = [](const std::string& reference, const std::vector<double>& got) {
        const Instance instance = instance_of(
            "[buffers]\noffsets = {type = \"int\", values = [0, 1, 3, 3, 5]}\n"
            "columns = {type = \"int\", values = [1, 0, 3, 0, 2]}\n"
            "values = {type = \"int\", values = [7, 2, 5, 1, 3]}\n"
            "x = {type = \"int\", values = [1, 10, 100, 1000]}\n"
            "out = {type = \"int\", count = " +
            std::to_string(got.size()) + "}\n" + some_launch + "[[expect]]\nbuffer = \"out\"\nequals = \"" +
            reference + "\"\n");
        return outcome(instance, written(got, "int"));
    };
    EXPECT_EQ(outcome_of("spmv(offsets, columns, values, x)", {70, 5002, 0, 301}), "ok");
    EXPECT_EQ(outcome_of("spmv(offsets, columns, values, x)", {70, 5002, 0, 300}),
              "out[3]: 300, expected 301 (1 of 4 differ)");
    EXPECT_NE(outcome_of("spmv(columns, columns, values, x)", {0, 0, 0, 0}).find("never decrease"),
              std::string::npos);
    EXPECT_NE(outcome_of("spmv(offsets, values, values, x)", {0, 0, 0, 0}).find("columns below 4"),
              std::string::npos);
    EXPECT_EQ(outcome_of("levels(offsets, columns, 0)", {0, 1, 3, 2}), "ok");
    EXPECT_EQ(outcome_of("levels(offsets, columns, 2)", {-1, -1, 0, -1}), "ok");
    EXPECT_NE(outcome_of("levels(offsets, columns, 4)", {0, 0, 0, 0}).find("a source below 4"),
              std::string::npos);
}

TEST(references, of_heat) {
    const auto outcome_of = [](const std::string& rows, const std::string& reference,
                               const std::vector<double>& got) {
        const Instance instance = instance_of(
            "[buffers]\nin = {type = \"float\", shape = [" + rows + ", 3], init = \"each(i % 2 * 8)\"}\n" +
            "out = {type = \"float\", shape = [" + rows + ", 3]}\n" + some_launch +
            "[[expect]]\nbuffer = \"out\"\nequals = \"" + reference + "\"\n");
        return outcome(instance, written(got, "float"));
    };
    EXPECT_EQ(outcome_of("3", "heat(in, 0)", {0, 8, 0, 8, 0, 8, 0, 8, 0}), "ok");
    EXPECT_EQ(outcome_of("3", "heat(in, 1)", {0, 8, 0, 8, 4, 8, 0, 8, 0}), "ok");
    EXPECT_EQ(outcome_of("3", "heat(in, 2)", {0, 8, 0, 8, 6, 8, 0, 8, 0}), "ok");
    std::vector<double> solid(27);
    for (std::size_t i = 0; i < solid.size(); ++i)
        solid[i] = static_cast<double>(i % 2 * 8);
    solid[13] = 8 + (0.0 - 6 * 8) / 8;  // all six neighbours of the middle are 0
    EXPECT_EQ(outcome_of("9", "heat(in, 1, 3)", solid), "ok");
    EXPECT_NE(outcome_of("9", "heat(in, 1, 2)", solid).find("9 rows into 2 planes"), std::string::npos);
}

TEST(references, dot_needs_vectors_of_one_size) {
    EXPECT_EQ(outcome(expecting("dot(in, m)", "int", "1"), written({0}, "int")),
              "'dot' cannot multiply 8 elements by 3 ('out')");
    EXPECT_EQ(outcome(expecting("dot(in, b)", "int", "2"), written({0, 0}, "int")),
              "'dot' gives 1 element, but the buffer has 2 ('out')");
}

TEST(references, of_nothing) {
    const std::string empty =
        "[buffers]\nin = {type = \"int\", count = 0, init = \"zero\"}\n"
        "out = {type = \"int\", count = 1}\n" +
        some_launch + "[[expect]]\nbuffer = \"out\"\nequals = ";
    EXPECT_EQ(outcome(instance_of(empty + "\"block_sums(in, 64)\"\n"), written({0}, "int")), "ok");
    EXPECT_EQ(outcome(instance_of(empty + "\"sum(in)\"\n"), written({0}, "int")), "ok");
    EXPECT_EQ(outcome(instance_of(empty + "\"min(in)\"\n"), written({0}, "int")),
              "'min' has no value for an empty buffer ('out')");
}

TEST(references, choose_and_move_elements) {
    const std::string in = "3, -1, 7, 0, 4, 1, -6, 3";
    const auto of = [&](const std::string& call, const std::string& count, std::vector<double> result) {
        return outcome(expecting(call, "int", count, in), written(result, "int"));
    };
    EXPECT_EQ(of("sort(in)", "8", {-6, -1, 0, 1, 3, 3, 4, 7}), "ok");
    EXPECT_EQ(of("sort(in, 3)", "8", {-1, 3, 7, 0, 1, 4, -6, 3}), "ok");
    EXPECT_EQ(of("sort(in)", "8", {-6, -1, 0, 1, 3, 4, 3, 7}), "out[5]: 4, expected 3 (2 of 8 differ)");
    EXPECT_EQ(of("sort(in, 0)", "8", {0, 0, 0, 0, 0, 0, 0, 0}),
              "'sort' needs a section of at least 1 element, got 0 ('out')");
    EXPECT_EQ(of("count_if(in, x > 0 && x % 2 == 1)", "1", {4}), "ok");
    EXPECT_EQ(of("compact(in, x > 0)", "8", {3, 7, 4, 1, 3, 99, 99, 99}), "ok");
    EXPECT_EQ(of("compact(in, x > 0)", "8", {3, 7, 4, 3, 1, 99, 99, 99}),
              "out[3]: 3, expected 1 (2 of 5 differ)");
    EXPECT_EQ(of("compact(in, x > 0)", "4", {3, 7, 4, 1}),
              "'compact' gives 5 elements, but the buffer has 4 ('out')");
    EXPECT_EQ(of("count_if(in, 1 / x > 0)", "1", {4}).find("'count_if' fails for element 3: "), 0u);
}

TEST(references, gather_checks_the_indices) {
    const std::string buffers =
        "[buffers]\nin = {type = \"float\", count = 4, values = [1, 2, 3, 4]}\n"
        "index = {type = \"int\", count = 3, values = [3, 0, LAST]}\n"
        "out = {type = \"float\", count = 3}\n" +
        some_launch + "[[expect]]\nbuffer = \"out\"\nequals = \"gather(in, index)\"\n";
    const auto with = [&](const std::string& last) {
        std::string text = buffers;
        return instance_of(text.replace(text.find("LAST"), 4, last));
    };
    EXPECT_EQ(outcome(with("1"), written({4, 1, 2}, "float")), "ok");
    EXPECT_EQ(outcome(with("-1"), written({4, 1, 2}, "float")),
              "'gather' needs indices below 4, but element 2 of 'index' is -1 ('out')");
}

TEST(check, compares_with_what_the_launches_wrote) {
    const Instance instance = instance_of(
        "[buffers]\nin = {type = \"int\", count = 2, init = \"iota\"}\nbetween = {type = \"int\", count = "
        "2}\n"
        "out = {type = \"int\", count = 2}\n" +
        some_launch + "[[expect]]\nbuffer = \"out\"\nequals = \"copy(between)\"\n");
    Results results{
        {"in", written({0, 1}, "int")}, {"between", written({5, 6}, "int")}, {"out", written({5, 7}, "int")}};
    const auto outcomes = check(instance, results, "k.cu");
    ASSERT_TRUE(outcomes);
    EXPECT_EQ(outcomes->at(0).mismatch, "out[1]: 7, expected 6 (1 of 2 differ)");
}

TEST(check, compares_the_first_elements_only) {
    const std::string text =
        "[buffers]\nin = {type = \"int\", count = 4, init = \"iota\"}\nout = {type = \"int\", count = 4}\n" +
        some_launch + "[[expect]]\nbuffer = \"out\"\nequals = \"copy(in)\"\nfirst = ";
    EXPECT_EQ(outcome(instance_of(text + "2\n"), written({0, 1, 9, 9}, "int")), "ok");
    EXPECT_EQ(outcome(instance_of(text + "\"in.count - 1\"\n"), written({0, 1, 9, 9}, "int")),
              "out[2]: 9, expected 2 (1 of 3 differ)");
    EXPECT_EQ(outcome(instance_of(text + "5\n"), written({0, 1, 2, 3}, "int")),
              "'first' is 5, but 'out' has 4 elements");
}

TEST(references, are_listed_in_order) {
    for (std::size_t i = 1; i < references().size(); ++i)
        EXPECT_LT(references()[i - 1].name, references()[i].name);
}

TEST(check, reports_the_first_mismatch_and_how_many) {
    const Instance instance = expecting("copy(in)", "int", "8");
    EXPECT_EQ(outcome(instance, written({3, 1, 7, 17, 4, 1, 6, -3}, "int")),
              "out[3]: 17, expected 0 (2 of 8 differ)");
    BufferResult partly = written({3, 1, 7, 0, 4, 1, 6, 3}, "int");
    partly.set[3 * 4 + 1] = false;  // one unset byte makes the element unwritten
    EXPECT_EQ(outcome(instance, partly), "out[3] was never written, expected 0 (1 of 8 differ)");
}

TEST(check, floating_point_has_a_tolerance) {
    const Instance as_float = expecting("sum(in)", "float", "1", "0.1, 0.2", "float");
    EXPECT_EQ(outcome(as_float, written({0.300001}, "float")), "ok");
    EXPECT_EQ(outcome(as_float, written({0.30001}, "float")),
              "out[0]: 0.30001, expected 0.3 (1 of 1 differ)");
    const Instance as_double = expecting("sum(in)", "double", "1", "0.1, 0.2", "double");
    EXPECT_NE(outcome(as_double, written({0.300001}, "double")), "ok");
    EXPECT_EQ(outcome(as_double, written({0.3 + 1e-13}, "double")), "ok");
    // Cancellation: the tolerance is relative to the size of the terms, as rounding errors are.
    const Instance cancelled = expecting("sum(in)", "float", "1", "1e6, -1e6, 1", "float");
    EXPECT_EQ(outcome(cancelled, written({1.0625}, "float")), "ok");
    EXPECT_NE(outcome(cancelled, written({100}, "float")), "ok");
    const Instance wide = instance_of(
        "[buffers]\nin = {type = \"float\", count = 4, init = \"constant(1)\"}\n"
        "out = {type = \"float\", count = 1}\n" +
        some_launch + "[[expect]]\nbuffer = \"out\"\nequals = \"sum(in)\"\ntolerance = 0.1\n");
    EXPECT_EQ(outcome(wide, written({4.3}, "float")), "ok");
    EXPECT_NE(outcome(wide, written({4.5}, "float")), "ok");
}

TEST(check, infinities_and_nans) {
    const double infinity = std::numeric_limits<double>::infinity();
    const Instance huge = expecting("product(in)", "float", "1", "1e30, 1e30", "float");
    EXPECT_EQ(outcome(huge, written({infinity}, "float")), "ok");
    EXPECT_NE(outcome(huge, written({3e38}, "float")), "ok");
    EXPECT_NE(outcome(huge, written({-infinity}, "float")), "ok");
    EXPECT_NE(outcome(huge, written({std::nan("")}, "float")), "ok");
    const Instance not_a_number = expecting("sum(in)", "float", "1", "nan, 1", "float");
    EXPECT_EQ(outcome(not_a_number, written({std::nan("")}, "float")), "ok");
    EXPECT_NE(outcome(not_a_number, written({1}, "float")), "ok");
    const Instance infinite = expecting("sum(in)", "float", "1", "inf, 1", "float");
    EXPECT_EQ(outcome(infinite, written({infinity}, "float")), "ok");
    EXPECT_NE(outcome(infinite, written({1}, "float")), "ok");
}

TEST(check, listed_values) {
    const Instance instance = instance_of("[buffers]\nout = {type = \"int\", count = 3}\n" + some_launch +
                                          "[[expect]]\nbuffer = \"out\"\nvalues = [11, -22, 33]\n");
    EXPECT_EQ(outcome(instance, written({11, -22, 33}, "int")), "ok");
    EXPECT_EQ(outcome(instance, written({11, -22, 34}, "int")), "out[2]: 34, expected 33 (1 of 3 differ)");
    const Instance other = instance_of("[buffers]\nout = {type = \"int\", count = 4}\n" + some_launch +
                                       "[[expect]]\nbuffer = \"out\"\nvalues = [11, 22, 33]\n");
    EXPECT_EQ(outcome(other, written({11, 22, 33, 0}, "int")),
              "'out' has 4 elements, but 3 values are listed");
}

TEST(check, bad_sizes_are_mismatches) {
    EXPECT_EQ(outcome(expecting("sum(in)", "int", "2"), written({25, 0}, "int")),
              "'sum' gives 1 element, but the buffer has 2 ('out')");
    EXPECT_EQ(outcome(expecting("block_sums(in, 2)", "int", "3"), written({1, 2, 3}, "int")),
              "'block_sums' gives 4 elements, but the buffer has 3 ('out')");
    EXPECT_EQ(outcome(expecting("block_sums(in, n - 2)", "int", "3"), written({1, 2, 3}, "int")),
              "'block_sums' needs a section of at least 1 element, got 0 ('out')");
    EXPECT_EQ(outcome(expecting("grid_sums(in, 0, 2)", "int", "1"), written({1}, "int")),
              "'grid_sums' needs at least 1 block of at least 1 thread ('out')");
    EXPECT_EQ(outcome(expecting("histogram(in, n / 0)", "int", "1"), written({1}, "int")),
              "a division by zero");
    EXPECT_EQ(outcome(expecting("sum(in)", "int", "1"), BufferResult{}), "the run left no contents of 'out'");
    const auto nothing = check(expecting("sum(in)", "int", "1"), {}, "k.cu");
    ASSERT_TRUE(nothing);
    EXPECT_FALSE(nothing->at(0).ok);
}

}  // namespace check_test
}  // namespace lanescope::lesson
