#include "serve/visitors.h"

#include <algorithm>
#include <cmath>

namespace lanescope::serve {

void Visitors::fill(Visitor& visitor, Clock::time_point now) const {
    const double seconds = std::chrono::duration<double>(now - visitor.filled).count();
    visitor.tokens = std::min(burst, visitor.tokens + seconds * per_second_);
    visitor.filled = now;
}

void Visitors::forget_idle(Clock::time_point now) {
    std::erase_if(visitors_, [&](const auto& entry) {
        Visitor visitor = entry.second;
        fill(visitor, now);
        return visitor.in_flight == 0 && visitor.tokens >= burst;
    });
}

int Visitors::seconds_until_admitted(const std::string& address, Clock::time_point now) {
    if (per_second_ <= 0) return 0;
    constexpr int soon_s = 1, later_s = 30;
    const std::scoped_lock lock(mutex_);
    if (visitors_.size() >= most_known) forget_idle(now);
    if (visitors_.size() >= most_known && !visitors_.contains(address)) return later_s;
    Visitor& visitor = visitors_.try_emplace(address, Visitor{burst, now, 0}).first->second;
    fill(visitor, now);
    if (visitor.in_flight >= most_in_flight) return soon_s;
    if (visitor.tokens < 1) return static_cast<int>(std::ceil((1 - visitor.tokens) / per_second_));
    visitor.tokens -= 1;
    ++visitor.in_flight;
    return 0;
}

void Visitors::leave(const std::string& address) {
    const std::scoped_lock lock(mutex_);
    const auto found = visitors_.find(address);
    if (found != visitors_.end() && found->second.in_flight > 0) --found->second.in_flight;
}

}  // namespace lanescope::serve
