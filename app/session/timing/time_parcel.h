// A file with its code and its data, for a process that times it on a machine that has neither the file nor a
// compiler.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "execution/run/clean_program.h"
#include "lesson/instance.h"

namespace lanescope::session {

struct ParcelFile {
    std::string path;  // relative to the folder of the file
    std::string bytes;
};

struct TimeParcel {
    std::string source;  // at least the front matter
    bool proposed = false;
    execution::CleanCode code;
    std::vector<ParcelFile> data;  // images and data that the front matter names
};

// Reads the data and compiles for `target`: "sm_90". Errors: those of compile_clean(); data that cannot be
// read, or that has an absolute path.
Result<TimeParcel> make_time_parcel(const std::string& source, const std::string& file,
                                    const lesson::FrontMatter& front, bool proposed,
                                    const std::string& target, const compile::Flags& flags);

nlohmann::json to_json(const TimeParcel& parcel);
// Errors: what is missing, or PTX that this program cannot read.
Result<TimeParcel> time_parcel_of(const nlohmann::json& json, const std::string& file);

// Instantiates the front matter with the data of the parcel. `file` is the name in diagnostics. Errors: those
// of lesson::instantiate(); the data cannot be put into a temporary folder.
Result<lesson::Instance> instantiate(const TimeParcel& parcel, const lesson::FrontMatter& front,
                                     const lesson::ParameterValues& point, const std::string& file,
                                     std::uint64_t max_buffer_bytes);

}  // namespace lanescope::session
