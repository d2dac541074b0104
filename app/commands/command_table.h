// The subcommands and options as plain data, read from CLI11's own description of them.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lanescope {

struct OptionRow {
    std::vector<std::string> names;    // "-o", "--output"; of a positional argument its name alone: "FILE"
    std::string text;                  // the description, in one line
    std::vector<std::string> choices;  // empty: any value
    std::string default_value;         // empty: none
    bool positional = false, required = false;
    enum class Value : std::uint8_t {
        none,
        text,
        number
    } value = Value::none;  // a text may be a file's name
};

struct CommandTable {
    std::string name, text, footer;
    std::vector<OptionRow> options;  // without those that --help hides
    std::vector<CommandTable> subcommands;
};

CommandTable command_table(const CLI::App& app);

}  // namespace lanescope
