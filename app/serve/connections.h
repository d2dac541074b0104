// The open connections, and how long each may take. The library ends those that are silent; a byte now and
// then must not keep one open, either.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace lanescope::serve {

class Connections {
  public:
    enum class Phase : std::uint8_t { head, body, working, answering };

    // `connection` is the library's name for it.
    void open(const void* connection, int socket);
    void enter(const void* connection, Phase phase);
    void close(const void* connection);

    // Shuts down the connections that have been in their phase for too long; the library then closes them.
    void end_slow();
    std::size_t count() const;

  private:
    using Clock = std::chrono::steady_clock;
    struct Watched {
        int socket = -1;
        Phase phase = Phase::head;
        Clock::time_point since;
    };

    mutable std::mutex mutex_;
    std::unordered_map<const void*, Watched> all_;
};

}  // namespace lanescope::serve
