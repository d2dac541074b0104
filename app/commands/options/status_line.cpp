#include "commands/options/status_line.h"

#include <unistd.h>

#include <cstdio>
#include <iostream>

namespace lanescope {

StatusLine::StatusLine() : terminal_(::isatty(STDERR_FILENO) != 0) {}

StatusLine::~StatusLine() {
    clear();
}

void StatusLine::show(const std::string& words) {
    if (!terminal_) return;
    clear();
    std::cerr << words << std::flush;
    shown_ = true;
}

void StatusLine::clear() {
    if (shown_) std::cerr << "\r\x1b[K" << std::flush;
    shown_ = false;
}

std::string received_text(std::uint64_t bytes) {
    constexpr double kib = 1024, mib = kib * kib;
    char text[32];
    if (static_cast<double>(bytes) < mib)
        std::snprintf(text, sizeof text, "%.0f KiB received", static_cast<double>(bytes) / kib);
    else
        std::snprintf(text, sizeof text, "%.1f MiB received", static_cast<double>(bytes) / mib);
    return text;
}

}  // namespace lanescope
