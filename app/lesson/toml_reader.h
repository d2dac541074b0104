// Typed, located access to TOML, shared by front matter and lesson.toml. Everything that is wrong is
// collected, so that a person sees all errors of a file at once.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Some damaged text breaks what toml++ takes for granted ("[[["). With NDEBUG that is a promise to the
// optimiser, without it a TOML_ASSERT; as one that does nothing it lets the parser come to its own error.
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

    // `line` and `column`: where `text` begins in the file, so that every later error is located there.
    std::optional<toml::table> parse(std::string_view text, int line = 1, int column = 1);

    // An error for each key that is not in `known`, with the nearest one as hint. `where`: "a buffer".
    void check_keys(const toml::table& table, const std::vector<std::string>& known,
                    const std::string& where);

    // The keys in the order of the file (a table sorts them).
    static std::vector<std::pair<const toml::key*, const toml::node*>> in_order(const toml::table& table);

    // Nothing when the key is missing; when its type is wrong, nothing and an error.
    std::optional<std::string> text(const toml::table& table, std::string_view key);
    std::optional<std::int64_t> integer(const toml::table& table, std::string_view key);
    std::optional<double> number(const toml::table& table, std::string_view key);
    std::optional<bool> boolean(const toml::table& table, std::string_view key);
    std::optional<Expression> expression(const toml::table& table, std::string_view key);
    const toml::table* table(const toml::table& table, std::string_view key);
    std::vector<std::string> texts(const toml::table& table, std::string_view key);
    std::vector<std::int64_t> integers(const toml::table& table, std::string_view key);
    std::vector<double> numbers(const toml::table& table, std::string_view key);
    // One expression stands for a list of one.
    std::vector<Expression> expressions(const toml::table& table, std::string_view key,
                                        std::size_t most = std::numeric_limits<std::size_t>::max());
    // The tables of [[key]].
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
    // Runs `each` over the items of an array of at most `most`; a wrong type is an error.
    void for_each(const toml::table& table, std::string_view key, const std::string& expected,
                  const std::function<void(const toml::node&)>& each);

    std::string file_;
    Diagnostics problems_;
};

}  // namespace lanescope::lesson
