#include "lesson/front_matter.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/cpp_lexer.h"
#include "lesson/array_entries.h"
#include "lesson/buffer_address.h"
#include "lesson/contents.h"
#include "lesson/element_type.h"
#include "lesson/expression.h"
#include "lesson/references.h"
#include "lesson/suggest.h"
#include "lesson/texture_entries.h"
#include "lesson/toml_reader.h"

namespace lanescope::lesson {

namespace {

constexpr std::size_t max_nested_repeats = 8;
constexpr std::string_view opening = "/*---", word = "lanescope", closing = "---*/";

// The spellings of a run's JSON.
const std::vector<std::string> problem_kinds{
    "race",     "unsynced_lanes", "out_of_bounds", "misaligned", "uninitialised", "barrier_divergence",
    "deadlock", "step_limit",     "timeout",       "trap",       "launch_config", "unsupported"};
const std::vector<std::string> spaces{"global", "constant", "device"};

struct Block {
    CppToken comment;
    std::size_t toml_offset = 0;  // of the text after "lanescope", from the start of the comment
};

std::optional<Block> as_block(const CppToken& comment) {
    std::string_view text = comment.text;
    if (!text.starts_with(opening)) return std::nullopt;
    std::size_t at = text.find_first_not_of(" \t\r\n", opening.size());
    if (at == std::string_view::npos || text.substr(at, word.size()) != word) return std::nullopt;
    at += word.size();
    if (at < text.size() && std::string_view(" \t\r\n-*").find(text[at]) == std::string_view::npos)
        return std::nullopt;
    return Block{comment, at};
}

// Returns the block and whether code precedes it.
std::optional<std::pair<Block, bool>> find_block(std::string_view source) {
    if (source.find(opening) == std::string_view::npos) return std::nullopt;
    CppLexer lexer(source);
    bool code = false;
    while (const auto token = lexer.next()) {
        if (token->kind == CppToken::Kind::comment) {
            if (const auto block = as_block(*token)) return std::pair{*block, code};
        } else if (token->kind != CppToken::Kind::directive) {
            code = true;
        }
    }
    return std::nullopt;
}

class FrontMatterReader {
  public:
    FrontMatterReader(const std::string& file, std::string_view source) : reader_(file), source_(source) {}

    Result<FrontMatter> read(const Block& block) {
        front_.present = true;
        front_.first_line = block.comment.line;
        const std::string_view text = block.comment.text;
        const std::string_view before = text.substr(0, block.toml_offset);
        const auto lines = static_cast<int>(std::count(before.begin(), before.end(), '\n'));
        const std::size_t last_break = before.rfind('\n');
        const int column = last_break == std::string_view::npos
                               ? block.comment.column + static_cast<int>(before.size())
                               : static_cast<int>(before.size() - last_break);
        front_.last_line = block.comment.line + static_cast<int>(std::count(text.begin(), text.end(), '\n'));
        if (!text.ends_with(closing) || text.size() < block.toml_offset + closing.size())
            return error_at(reader_.file(), front_.last_line, 0, "the front matter does not end with ---*/",
                            "a */ inside it ends the comment");
        const auto body = text.substr(block.toml_offset, text.size() - closing.size() - block.toml_offset);
        const auto root = reader_.parse(body, block.comment.line + lines, column);
        if (root) read_root(*root);
        if (!reader_.ok()) return reader_.problems();
        return std::move(front_);
    }

    Result<FrontMatter> read_file() {
        front_.present = true;
        front_.file = reader_.file();
        front_.first_line = 1;
        front_.last_line = 1 + static_cast<int>(std::count(source_.begin(), source_.end(), '\n'));
        if (const auto root = reader_.parse(source_)) read_root(*root);
        if (!reader_.ok()) return reader_.problems();
        return std::move(front_);
    }

  private:
    void read_root(const toml::table& root) {
        reader_.check_keys(root,
                           {"title", "exercise", "arch", "std", "define", "params", "buffers", "textures",
                            "launch", "expect", "cost", "arrays", "lane_label"},
                           "the front matter");
        front_.title = reader_.text(root, "title").value_or("");
        front_.exercise = reader_.text(root, "exercise").value_or("");
        front_.compiler.arch = reader_.text(root, "arch").value_or("");
        front_.compiler.standard = reader_.text(root, "std").value_or("");
        front_.compiler.defines = reader_.texts(root, "define");
        if (const auto* params = reader_.table(root, "params"))
            for (const auto& [key, node] : TomlReader::in_order(*params))
                read_parameter(*key, *node);
        if (const auto* buffers = reader_.table(root, "buffers"))
            for (const auto& [key, node] : TomlReader::in_order(*buffers))
                read_buffer(*key, *node);
        check_addresses();
        read_textures(
            reader_, root, [&](const toml::key& key) { return take_name(key, "a texture"); }, front_);
        for (const toml::table* launch : reader_.tables(root, "launch"))
            read_launch(*launch);
        if (front_.launches.empty() && reader_.ok())
            reader_.fail_at(front_.first_line, 0, "there is no [[launch]]",
                            "expected [[launch]] with kernel, grid, block and args");
        read_expectations(root);
        if (const auto* cost = reader_.table(root, "cost")) read_cost(*cost);
        const ArrayRules rules{[&](Expression each) { return check(std::move(each)); },
                               [&](const std::string& name) { return why_not_array(name); }};
        read_drawing(reader_, root, rules, front_.drawing);
    }

    // Shared, constant and local arrays are known only to the compiler: the code must contain the name.
    std::string why_not_array(const std::string& name) {
        if (buffer(name) != nullptr || !front_.file.empty()) return {};
        if (code_names_.empty()) {
            CppLexer lexer(source_);
            while (const auto token = lexer.next())
                if (token->is_identifier()) code_names_.insert(std::string(token->text));
        }
        if (code_names_.contains(name)) return {};
        return suggestion(name, buffer_names());
    }

    void read_cost(const toml::table& table) {
        reader_.check_keys(table, {"bytes", "operations", "peer"}, "[cost]");
        for (const char* key : {"bytes", "operations"})
            if (auto amount = reader_.expression(table, key))
                (key[0] == 'b' ? front_.cost.bytes : front_.cost.operations) = check(std::move(*amount));
        front_.cost.peer = reader_.text(table, "peer").value_or("");
    }

    // Takes the name of a parameter or a buffer, which must be an unused identifier.
    bool take_name(const toml::key& key, const std::string& what) {
        const std::string name(key.str());
        const auto& at = key.source().begin;
        const int line = static_cast<int>(at.line), column = static_cast<int>(at.column);
        if (!is_identifier(name)) {
            reader_.fail_at(line, column, "'" + name + "' cannot name " + what,
                            "expected letters, digits and '_'");
        } else if (is_function_name(name)) {
            reader_.fail_at(line, column,
                            "'" + name + "' is a function of the expressions and cannot name " + what);
        } else if (!taken_.insert(name).second) {
            reader_.fail_at(line, column, "'" + name + "' is already the name of a parameter or a buffer");
        } else {
            return true;
        }
        return false;
    }

    void read_parameter(const toml::key& key, const toml::node& node) {
        const std::string example = std::string(key.str()) + " = { default = 64 }";
        if (!take_name(key, "a parameter")) return;
        names_[std::string(key.str())] = 1;
        const toml::table* table = node.as_table();
        if (!table) return reader_.fail(node, "a parameter must be a table", "as in " + example);
        reader_.check_keys(*table, {"default", "min", "max", "choices", "label"}, "a parameter");
        Parameter parameter;
        parameter.name = std::string(key.str());
        parameter.line = static_cast<int>(key.source().begin.line);
        parameter.label = reader_.text(*table, "label").value_or("");
        parameter.min = reader_.integer(*table, "min");
        parameter.max = reader_.integer(*table, "max");
        parameter.choices = reader_.integers(*table, "choices");
        const auto value = reader_.integer(*table, "default");
        if (!table->contains("default"))
            return reader_.missing(node, "default", "the parameter '" + parameter.name + "'", example);
        parameter.default_value = value.value_or(0);
        if (table->contains("choices") && parameter.choices.empty()) reader_.fail(node, "'choices' is empty");
        if (parameter.min && parameter.max && *parameter.min > *parameter.max)
            reader_.fail(node, "'min' is greater than 'max'");
        else if (value)
            if (const std::string why = why_not(parameter, *value); !why.empty())
                reader_.fail(*table->get("default"),
                             "the default of '" + parameter.name + "' is not allowed: " + why);
        front_.parameters.push_back(std::move(parameter));
    }

    void read_buffer(const toml::key& key, const toml::node& node) {
        const std::string name(key.str());
        const std::string example = name + R"( = { type = "int", count = "n" })";
        if (!take_name(key, "a buffer")) return;
        const toml::table* table = node.as_table();
        if (!table) return reader_.fail(node, "a buffer must be a table", "as in " + example);
        reader_.check_keys(
            *table,
            {"type", "count", "shape", "space", "init", "text", "image", "file", "values", "addresses"},
            "a buffer");
        Buffer buffer;
        buffer.name = name;
        buffer.line = static_cast<int>(key.source().begin.line);
        buffer.type = reader_.text(*table, "type").value_or("");
        if (!table->contains("type"))
            reader_.missing(node, "type", "the buffer '" + name + "'", example);
        else if (!buffer.type.empty() && !element_type(buffer.type))
            reader_.fail(*table->get("type"), "unknown buffer type '" + buffer.type + "'",
                         suggestion(buffer.type, scalar_type_names()) + ", with 2 to 4 for vectors: float4");
        buffer.space = reader_.text(*table, "space").value_or("global");
        if (std::find(spaces.begin(), spaces.end(), buffer.space) == spaces.end())
            reader_.fail(*table->get("space"), "unknown space '" + buffer.space + "'",
                         suggestion(buffer.space, spaces));
        read_size(*table, node, buffer, example);
        read_contents(*table, node, buffer);
        for (const char* part : {".count", ".width", ".height"})
            names_[name + part] = 1;
        front_.buffers.push_back(std::move(buffer));
    }

    void read_size(const toml::table& table, const toml::node& node, Buffer& buffer,
                   const std::string& example) {
        if (auto count = reader_.expression(table, "count")) buffer.count = check(std::move(*count));
        for (Expression& extent : reader_.expressions(table, "shape"))
            buffer.shape.push_back(check(std::move(extent)));
        if (table.contains("shape") && table.contains("count"))
            reader_.fail(node, "the buffer '" + buffer.name + "' has both 'count' and 'shape'",
                         "expected one of them");
        if (table.contains("shape") && buffer.shape.size() != 2)
            reader_.fail(*table.get("shape"),
                         "'shape' has " + std::to_string(buffer.shape.size()) + " extents",
                         "expected rows and columns, as in [\"h\", \"w\"]");
        const bool sized = std::any_of(buffer_contents.begin(), buffer_contents.end(), [&](const char* key) {
            return table.contains(key) && std::string_view(key) != "init";
        });
        if (!table.contains("count") && !table.contains("shape") && !sized)
            reader_.missing(node, "count", "the buffer '" + buffer.name + "'", example);
    }

    void read_contents(const toml::table& table, const toml::node& node, Buffer& buffer) {
        buffer.text = reader_.text(table, "text").value_or("");
        buffer.image = reader_.text(table, "image").value_or("");
        buffer.file = reader_.text(table, "file").value_or("");
        buffer.values = reader_.numbers(table, "values");
        buffer.addresses = reader_.expressions(table, "addresses");
        for (const char* key : {"text", "image", "file", "values", "addresses"})
            if (const toml::node* given = table.get(key))
                if ((given->is_string() && given->as_string()->get().empty()) ||
                    (given->is_array() && given->as_array()->empty()))
                    reader_.fail(*given, "'" + std::string(key) + "' is empty");
        const auto sources = std::count_if(buffer_contents.begin(), buffer_contents.end(),
                                           [&](const char* key) { return table.contains(key); });
        if (sources > 1)
            return reader_.fail(node,
                                "the buffer '" + buffer.name + "' has its contents from more than one key",
                                "expected one of init, text, image, file, values, addresses");
        const auto type = element_type(buffer.type);
        for (const double value : buffer.values)
            if (type && !holds(*type, value)) {
                reader_.fail(*table.get("values"),
                             "'values' holds a number that is not a valid " + buffer.type);
                break;
            }
        if (!buffer.addresses.empty() && type && (type->floating() || type->bytes() != 8))
            reader_.fail(*table.get("addresses"), "addresses do not fit into " + buffer.type,
                         "expected ulong");
        if (!buffer.text.empty() && type && (type->floating() || type->components > 1))
            reader_.fail(*table.get("text"), "text does not fit into " + buffer.type,
                         "expected char or an integer type");
        if (const toml::node* init = table.get("init"); init && !init->is_string())
            return reader_.fail(*init, "'init' is not a string", "as in init = \"random(0, 9)\"");
        if (auto init = reader_.expression(table, "init")) {
            buffer.init = std::move(*init);
            if (const auto fine = check_init(buffer.init, names_, reader_.file()); !fine)
                reader_.add(fine.diagnostics());
        }
    }

    void read_launch(const toml::table& table) {
        reader_.check_keys(
            table,
            {"kernel", "grid", "block", "shared", "args", "repeat", "together", "cooperative", "resident"},
            "[[launch]]");
        LaunchSpec launch;
        launch.line = TomlReader::line_of(table);
        launch.kernel = reader_.text(table, "kernel").value_or("");
        if (launch.kernel.empty()) {
            if (!table.contains("kernel"))
                reader_.missing(table, "kernel", "[[launch]]", "kernel = \"reduce\"");
            else if (table.get("kernel")->is_string())
                reader_.fail(*table.get("kernel"), "'kernel' is empty");
        }
        const Names outer = names_;
        read_repeats(table, launch);
        read_together(table, launch);
        for (const char* key : {"grid", "block"}) {
            if (!table.contains(key))
                reader_.missing(table, key, "[[launch]]", std::string(key) + " = [\"64\"]");
            auto& extents = key[0] == 'g' ? launch.grid : launch.block;
            for (Expression& extent : reader_.expressions(table, key, 3))
                extents.push_back(check(std::move(extent)));
            if (table.contains(key) && table.get(key)->is_array() && table.get(key)->as_array()->empty())
                reader_.fail(*table.get(key), "'" + std::string(key) + "' is empty",
                             "expected 1 to 3 expressions");
        }
        launch.shared = check(reader_.expression(table, "shared").value_or(Expression{"0", launch.line, 0}));
        for (Expression& argument : reader_.expressions(table, "args"))
            launch.args.push_back(check_argument(std::move(argument)));
        launch.resident =
            check(reader_.expression(table, "resident").value_or(Expression{"0", launch.line, 0}));
        launch.cooperative = reader_.boolean(table, "cooperative").value_or(false);
        names_ = outer;
        front_.launches.push_back(std::move(launch));
    }

    void read_repeats(const toml::table& table, LaunchSpec& launch) {
        const toml::node* node = table.get("repeat");
        if (node && !node->is_string() && !node->is_array())
            return reader_.fail(*node, "'repeat' is not a string",
                                "as in repeat = \"r = n / 2; r >= 1; r / 2\"");
        if (node && node->is_array() && node->as_array()->empty())
            return reader_.fail(*node, "'repeat' is empty");
        std::vector<Expression> repeats = reader_.expressions(table, "repeat", max_nested_repeats);
        for (std::size_t i = 0; i < repeats.size(); ++i) {
            Expression checked = check_repeat(std::move(repeats[i]));
            if (i == 0)
                launch.repeat = std::move(checked);
            else
                launch.inner.push_back(std::move(checked));
        }
    }

    // A launch that is repeated with the one before it has the names of its repetition.
    void read_together(const toml::table& table, LaunchSpec& launch) {
        launch.together = reader_.boolean(table, "together").value_or(false);
        if (!launch.together) {
            repeated_ = names_;
            return;
        }
        if (front_.launches.empty())
            reader_.fail(*table.get("together"), "'together' stands at the first launch",
                         "a launch is repeated with the one before it");
        if (table.contains("repeat"))
            reader_.fail(*table.get("repeat"), "a launch has both 'repeat' and 'together'",
                         "the repetition stands at the first launch of those that are repeated together");
        names_ = repeated_;
    }

    Expression check_repeat(Expression expression) {
        const auto repeat = parse_repeat(expression, reader_.file());
        if (!repeat) {
            reader_.add(repeat.diagnostics());
            return expression;
        }
        if (taken_.count(repeat->name) || names_.count(repeat->name))
            reader_.fail_at(expression.line, expression.column, "'" + repeat->name + "' is already a name",
                            "choose another name for the repetition");
        check(repeat->first);
        names_[repeat->name] = 1;
        check(repeat->condition);
        check(repeat->next);
        return expression;
    }

    Expression check(Expression expression) {
        if (const auto fine = check_expression(expression, names_, reader_.file()); !fine)
            reader_.add(fine.diagnostics());
        return expression;
    }

    Expression check_argument(Expression argument) {
        if (real_literal(argument.text)) return argument;
        if (is_identifier(argument.text) && !names_.count(argument.text)) {
            if (is_texture(front_, argument.text)) return argument;
            if (const Buffer* found = buffer(argument.text)) {
                if (found->space != "global")
                    reader_.fail_at(argument.line, argument.column,
                                    "'" + argument.text + "' is a module-scope symbol",
                                    "kernels use it by name; remove it from args");
                return argument;
            }
            reader_.fail_at(argument.line, argument.column,
                            "'" + argument.text + "' is neither a buffer nor a parameter",
                            suggestion(argument.text, all_names()));
            return argument;
        }
        if (const auto choice =
                address_choice(argument, [&](const std::string& name) { return buffer(name); })) {
            check(choice->condition);
            check_argument(choice->yes);
            check_argument(choice->no);
            return argument;
        }
        if (const auto text = address_text(argument, [&](const std::string& name) { return buffer(name); })) {
            if (buffer(text->buffer)->space != "global")
                reader_.fail_at(argument.line, argument.column,
                                "'" + text->buffer + "' is a module-scope symbol",
                                "kernels use it by name; remove it from args");
            check(text->offset);
            return argument;
        }
        return check(std::move(argument));
    }

    // Buffers may hold addresses of those that follow; `i` is the element's index.
    void check_addresses() {
        const Names outer = names_;
        names_.try_emplace("i", 1);
        for (const Buffer& each : front_.buffers)
            for (const Expression& address : each.addresses)
                check_argument(address);
        names_ = outer;
    }

    void read_expectations(const toml::table& root) {
        const toml::node* node = root.get("expect");
        if (!node) return;
        if (const auto* single = node->as_table()) return read_expectation(*single);
        for (const toml::table* entry : reader_.tables(root, "expect"))
            read_expectation(*entry);
    }

    void read_expectation(const toml::table& table) {
        reader_.check_keys(table, {"buffer", "equals", "values", "first", "tolerance", "problems"},
                           "an expectation");
        for (const std::string& kind : reader_.texts(table, "problems")) {
            if (std::find(problem_kinds.begin(), problem_kinds.end(), kind) == problem_kinds.end())
                reader_.fail(*table.get("problems"), "unknown kind of problem '" + kind + "'",
                             suggestion(kind, problem_kinds));
            front_.expected_problems.push_back(kind);
        }
        if (table.contains("problems") && !table.contains("buffer")) return;
        const std::string example = "buffer = \"out\", equals = \"sum(in)\"";
        Expectation expectation;
        expectation.line = TomlReader::line_of(table);
        expectation.buffer = reader_.text(table, "buffer").value_or("");
        expectation.values = reader_.numbers(table, "values");
        expectation.tolerance = reader_.number(table, "tolerance").value_or(0);
        if (!(expectation.tolerance >= 0)) reader_.fail(*table.get("tolerance"), "'tolerance' is negative");
        if (!table.contains("buffer")) return reader_.missing(table, "buffer", "an expectation", example);
        const Buffer* found = buffer(expectation.buffer);
        if (!found)
            return reader_.fail(*table.get("buffer"), "no buffer is named '" + expectation.buffer + "'",
                                suggestion(expectation.buffer, buffer_names()));
        if (table.contains("equals") == table.contains("values"))
            return reader_.missing(table, "equals", "an expectation",
                                   example + ", or values = [1, 2]; one of them");
        if (auto equals = reader_.expression(table, "equals")) {
            expectation.equals = std::move(*equals);
            const auto fine =
                check_reference(expectation.equals, *found, front_.buffers, names_, reader_.file());
            if (!fine) reader_.add(fine.diagnostics());
        }
        if (auto first = reader_.expression(table, "first")) {
            if (const auto fine = check_expression(*first, names_, reader_.file()); !fine)
                reader_.add(fine.diagnostics());
            expectation.first = std::move(*first);
        }
        front_.expectations.push_back(std::move(expectation));
    }

    const Buffer* buffer(const std::string& name) const {
        for (const Buffer& candidate : front_.buffers)
            if (candidate.name == name) return &candidate;
        return nullptr;
    }

    std::vector<std::string> buffer_names() const {
        std::vector<std::string> names;
        for (const Buffer& each : front_.buffers)
            names.push_back(each.name);
        return names;
    }

    std::vector<std::string> all_names() const {
        std::vector<std::string> names = buffer_names();
        for (const Parameter& each : front_.parameters)
            names.push_back(each.name);
        return names;
    }

    TomlReader reader_;
    FrontMatter front_;
    Names names_;     // names for expressions; their values do not matter here
    Names repeated_;  // those of the last launch that is not repeated with another one
    std::string_view source_;
    std::set<std::string> code_names_;  // empty: not read yet
    std::set<std::string> taken_;       // names of parameters and buffers
};

}  // namespace

std::optional<TextRange> front_matter_range(std::string_view source) {
    const auto found = find_block(source);
    if (!found) return {};
    const std::string_view comment = found->first.comment.text;
    if (!comment.ends_with(closing) || comment.size() < found->first.toml_offset + closing.size()) return {};
    const auto begin = static_cast<std::size_t>(comment.data() - source.data());
    return TextRange{begin + found->first.toml_offset, begin + comment.size() - closing.size()};
}

Result<FrontMatter> parse_front_matter(std::string_view source, const std::string& file) {
    const auto found = find_block(source);
    if (!found) return FrontMatter{};
    const auto& [block, behind_code] = *found;
    if (behind_code)
        return error_at(file, block.comment.line, block.comment.column, "the front matter follows code",
                        "move it to the start of the file");
    return FrontMatterReader(file, source).read(block);
}

Result<FrontMatter> parse_front_matter_file(std::string_view toml, const std::string& file) {
    return FrontMatterReader(file, toml).read_file();
}

const std::vector<std::string>& problem_kind_names() {
    return problem_kinds;
}

std::vector<std::string> template_kernels(const FrontMatter& front) {
    std::vector<std::string> names;
    for (const LaunchSpec& launch : front.launches)
        if (launch.kernel.find('<') != std::string::npos &&
            std::find(names.begin(), names.end(), launch.kernel) == names.end())
            names.push_back(launch.kernel);
    return names;
}

}  // namespace lanescope::lesson
