// `lanescope dap`: a debug adapter for editors, over standard streams.
#pragma once

namespace CLI {
class App;
}

namespace lanescope {

struct DapCommand {
    bool no_host_code = false;

    void add_to(CLI::App& app);
};

// Returns the exit code.
int dap_command(const DapCommand& command);

}  // namespace lanescope
