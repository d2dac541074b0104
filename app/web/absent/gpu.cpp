// A page reaches no GPU for kernels: runs are those of the CPU machine, and times those that were recorded.
#include "gpu/driver/device_query.h"
#include "gpu/driver/driver.h"
#include "gpu/served/device_command.h"

namespace lanescope::gpu {

namespace {

Diagnostic no_gpu() {
    return error("a browser runs kernels on the CPU machine only",
                 "times of a GPU are those that were recorded");
}

}  // namespace

Result<std::shared_ptr<const Driver>> Driver::open() {
    return no_gpu();
}

Result<DeviceQuery> query_device(const Driver&, int) {
    return no_gpu();
}

Result<void> check_place(const std::string&) {
    return no_gpu();
}

Result<std::unique_ptr<ServedDevice>> start_served_device(const std::string&, const std::string&) {
    return no_gpu();
}

Result<std::unique_ptr<ServedDevice>> make_served_device(const std::string&, const std::string&,
                                                         std::uint64_t) {
    return no_gpu();
}

std::uint64_t ServedDevice::received_bytes() const {
    return 0;
}

std::shared_ptr<const ExportedMemory> ServedDevice::shared() const {
    return nullptr;
}

const std::string& ServedDevice::why_not_shared() const {
    static const std::string why = "a browser shares no memory";
    return why;
}

}  // namespace lanescope::gpu
