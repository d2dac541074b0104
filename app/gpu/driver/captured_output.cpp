#include "gpu/driver/captured_output.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace lanescope::gpu {

CapturedOutput::CapturedOutput() {
    std::fflush(stdout);
    std::error_code ignored;
    std::string path = (std::filesystem::temp_directory_path(ignored) / "lanescope-XXXXXX").string();
    file_ = mkstemp(path.data());
    if (file_ < 0) return;
    unlink(path.c_str());
    saved_ = dup(STDOUT_FILENO);
    if (saved_ >= 0) dup2(file_, STDOUT_FILENO);
}

CapturedOutput::~CapturedOutput() {
    restore();
    if (file_ >= 0) close(file_);
}

void CapturedOutput::restore() {
    if (saved_ < 0) return;
    std::fflush(stdout);
    dup2(saved_, STDOUT_FILENO);
    close(saved_);
    saved_ = -1;
}

std::string CapturedOutput::take() {
    restore();
    std::string text;
    if (file_ < 0) return text;
    lseek(file_, 0, SEEK_SET);
    char piece[4096];
    for (ssize_t got = 0; (got = read(file_, piece, sizeof piece)) > 0;)
        text.append(piece, static_cast<std::size_t>(got));
    return text;
}

}  // namespace lanescope::gpu
