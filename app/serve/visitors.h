// How much each address may ask for, so that one student cannot starve the others.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <unordered_map>

namespace lanescope::serve {

class Visitors {
  public:
    using Clock = std::chrono::steady_clock;

    // A bucket of `burst` requests that fills at `per_minute`; 0: no limits per address.
    explicit Visitors(double per_minute) : per_second_(per_minute / 60) {}

    // Returns 0 and counts a request in flight; or after how many seconds the address may ask again.
    int seconds_until_admitted(const std::string& address, Clock::time_point now);
    // The request that was admitted has its answer.
    void leave(const std::string& address);

  private:
    static constexpr double burst = 10;
    static constexpr unsigned most_in_flight = 2;
    static constexpr std::size_t most_known = 10'000;

    struct Visitor {
        double tokens = burst;
        Clock::time_point filled;
        unsigned in_flight = 0;
    };
    void fill(Visitor& visitor, Clock::time_point now) const;
    void forget_idle(Clock::time_point now);

    double per_second_;
    std::mutex mutex_;
    std::unordered_map<std::string, Visitor> visitors_;
};

}  // namespace lanescope::serve
