#include "base/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>

namespace lanescope {

void open_standard_streams() {
    // Reading only, so that what is printed is not lost in silence.
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0)
            ::open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_RDWR);  // takes the lowest free number
}

Result<void> flush_standard_output() {
    errno = 0;
    std::cout.flush();
    const bool flushed = std::fflush(stdout) == 0;
    int why = errno;
    if (flushed && std::cout.good() && std::ferror(stdout) == 0) return {};
    // An earlier write failed and its reason is lost. Another one, at the end of an output that is not whole,
    // asks for it again.
    if (why == 0 && ::write(STDOUT_FILENO, "\n", 1) < 0) why = errno;
    if (why == EPIPE) {
        std::signal(SIGPIPE, SIG_DFL);
        std::raise(SIGPIPE);
    }
    return error("standard output cannot be written" +
                 (why == 0 ? std::string() : std::string(": ") + std::strerror(why)));
}

}  // namespace lanescope
