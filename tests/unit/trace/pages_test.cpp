#include <gtest/gtest.h>

#include <map>
#include <random>

#include "trace/pages.h"

namespace lanescope::trace {
namespace pages_test {

int first_byte(const PageTree& tree, std::uint64_t number) {
    const Page* page = tree.find(number);
    return page == nullptr ? -1 : static_cast<int>(page->bytes[0]);
}

void put(PageTree& tree, std::uint64_t number, int value) {
    tree.writable(number).bytes[0] = static_cast<std::byte>(value);
}

TEST(PageTree, pages_exist_once_they_are_written) {
    PageTree tree;
    EXPECT_EQ(tree.find(0), nullptr);
    for (const std::uint64_t number : {0ull, 63ull, 64ull, 5000ull, 1ull << 40})
        put(tree, number, 7);
    for (const std::uint64_t number : {0ull, 63ull, 64ull, 5000ull, 1ull << 40})
        EXPECT_EQ(first_byte(tree, number), 7) << number;
    for (const std::uint64_t number : {1ull, 65ull, 4999ull, 1ull << 41, ~0ull})
        EXPECT_EQ(first_byte(tree, number), -1) << number;
    EXPECT_EQ(tree.pages_made(), 5u);
    EXPECT_EQ(tree.clear(), 5u);
    EXPECT_EQ(tree.find(63), nullptr);
}

TEST(PageTree, a_copy_keeps_what_it_had) {
    PageTree tree;
    put(tree, 3, 1);
    put(tree, 300, 2);
    const PageTree copy = tree;
    put(tree, 3, 9);
    EXPECT_EQ(first_byte(copy, 3), 1);
    EXPECT_EQ(first_byte(tree, 3), 9);
    EXPECT_EQ(copy.find(300), tree.find(300));  // a page that was not written stays shared
    EXPECT_EQ(tree.clear(), 1u);
    EXPECT_EQ(first_byte(copy, 300), 2);
}

TEST(PageTree, a_page_that_only_a_copy_of_a_copy_shares) {
    PageTree tree;
    put(tree, 300, 2);
    put(tree, 3, 1);
    PageTree copy = tree;
    // Copies the nodes above page 300. The first tree then has its nodes to itself, but still shares page 3.
    put(copy, 300, 5);
    put(tree, 3, 9);
    EXPECT_EQ(first_byte(copy, 3), 1);
    EXPECT_EQ(first_byte(tree, 300), 2);
}

// Compares many copies, written in random order, each with its own map.
TEST(PageTree, random_copies) {
    std::mt19937_64 random(5);
    struct One {
        PageTree tree;
        std::map<std::uint64_t, int> pages;
    };
    std::vector<One> all(1);
    for (int round = 0; round < 20000; ++round) {
        One& one = all[random() % all.size()];
        const std::uint64_t number = random() % 40 * (random() % 2 == 0 ? 1 : 70);
        switch (random() % 8) {
            case 0:
                if (all.size() < 12) all.push_back(One(one));
                break;
            case 1:
                if (all.size() > 1)
                    all.erase(all.begin() + static_cast<std::ptrdiff_t>(random() % all.size()));
                break;
            default:
                one.pages[number] = static_cast<int>(random() % 256);
                put(one.tree, number, one.pages[number]);
        }
        const One& other = all[random() % all.size()];
        for (const auto& [at, value] : other.pages)
            ASSERT_EQ(first_byte(other.tree, at), value) << round;
    }
}

}  // namespace pages_test
}  // namespace lanescope::trace
