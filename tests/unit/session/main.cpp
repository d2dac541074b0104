#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

#include "compile/compiler.h"
#include "judge/mark.h"

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "__compile")
        return lanescope::compile::compile_worker_main();
    // Without a leak check, which reads /proc: the confined process may not.
    if (argc > 1 && std::string_view(argv[1]) == "__check") std::_Exit(lanescope::judge::mark_worker_main());
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
