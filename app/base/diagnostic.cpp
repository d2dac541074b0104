#include "base/result.h"

#include <cstdio>

namespace lanescope {

namespace {

const char* word(Severity severity) {
    switch (severity) {
        case Severity::note:
            return "note";
        case Severity::warning:
            return "warning";
        case Severity::error:
            return "error";
    }
    return "error";
}

// A name may hold line ends, and what moves a terminal's cursor.
std::string in_one_line(const std::string& name) {
    std::string text;
    for (const char c : name) {
        char code[8];
        std::snprintf(code, sizeof code, c == '\n' ? "\\n" : "\\x%02x", static_cast<unsigned char>(c));
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
            text += code;
        else
            text += c;
    }
    return text;
}

}  // namespace

std::string to_text(const Diagnostic& diagnostic) {
    std::string text;
    if (!diagnostic.file.empty()) {
        text += in_one_line(diagnostic.file);
        if (diagnostic.line > 0) {
            text += ':' + std::to_string(diagnostic.line);
            if (diagnostic.column > 0) text += ':' + std::to_string(diagnostic.column);
        }
        text += ": ";
    }
    text += word(diagnostic.severity);
    text += ": " + diagnostic.message;
    if (!diagnostic.hint.empty()) text += " (" + diagnostic.hint + ")";
    return text;
}

std::string to_text(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics)
        text += to_text(diagnostic) + '\n';
    return text;
}

Diagnostic error(std::string message, std::string hint) {
    return {Severity::error, {}, 0, 0, std::move(message), std::move(hint)};
}

Diagnostic error_at(std::string file, int line, int column, std::string message, std::string hint) {
    return {Severity::error, std::move(file), line, column, std::move(message), std::move(hint)};
}

}  // namespace lanescope
