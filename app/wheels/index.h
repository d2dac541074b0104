// A package index's page of one project, and which of its files is the wanted one.
// Sources: PEP 503 (HTML), PEP 691 (JSON), PEP 427 (names of wheels).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lanescope::wheels {

struct Requirement {
    std::string name;     // "nvidia-cuda-nvrtc"
    std::string version;  // "13.0.88"
    bool operator==(const Requirement&) const = default;
};

// The wheels that make a compiler, as app/wheels/pinned.txt lists them.
std::vector<Requirement> compiler_wheels();
// "name==version name==version"
std::vector<Requirement> parse_requirements(std::string_view text);

struct IndexFile {
    std::string name;              // "nvidia_cuda_nvrtc-13.0.88-py3-none-manylinux2010_x86_64.….whl"
    std::string url;               // as on the page: it may be relative
    std::string sha256;            // 64 hexadecimal digits in lower case; empty: the index does not say
    std::uint64_t size_bytes = 0;  // 0: the index does not say
};

// Reads JSON or HTML, whichever the text is. Errors: neither; JSON of another form.
Result<std::vector<IndexFile>> parse_index(const std::string& page);

// The wheel of that version for Linux on x86-64. Errors: there is none (the versions that there are, are
// named); it has no SHA-256.
Result<IndexFile> choose_wheel(const std::vector<IndexFile>& files, const Requirement& wanted);

}  // namespace lanescope::wheels
