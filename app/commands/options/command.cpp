#include "commands/options/command.h"

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "base/folders.h"
#include "lesson/instance.h"

namespace lanescope {

namespace {

// One object a line, for programs that call this one.
void write_json(const Diagnostics& diagnostics) {
    using nlohmann::ordered_json;
    for (const Diagnostic& each : diagnostics)
        std::cerr << ordered_json{{"severity", each.severity == Severity::error     ? "error"
                                               : each.severity == Severity::warning ? "warning"
                                                                                    : "note"},
                                  {"file", each.file},
                                  {"line", each.line},
                                  {"column", each.column},
                                  {"message", each.message},
                                  {"hint", each.hint}}
                         .dump(-1, ' ', false, ordered_json::error_handler_t::replace)
                  << '\n';
}

}  // namespace

int fail(const Diagnostics& diagnostics, int code) {
    const char* const messages = std::getenv("LANESCOPE_MESSAGES");
    if (messages != nullptr && std::string_view(messages) == "json")
        write_json(diagnostics);
    else
        std::cerr << to_text(diagnostics);
    return code;
}

int fail(const Diagnostic& diagnostic, int code) {
    return fail(Diagnostics{diagnostic}, code);
}

Diagnostics no_gpu(Diagnostics why) {
    why.front().message = "engine 'gpu' is not available: " + why.front().message;
    return why;
}

std::shared_ptr<const lesson::Registry> lessons() {
    return std::make_shared<const lesson::Registry>(lesson::load_lessons());
}

CLI::Validator or_shipped() {
    const auto complete = [](std::string& name) {
        namespace fs = std::filesystem;
        std::error_code ignored;
        const bool of_program = name.starts_with("kernels/") || name.starts_with("assets/");
        if (!of_program || fs::exists(name, ignored)) return std::string();
        const fs::path shipped = resource_folder() / name;
        if (fs::is_regular_file(shipped, ignored)) name = shipped.string();
        return std::string();
    };
    return {complete, ""};
}

CLI::Validator from(double lowest) {
    const auto check = [lowest](std::string& text) {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        std::ostringstream message;
        if (*end != 0 || !(value >= lowest))
            message << "must be a number of at least " << lowest << ", not " << text;
        return message.str();
    };
    return {check, ""};
}

Result<std::map<std::string, std::int64_t>> parameters_of(const std::vector<std::string>& settings) {
    std::map<std::string, std::int64_t> parameters;
    for (const std::string& setting : settings) {
        Result<std::pair<std::string, std::int64_t>> parsed = lesson::parse_setting(setting);
        if (!parsed) return parsed.diagnostics();
        parameters[parsed->first] = parsed->second;
    }
    return parameters;
}

}  // namespace lanescope
