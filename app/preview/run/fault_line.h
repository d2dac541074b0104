// Where a kernel goes wrong that faulted on a GPU, or would.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "base/result.h"
#include "preview/run/run.h"

namespace lanescope::preview {

// What to say about a fault, of which the GPU said `message`. The GPU does not say which line faults. The CPU
// machine says it, where it finds the same on a part of the image.
Diagnostic fault_of(const Request& wanted, const std::string& message, const std::atomic<bool>* cancel);

// The access to a bad address that the CPU machine finds on a part of the image within two seconds; none: it
// finds none.
std::optional<Diagnostic> bad_address_ahead(const Request& wanted, const std::atomic<bool>* cancel);

}  // namespace lanescope::preview
