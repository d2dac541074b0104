#include "expression/parser.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace lanescope::expression {
namespace parser_test {

// Returns the tree with all parentheses: "(a + (b * c))".
std::string spell(const SyntaxTree& tree, std::uint32_t at) {
    const Node& node = tree[at];
    const auto part = [&](std::size_t i) { return spell(tree, node.parts[i]); };
    switch (node.op) {
        case Node::Op::number:
        case Node::Op::name:
            return node.text;
        case Node::Op::member:
            return part(0) + "." + node.text;
        case Node::Op::arrow:
            return part(0) + "->" + node.text;
        case Node::Op::index:
            return part(0) + "[" + part(1) + "]";
        case Node::Op::dereference:
            return "(*" + part(0) + ")";
        case Node::Op::unary:
            return "(" + node.text + part(0) + ")";
        case Node::Op::binary:
        case Node::Op::logical_and:
        case Node::Op::logical_or:
            return "(" + part(0) + " " + node.text + " " + part(1) + ")";
        case Node::Op::conditional:
            return "(" + part(0) + " ? " + part(1) + " : " + part(2) + ")";
        case Node::Op::call: {
            std::string text = node.text + "(";
            for (std::size_t i = 0; i < node.parts.size(); ++i)
                text += (i == 0 ? "" : ", ") + part(i);
            return text + ")";
        }
    }
    return "?";
}

std::string tree_of(std::string_view text, Caret caret = Caret::exclusive_or) {
    const Result<SyntaxTree> tree = parse(text, caret);
    if (tree) return spell(*tree, tree->root);
    const Diagnostic& problem = tree.diagnostics().front();
    return std::to_string(problem.column) + ": " + problem.message;
}

TEST(ExpressionParser, precedence_is_that_of_cpp) {
    EXPECT_EQ(tree_of("a || b && c | d ^ e & f == g < h << i + j * k"),
              "(a || (b && (c | (d ^ (e & (f == (g < (h << (i + (j * k))))))))))");
    EXPECT_EQ(tree_of("k * j + i << h < g == f & e ^ d | c && b || a"),
              "((((((((((k * j) + i) << h) < g) == f) & e) ^ d) | c) && b) || a)");
    EXPECT_EQ(tree_of("-a * !b + ~c - *d"), "((((-a) * (!b)) + (~c)) - (*d))");
}

TEST(ExpressionParser, associativity_is_that_of_cpp) {
    EXPECT_EQ(tree_of("a - b - c"), "((a - b) - c)");
    EXPECT_EQ(tree_of("a ^ b xor c"), "((a ^ b) ^ c)");
    EXPECT_EQ(tree_of("a ? b : c ? d : e"), "(a ? b : (c ? d : e))");
    EXPECT_EQ(tree_of("a ? b ? c : d : e"), "(a ? (b ? c : d) : e)");
}

TEST(ExpressionParser, postfixes_bind_tightest) {
    EXPECT_EQ(tree_of("*p->a[i].b + f(x, y + 1)[2]"), "((*p->a[i].b) + f(x, (y + 1))[2])");
    EXPECT_EQ(tree_of("threadIdx.x"), "threadIdx.x");
    EXPECT_EQ(tree_of("f()"), "f()");
}

TEST(ExpressionParser, operators_need_not_stand_apart) {
    EXPECT_EQ(tree_of("a<<b>>c<=d>=e&&f||g!=h"), "((((((a << b) >> c) <= d) >= e) && f) || (g != h))");
    EXPECT_EQ(tree_of("a-b"), "(a - b)");
    EXPECT_EQ(tree_of("a - -b"), "(a - (-b))");
    EXPECT_EQ(tree_of("a /* sum */ + b // end"), "(a + b)");
}

TEST(ExpressionParser, carets_of_settings_are_powers) {
    EXPECT_EQ(tree_of("2^20", Caret::power), "pow(2, 20)");
    EXPECT_EQ(tree_of("-2^2^n * 3", Caret::power), "((-pow(2, pow(2, n))) * 3)");
    EXPECT_EQ(tree_of("2^-1", Caret::power), "pow(2, (-1))");
    EXPECT_EQ(tree_of("a xor b", Caret::power), "(a ^ b)");
}

TEST(ExpressionParser, literals_keep_their_spelling) {
    const auto literal = [](std::string_view text) { return parse(text)->nodes.at(0).literal; };
    EXPECT_EQ(literal("1'000'000").whole, 1000000u);
    EXPECT_EQ(literal("0xFfu").whole, 255u);
    EXPECT_TRUE(literal("0xFfu").hexadecimal && literal("0xFfu").has_u);
    EXPECT_TRUE(literal("7ull").has_u && literal("7ull").has_l);
    EXPECT_EQ(literal("18446744073709551615").whole, ~std::uint64_t{0});
    EXPECT_TRUE(literal("1e3").is_real);
    EXPECT_EQ(literal(".5f").real, 0.5);
    EXPECT_TRUE(literal(".5f").has_f);
    EXPECT_FALSE(literal("0xf").is_real || literal("0xf").has_f);
}

TEST(ExpressionParser, columns_are_those_of_operators) {
    const Result<SyntaxTree> tree = parse("é + f(a) * in.count");
    ASSERT_TRUE(tree);
    EXPECT_EQ((*tree)[tree->root].column, 4);
    const Node& product = (*tree)[(*tree)[tree->root].parts[1]];
    EXPECT_EQ(product.column, 11);
    EXPECT_EQ((*tree)[product.parts[0]].column, 6);
    EXPECT_EQ(tree->dotted_name((*tree)[product.parts[1]]), "in.count");
    EXPECT_EQ(tree->dotted_name(product), "");
}

TEST(ExpressionParser, bad_syntax_is_located) {
    EXPECT_EQ(tree_of(""), "1: an expression is expected");
    EXPECT_EQ(tree_of("a +"), "4: a value is expected here");
    EXPECT_EQ(tree_of("(a"), "3: ')' is expected here");
    EXPECT_EQ(tree_of("a[1"), "4: ']' is expected here");
    EXPECT_EQ(tree_of("a ? b"), "6: ':' is expected here");
    EXPECT_EQ(tree_of("a."), "3: a name is expected here");
    EXPECT_EQ(tree_of("f(a,)"), "5: a value is expected here");
    EXPECT_EQ(tree_of("a b"), "3: an operator or the end is expected here");
    EXPECT_EQ(tree_of("a <<< b"), "3: an operator or the end is expected here");
    EXPECT_EQ(tree_of("a & & b"), "5: a value is expected here");
    EXPECT_EQ(tree_of("a = 5"), "3: an expression cannot assign; use '==' to compare");
    EXPECT_EQ(tree_of("a *= 5"), "4: an expression cannot assign; use '==' to compare");
    EXPECT_EQ(tree_of("3x"), "1: '3x' is not a number");
    EXPECT_EQ(tree_of("1.2.3"), "1: '1.2.3' is not a number");
    EXPECT_EQ(tree_of("1 + 010"), "5: '010' is octal in C++: leave out the leading zero");
    EXPECT_EQ(tree_of("99999999999999999999"), "1: the number does not fit into 64 bits");
    EXPECT_EQ(tree_of("\"a\""), "1: a value is expected here");
    EXPECT_EQ(tree_of("#define"), "1: a value is expected here");
}

TEST(ExpressionParser, bad_sizes_are_refused) {
    EXPECT_EQ(tree_of(std::string(5000, '(')), "1: the expression is longer than 4096 characters");
    EXPECT_EQ(tree_of(std::string(300, '(')), "201: the expression is nested too deeply");
    EXPECT_EQ(tree_of(std::string(300, '-') + "1"), "200: the expression is nested too deeply");
    std::string sum = "1", powers = "2";
    for (int i = 0; i < 1000; ++i) {
        sum += "+1";
        powers += "^2";
    }
    EXPECT_EQ(tree_of(sum), "1002: the expression is nested too deeply");
    EXPECT_NE(tree_of(powers, Caret::power).find("nested too deeply"), std::string::npos);
}

TEST(ExpressionParser, bad_random_texts_end) {
    std::mt19937 random(3);
    const std::string pieces[] = {"a",  "1", "(", ")",    "[",  "]", "?", ":",  "-",  "^",  "<",  "<<", ".",
                                  "->", ",", " ", "xor ", "\"", "'", "#", "0x", "/*", "\\", "\n", "="};
    int fine = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string text;
        for (unsigned i = random() % 9; i > 0; --i)
            text += pieces[random() % std::size(pieces)];
        const Result<SyntaxTree> tree = parse(text, round % 2 == 0 ? Caret::power : Caret::exclusive_or);
        if (!tree) {
            ASSERT_GE(tree.diagnostics().front().column, 1);
            ASSERT_LE(tree.diagnostics().front().column, static_cast<int>(text.size()) + 1);
            continue;
        }
        ++fine;
        for (std::size_t i = 0; i < tree->nodes.size(); ++i)
            for (const std::uint32_t part : tree->nodes[i].parts)
                ASSERT_LT(part, i) << text;
    }
    EXPECT_GT(fine, 100);
}

}  // namespace parser_test
}  // namespace lanescope::expression
