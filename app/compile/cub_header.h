// CUB for device code.
#pragma once

#include <string_view>

namespace lanescope::compile {

// <cub/cub.cuh> also has algorithms for whole devices, which host code calls and NVRTC cannot read. This text
// includes the rest: the algorithms of blocks and warps.
inline constexpr std::string_view cub_header_name = "cub/cub.cuh";
inline constexpr std::string_view cub_header_text = R"(#pragma once
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_rank.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>
)";

}  // namespace lanescope::compile
