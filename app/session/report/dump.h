// Whole buffers as files: --dump NAME=FILE, --dump NAME@STEP=FILE.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "execution/run/run.h"

namespace lanescope::session {

struct DumpRequest {
    std::string buffer;               // its name, or an address in it: "out", "0x7f0000000200"
    std::optional<std::size_t> step;  // after it; 0: at the start. Nothing: at the end
    std::filesystem::path file;
};

// Reads "NAME=FILE" or "NAME@STEP=FILE". Errors: another form. base/outputs.h checks the file.
Result<DumpRequest> parse_dump(const std::string& text);

// Writes the buffer as it is after the last launch: of a run, or of a saved trace at its end. After a step,
// which is one of the first recorded block as `run --steps` counts them, the arrays of its shared memory are
// known, too. Bytes that were never written are zeros in .npy and .bin, and empty in .csv. Returns a note
// about them; empty if there are none. Errors: an unknown buffer, with the known ones; a step that the run
// does not have; the file cannot be written.
Result<std::string> write_dump(const execution::RunResult& result, const DumpRequest& request);

}  // namespace lanescope::session
