// The findings of `lanescope doctor` and their text and JSON forms.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gpu/clean/bandwidth.h"
#include "gpu/driver/device_query.h"
#include "gpu/driver/runtime_library.h"
#include "render/gl.h"

namespace lanescope::doctor {

enum class Status {
    works,
    fails,
    absent,  // not there or not tried; either no fault or another check gives the reason
};

struct Check {
    std::string name;  // driver, gpu_0, compiler, cpu_engine, opengl, window, shared_headless
    std::string label;
    Status status = Status::absent;
    std::string message;
    std::string mend;  // how to correct the failure; may be empty
};

struct DriverReport {
    bool found = false;  // and started, with at least one GPU
    int version = 0;     // 13000; 0 unless found
    std::string release;
    std::string note;  // what it cannot do because it is older than the toolkit; usually empty
};

struct CompilerReport {
    std::string version;  // "13.0"; empty if no compiler was found
    std::string path;
    std::string confinement;  // of the compiler's process
};

struct DeviceReport {
    gpu::DeviceQuery query;
    std::optional<std::size_t> free_bytes;  // set if a context could be created
    std::vector<gpu::Transfer> transfers;
};

struct GlReport {
    std::string context;  // headless, window
    std::optional<render::GlDevice> device;
    std::string problem;  // why there is no device
};

enum class Verdict { pass, fail, no_gpu };

struct Report {
    DriverReport driver;
    int toolkit_version = 0;  // with which the program was built
    CompilerReport compiler;
    std::optional<gpu::RuntimeLibrary> runtime;
    std::optional<std::filesystem::path> cupti;  // for lines and counters of `lanescope time`
    std::vector<DeviceReport> devices;
    std::vector<GlReport> gl;
    std::vector<Check> checks;

    Verdict verdict() const;
};

// Runs all checks; takes some seconds. Opens a window but does not show it.
Report examine();

std::string report_text(const Report& report);
std::string report_json(const Report& report, const std::string& program_version);

std::string size_with_bytes(std::uint64_t bytes);  // "139.8 GiB (150121545728 bytes)"
// The first line after "Result = ": "PASS", or what is wrong.
std::string verdict_text(const Report& report);

}  // namespace lanescope::doctor
