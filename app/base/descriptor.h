// File descriptors that are owned, and passed from one process to another.
#pragma once

#include <utility>

#include "base/result.h"

namespace lanescope {

// Closes the descriptor that it owns.
class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }

    int number() const { return number_; }  // negative: none
    explicit operator bool() const { return number_ >= 0; }
    int release() { return std::exchange(number_, -1); }  // the caller closes it
    void close();
    // Another descriptor of the same thing. Error: the process has too many.
    Result<Descriptor> copy() const;

  private:
    int number_ = -1;
};

// Over a Unix socket. Sending must not block for long: the other side reads one descriptor after the other.
Result<void> send_descriptor(int socket, const Descriptor& descriptor);
// Waits for at most `seconds`. Errors: nothing came; the other side closed the socket.
Result<Descriptor> receive_descriptor(int socket, double seconds);

}  // namespace lanescope
