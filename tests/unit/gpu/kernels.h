// Kernels in PTX, which need no compiler: one stores 42, the others fault, spin or wait for the host.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "gpu/driver/context.h"

namespace lanescope::gpu {

inline constexpr const char* kernels_ptx = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry store(.param .u64 to) {
    .reg .u64 %rd<2>;
    .reg .u32 %r<2>;
    ld.param.u64 %rd1, [to];
    mov.u32 %r1, 42;
    st.global.u32 [%rd1], %r1;
    ret;
}
.visible .entry fault(.param .u64 unused) {
    .reg .u64 %rd<2>;
    .reg .u32 %r<2>;
    mov.u64 %rd1, 16;
    mov.u32 %r1, 7;
    st.global.u32 [%rd1], %r1;
    ret;
}
.visible .entry endless(.param .u64 unused) {
again:
    bra again;
}
.visible .entry until_set(.param .u64 word) {
    .reg .u64 %rd<2>;
    .reg .u32 %r<2>;
    .reg .pred %p<2>;
    ld.param.u64 %rd1, [word];
again:
    ld.volatile.global.u32 %r1, [%rd1];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra again;
    ret;
}
)";

// Launches one of the kernels with one argument in the context's stream.
inline void launch(const Context& context, const char* kernel, CUdeviceptr argument) {
    const CurrentContext current(*context.life());
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    const auto& api = context.driver();
    ASSERT_TRUE(context.check(api.module_load_data_ex(&module, kernels_ptx, 0, nullptr, nullptr), "loading"));
    ASSERT_TRUE(context.check(api.module_get_function(&function, module, kernel), kernel));
    void* arguments[] = {&argument};
    ASSERT_TRUE(context.check(
        api.launch_kernel(function, 1, 1, 1, 1, 1, 1, 0, context.stream(), arguments, nullptr), "launching"));
}

}  // namespace lanescope::gpu
