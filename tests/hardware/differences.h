// Where this machine and the GPU count different things, and why. The test fails as well when one of these is
// gone.
#pragma once

#include <map>
#include <set>
#include <string>

namespace lanescope::parity {

struct Difference {
    std::set<std::string> names;
    std::string why;
};

// By "FILE LAUNCH".
inline const std::map<std::string, Difference> differences = {
    {"k06_reduce_cg.cu 0",
     {{"global_load_requests", "global_load_sectors", "divergent_branches"},
      "blocks poll the grid's barrier: how often depends on time"}},
    {"k07_scan_hillis.cu 0",
     {{"shared_load_wavefronts"},
      "the GPU counts 274 requests, too, but 62 more passes, which no address explains"}},
    {"k10_text_hist.cu 1",
     {{"global_load_requests", "global_load_sectors", "divergent_branches"},
      "after a generic atomic on shared memory the GPU's lanes go on in parts"}},
    {"k11_priv_hist.cu 0",
     {{"global_load_requests", "global_load_sectors", "divergent_branches", "shared_atomic_wavefronts"},
      "after a generic atomic on shared memory the GPU's lanes go on in parts"}},
    {"k13_conv2d.cu 0",
     {{"shared_store_wavefronts"},
      "the GPU counts 134 requests, too, but 4 more passes, which no address explains"}},
    {"k16_printf.cu 0",
     {{"global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors",
       "global_atomic_requests", "global_atomic_sectors"},
      "the driver's printf writes its buffer with the kernel's counters running"}},
    {"k19_math.cu 0",
     {{"float_add", "float_multiply", "float_multiply_add"},
      "one PTX division, root or function is several machine instructions"}},
    {"k19_math.cu 1",
     {{"float_add", "float_multiply", "float_multiply_add"},
      "one PTX division, root or function is several machine instructions"}},
    {"k19_math.cu 2",
     {{"float_add", "float_multiply", "float_multiply_add"},
      "the GPU counts operations on half numbers apart"}},
    {"k21_control.cu 0",
     {{"global_store_requests", "global_store_sectors", "divergent_branches"},
      "lanes that left a switch by different ways meet later on the GPU"}},
    {"k22_atomics.cu 0",
     {{"global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors",
       "global_atomic_requests", "global_atomic_sectors", "shared_load_wavefronts", "shared_load_requests",
       "shared_atomic_wavefronts", "divergent_branches"},
      "lanes retry compare-and-swap loops and locks in another order"}},
    {"k22_atomics.cu 1",
     {{"shared_atomic_wavefronts"}, "compare-and-swap in global memory passes through the counter twice"}},
    {"k22_atomics.cu 2",
     {{"global_load_sectors", "global_store_requests", "global_store_sectors", "divergent_branches"},
      "one lane sets a flag for which the others of its warp wait: polls, and lanes apart afterwards"}},
    {"k23_warpvotes.cu 0",
     {{"global_store_requests", "global_store_sectors"},
      "one lane works apart for an atomic before the last store; the GPU's lanes do not meet again before "
      "it"}},
    {"k26_indirect.cu 0",
     {{"divergent_branches"}, "an indirect call whose lanes go to several functions is not a branch in PTX"}},
    {"k27_matmul_assert.cu 1",
     {{"global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors",
       "global_atomic_requests", "global_atomic_sectors"},
      "the driver's malloc and free work with the kernel's counters running"}},
    {"k28_wmma.cu 0",
     {{"global_store_requests", "global_store_sectors"},
      "the GPU stores a fragment's pairs of words at once"}},
};

}  // namespace lanescope::parity
