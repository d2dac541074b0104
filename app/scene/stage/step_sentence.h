// What a step does, in one sentence for people who see only the picture.
#pragma once

#include <string>

#include "session/session.h"

namespace lanescope::scene {

// "Threads 0, 8, 16 and 24 add the cell 4 to the right to their own cell of s; the other 28 wait."
//
// The sentence is made from what the step's instructions did: a relation between cells or values is stated
// only where it holds in every thread that takes part. The sentence leaves out hidden values. It is empty
// before the first step, and in steps of more turns than a person can follow.
std::string step_sentence(const session::Session& session);

}  // namespace lanescope::scene
