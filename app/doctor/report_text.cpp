#include <algorithm>
#include <cstdio>

#include "doctor/report.h"
#include "gpu/driver/memory.h"

namespace lanescope::doctor {

namespace {

constexpr int label_width = 42;

std::string row(const std::string& label, const std::string& text) {
    std::string line = "  " + label;
    line.resize(std::max<std::size_t>(label_width, line.size() + 1), ' ');
    return line + text + '\n';
}

std::string decimal(double value, const char* format) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string joined(const std::vector<int>& values, const char* between) {
    std::string text;
    for (const int value : values)
        text += (text.empty() ? "" : between) + std::to_string(value);
    return text;
}

std::string value_text(const gpu::DeviceProperty& property, const std::vector<int>& values) {
    if (values.empty()) return "not known to this driver";
    switch (property.unit) {
        case gpu::Unit::bytes:
            return size_with_bytes(static_cast<std::uint64_t>(values[0]));
        case gpu::Unit::kilohertz:
            return decimal(values[0] / 1e3, "%.0f MHz");
        case gpu::Unit::bits:
            return std::to_string(values[0]) + " bits";
        case gpu::Unit::yes_no:
            return values[0] ? "yes" : "no";
        case gpu::Unit::compute_mode:
            return gpu::compute_mode_text(values[0]);
        case gpu::Unit::count:
            break;
    }
    return joined(values, " x ");
}

std::string versions_text(const Report& report) {
    std::string text = "Versions\n";
    std::string driver = "no working driver";
    if (report.driver.found) {
        driver = "CUDA " + gpu::cuda_version_text(report.driver.version);
        if (!report.driver.release.empty()) driver = report.driver.release + ", " + driver;
    }
    text += row("NVIDIA driver", driver);
    text += row("CUDA runtime (not needed)",
                report.runtime
                    ? gpu::cuda_version_text(report.runtime->version) + ", " + report.runtime->path.string()
                    : "not found");
    text +=
        row("NVRTC", report.compiler.version.empty() ? "not found"
                                                     : report.compiler.version + ", " + report.compiler.path);
    if (!report.compiler.confinement.empty())
        text += row("Compiler is confined by", report.compiler.confinement);
    text += row("CUPTI (lines, counters)", report.cupti ? report.cupti->string() : "not found");
    text += row("Built with CUDA", gpu::cuda_version_text(report.toolkit_version));
    if (!report.driver.note.empty()) text += "  note: " + report.driver.note + '\n';
    return text;
}

std::string cores_text(const gpu::DeviceQuery& query) {
    const int each = query.cores_per_multiprocessor;
    if (each == 0) return "not known for this compute capability";
    return std::to_string(each * query.multiprocessors()) + " (" + std::to_string(each) + " per SM)";
}

std::string transfers_text(const std::vector<gpu::Transfer>& transfers) {
    std::string text = "  Bandwidth, GB/s (10^9 bytes a second), one copy at a time:\n";
    for (const gpu::Transfer& transfer : transfers) {
        std::string direction = transfer.direction;
        std::replace(direction.begin(), direction.end(), '_', ' ');
        const bool within = transfer.memory == std::string("device");
        text += row("  " + direction + (within ? "" : std::string(", ") + transfer.memory) + ", " +
                        gpu::size_text(transfer.bytes),
                    decimal(transfer.median, "%.1f") + decimal(transfer.minimum, "  (%.1f") +
                        decimal(transfer.maximum, " to %.1f") + ", median of " +
                        std::to_string(transfer.runs) + (within ? "; read and written)" : ")"));
    }
    return text;
}

std::string device_text(const DeviceReport& device) {
    const gpu::DeviceQuery& query = device.query;
    std::string text = "\nDevice " + std::to_string(query.ordinal) + ": " + query.name + '\n';
    text += row("Compute capability", gpu::capability_text(query.compute_capability));
    text += row("Global memory", size_with_bytes(query.total_memory_bytes));
    text += row("Global memory, free", device.free_bytes ? size_with_bytes(*device.free_bytes)
                                                         : "not known: the device is not usable");
    const auto properties = gpu::device_properties();
    for (std::size_t i = 0; i < properties.size(); ++i) {
        text += row(properties[i].label, value_text(properties[i], query.values[i]));
        if (i == 0) text += row("CUDA cores", cores_text(query));
    }
    text += row("UUID", query.uuid);
    text += row("PCI domain:bus:device", query.pci_bus_id);
    text += row("Peer access to devices", query.peers.empty() ? "none" : joined(query.peers, ", "));
    if (!device.transfers.empty()) text += transfers_text(device.transfers);
    return text;
}

std::string gl_text(const std::vector<GlReport>& reports) {
    std::string text = "\nOpenGL\n";
    for (const GlReport& gl : reports) {
        const std::string where = gl.context == "window" ? "Window" : "Without a window";
        if (!gl.device) {
            text += row(where, gl.problem);
            continue;
        }
        text += row(where, gl.device->renderer + (gl.device->software ? " (drawn by the CPU)" : ""));
        text += row("  version", gl.device->version);
        text += row("  vendor", gl.device->vendor);
        text += row("  reached through", gl.device->reached_through);
    }
    return text;
}

std::string check_text(const Check& check) {
    const char* mark = check.status == Status::works ? "ok" : check.status == Status::fails ? "FAILS" : "-";
    std::string line = "  " + std::string(mark);
    line.resize(9, ' ');
    line += check.label;
    line.resize(std::max<std::size_t>(label_width, line.size() + 1), ' ');
    return line + check.message + '\n';
}

}  // namespace

std::string size_with_bytes(std::uint64_t bytes) {
    const std::string text = gpu::size_text(bytes);
    return bytes < 1024 ? text : text + " (" + std::to_string(bytes) + " bytes)";
}

std::string verdict_text(const Report& report) {
    switch (report.verdict()) {
        case Verdict::pass:
            return "PASS";
        case Verdict::fail:
            return "FAIL";
        case Verdict::no_gpu:
            break;
    }
    const auto works = [&](const std::string& name) {
        return std::any_of(report.checks.begin(), report.checks.end(), [&](const Check& check) {
            return check.name == name && check.status == Status::works;
        });
    };
    return works("cpu_engine") ? "FAIL (no usable GPU): kernels run on the CPU engine"
                               : "FAIL (no usable GPU)";
}

std::string report_text(const Report& report) {
    std::string text = versions_text(report);
    for (const DeviceReport& device : report.devices)
        text += device_text(device);
    text += gl_text(report.gl) + "\nChecks\n";
    for (const Check& check : report.checks)
        text += check_text(check);
    text += "\nResult = " + verdict_text(report) + '\n';
    for (const Check& check : report.checks) {
        if (check.status != Status::fails) continue;
        text += "  " + check.label + ": " + check.message + '\n';
        if (!check.mend.empty()) text += "    " + check.mend + '\n';
    }
    return text;
}

}  // namespace lanescope::doctor
