// How long the run that is shown takes on a GPU, in words: measured here, recorded, or estimated.
#pragma once

#include <cstdint>
#include <string>

#include "session/session.h"

namespace lanescope::scene {

enum class TimeKind : std::uint8_t { none, measured, recorded, estimated };

struct RunTime {
    TimeKind kind = TimeKind::none;
    std::string text;      // "NVIDIA H200 · 5.1 µs", "≈ 5.1 µs on an H200"; empty: nothing is known
    std::string hint;      // where the time comes from, its spread, the library beside it
    bool pending = false;  // a newer one is being made: the text is that of an earlier run, or "…"
};

RunTime run_time(const session::Session& session);

// "5.1 µs", "12 ms": two digits below a hundred.
std::string short_time(double microseconds);

}  // namespace lanescope::scene
