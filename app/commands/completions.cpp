#include "commands/packaging_commands.h"

namespace lanescope {

namespace {

std::string joined_words(const std::vector<std::string>& words, const char* between) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : between) + word;
    return text;
}

// Puts a backslash before each of these characters.
std::string escaped(const std::string& text, const char* characters) {
    std::string out;
    for (const char c : text) {
        if (std::string_view(characters).find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

// Between single quotes of a shell.
std::string shell_quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

// The words that a command's arguments can be, such as "new" and "check".
std::vector<std::string> positional_words(const CommandTable& command) {
    std::vector<std::string> words;
    for (const OptionRow& option : command.options)
        if (option.positional) words.insert(words.end(), option.choices.begin(), option.choices.end());
    return words;
}

std::vector<std::string> names_of_subcommands(const CommandTable& table) {
    std::vector<std::string> names;
    for (const CommandTable& each : table.subcommands)
        names.push_back(each.name);
    return names;
}

// --- bash
// ----------------------------------------------------------------------------------------------------

// The cases of one command: what may follow an option, and which options there are.
std::string bash_values(const CommandTable& command, const std::string& name) {
    std::string text;
    for (const OptionRow& option : command.options) {
        if (option.positional || option.value == OptionRow::Value::none) continue;
        std::vector<std::string> patterns;
        for (const std::string& each : option.names)
            patterns.push_back(name + "," + each);
        text += "        " + joined_words(patterns, " | ") + ") ";
        if (!option.choices.empty())
            text += "mapfile -t COMPREPLY < <(compgen -W '" + joined_words(option.choices, " ") +
                    "' -- \"$word\") ;;\n";
        else
            text += option.value == OptionRow::Value::number ? ": ;;\n" : "_lanescope_files ;;\n";
    }
    return text;
}

std::string bash_options(const CommandTable& command, const std::string& name) {
    std::vector<std::string> names;
    for (const OptionRow& option : command.options)
        if (!option.positional) names.insert(names.end(), option.names.begin(), option.names.end());
    return "        " + (name.empty() ? std::string("''") : name) + ") options='" + joined_words(names, " ") +
           "' ;;\n";
}

// "        lesson) words='new check' ;;"
std::string bash_words(const CommandTable& command) {
    const std::string words = joined_words(positional_words(command), " ");
    return words.empty() ? "" : "        " + command.name + ") words='" + words + "' ;;\n";
}

}  // namespace

std::string bash_completions(const CommandTable& table) {
    const std::string commands = joined_words(names_of_subcommands(table), " ");
    std::string values = bash_values(table, ""), options = bash_options(table, ""), words;
    for (const CommandTable& each : table.subcommands) {
        values += bash_values(each, each.name);
        options += bash_options(each, each.name);
        words += bash_words(each);
    }
    return R"(# bash completion for lanescope, made from its own table of options

_lanescope_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
}

_lanescope() {
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' options='' words='' i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        )" +
           joined_words(names_of_subcommands(table), " | ") +
           R"()
            command=${COMP_WORDS[i]}
            break
            ;;
        esac
    done
    case $command,$previous in
)" + values +
           R"(        *)
            case $command in
)" + options +
           R"(            esac
            if [[ $word == -* ]]; then
                mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
            else
                _lanescope_files
                case $command in
                '') words=')" +
           commands + R"(' ;;
)" + words +
           R"(                esac
                mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$words" -- "$word")
            fi
            ;;
    esac
}

complete -F _lanescope lanescope
)";
}

// --- zsh
// -----------------------------------------------------------------------------------------------------

namespace {

// "--engine[what runs the kernel]:value:(cpu gpu)"
std::string zsh_arguments(const CommandTable& command, const std::string& indent) {
    std::string text;
    for (const OptionRow& option : command.options) {
        const std::string what = escaped(option.text, "[]:\\");
        const std::string values = !option.choices.empty() ? "(" + joined_words(option.choices, " ") + ")"
                                   : option.value == OptionRow::Value::number ? " "
                                                                              : "_files";
        if (option.positional && !option.choices.empty()) {
            text += " \\\n" + indent + shell_quoted("1:" + escaped(option.names.front(), ":") + ":" + values);
            continue;
        }
        if (option.positional) {
            text += " \\\n" + indent + shell_quoted("*:" + escaped(option.names.front(), ":") + ":_files");
            continue;
        }
        for (const std::string& name : option.names) {
            std::string row = "*" + name + "[" + what + "]";
            if (option.value != OptionRow::Value::none) row += ":value:" + values;
            text += " \\\n" + indent + shell_quoted(row);
        }
    }
    return text;
}

}  // namespace

std::string zsh_completions(const CommandTable& table) {
    std::string commands, cases;
    for (const CommandTable& each : table.subcommands) {
        commands +=
            "        " + shell_quoted(escaped(each.name, ":") + ":" + escaped(each.text, ":\\")) + "\n";
        cases += "        " + each.name + ")\n            _arguments -S" +
                 zsh_arguments(each, "                ") + "\n            ;;\n";
    }
    CommandTable options = table;
    std::erase_if(options.options, [](const OptionRow& option) { return option.positional; });
    return R"(#compdef lanescope
# zsh completion for lanescope, made from its own table of options

_lanescope_first() {
    local -a commands
    commands=(
)" + commands +
           R"(    )
    _describe -t commands 'command' commands
    _files
}

_lanescope() {
    local context state state_descr line
    typeset -A opt_args
    _arguments -C -S)" +
           zsh_arguments(options, "        ") + R"( \
        '1: :_lanescope_first' \
        '*::argument:->argument'
    [[ $state == argument ]] || return 0
    case ${line[1]} in
)" + cases +
           R"(    esac
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _lanescope "$@"
else
    compdef _lanescope lanescope
fi
)";
}

// --- fish
// ----------------------------------------------------------------------------------------------------

namespace {

std::string fish_quoted(const std::string& text) {
    return "'" + escaped(text, "'\\") + "'";
}

std::string fish_options(const CommandTable& command, const std::string& condition) {
    std::string text;
    for (const OptionRow& option : command.options) {
        if (option.positional) continue;
        text += "complete -c lanescope -n " + fish_quoted(condition);
        for (const std::string& name : option.names)
            text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        if (!option.choices.empty())
            text += " -x -a " + fish_quoted(joined_words(option.choices, " "));
        else if (option.value == OptionRow::Value::number)
            text += " -x";
        else if (option.value == OptionRow::Value::text)
            text += " -r -F";
        text += " -d " + fish_quoted(option.text) + "\n";
    }
    return text;
}

}  // namespace

std::string fish_completions(const CommandTable& table) {
    std::string text = "# fish completion for lanescope, made from its own table of options\n";
    for (const CommandTable& each : table.subcommands)
        text += "complete -c lanescope -n __fish_use_subcommand -a " + each.name + " -d " +
                fish_quoted(each.text) + "\n";
    text += fish_options(table, "__fish_use_subcommand");
    for (const CommandTable& each : table.subcommands) {
        const std::string condition = "__fish_seen_subcommand_from " + each.name;
        text += fish_options(each, condition);
        if (const std::string words = joined_words(positional_words(each), " "); !words.empty())
            text += "complete -c lanescope -n " + fish_quoted(condition) + " -a " + fish_quoted(words) + "\n";
    }
    return text;
}

}  // namespace lanescope
