// This program is also the child process that compiles kernels, and the one that has a device.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compile/compiler.h"
#include "gpu/driver/context.h"
#include "gpu/served/device_command.h"

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (!words.empty() && words.front() == "__compile") return lanescope::compile::compile_worker_main();
    if (!words.empty() && words.front() == "__device")
        return lanescope::gpu::end_process(
            lanescope::gpu::device_server_main({words.begin() + 1, words.end()}, "test"));
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
