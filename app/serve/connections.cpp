#include "serve/connections.h"

#include <sys/socket.h>

namespace lanescope::serve {

namespace {

using std::chrono::seconds;

// A request's head, from the end of the one before; its body; an answer on a slow network.
constexpr seconds head_time{40}, body_time{20}, answer_time{600};

seconds time_for(Connections::Phase phase) {
    if (phase == Connections::Phase::head) return head_time;
    return phase == Connections::Phase::body ? body_time : answer_time;
}

}  // namespace

void Connections::open(const void* connection, int socket) {
    const std::scoped_lock lock(mutex_);
    all_[connection] = {socket, Phase::head, Clock::now()};
}

void Connections::enter(const void* connection, Phase phase) {
    const std::scoped_lock lock(mutex_);
    const auto found = all_.find(connection);
    if (found != all_.end()) found->second = {found->second.socket, phase, Clock::now()};
}

void Connections::close(const void* connection) {
    const std::scoped_lock lock(mutex_);
    all_.erase(connection);
}

void Connections::end_slow() {
    const Clock::time_point now = Clock::now();
    const std::scoped_lock lock(mutex_);
    for (const auto& [connection, watched] : all_)
        if (watched.phase != Phase::working && now - watched.since > time_for(watched.phase))
            ::shutdown(watched.socket, SHUT_RDWR);
}

std::size_t Connections::count() const {
    const std::scoped_lock lock(mutex_);
    return all_.size();
}

}  // namespace lanescope::serve
