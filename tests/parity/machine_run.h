// Runs a form on the CPU SIMT machine.
#pragma once

#include "form.h"

namespace lanescope::parity {

// Returns the packed() results of the machine. Fails if it does not support the form or finds a problem.
Result<std::vector<std::byte>> run_on_machine(const Form& form, const Work& work);

}  // namespace lanescope::parity
