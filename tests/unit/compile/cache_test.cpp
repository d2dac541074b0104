#include "compile/cache.h"

#include "fixture.h"

namespace lanescope::compile {
namespace cache_test {

namespace fs = std::filesystem;
using Cache = CompileTest;

TEST_F(Cache, gives_back_what_was_put) {
    const DiskCache cache(folder);
    EXPECT_FALSE(cache.get("a"));
    cache.put("a", std::string("x\0y", 3));
    ASSERT_TRUE(cache.get("a"));
    EXPECT_EQ(*cache.get("a"), std::string("x\0y", 3));
    EXPECT_FALSE(cache.get("b"));
}

TEST_F(Cache, bad_entries_are_no_entries) {
    const DiskCache cache(folder);
    cache.put("a", "a long enough value");
    const std::string whole = *read_file(folder / "a.entry");
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ 1);
        write("a.entry", damaged);
        EXPECT_FALSE(cache.get("a")) << "byte " << i;
        write("a.entry", whole.substr(0, i));
        EXPECT_FALSE(cache.get("a")) << "cut at " << i;
    }
    write("b.entry", whole);
    EXPECT_FALSE(cache.get("b")) << "the entry belongs to another key";
}

TEST_F(Cache, the_longest_unused_go_first) {
    const DiskCache cache(folder, 4000);
    const std::string value(900, 'v');
    for (const char* key : {"a", "b", "c"})
        cache.put(key, value);
    const auto now = fs::file_time_type::clock::now();
    fs::last_write_time(folder / "a.entry", now - std::chrono::hours(3));
    fs::last_write_time(folder / "b.entry", now - std::chrono::hours(2));
    fs::last_write_time(folder / "c.entry", now - std::chrono::hours(1));
    EXPECT_TRUE(cache.get("a"));  // used again
    cache.put("d", value);
    cache.put("e", value);
    EXPECT_TRUE(cache.get("a"));
    EXPECT_FALSE(cache.get("b"));
    EXPECT_TRUE(cache.get("e"));
}

}  // namespace cache_test
}  // namespace lanescope::compile
