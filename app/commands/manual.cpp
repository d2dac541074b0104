#include <sstream>

#include "commands/packaging_commands.h"

namespace lanescope {

namespace {

struct ManualRow {
    const char* name;
    const char* text;
};

constexpr ManualRow environment_rows[] = {
    {"LANESCOPE_KERNELS", "folders of lessons of your own, with colons between them"},
    {"LANESCOPE_NVRTC", "the NVRTC library to use, instead of searching the usual places"},
    {"LANESCOPE_NVJITLINK", "the nvJitLink library to use, instead of the one beside NVRTC"},
    {"LANESCOPE_NVDISASM", "the nvdisasm program to use, instead of the one beside NVRTC or in PATH"},
    {"LANESCOPE_CUDA_DRIVER", "the driver's library to use, instead of libcuda.so.1"},
    {"LANESCOPE_GPU_RUNTIME", "the folder of CUDA's shared runtime for programs on a GPU"},
    {"LANESCOPE_REMOTE",
     "with --gpu ssh:HOST: the program on that machine, if 'lanescope' is not on its PATH"},
    {"LANESCOPE_GPU_WAIT", "how many seconds --gpu waits for the GPU to answer, instead of 120: for a queue"},
    {"LANESCOPE_MESSAGES",
     "json: each error is an object in a line of its own, for programs that start this one"},
    {"LANESCOPE_CUPTI", "the CUPTI library to use, instead of the toolkit's"},
    {"LANESCOPE_BROWSER", "the browser that prints slides as a PDF, instead of the first one on PATH"},
    {"LANESCOPE_WEB", "the address of the version for browsers, to which exports and copied links lead"},
    {"LANESCOPE_LANGUAGE", "the language, as --language names it, instead of the locale's"},
    {"LANESCOPE_MOTION", "off: values do not travel along their arrows after a step"},
    {"LANESCOPE_HOME", "the folder with kernels and assets, instead of the one that belongs to the program"},
    {"LANESCOPE_CACHE, LANESCOPE_CONFIG, LANESCOPE_DATA, LANESCOPE_STATE",
     "the program's folders, instead of those under FILES"},
    {"LANESCOPE_NO_SYSTEM_CUDA", "if set: no installed CUDA Toolkit is used, but what --get-compiler got"},
    {"PIP_INDEX_URL, PIP_CERT, PIP_TRUSTED_HOST, https_proxy",
     "where and how --get-compiler downloads, as for pip"},
};

constexpr ManualRow file_rows[] = {
    {"~/.local/share/lanescope/kernels/TOPIC/",
     "lessons of your own: .cu files, and a lesson.toml if you like"},
    {"~/.local/share/lanescope/cuda/", "NVRTC, if --get-compiler got it"},
    {"~/.cache/lanescope/", "what was compiled"},
    {"~/.config/lanescope/", "the window's settings"},
    {"~/.local/state/lanescope/", "drafts of what was typed and not saved"},
};

// No character of a text is an instruction to the formatter.
std::string roff_text(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if (c == '\'' || c == '.')
            out += std::string(out.empty() || out.back() == '\n' ? "\\&" : "") + c;
        else
            out += c;
    }
    return out;
}

std::string value_name(const OptionRow& option) {
    if (!option.choices.empty()) {
        std::string all;
        for (const std::string& choice : option.choices)
            all += (all.empty() ? "" : "|") + choice;
        return all;
    }
    return option.value == OptionRow::Value::number ? "NUMBER" : "VALUE";
}

std::string option_entry(const OptionRow& option) {
    std::string head;
    for (const std::string& name : option.names)
        head += (head.empty() ? "" : ", ") + ("\\fB" + roff_text(name) + "\\fR");
    if (!option.positional && option.value != OptionRow::Value::none)
        head += " \\fI" + roff_text(value_name(option)) + "\\fR";
    std::string text = option.text;
    if (!option.default_value.empty() && option.default_value != "\"\"" && option.default_value != "false")
        text += " (default: " + option.default_value + ")";
    return ".TP\n" + head + "\n" + roff_text(text) + "\n";
}

std::string option_entries(const CommandTable& command) {
    std::string text;
    for (const bool positional : {true, false})
        for (const OptionRow& option : command.options)
            if (option.positional == positional) text += option_entry(option);
    return text;
}

std::string usage_of(const CommandTable& command, const std::string& before) {
    std::string text = before + "\\fB" + roff_text(command.name) + "\\fR";
    for (const OptionRow& option : command.options)
        if (option.positional)
            text += option.required ? " \\fI" + option.names.front() + "\\fR"
                                    : " [\\fI" + option.names.front() + "\\fR]";
    return text + " [\\fIOPTIONS\\fR]";
}

template <std::size_t N>
std::string rows_of(const ManualRow (&rows)[N]) {
    std::string text;
    for (const ManualRow& row : rows)
        text += ".TP\n\\fB" + roff_text(row.name) + "\\fR\n" + roff_text(row.text) + "\n";
    return text;
}

}  // namespace

std::string manual_page(const CommandTable& table, const std::string& version) {
    std::ostringstream page;
    page << ".TH LANESCOPE 1 \"\" \"Lanescope " << version << "\" \"User Commands\"\n"
         << ".SH NAME\nlanescope \\- step through CUDA kernels and see what every lane does\n"
         << ".SH SYNOPSIS\n.nf\n"
         << usage_of(table, "") << "\n";
    for (const CommandTable& each : table.subcommands)
        page << usage_of(each, "\\fBlanescope\\fR ") << "\n";
    page << ".fi\n.SH DESCRIPTION\n"
         << roff_text(
                "Lanescope runs a CUDA kernel on an exact model of 32-lane warps and shows each step, "
                "forwards "
                "and backwards: which cells of memory are read and written, what every thread, lane and warp "
                "holds, and which lanes wait. It needs no GPU. Without a subcommand the window opens, at "
                "FILE or "
                "at the first lesson that has an array.")
         << "\n.PP\n"
         << roff_text(
                "A name that begins with kernels/ or assets/ is looked for in the working folder, then among "
                "the "
                "files that ship with the program: 'lanescope run kernels/reduction/modulo.cu' works "
                "everywhere.")
         << "\n.SH OPTIONS\n"
         << option_entries(table) << ".SH COMMANDS\n";
    for (const CommandTable& each : table.subcommands)
        page << ".SS \"" << usage_of(each, "lanescope ") << "\"\n"
             << roff_text(each.text) << ".\n"
             << option_entries(each);
    page << ".SH ENVIRONMENT\n"
         << rows_of(environment_rows) << ".SH FILES\n"
         << rows_of(file_rows) << ".SH EXIT STATUS\n"
         << ".TP\n0\neverything is fine\n"
         << ".TP\n1\nan expectation failed, a problem was found, or a goal of an exercise was missed\n"
         << ".TP\n2\nthe input or the usage is wrong\n"
         << ".TP\n3\nthe engine that the command needs is not available, such as a GPU\n"
         << ".SH EXAMPLES\n.TP\n\\fBlanescope run kernels/reduction/modulo.cu \\-\\-set n=1024\\fR\n"
         << "run a lesson with 1024 elements\n"
         << ".TP\n\\fBlanescope render kernels/scan/brent_kung.cu \\-\\-step 12 \\-o step.png\\fR\n"
         << "draw its step 12\n"
         << ".TP\n\\fBlanescope check solution.cu \\-\\-exercise reduction/fix_the_race\\fR\n"
         << "judge the solution of an exercise\n"
         << ".TP\n\\fBlanescope doctor \\-\\-get\\-compiler\\fR\n"
         << "get NVRTC, which compiles your own files\n";
    return page.str();
}

}  // namespace lanescope
