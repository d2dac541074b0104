#include "doctor/checks.h"
#include "gpu/clean/trial.h"
#include "gpu/driver/memory.h"

namespace lanescope::doctor {

namespace {

// Each attempt depends on the previous one, so the first failure ends the function.
Result<void> try_device(DeviceReport& device, const std::shared_ptr<const gpu::Driver>& driver,
                        const std::optional<std::string>& ptx) {
    const Result<gpu::Context> context = gpu::Context::create(driver, device.query.ordinal);
    if (!context) return context.diagnostics();
    std::size_t free_bytes = 0, total_bytes = 0;
    const CUresult asked = context->driver().mem_get_info(&free_bytes, &total_bytes);
    if (const Result<void> known = context->check(asked, "asking for the free memory"); !known) return known;
    device.free_bytes = free_bytes;
    Result<std::vector<gpu::Transfer>> transfers = gpu::measure_bandwidth(*context);
    if (!transfers) return transfers.diagnostics();
    device.transfers = std::move(*transfers);
    return ptx ? gpu::try_kernel(*context, *ptx) : Result<void>();
}

}  // namespace

void check_cuda(Report& report, const std::optional<std::string>& ptx) {
    const Result<std::shared_ptr<const gpu::Driver>> opened = gpu::Driver::open();
    if (!opened) {
        report.checks.push_back(checked("driver", "NVIDIA driver", opened.diagnostics(), ""));
        return;
    }
    const gpu::Driver& driver = **opened;
    report.driver = {true, driver.version(), driver.release(), driver.older_than_toolkit()};
    const int count = driver.device_count();
    report.checks.push_back(checked("driver", "NVIDIA driver", {},
                                    "CUDA " + driver.version_text() + ", " + std::to_string(count) +
                                        (count == 1 ? " device" : " devices")));
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        const std::string name = "gpu_" + std::to_string(ordinal), label = "GPU " + std::to_string(ordinal);
        Result<gpu::DeviceQuery> query = gpu::query_device(driver, ordinal);
        if (!query) {
            report.checks.push_back(checked(name, label, query.diagnostics(), ""));
            continue;
        }
        DeviceReport device{std::move(*query), {}, {}};
        const Result<void> tried = try_device(device, *opened, ptx);
        report.checks.push_back(checked(name, label, tried,
                                        device.query.name + (ptx ? ": a kernel ran with correct results"
                                                                 : ": copies work; no kernel was tried")));
        report.devices.push_back(std::move(device));
    }
}

}  // namespace lanescope::doctor
