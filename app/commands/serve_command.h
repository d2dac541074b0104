// `lanescope serve`: the browser's program and its compiler for a class.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lanescope {

struct ServeOptions {
    std::string folder;
    std::string host = "127.0.0.1";
    int port = 8765;
    int workers = 0;
    std::string token;
    bool no_token = false;
    bool trust_proxy = false;
    int rate = 20;
    std::vector<std::string> origins;

    void add_to(CLI::App& app);
};

// Serves until SIGINT or SIGTERM. Returns the exit code.
int serve_command(const ServeOptions& options);

}  // namespace lanescope
