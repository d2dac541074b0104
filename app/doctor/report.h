// What `lanescope doctor` finds out, and how it is told.
#pragma once

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
    absent,  // not there, or could not be tried: another check says why, or it is no fault
};

struct Check {
    std::string name;  // driver, gpu_0, compiler, cpu_engine, opengl, window, interop
    std::string label;
    Status status = Status::absent;
    std::string message;
    std::string mend;  // of what fails; may be empty
};

struct DriverReport {
    bool found = false;  // and it started, with at least one GPU
    int version = 0;     // 13000; 0 unless found
    std::string release;
    std::string note;  // what it cannot do because it is older than the toolkit; mostly empty
};

struct CompilerReport {
    std::string version;  // "13.0"; empty: none found
    std::string path;
};

struct DeviceReport {
    gpu::DeviceQuery query;
    std::optional<std::size_t> free_bytes;  // of its memory; only when a context could be made
    std::vector<gpu::Transfer> transfers;
};

struct GlReport {
    std::string context;  // headless, window
    std::optional<render::GlDevice> device;
    std::string problem;  // why there is none
};

enum class Verdict { pass, fail, no_gpu };

struct Report {
    DriverReport driver;
    int toolkit_version = 0;  // that the program was built with
    CompilerReport compiler;
    std::optional<gpu::RuntimeLibrary> runtime;
    std::vector<DeviceReport> devices;
    std::vector<GlReport> gl;
    std::vector<Check> checks;

    Verdict verdict() const;
};

// Tries everything; takes some seconds. A window is opened, but not shown.
Report examine();

std::string report_text(const Report& report);
std::string report_json(const Report& report, const std::string& program_version);

std::string size_with_bytes(std::uint64_t bytes);  // "139.8 GiB (150121545728 bytes)"
// The first line after "Result = ": "PASS", or what is wrong.
std::string verdict_text(const Report& report);

}  // namespace lanescope::doctor
