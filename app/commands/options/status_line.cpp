#include "commands/options/status_line.h"

#include <unistd.h>

#include <cstdio>
#include <iostream>

namespace lanescope {

namespace {

using std::chrono::steady_clock;

constexpr auto between_frames = std::chrono::milliseconds(100),
               between_lines = std::chrono::milliseconds(10'000);

}  // namespace

StatusLine::StatusLine()
    : terminal_(::isatty(STDERR_FILENO) != 0),
      told_(steady_clock::now() - (terminal_ ? between_frames : steady_clock::duration{})) {}

StatusLine::~StatusLine() {
    clear();
}

void StatusLine::show(const std::string& words) {
    if (!terminal_) return;
    clear();
    std::cerr << words << std::flush;
    shown_ = true;
}

void StatusLine::tell(const std::string& words) {
    const auto now = steady_clock::now();
    if (now - told_ < (terminal_ ? between_frames : between_lines)) return;
    told_ = now;
    if (terminal_)
        show(words);
    else
        std::cerr << words << std::endl;
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
