#include "base/worker.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace lanescope {

WorkerStreams::WorkerStreams(Printed printed) : out_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)) {
    const int elsewhere =
        printed == Printed::to_errors ? STDERR_FILENO : open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (elsewhere >= 0) dup2(elsewhere, STDOUT_FILENO);
}

std::string WorkerStreams::request() const {
    std::string bytes;
    char buffer[1 << 16];
    for (;;) {
        const ssize_t n = read(STDIN_FILENO, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return bytes;
        bytes.append(buffer, static_cast<std::size_t>(n));
    }
}

bool WorkerStreams::answer(std::string_view bytes) const {
    while (!bytes.empty()) {
        const ssize_t n = write(out_, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

}  // namespace lanescope
