// Memory that the program has freed, and that its allocator still holds.
#pragma once

namespace lanescope {

// Returns it to the system, after gigabytes were freed. Takes milliseconds: call it in a job.
void return_freed_memory();

}  // namespace lanescope
