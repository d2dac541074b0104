#include "lesson/toml_reader.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "lesson/suggest.h"

namespace lanescope::lesson {

namespace {

constexpr std::size_t max_bytes = 4u << 20;
constexpr int max_dots = 16;

struct Unreadable {
    int line = 0;
    std::string reason;
};

// Finds text that toml++ cannot handle. It limits nested values but not the parts of a dotted key, and it
// frees nested tables by recursion, so a key of 200,000 parts would overflow the stack. Version 3.3 has
// undefined behaviour for some non-ASCII letters outside strings, where TOML allows none.
std::optional<Unreadable> unreadable_part(std::string_view text) {
    int line = 1, dots = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n') ++line;
        if (c == '"' || c == '\'') {
            const bool triple = text.substr(i, 3) == std::string(3, c);
            const std::string_view mark = triple ? text.substr(i, 3) : text.substr(i, 1);
            for (i += mark.size(); i < text.size() && text.substr(i, mark.size()) != mark; ++i) {
                if (text[i] == '\\' && c == '"') ++i;
                if (i < text.size() && text[i] == '\n') {
                    ++line;
                    if (!triple) break;
                }
            }
            i += mark.size() - 1;
            continue;
        }
        if (c == '#') {
            while (i + 1 < text.size() && text[i + 1] != '\n')
                ++i;
        } else if (c == '.') {
            if (++dots > max_dots) return Unreadable{line, "a key has more than 16 parts"};
        } else if (static_cast<unsigned char>(c) >= 0x80) {
            return Unreadable{line, "a non-ASCII letter is outside quotation marks"};
        } else if (std::string_view(",=[]{}\n").find(c) != std::string_view::npos) {
            dots = 0;
        }
    }
    return std::nullopt;
}

std::string kind_of(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::table:
            return "a table";
        case toml::node_type::array:
            return "an array";
        case toml::node_type::string:
            return "a string";
        case toml::node_type::integer:
            return "an integer";
        case toml::node_type::floating_point:
            return "a number with a fraction";
        case toml::node_type::boolean:
            return "a boolean";
        default:
            return "a date or time";
    }
}

// Removes toml++'s prefix, which repeats the position, and replaces its message that calls the end of a line
// a control character.
std::string plain(std::string_view description) {
    if (const std::size_t colon = description.find(": ");
        description.starts_with("Error while") && colon != description.npos)
        description.remove_prefix(colon + 2);
    if (description.find("unescaped control characters") != description.npos)
        return "the string is not closed on its line, or holds a control character";
    return std::string(description);
}

}  // namespace

std::optional<toml::table> TomlReader::parse(std::string_view text, int line, int column) {
    if (text.size() > max_bytes) {
        fail_at(line, column, "more than 4 MiB of TOML");
        return std::nullopt;
    }
    if (const std::optional<Unreadable> part = unreadable_part(text)) {
        fail_at(line + part->line - 1, 0, part->reason);
        return std::nullopt;
    }
    // Leading blank lines and spaces make the parser report the right lines and columns.
    std::string padded(static_cast<std::size_t>(line - 1), '\n');
    padded.append(static_cast<std::size_t>(column - 1), ' ');
    padded.append(text);
    toml::parse_result result = toml::parse(std::string_view(padded));
    if (result) return std::move(result).table();
    const auto& begin = result.error().source().begin;
    fail_at(static_cast<int>(begin.line), static_cast<int>(begin.column),
            plain(result.error().description()));
    return std::nullopt;
}

void TomlReader::check_keys(const toml::table& table, const std::vector<std::string>& known,
                            const std::string& where) {
    for (const auto& [key, node] : table) {
        const std::string name(key.str());
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        const auto& at = key.source().begin;
        fail_at(static_cast<int>(at.line), static_cast<int>(at.column),
                "unknown key '" + name + "' in " + where, suggestion(name, known));
    }
}

std::vector<std::pair<const toml::key*, const toml::node*>> TomlReader::in_order(const toml::table& table) {
    std::vector<std::pair<const toml::key*, const toml::node*>> items;
    for (const auto& [key, node] : table)
        items.emplace_back(&key, &node);
    std::sort(items.begin(), items.end(), [](const auto& a, const auto& b) {
        const auto &p = a.first->source().begin, &q = b.first->source().begin;
        return p.line != q.line ? p.line < q.line : p.column < q.column;
    });
    return items;
}

std::optional<std::string> TomlReader::text(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (!node) return std::nullopt;
    if (const auto* value = node->as_string()) return value->get();
    wrong_type(*node, key, "a string");
    return std::nullopt;
}

std::optional<std::int64_t> TomlReader::integer(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (!node) return std::nullopt;
    if (const auto* value = node->as_integer()) return value->get();
    wrong_type(*node, key, "an integer");
    return std::nullopt;
}

std::optional<double> TomlReader::number(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (!node) return std::nullopt;
    if (const auto* value = node->as_floating_point()) return value->get();
    if (const auto* value = node->as_integer()) return static_cast<double>(value->get());
    wrong_type(*node, key, "a number");
    return std::nullopt;
}

std::optional<bool> TomlReader::boolean(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (!node) return std::nullopt;
    if (const auto* value = node->as_boolean()) return value->get();
    wrong_type(*node, key, "true or false");
    return std::nullopt;
}

std::optional<Expression> TomlReader::expression_of(const toml::node& node, std::string_view key) {
    const auto& at = node.source().begin;
    Expression expression{{}, static_cast<int>(at.line), static_cast<int>(at.column)};
    if (const auto* text = node.as_string()) {
        expression.text = text->get();
        ++expression.column;  // after the quote
    } else if (const auto* integer = node.as_integer()) {
        expression.text = std::to_string(integer->get());
    } else if (const auto* real = node.as_floating_point(); real && std::isfinite(real->get())) {
        expression.text = shortest(real->get());
        if (!expression.text.empty() && expression.text.find_first_of(".e") == std::string::npos)
            expression.text += ".0";
    } else {
        wrong_type(node, key, "an expression in quotes, as in \"ceil_div(n, block)\"");
        return std::nullopt;
    }
    if (expression.text.find_first_not_of(" \t\r\n") == std::string::npos) {
        fail(node, "'" + std::string(key) + "' is empty", "expected an expression");
        return std::nullopt;
    }
    return expression;
}

std::optional<Expression> TomlReader::expression(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    return node ? expression_of(*node, key) : std::nullopt;
}

const toml::table* TomlReader::table(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (!node) return nullptr;
    if (!node->is_table()) wrong_type(*node, key, "a table");
    return node->as_table();
}

void TomlReader::for_each(const toml::table& table, std::string_view key, const std::string& expected,
                          const std::function<void(const toml::node&)>& each) {
    const toml::node* node = table.get(key);
    if (!node) return;
    const toml::array* array = node->as_array();
    if (!array) return wrong_type(*node, key, expected);
    for (const toml::node& item : *array)
        each(item);
}

std::vector<std::string> TomlReader::texts(const toml::table& table, std::string_view key) {
    std::vector<std::string> items;
    for_each(table, key, "an array of strings", [&](const toml::node& node) {
        if (const auto* value = node.as_string())
            items.push_back(value->get());
        else
            wrong_type(node, key, "a string");
    });
    return items;
}

std::vector<std::int64_t> TomlReader::integers(const toml::table& table, std::string_view key) {
    std::vector<std::int64_t> items;
    for_each(table, key, "an array of integers", [&](const toml::node& node) {
        if (const auto* value = node.as_integer())
            items.push_back(value->get());
        else
            wrong_type(node, key, "an integer");
    });
    return items;
}

std::vector<double> TomlReader::numbers(const toml::table& table, std::string_view key) {
    constexpr std::int64_t exact = std::int64_t{1} << 53;
    std::vector<double> items;
    for_each(table, key, "an array of numbers", [&](const toml::node& node) {
        if (const auto* real = node.as_floating_point())
            items.push_back(real->get());
        else if (const auto* whole = node.as_integer()) {
            if (whole->get() > exact || whole->get() < -exact)
                fail(node, "integers above 2^53 cannot be listed here");
            items.push_back(static_cast<double>(whole->get()));
        } else
            wrong_type(node, key, "a number");
    });
    return items;
}

std::vector<Expression> TomlReader::expressions(const toml::table& table, std::string_view key,
                                                std::size_t most) {
    std::vector<Expression> items;
    const toml::node* node = table.get(key);
    if (!node) return items;
    if (!node->is_array()) {
        if (auto single = expression_of(*node, key)) items.push_back(std::move(*single));
        return items;
    }
    for (const toml::node& item : *node->as_array())
        if (auto next = expression_of(item, key)) items.push_back(std::move(*next));
    if (items.size() > most)
        fail(*node, "'" + std::string(key) + "' has " + std::to_string(items.size()) + " items",
             "expected at most " + std::to_string(most));
    return items;
}

std::vector<const toml::table*> TomlReader::tables(const toml::table& table, std::string_view key) {
    std::vector<const toml::table*> items;
    const std::string name(key);
    for_each(table, key, "tables that begin with [[" + name + "]]", [&](const toml::node& node) {
        if (const auto* item = node.as_table())
            items.push_back(item);
        else
            wrong_type(node, key, "a table that begins with [[" + name + "]]");
    });
    return items;
}

void TomlReader::missing(const toml::node& node, const std::string& key, const std::string& where,
                         const std::string& example) {
    fail(node, where + " needs '" + key + "'", "as in " + example);
}

void TomlReader::wrong_type(const toml::node& node, std::string_view key, const std::string& expected) {
    fail(node, "'" + std::string(key) + "' is " + kind_of(node), "expected " + expected);
}

void TomlReader::fail(const toml::node& node, std::string message, std::string hint) {
    const auto& at = node.source().begin;
    fail_at(static_cast<int>(at.line), static_cast<int>(at.column), std::move(message), std::move(hint));
}

void TomlReader::fail_at(int line, int column, std::string message, std::string hint) {
    problems_.push_back(error_at(file_, line, column, std::move(message), std::move(hint)));
}

Diagnostics TomlReader::problems() const {
    Diagnostics sorted = problems_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return a.line != b.line ? a.line < b.line : a.column < b.column;
    });
    return sorted;
}

}  // namespace lanescope::lesson
