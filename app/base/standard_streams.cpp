#include "base/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

namespace lanescope {

void open_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", O_RDWR);  // takes the lowest free number
}

}  // namespace lanescope
