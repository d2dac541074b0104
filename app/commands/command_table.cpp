#include "commands/command_table.h"

#include <CLI/CLI.hpp>
#include <sstream>

namespace lanescope {

namespace {

// Descriptions are broken into lines for --help.
std::string in_one_line(std::string text) {
    for (char& c : text)
        if (c == '\n') c = ' ';
    return text;
}

// CLI::IsMember describes itself as {a,b,c} behind the type: "TEXT:{cpu,gpu}".
std::vector<std::string> choices_of(const std::string& type) {
    const std::size_t open = type.find('{'), close = type.rfind('}');
    std::vector<std::string> choices;
    if (open == std::string::npos || close == std::string::npos || close < open) return choices;
    std::istringstream words(type.substr(open + 1, close - open - 1));
    for (std::string word; std::getline(words, word, ',');)
        choices.push_back(word);
    return choices;
}

OptionRow row_of(const CLI::Option& option) {
    OptionRow row;
    const std::string type = option.get_type_name();
    row.text = in_one_line(option.get_description());
    row.choices = choices_of(type);
    row.default_value = option.get_default_str();
    row.required = option.get_required();
    row.positional = option.get_positional() && !option.nonpositional();
    if (row.positional) row.names = {option.get_name()};
    for (const std::string& name : option.get_snames())
        row.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        row.names.push_back("--" + name);
    if (option.get_items_expected_max() == 0) return row;
    const bool number = type.starts_with("INT") || type.starts_with("UINT") || type.starts_with("FLOAT");
    row.value = number ? OptionRow::Value::number : OptionRow::Value::text;
    return row;
}

}  // namespace

CommandTable command_table(const CLI::App& app) {
    CommandTable table{app.get_name(), in_one_line(app.get_description()), app.get_footer(), {}, {}};
    for (const CLI::Option* option : app.get_options())
        if (!option->get_group().empty()) table.options.push_back(row_of(*option));
    for (const CLI::App* each : app.get_subcommands(nullptr))
        if (!each->get_group().empty()) table.subcommands.push_back(command_table(*each));
    return table;
}

}  // namespace lanescope
