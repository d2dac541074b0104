#include "gpu/clean/empty_launch.h"

#include <string_view>

#include "gpu/clean/loaded_code.h"

namespace lanescope::gpu {

namespace {

// The driver compiles it for the GPU at hand; the text ends with a zero, as the driver expects.
constexpr std::string_view empty_kernel = R"(.version 6.3
.target sm_75
.address_size 64
.visible .entry empty() { ret; }
)";

}  // namespace

Result<Timing> time_empty_launch(Context& context) {
    if (const Result<void> current = context.make_current(); !current) return current.diagnostics();
    Result<LoadedCode> code = LoadedCode::load(context, {empty_kernel.data(), empty_kernel.size() + 1});
    if (!code) return code.diagnostics();
    CleanLaunch launch;
    launch.kernel = launch.label = "empty";
    launch.block = {32, 1, 1};
    if (const Result<void> prepared = code->prepare(launch); !prepared) return prepared.diagnostics();
    Work work;
    // The cache is emptied first, as before other short work: without work before it the GPU would wait for
    // the host between the two events.
    work.copy_bytes = 1;
    work.launch = [&](std::size_t) { return code->launch(launch, {}); };
    return measure(context, work);
}

}  // namespace lanescope::gpu
