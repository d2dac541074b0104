// Recorded results of a GPU: a text head that names the device, then one record for each form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "form.h"

namespace lanescope::parity {

struct Record {
    std::string code;               // Form::code
    std::uint64_t work_hash = 0;    // hash of the kernel's text and its inputs
    std::vector<std::byte> result;  // packed()
};

struct Recording {
    std::string device, driver, date;
    std::vector<Record> records;
};

// Returns FNV-1a over the module's text, the inputs and the memory. A recording of other work is useless.
std::uint64_t work_hash(const Form& form, const Work& work);
std::uint64_t text_hash(const std::string& text);

// Returns the hash of a kernel file without its expected problems, which do not change what runs.
std::uint64_t file_hash(const std::string& source);

// Returns the name of the record of one buffer after a kernel file ran: "k01.cu debug out".
std::string corpus_record_name(const std::string& file, bool debug, const std::string& buffer);

Result<void> save(const Recording& recording, const std::string& path);
Result<Recording> load_recording(const std::string& path);

}  // namespace lanescope::parity
