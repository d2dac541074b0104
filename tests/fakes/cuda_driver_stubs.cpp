// Defines every driver function that the program looks up. Each fails unless cuda_driver.cpp defines it, too.
#define LANESCOPE_DRIVER(member, symbol)                                   \
    extern "C" __attribute__((weak, visibility("default"))) int symbol() { \
        return 801;                                                        \
    }
#define LANESCOPE_DRIVER_AS(member, symbol, ...) LANESCOPE_DRIVER(member, symbol)
#ifdef LANESCOPE_FAKE_WITHOUT_LAUNCHES
#define cuLaunchKernel cuLaunchKernel_of_a_later_version
#endif
#include "gpu/driver/driver_functions.def"
