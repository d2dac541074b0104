// Asynchronous copies of a recorded launch that were issued and have not arrived, and the mbarrier objects
// that track them, as simt/state/async.h describes them. Places are those of the trace.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "base/mbarrier.h"
#include "gpu/traced/access_decoder.h"

namespace lanescope::gpu {

struct DecodedStep;

constexpr unsigned barrier_object_bytes = 8;

struct BulkPiece {  // a bulk copy of one thread
    std::uint32_t pc = 0;
    unsigned lane = 0;
    std::uint32_t group = 0;
    std::uint64_t size_bytes = 0;
    DecodedAccess from, to;
    bool read = false;  // `data` holds the source
    std::vector<std::byte> data;
};

class AsyncCopies {
  public:
    explicit AsyncCopies(AccessDecoder& accesses) : accesses_(accesses) {}

    // Lanes issue a copy of `width` bytes to shared memory. `bytes`: of the source; `read`: how many each
    // lane reads, which are recorded.
    void issue(const DecodedStep& step, const AccessPiece& to, const AccessPiece& from,
               const std::array<std::uint8_t, 32>& read, const LaneBytes& bytes);
    void issue_in(const DecodedStep& step, BulkPiece copy, std::uint64_t object);  // into shared memory
    void issue_out(const DecodedStep& step, BulkPiece copy);
    // Whether a block can have such a copy, and not too many are under way.
    bool has_room(std::uint64_t size_bytes) const {
        constexpr std::uint64_t of_one_copy = 256 << 10, of_all = 256ull << 20;
        return size_bytes <= of_one_copy && held_bytes_ + size_bytes <= of_all;
    }

    void commit(const DecodedStep& step, bool bulk);
    void wait(const DecodedStep& step, std::uint32_t keep);
    void wait_bulk(const DecodedStep& step, std::uint32_t keep, bool read_only);
    void finish_all_stores(const DecodedStep& step);

    // The object awaits the lane's earlier copies.
    void track(const DecodedStep& step, unsigned lane, std::uint64_t object, bool increases);
    void finish_tracked(const DecodedStep& step, std::uint64_t object);

    Mbarrier object(const DecodedStep& step, std::uint64_t at) const;
    void change_object(const DecodedStep& step, std::uint32_t pc, unsigned lane, std::uint64_t at,
                       const std::function<void(Mbarrier&)>& change);
    void begin_object(const DecodedStep& step, std::uint64_t at);
    void end_object(const DecodedStep& step, std::uint64_t at);

    void end_block(std::uint32_t block) { blocks_.erase(block); }

  private:
    struct Pending {
        std::uint32_t pc = 0;
        std::uint64_t number = 0;
        trace::Mask lanes = 0;
        unsigned width = 0;
        std::array<std::uint32_t, 32> group{};
        std::array<std::uint64_t, 32> to{};
        LaneBytes data{};
    };
    struct OfWarp {
        std::deque<Pending> copies;
        std::deque<BulkPiece> stores;
        std::uint64_t issued = 0;
        std::array<std::uint32_t, 32> groups{}, bulk_groups{};
    };
    struct Tracked {
        std::uint32_t pc = 0, warp = 0;
        unsigned lane = 0;
        std::uint64_t before = 0;
        bool bulk = false;
        BulkPiece copy;
    };
    struct OfBlock {
        std::map<std::uint32_t, OfWarp> warps;
        std::map<std::uint64_t, std::vector<Tracked>> objects;
    };

    OfWarp& of(const DecodedStep& step);
    void arrive(const DecodedStep& step, Pending& copy, trace::Mask lanes);
    void read_source(const DecodedStep& step, BulkPiece& copy);
    void write_target(const DecodedStep& step, BulkPiece& copy);
    template <class Wanted>
    void finish_stores(const DecodedStep& step, bool read_only, Wanted wanted);

    AccessDecoder& accesses_;
    std::map<std::uint32_t, OfBlock> blocks_;
    std::uint64_t held_bytes_ = 0;  // by copies under way that were read
};

}  // namespace lanescope::gpu
