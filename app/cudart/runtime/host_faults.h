// A host that reads or writes memory of the device directly ends with a signal, here as on a GPU; the journal
// then says what it accessed, and where.
#pragma once

namespace lanescope::cudart {

// From now on. What the signal did before still follows.
void watch_host_faults();

}  // namespace lanescope::cudart
