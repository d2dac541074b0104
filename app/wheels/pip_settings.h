// Where packages come from, from pip's own settings: a company's index need not be set up twice.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::wheels {

struct PipSettings {
    std::string index_url = "https://pypi.org/simple";  // without a slash at the end
    std::vector<std::string> trusted_hosts;             // that may be asked over plain HTTP
    std::string certificates;  // a file of the authorities to trust; empty: the system's
};

using Variables = std::function<std::optional<std::string>(const std::string& name)>;

// PIP_INDEX_URL, PIP_TRUSTED_HOST, PIP_CERT, SSL_CERT_FILE, then pip's configuration files (the last one that
// sets a value counts, as in pip: the system's, the user's, $PIP_CONFIG_FILE), then the defaults.
// `system_file`: /etc/pip.conf.
PipSettings pip_settings(const Variables& variables, const std::filesystem::path& system_file);

PipSettings pip_settings();  // of this process

// The host of an address: "pypi.org". Names and passwords before it are left out.
std::string host_of(const std::string& url);

// Whether an address may be asked: over HTTPS, or over plain HTTP at this machine itself or a trusted host.
bool is_trusted(const std::string& url, const PipSettings& settings);

}  // namespace lanescope::wheels
