// Runs a form on the CPU SIMT machine.
#pragma once

#include "form.h"

namespace lanescope::parity {

// packed() of what the machine makes of the form. Errors: what it does not support, problems that it finds.
Result<std::vector<std::byte>> run_on_machine(const Form& form, const Work& work);

}  // namespace lanescope::parity
