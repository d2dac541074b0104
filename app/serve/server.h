// The HTTP side: files of the page for everyone, compilations and counts for those who have the token.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanescope::serve {

struct Settings {
    std::string host = "127.0.0.1";
    int port = 8765;                   // 0: one that is free
    std::filesystem::path folder;      // of the page; empty: only the compiler is served
    unsigned workers = 0;              // compilers at once; 0: as many as the processor has cores
    std::string token;                 // empty: none is needed
    double rate = 20;                  // requests a minute of each address; 0: no limits per address
    bool trust_proxy = false;          // a proxy on this machine says the address in X-Forwarded-For
    std::vector<std::string> origins;  // other pages that may use the compiler
    std::function<void(const std::string&)> log;  // called with each line, on several threads
};

class Server {
  public:
    // Serves on threads of its own. Errors: no HTTP library; the folder; the address is in use or not of this
    // machine.
    static Result<std::unique_ptr<Server>> start(Settings settings);
    // Stops the compilers, tells those who wait, and closes all connections.
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    int port() const;
    // To be called each second: ends connections that are too slow, reads the folder again after a change.
    void tick();

  private:
    class Implementation;
    explicit Server(std::unique_ptr<Implementation> implementation);
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace lanescope::serve
