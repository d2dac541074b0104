#include "gpu/clean/trial.h"

#include <array>
#include <utility>
#include <vector>

#include "gpu/driver/memory.h"

namespace lanescope::gpu {

namespace {

constexpr const char* kernel_name = "lanescope_trial";
constexpr unsigned block_size = 256;
constexpr double limit_s = 10;

std::uint32_t expected(std::uint32_t i) {
    return (i * 2654435761u) ^ (i >> 3);
}

Diagnostics refused(const Context& context, CUresult status, const std::string& log) {
    if (status == CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
        return {error("the driver (CUDA " + context.driver().version_text() +
                          ") is older than NVRTC: it refuses its PTX",
                      "install a newer driver, or let $LANESCOPE_NVRTC name the NVRTC of CUDA " +
                          context.driver().version_text())};
    const std::string words = log.substr(0, log.find('\n'));
    return context.check(status, "loading a kernel" + (words.empty() ? "" : " (" + words + ")"))
        .diagnostics();
}

}  // namespace

const std::string& Trial::source() {
    static const std::string text =
        "extern \"C\" __global__ void lanescope_trial(unsigned* numbers, unsigned count) {\n"
        "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < count) numbers[i] = (i * 2654435761u) ^ (i >> 3);\n"
        "}\n";
    return text;
}

Result<Trial> Trial::load(const Context& context, const std::string& ptx) {
    const CurrentContext current(*context.life());
    std::array<char, 4096> log{};
    std::array<CUjit_option, 2> options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
    CUmodule module = nullptr;
    CUresult status =
        context.driver().module_load_data_ex(&module, ptx.c_str(), 2, options.data(), values.data());
    if (status != CUDA_SUCCESS) return refused(context, status, log.data());
    Trial trial(context, module, nullptr);
    status = context.driver().module_get_function(&trial.function_, module, kernel_name);
    if (const Result<void> found = context.check(status, "finding a kernel"); !found)
        return found.diagnostics();
    return trial;
}

Trial::~Trial() {
    if (!module_ || !life_->releases()) return;
    const CurrentContext current(*life_);
    life_->driver->module_unload(module_);
}

Trial::Trial(Trial&& other) noexcept
    : context_(other.context_),
      life_(std::move(other.life_)),
      module_(std::exchange(other.module_, nullptr)),
      function_(std::exchange(other.function_, nullptr)) {}

Result<void> Trial::write(CUdeviceptr numbers, std::uint32_t count) const {
    const CurrentContext current(*context_->life());
    void* arguments[] = {&numbers, &count};
    const CUresult status =
        context_->driver().launch_kernel(function_, (count + block_size - 1) / block_size, 1, 1, block_size,
                                         1, 1, 0, context_->stream(), arguments, nullptr);
    if (const Result<void> launched = context_->check(status, "launching a kernel"); !launched)
        return launched;
    const Result<Waited> waited = context_->wait(context_->stream(), {.seconds = limit_s});
    if (!waited) return waited.diagnostics();
    if (*waited == Waited::timed_out)
        return error("a small kernel did not end within 10 s", "does another program keep the GPU busy?");
    return {};
}

Result<void> Trial::compare(std::span<const std::uint32_t> numbers) {
    for (std::uint32_t i = 0; i < numbers.size(); ++i)
        if (numbers[i] != expected(i))
            return error("a kernel's result is wrong: element " + std::to_string(i) + " is " +
                         std::to_string(numbers[i]) + ", expected " + std::to_string(expected(i)));
    return {};
}

Result<void> try_kernel(const Context& context, const std::string& ptx) {
    const Result<Trial> trial = Trial::load(context, ptx);
    if (!trial) return trial.diagnostics();
    std::vector<std::uint32_t> numbers(1 << 16);
    Result<DeviceBuffer> buffer = DeviceBuffer::allocate(context, numbers.size() * sizeof(std::uint32_t));
    if (!buffer) return buffer.diagnostics();
    if (const Result<void> ran = trial->write(buffer->address(), static_cast<std::uint32_t>(numbers.size()));
        !ran)
        return ran;
    if (const Result<void> read = buffer->read(std::as_writable_bytes(std::span(numbers))); !read)
        return read;
    return Trial::compare(numbers);
}

}  // namespace lanescope::gpu
