#include "execution/ptx/kernel_signature.h"

#include "ptx/parser.h"
#include "support.h"

namespace lanescope::execution {
namespace kernel_signature_test {

std::string shown(const std::string& text, const std::string& source = "") {
    const Result<ptx::Module> module = ptx::parse(text);
    if (!module) return problems_of(module);
    std::string made = kernel_names(*module).front().shown + ":";
    const SourceSignature signature = signature_of(module->functions.back(), source);
    for (const SourceParameter& each : signature.parameters)
        made += " " + each.type + (each.pointer ? "*" : "") + each.name +
                (each.dimensions > 0 ? "[" + std::to_string(each.dimensions) + "]" : "") + "@" +
                std::to_string(each.first);
    return made;
}

TEST(KernelSignature, mangled_names_say_types) {
    EXPECT_EQ(shown(kernel_text(".param .u64 a, .param .u32 n, .param .f64 x", "", "_Z5scalePKfid")),
              "scale: float*a@0 intn@1 doublex@2");
    EXPECT_EQ(shown(kernel_text(".param .u64 _Z3sumIiEvPT_S1__param_0, .param .u64 _Z3sumIiEvPT_S1__param_1",
                                "", "_Z3sumIiEvPT_S1_")),
              "sum<int>: int*p0@0 int*p1@1");
    // The numbers do not fit: what the name says is left aside.
    EXPECT_EQ(shown(kernel_text(".param .u64 a, .param .u32 n", "", "_Z5scalePKfid")), "scale: a@0 n@1");
}

TEST(KernelSignature, numba_arrays_are_several_parameters) {
    std::string parameters;
    for (int i = 0; i < 10; ++i)
        parameters += std::string(i > 0 ? ", " : "") + ".param .b64 x_param_" + std::to_string(i);
    const std::string name = "_ZN8__main__3addB2v1E5ArrayIfLi2E1C7mutable7alignedEi";
    EXPECT_EQ(shown(kernel_text(parameters, "", name), "@cuda.jit\ndef add(a, n):\n    pass\n"),
              "add: float*a[2]@0 intn@9");
}

TEST(KernelSignature, sources_say_names) {
    const std::string text = kernel_text(
        ".param .u64 k_param_0, .param .u32 k_param_1, .param .u64 k_param_2, "
        ".param .u64 k_param_3",
        "");
    EXPECT_EQ(shown(text), "k: p0@0 p1@1 p2@2 p3@3");
    EXPECT_EQ(shown(text, "x = k(1)\n@triton.jit\ndef k(x, n, BLOCK: tl.constexpr = 4):\n    pass\n"),
              "k: x@0 n@1 p2@2 p3@3");
    EXPECT_EQ(shown(text, "pub unsafe fn k(x: *const f32, n: u32, y: &mut [f32], m: usize) {}"),
              "k: x@0 n@1 y@2 m@3");
    EXPECT_EQ(shown(text, "__global__ void k(const float* x, int n, float y[], long m) {}"),
              "k: x@0 n@1 y@2 m@3");
    // Arguments that are constants have no parameter, so it is not known which names are left.
    EXPECT_EQ(shown(text, "def k(a, b, c, d, e): pass"), "k: p0@0 p1@1 p2@2 p3@3");
}

}  // namespace kernel_signature_test
}  // namespace lanescope::execution
