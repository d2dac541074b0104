#include "gpu/driver/driver.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace lanescope::gpu {

namespace {

constexpr const char* without_gpu = "without it kernels run on the CPU engine";

// "580.95.05" or "535.54": digits and points, three digits or more before the first of them.
bool is_release(const std::string& word) {
    const std::size_t point = word.find('.');
    return point != std::string::npos && point >= 3 && point + 1 < word.size() &&
           word.find_first_not_of("0123456789.") == std::string::npos;
}

// The version of the kernel module, which belongs to the library: the library itself does not report it.
std::string installed_release() {
    std::ifstream file("/proc/driver/nvidia/version");
    for (std::string word; file >> word;)
        if (is_release(word)) return word;
    return {};
}

Diagnostic too_old(const std::string& has) {
    return error("the NVIDIA driver is too old: " + has, "install one for CUDA " +
                                                             cuda_version_text(oldest_driver) +
                                                             " or later (525 or later); " + without_gpu);
}

// Returns cuInit's error and its remedy.
Diagnostic cannot_start(const Driver& driver, CUresult status) {
    const std::string who = "the NVIDIA driver (CUDA " + driver.version_text() + ")";
    const std::string says = to_text(driver.check(status, "it does not start").diagnostics().front());
    switch (static_cast<int>(status)) {
        case CUDA_ERROR_NO_DEVICE:
            return error(who + " finds no GPU", "is one built in, and does CUDA_VISIBLE_DEVICES hide it? " +
                                                    std::string(without_gpu));
        case CUDA_ERROR_STUB_LIBRARY:
            return error("libcuda.so.1 is the toolkit's stub, not the driver",
                         "take the folder 'stubs' out of LD_LIBRARY_PATH, or install the driver");
        case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
        case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
            return error(who + " does not match the system's kernel module",
                         "after an update restart the machine; take 'compat' folders out of LD_LIBRARY_PATH");
        case CUDA_ERROR_SYSTEM_NOT_READY:
            return error(who + " is not ready", "the service nvidia-fabricmanager has to run");
        default:
            return error(who + " does not start: " + says.substr(says.find("start: ") + 7),
                         "does nvidia-smi work, and may you open /dev/nvidia*?");
    }
}

}  // namespace

std::string cuda_version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Result<std::shared_ptr<const Driver>> Driver::open() {
    const char* chosen = std::getenv("LANESCOPE_CUDA_DRIVER");
    const std::string path = chosen && *chosen ? chosen : "libcuda.so.1";
    // Never closed: the driver's threads outlive any use of it.
    void* library = dlopen(path.c_str(), RTLD_NOW);
    if (!library) {
        const char* why = dlerror();
        if (chosen && *chosen)
            return error(
                "$LANESCOPE_CUDA_DRIVER names no library that opens: " + std::string(why ? why : path),
                "unset it to use the system's driver");
        return error("no NVIDIA driver: libcuda.so.1 is not installed",
                     "install NVIDIA's driver for this GPU; " + std::string(without_gpu));
    }
    const std::shared_ptr<Driver> driver(new Driver);
    if (const Result<void> bound = driver->bind(library, path); !bound) return bound.diagnostics();
    if (const Result<void> started = driver->start(); !started) return started.diagnostics();
    return std::shared_ptr<const Driver>(driver);
}

Result<void> Driver::bind(void* library, const std::string& path) {
    std::string missing;
    const auto find = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        if (!function && missing.empty()) missing = name;
    };
#define LANESCOPE_DRIVER(member, symbol) find(member, #symbol);
#define LANESCOPE_DRIVER_AS(member, symbol, ...) find(member, #symbol);
#include "gpu/driver/driver_functions.def"
    if (!driver_get_version || !init || !get_error_name || !get_error_string)
        return error(path + " is not NVIDIA's driver: functions are missing in it");
    if (driver_get_version(&version_) != CUDA_SUCCESS) version_ = 0;
    release_ = installed_release();
    if (version_ != 0 && version_ < oldest_driver) return too_old("it supports CUDA up to " + version_text());
    if (!missing.empty()) return too_old(missing + " is missing in it");
    return {};
}

Result<void> Driver::start() {
    if (const CUresult status = init(0); status != CUDA_SUCCESS) return cannot_start(*this, status);
    if (const CUresult status = device_get_count(&device_count_); status != CUDA_SUCCESS)
        return cannot_start(*this, status);
    if (device_count_ == 0) return cannot_start(*this, CUDA_ERROR_NO_DEVICE);
    return {};
}

std::string Driver::version_text() const {
    return cuda_version_text(version_);
}

std::string Driver::older_than_toolkit() const {
    if (version_ >= toolkit_version) return {};
    return "the driver supports CUDA up to " + version_text() + ", this program was built with CUDA " +
           cuda_version_text(toolkit_version) + ": it may refuse PTX of this toolkit";
}

Result<void> Driver::check(CUresult status, const std::string& what) const {
    if (status == CUDA_SUCCESS) return {};
    const char *name = nullptr, *words = nullptr;
    if (get_error_name(status, &name) != CUDA_SUCCESS || !name) name = "unknown to this driver";
    if (get_error_string(status, &words) != CUDA_SUCCESS || !words) words = "error";
    return error(what + ": " + words + " (" + name + ", " + std::to_string(status) + ")");
}

}  // namespace lanescope::gpu
