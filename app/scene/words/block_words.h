// A block and its step in words, as headings show them.
#pragma once

#include <cstdint>
#include <string>

#include "session/session.h"

namespace lanescope::scene {

// "stride = 2": a variable of the kernel that has one value in all lanes of the block; empty when there is
// none.
std::string uniform_variable(const session::Session& session);
// "after line 33": which state the views show; needs a step. See Playhead::show_before.
std::string moment_words(const session::Session& session);
// "block 0 · after line 33 · step 3 of 40 · stride = 2"; needs a step.
std::string step_heading(const session::Session& session);
// "proposed: 1 block of 32 threads, compute_90" of a file that says nothing about its launches;
// otherwise empty.
std::string proposed_launch(const execution::RunResult& run);
// Block index as people write it: "3", or "(1, 2)" in a grid of more dimensions.
std::string block_name(const trace::Dim3& grid, std::uint32_t block);

}  // namespace lanescope::scene
