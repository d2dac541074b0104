#include "gpu/driver/context.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <thread>

#include "gpu/driver/device_query.h"

namespace lanescope::gpu {

namespace {

Result<DeviceFacts> read_facts(const Driver& driver, int ordinal) {
    CUdevice device = 0;
    if (ordinal < 0 || ordinal >= driver.device_count())
        return error("there is no GPU " + std::to_string(ordinal),
                     "0 to " + std::to_string(driver.device_count() - 1));
    DeviceFacts facts;
    std::array<char, 256> name{};
    CUresult status = driver.device_get(&device, ordinal);
    if (status == CUDA_SUCCESS)
        status = driver.device_get_name(name.data(), static_cast<int>(name.size()), device);
    const auto attribute = [&](CUdevice_attribute which) {
        int value = 0;
        if (status == CUDA_SUCCESS) status = driver.device_get_attribute(&value, which, device);
        return value;
    };
    facts.ordinal = ordinal;
    facts.name = name.data();
    facts.compute_capability = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
                               attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    facts.sm_count = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    facts.l2_bytes = static_cast<std::uint64_t>(attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
    facts.has_watchdog = attribute(CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT) != 0;
    facts.driver = "CUDA " + driver.version_text();
    if (!driver.release().empty()) facts.driver += ", driver " + driver.release();
    if (const Result<void> read =
            driver.check(status, "reading the properties of GPU " + std::to_string(ordinal));
        !read)
        return read.diagnostics();
    return facts;
}

Diagnostic ended_in_this_process(const std::string& what) {
    return error(
        "CUDA has ended in this process: " + what,
        "after a kernel's fault the driver wants a new process: start the program again to use the GPU");
}

Result<void> new_enough(const DeviceFacts& facts) {
    if (facts.compute_capability >= oldest_compute_capability) return {};
    return error(
        facts.name + " is too old: its compute capability is " + capability_text(facts.compute_capability),
        "the CUDA toolkit makes code for " + capability_text(oldest_compute_capability) +
            " (Turing) and later; the CPU engine runs kernels without a GPU");
}

Result<std::shared_ptr<ContextLife>> begin_life(std::shared_ptr<const Driver> driver,
                                                const DeviceFacts& facts) {
    auto life = std::make_shared<ContextLife>();
    life->driver = std::move(driver);
    CUdevice device = 0;
    const Driver& api = *life->driver;
    CUresult status = api.device_get(&device, facts.ordinal);
    if (status == CUDA_SUCCESS)
        status = api.ctx_create(&life->handle, CU_CTX_SCHED_AUTO | CU_CTX_MAP_HOST, device);
    if (status == CUDA_SUCCESS) status = api.stream_create(&life->stream, CU_STREAM_DEFAULT);
    if (const Result<void> made = api.check(status, "making a CUDA context on " + facts.name); !made)
        return made.diagnostics();
    return life;
}

}  // namespace

namespace {

// A kernel runs on in a context without an owner. Other contexts are left to the end of the process
// then, too.
std::atomic<bool> left_behind = false;

}  // namespace

ContextLife::~ContextLife() {
    end();
}

void ContextLife::end() {
    if (handle && unfinished) left_behind = true;
    if (handle && borrowed && !unfinished) driver->stream_destroy(stream);
    if (handle && !borrowed && !left_behind) driver->ctx_destroy(handle);
    handle = nullptr;
    stream = nullptr;
}

CurrentContext::CurrentContext(const ContextLife& life) : life_(life) {
    pushed_ = life.handle && life.driver->ctx_push_current(life.handle) == CUDA_SUCCESS;
}

CurrentContext::~CurrentContext() {
    CUcontext popped = nullptr;
    if (pushed_) life_.driver->ctx_pop_current(&popped);
}

Result<Context> Context::create(int ordinal) {
    Result<std::shared_ptr<const Driver>> driver = Driver::open();
    if (!driver) return driver.diagnostics();
    return create(std::move(*driver), ordinal);
}

Result<Context> Context::create(std::shared_ptr<const Driver> driver, int ordinal) {
    Result<DeviceFacts> facts = read_facts(*driver, ordinal);
    if (!facts) return facts.diagnostics();
    if (const Result<void> usable = new_enough(*facts); !usable) return usable.diagnostics();
    Result<std::shared_ptr<ContextLife>> life = begin_life(std::move(driver), *facts);
    if (!life) return life.diagnostics();
    return Context(std::move(*life), std::move(*facts));
}

Result<Context> Context::borrow(std::shared_ptr<const Driver> driver, int ordinal) {
    Result<DeviceFacts> facts = read_facts(*driver, ordinal);
    if (!facts) return facts.diagnostics();
    if (const Result<void> usable = new_enough(*facts); !usable) return usable.diagnostics();
    auto life = std::make_shared<ContextLife>();
    life->driver = std::move(driver);
    life->borrowed = true;
    const Driver& api = *life->driver;
    CUresult status = api.ctx_get_current(&life->handle);
    if (status == CUDA_SUCCESS && life->handle == nullptr) status = CUDA_ERROR_INVALID_CONTEXT;
    if (status == CUDA_SUCCESS) status = api.stream_create(&life->stream, CU_STREAM_DEFAULT);
    if (const Result<void> made = api.check(status, "using the program's CUDA context on " + facts->name);
        !made)
        return made.diagnostics();
    return Context(std::move(life), std::move(*facts));
}

Result<void> Context::check(CUresult status, const std::string& what) const {
    if (status != CUDA_SUCCESS && !life_->handle) return ended_in_this_process(what);
    return driver().check(status, what);
}

Result<void> Context::make_current() const {
    return check(driver().ctx_set_current(life_->handle), "using the CUDA context");
}

Result<Waited> Context::wait(CUstream stream, const WaitLimit& limit) const {
    using Clock = std::chrono::steady_clock;
    const CurrentContext current(*life_);
    const Clock::time_point begin = Clock::now();
    auto pause = std::chrono::microseconds(0);
    while (true) {
        const CUresult status = driver().stream_query(stream);
        life_->unfinished = status == CUDA_ERROR_NOT_READY;
        if (status == CUDA_SUCCESS) return Waited::finished;
        if (status != CUDA_ERROR_NOT_READY) return check(status, "the kernel failed").diagnostics();
        if (limit.cancelled && limit.cancelled->load(std::memory_order_relaxed)) return Waited::cancelled;
        const std::chrono::duration<double> passed = Clock::now() - begin;
        if (limit.seconds > 0 && passed.count() >= limit.seconds) return Waited::timed_out;
        // Short kernels are met at once; long ones leave the core to others.
        if (passed > std::chrono::microseconds(200))
            pause = std::min(pause + std::chrono::microseconds(20), std::chrono::microseconds(2000));
        std::this_thread::sleep_for(pause);
    }
}

Result<void> Context::rebuild() {
    std::shared_ptr<const Driver> driver = life_->driver;
    life_->end();
    if (life_->borrowed) return ended_in_this_process("its context is not Lanescope's own");
    Result<std::shared_ptr<ContextLife>> life = begin_life(std::move(driver), facts_);
    if (!life) return ended_in_this_process(life.diagnostics().front().message);
    life_ = std::move(*life);
    return {};
}

int end_process(int code) {
    if (!left_behind) return code;
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
    ::_exit(code);
}

}  // namespace lanescope::gpu
