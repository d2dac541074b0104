// `lanescope list` and `lanescope doctor`: which lessons there are, and what works on this machine.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace lanescope {

struct ListOptions {
    bool json = false, core = false;
    void add_to(CLI::App& app);
};
struct DoctorOptions {
    bool json = false, get_compiler = false, fidelity = false;
    std::string gpu;  // where to examine; empty: this machine
    void add_to(CLI::App& app);
};

// The exit code, as of every subcommand.
int list_command(const ListOptions& options);
int doctor_command(const DoctorOptions& options);
// `lanescope doctor --get-compiler`: 0 NVRTC is there and works, be it since now; 1 it could not be got.
int get_compiler_command();

}  // namespace lanescope
