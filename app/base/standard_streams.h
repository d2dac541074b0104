// The standard streams of this process.
#pragma once

#include "base/result.h"

namespace lanescope {

// Opens each of them that the caller has closed on /dev/null. Otherwise the next file or socket takes its
// number, and what the program prints goes there.
void open_standard_streams();

// Writes what the program has printed. Error: standard output cannot be written, also earlier. Ends the
// process by SIGPIPE if its reader is gone, as a program that does not handle that signal.
Result<void> flush_standard_output();

}  // namespace lanescope
