// A kernel reads a buffer through a texture of the front matter.
#include "support.h"

namespace lanescope::execution {
namespace textures_test {

const std::string front = R"toml(/*--- lanescope
[buffers]
in  = { type = "float", count = 4, values = [10, 20, 30, 40] }
out = { type = "float", count = 8 }
[textures]
row = { buffer = "in", address = "wrap", filter = "linear", normalized = true }
[[launch]]
kernel = "k"
grid   = [1]
block  = [8]
args   = ["row", "out"]
---*/
)toml";

// out[i] = the texture at i / 8, between two elements for even i.
const std::string body = R"(
ld.param.u64 %rd1, [t];
ld.param.u64 %rd2, [out];
mov.u32 %r1, %tid.x;
cvt.rn.f32.u32 %f1, %r1;
mul.f32 %f1, %f1, 0f3E000000;
tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd1, {%f1}];
mul.wide.u32 %rd3, %r1, 4;
add.u64 %rd4, %rd2, %rd3;
st.global.f32 [%rd4], %f2;
)";

TEST(textures, are_read_by_kernels) {
    const auto run = run_text(front + kernel_text(".param .u64 t, .param .u64 out", body));
    ASSERT_TRUE(run) << problems_of(run);
    EXPECT_TRUE(run->problems.empty());
    EXPECT_EQ(after<float>(*run, "out"), (std::vector<float>{25, 10, 15, 20, 25, 30, 35, 40}));
}

TEST(textures, bad_argument_is_located) {
    std::string text = front;
    text.replace(text.find("\"row\", \"out\""), 12, "\"row\", \"row\"");
    const auto run = run_text(text + kernel_text(".param .u64 t, .param .u32 n", "ld.param.u32 %r1, [n];\n"));
    ASSERT_FALSE(run);
    EXPECT_NE(problems_of(run).find("is a buffer or a texture, but the kernel expects a number"),
              std::string::npos)
        << problems_of(run);
}

}  // namespace textures_test
}  // namespace lanescope::execution
