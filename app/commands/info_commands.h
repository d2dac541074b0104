// `lanescope list` and `lanescope doctor`: which lessons there are, and what works on this machine.
#pragma once

namespace lanescope {

// Both return the exit code.
int list_command(bool json);
int doctor_command(bool json);

}  // namespace lanescope
