#include "ui/window/system_motion.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "base/files.h"
#include "base/process.h"

namespace lanescope::ui {
namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : std::string();
}

std::optional<bool> setting_of_gnome() {
    constexpr int patience_ms = 500;
    if (variable("XDG_CURRENT_DESKTOP").find("GNOME") == std::string::npos) return {};
    const Result<ProcessOutcome> told = run_process(
        {"gsettings", "get", "org.gnome.desktop.interface", "enable-animations"}, {}, patience_ms, 1 << 12);
    if (!told || !told->succeeded()) return {};
    return told->out.find("false") == std::string::npos;
}

std::optional<bool> setting_of_gtk() {
    std::filesystem::path folder = variable("XDG_CONFIG_HOME");
    if (folder.empty() && !variable("HOME").empty())
        folder = std::filesystem::path(variable("HOME")) / ".config";
    for (const char* version : {"gtk-4.0", "gtk-3.0"})
        if (const Result<std::string> text = read_file(folder / version / "settings.ini", 1 << 16))
            return animations_of_gtk(*text);
    return {};
}

}  // namespace

bool animations_of_gtk(std::string_view text) {
    constexpr std::string_view key = "gtk-enable-animations";
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
        if (at > 0 && text[at - 1] != '\n') continue;  // a comment
        std::size_t value = text.find_first_not_of(" \t", at + key.size());
        if (value == std::string_view::npos || text[value] != '=') continue;
        value = text.find_first_not_of(" \t", value + 1);
        const std::string_view rest =
            value == std::string_view::npos ? std::string_view() : text.substr(value);
        return !rest.starts_with('0') && !rest.starts_with("false");
    }
    return true;
}

bool system_wants_motion() {
    const std::string own = variable("LANESCOPE_MOTION");
    if (own == "on" || own == "off") return own == "on";
    if (const std::optional<bool> gnome = setting_of_gnome()) return *gnome;
    return setting_of_gtk().value_or(true);
}

}  // namespace lanescope::ui
