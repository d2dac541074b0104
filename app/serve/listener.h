// A socket that listens, and the addresses at its other ends.
#pragma once

#include <string>

#include <sys/socket.h>

#include "base/descriptor.h"
#include "base/result.h"

namespace lanescope::serve {

struct Listener {
    Descriptor socket;
    int port = 0;
};

// `host`: an address or a name of this machine. Errors: it is not; the port is in use or reserved.
Result<Listener> listen_at(const std::string& host, int port);

// "192.168.1.7"; of IPv6 the network (64 bits), which one person has as a whole. Empty: neither.
std::string address_text(const sockaddr* address);
// The same of an address that a text holds; empty if it does not.
std::string address_text(const std::string& text);
bool is_loopback(const sockaddr* address);

}  // namespace lanescope::serve
