// Typed, located access to TOML for front matter and lesson.toml. Collects all errors, so that the user sees
// every error of a file at once.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Damaged text such as "[[[" violates assertions of toml++, which are promises to the optimiser with NDEBUG
// and TOML_ASSERTs without it. With an empty TOML_ASSERT the parser reports its own error.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include "base/result.h"
#include "lesson/front_matter.h"

namespace lanescope::lesson {

class TomlReader {
  public:
    explicit TomlReader(std::string file) : file_(std::move(file)) {}

    // `line` and `column` are the position of `text` in the file; errors are located relative to it.
    std::optional<toml::table> parse(std::string_view text, int line = 1, int column = 1);

    // Reports each key that is not in `known`, with the nearest known key as a hint. `where`: "a buffer".
    void check_keys(const toml::table& table, const std::vector<std::string>& known,
                    const std::string& where);

    // Returns the keys in the order of the file; a table itself sorts them.
    static std::vector<std::pair<const toml::key*, const toml::node*>> in_order(const toml::table& table);

    // These return nothing if the key is missing or has the wrong type; a wrong type is also an error.
    std::optional<std::string> text(const toml::table& table, std::string_view key);
    std::optional<std::int64_t> integer(const toml::table& table, std::string_view key);
    std::optional<double> number(const toml::table& table, std::string_view key);
    std::optional<bool> boolean(const toml::table& table, std::string_view key);
    std::optional<Expression> expression(const toml::table& table, std::string_view key);
    const toml::table* table(const toml::table& table, std::string_view key);
    std::vector<std::string> texts(const toml::table& table, std::string_view key);
    std::vector<std::int64_t> integers(const toml::table& table, std::string_view key);
    std::vector<double> numbers(const toml::table& table, std::string_view key);
    // Also accepts a single expression instead of a list.
    std::vector<Expression> expressions(const toml::table& table, std::string_view key,
                                        std::size_t most = std::numeric_limits<std::size_t>::max());
    // Returns the tables of [[key]].
    std::vector<const toml::table*> tables(const toml::table& table, std::string_view key);

    void missing(const toml::node& node, const std::string& key, const std::string& where,
                 const std::string& example);
    void fail(const toml::node& node, std::string message, std::string hint = {});
    void fail_at(int line, int column, std::string message, std::string hint = {});
    void add(const Diagnostics& more) { problems_.insert(problems_.end(), more.begin(), more.end()); }

    static int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }
    const std::string& file() const { return file_; }
    bool ok() const { return problems_.empty(); }
    Diagnostics problems() const;  // in the order of the file

  private:
    std::optional<Expression> expression_of(const toml::node& node, std::string_view key);
    void wrong_type(const toml::node& node, std::string_view key, const std::string& expected);
    // Calls `each` for the items of an array; a wrong type is an error.
    void for_each(const toml::table& table, std::string_view key, const std::string& expected,
                  const std::function<void(const toml::node&)>& each);

    std::string file_;
    Diagnostics problems_;
};

}  // namespace lanescope::lesson
