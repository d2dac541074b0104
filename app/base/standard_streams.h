// The standard streams of this process.
#pragma once

namespace lanescope {

// Opens each of them that the caller has closed on /dev/null. Otherwise the next file or socket takes its
// number, and what the program prints goes there.
void open_standard_streams();

}  // namespace lanescope
