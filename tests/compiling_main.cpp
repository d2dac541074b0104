// For tests that compile kernels in a child process, which is the same program.
#include <gtest/gtest.h>

#include <string_view>

#include "compile/compiler.h"

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "__compile")
        return lanescope::compile::compile_worker_main();
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
