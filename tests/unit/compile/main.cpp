#include <gtest/gtest.h>

#include <cstring>

#include "compile/compiler.h"

int main(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "__compile") == 0) return lanescope::compile::compile_worker_main();
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
