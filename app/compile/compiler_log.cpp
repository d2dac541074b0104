#include "compile/compiler_log.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"

namespace lanescope::compile {

namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

struct Kind {
    std::string_view word;
    Severity severity;
};
constexpr Kind kinds[] = {{"catastrophic error", Severity::error},
                          {"internal error", Severity::error},
                          {"error", Severity::error},
                          {"warning", Severity::warning},
                          {"note", Severity::note},
                          {"remark", Severity::note}};

// "error: text" or "warning #177-D: text".
std::optional<Diagnostic> severity_and_text(std::string_view rest) {
    for (const Kind& kind : kinds) {
        if (!rest.starts_with(kind.word)) continue;
        std::string_view tail = rest.substr(kind.word.size());
        if (tail.starts_with(" #")) tail.remove_prefix(std::min(tail.find(':'), tail.size()));
        if (!tail.starts_with(": ")) continue;
        Diagnostic diagnostic;
        diagnostic.severity = kind.severity;
        diagnostic.message = trimmed(tail.substr(2));
        return diagnostic;
    }
    return std::nullopt;
}

std::optional<Diagnostic> header_line(std::string_view line) {
    if (line.starts_with("nvrtc: ")) return severity_and_text(line.substr(7));
    if (line.starts_with(" ") || line.starts_with("\t")) return std::nullopt;
    for (std::size_t at = line.find("): "); at != std::string_view::npos; at = line.find("): ", at + 1)) {
        const std::size_t open = line.rfind('(', at);
        if (open == std::string_view::npos) continue;
        int number = 0;
        const auto parsed = std::from_chars(line.data() + open + 1, line.data() + at, number);
        if (parsed.ec != std::errc() || parsed.ptr != line.data() + at) continue;
        std::optional<Diagnostic> diagnostic = severity_and_text(line.substr(at + 3));
        if (!diagnostic) continue;
        diagnostic->file = line.substr(0, open);
        diagnostic->line = number;
        return diagnostic;
    }
    return std::nullopt;
}

bool is_caret_line(std::string_view line) {
    return line.size() > 2 && trimmed(line) == "^";
}

// Adds the lines after a diagnostic: details, the echoed source line, the caret, more details.
void add_details(Diagnostic& diagnostic, const std::vector<std::string_view>& details) {
    constexpr std::size_t echo_indent = 2;
    constexpr int max_details = 4;  // a template's backtrace may have hundreds of lines
    int added = 0;
    std::size_t caret = details.size();
    for (std::size_t i = 1; i < details.size() && caret == details.size(); ++i)
        if (is_caret_line(details[i])) caret = i;
    const bool found = caret < details.size();
    for (std::size_t i = 0; i < details.size(); ++i) {
        if (i == caret)
            diagnostic.column = static_cast<int>(details[i].find('^') - echo_indent) + 1;
        else if (!(found && i + 1 == caret) && !trimmed(details[i]).empty() && added++ < max_details)
            diagnostic.message += "; " + std::string(trimmed(details[i]));
    }
    if (added > max_details) diagnostic.message += "; …";
}

bool is_summary(std::string_view line) {
    return line.starts_with("Remark: ") || line.starts_with("Error limit reached") ||
           line.starts_with("Compilation terminated") ||
           line.find(" detected in the compilation of ") != std::string_view::npos;
}

}  // namespace

Diagnostics parse_compiler_log(std::string_view log) {
    Diagnostics diagnostics;
    std::vector<std::string_view> details;
    bool open = false;
    auto close = [&] {
        if (open) add_details(diagnostics.back(), details);
        details.clear();
        open = false;
    };
    for (std::string_view line : lines_of(log)) {
        while (!line.empty() && (line.back() == '\r' || line.back() == '\0'))
            line.remove_suffix(1);
        if (std::optional<Diagnostic> diagnostic = header_line(line)) {
            close();
            diagnostics.push_back(std::move(*diagnostic));
            open = true;
        } else if (is_summary(line)) {
            close();
        } else if (open && !line.empty()) {
            details.push_back(line);
        }
    }
    close();
    return diagnostics;
}

}  // namespace lanescope::compile
