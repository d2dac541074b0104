#include "wheels/pip_settings.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>

#include "base/files.h"
#include "base/text.h"

namespace lanescope::wheels {

namespace fs = std::filesystem;

namespace {

using Values = std::map<std::string, std::string>;

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

// The sections that hold for downloads. A line that begins with a space goes on with the value before it.
void read_ini(const fs::path& file, Values& values) {
    const Result<std::string> text = read_text_file(file, 1 << 20);
    if (!text) return;
    std::istringstream lines(*text);
    std::string section, key;
    for (std::string line; std::getline(lines, line);) {
        const std::string plain(trimmed(line));
        if (plain.empty() || plain[0] == '#' || plain[0] == ';') continue;
        if (plain.front() == '[' && plain.back() == ']') {
            section = plain.substr(1, plain.size() - 2);
            key.clear();
            continue;
        }
        if (section != "global" && section != "download" && section != "install") continue;
        const std::size_t mark = plain.find_first_of("=:");
        if ((line[0] == ' ' || line[0] == '\t') && !key.empty()) {
            values[key] += " " + plain;
        } else if (mark != plain.npos) {
            key = trimmed(plain.substr(0, mark));
            std::replace(key.begin(), key.end(), '_', '-');
            values[key] = trimmed(plain.substr(mark + 1));
        }
    }
}

Values configured(const Variables& variables, const fs::path& system_file) {
    Values values;
    const std::string home = variables("HOME").value_or("");
    const std::string config = variables("XDG_CONFIG_HOME").value_or(home.empty() ? "" : home + "/.config");
    const std::string chosen = variables("PIP_CONFIG_FILE").value_or("");
    if (chosen == "/dev/null") return values;  // pip: no file at all
    read_ini(system_file, values);
    if (!home.empty()) read_ini(fs::path(home) / ".pip/pip.conf", values);
    if (!config.empty()) read_ini(fs::path(config) / "pip/pip.conf", values);
    if (const auto folder = variables("VIRTUAL_ENV")) read_ini(fs::path(*folder) / "pip.conf", values);
    if (!chosen.empty()) read_ini(chosen, values);
    return values;
}

}  // namespace

PipSettings pip_settings(const Variables& variables, const fs::path& system_file) {
    const Values values = configured(variables, system_file);
    const auto setting = [&](const char* variable, const char* key) {
        if (const auto given = variables(variable); given && !given->empty())
            return std::string(trimmed(*given));
        const auto found = values.find(key);
        return found == values.end() ? std::string() : found->second;
    };
    PipSettings settings;
    if (std::string url = setting("PIP_INDEX_URL", "index-url"); !url.empty()) settings.index_url = url;
    while (settings.index_url.ends_with('/'))
        settings.index_url.pop_back();
    settings.trusted_hosts = words_of(setting("PIP_TRUSTED_HOST", "trusted-host"));
    settings.certificates = setting("PIP_CERT", "cert");
    if (settings.certificates.empty()) settings.certificates = variables("SSL_CERT_FILE").value_or("");
    return settings;
}

PipSettings pip_settings() {
    const auto variables = [](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str());
        return value ? std::optional<std::string>(value) : std::nullopt;
    };
    return pip_settings(variables, "/etc/pip.conf");
}

std::string host_of(const std::string& url) {
    const std::size_t scheme = url.find("://");
    if (scheme == url.npos) return {};
    std::string host = url.substr(scheme + 3, url.find_first_of("/?#", scheme + 3) - scheme - 3);
    if (const std::size_t at = host.rfind('@'); at != host.npos) host.erase(0, at + 1);
    const std::size_t port = host.rfind(':');
    if (port != host.npos && host.find(']', port) == host.npos) host.erase(port);
    return host;
}

bool is_trusted(const std::string& url, const PipSettings& settings) {
    if (url.starts_with("https://")) return true;
    if (!url.starts_with("http://")) return false;
    const std::string host = host_of(url);
    if (host == "localhost" || host == "127.0.0.1" || host == "[::1]") return true;
    return std::any_of(settings.trusted_hosts.begin(), settings.trusted_hosts.end(),
                       [&](const std::string& each) { return each.substr(0, each.find(':')) == host; });
}

}  // namespace lanescope::wheels
