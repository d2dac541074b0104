// `lanescope list` and `lanescope doctor`: what there is to open, and what works here.
#pragma once

namespace lanescope {

// The exit code, as of every subcommand.
int list_command(bool json);
int doctor_command(bool json);

}  // namespace lanescope
