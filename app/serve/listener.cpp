#include "serve/listener.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace lanescope::serve {

namespace {

constexpr int backlog = 512;

Diagnostic cannot_listen(const std::string& host, int port, int number) {
    const std::string place = host + ":" + std::to_string(port);
    if (number == EADDRINUSE)
        return error("another program listens at " + place, "choose another port: --port 8766");
    if (number == EACCES)
        return error("only an administrator may listen at " + place,
                     "choose a port from 1024 on: --port 8765");
    return error("cannot listen at " + place + ": " + std::strerror(number),
                 "--host must be an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them");
}

int port_of(int socket) {
    sockaddr_storage bound{};
    socklen_t size = sizeof bound;
    if (::getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &size) != 0) return 0;
    return ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(bound).sin6_port
                                             : reinterpret_cast<sockaddr_in&>(bound).sin_port);
}

std::string text_of(const in_addr& address) {
    char text[INET_ADDRSTRLEN] = "";
    return ::inet_ntop(AF_INET, &address, text, sizeof text) != nullptr ? text : "";
}

std::string text_of(const in6_addr& address) {
    constexpr std::size_t network_bytes = 8, mapped_bytes = 12;
    if (IN6_IS_ADDR_V4MAPPED(&address)) {
        in_addr inside{};
        std::memcpy(&inside, address.s6_addr + mapped_bytes, sizeof inside);
        return text_of(inside);
    }
    in6_addr network{};
    std::memcpy(&network, &address, network_bytes);
    char text[INET6_ADDRSTRLEN] = "";
    return ::inet_ntop(AF_INET6, &network, text, sizeof text) != nullptr ? std::string(text) + "/64" : "";
}

}  // namespace

Result<Listener> listen_at(const std::string& host, int port) {
    addrinfo wanted{}, *found = nullptr;
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0 || found == nullptr)
        return cannot_listen(host, port, EADDRNOTAVAIL);
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned(found, ::freeaddrinfo);
    Listener listener;
    listener.socket = Descriptor(
        ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, found->ai_protocol));
    const int number = listener.socket.number(), yes = 1;
    // A server that starts again does not wait for the old connections to be forgotten.
    if (!listener.socket || ::setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        ::bind(number, found->ai_addr, found->ai_addrlen) != 0 || ::listen(number, backlog) != 0)
        return cannot_listen(host, port, errno);
    listener.port = port_of(number);
    return listener;
}

std::string address_text(const sockaddr* address) {
    if (address == nullptr) return {};
    if (address->sa_family == AF_INET)
        return text_of(reinterpret_cast<const sockaddr_in*>(address)->sin_addr);
    if (address->sa_family == AF_INET6)
        return text_of(reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
    return {};
}

std::string address_text(const std::string& text) {
    in_addr four{};
    in6_addr six{};
    if (::inet_pton(AF_INET, text.c_str(), &four) == 1) return text_of(four);
    if (::inet_pton(AF_INET6, text.c_str(), &six) == 1) return text_of(six);
    return {};
}

bool is_loopback(const sockaddr* address) {
    const std::string text = address_text(address);
    if (text.starts_with("127.")) return true;
    return address != nullptr && address->sa_family == AF_INET6 &&
           IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

}  // namespace lanescope::serve
