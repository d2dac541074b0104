// Whole buffers as files: --dump NAME=FILE.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "execution/run/run.h"

namespace lanescope::session {

struct DumpRequest {
    std::string buffer;  // its name, or an address in it: "out", "0x7f0000000200"
    std::filesystem::path file;
};

// Reads "NAME=FILE". Errors: another form. base/outputs.h checks the file.
Result<DumpRequest> parse_dump(const std::string& text);

// Writes the buffer as it is after the last launch: of a run, or of a saved trace at its end. Bytes that were
// never written are zeros in .npy and .bin, and empty in .csv. Returns a note about them; empty if there are
// none. Errors: an unknown buffer, with the known ones; the file cannot be written.
Result<std::string> write_dump(const execution::RunResult& result, const DumpRequest& request);

}  // namespace lanescope::session
