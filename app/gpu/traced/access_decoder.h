// Decodes memory accesses of a recorded launch: their values, their place in the trace, and whether they
// agree with the known contents.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gpu/traced/decoded_lane.h"
#include "gpu/traced/launch_decoder.h"
#include "simt/exec/atomic_result.h"

namespace lanescope::gpu {

constexpr unsigned widest_access = 16;

struct DecodedAccess {
    std::uint64_t address = 0;  // on the device
    trace::Space space = trace::Space::global;
    std::uint64_t offset = 0;
    std::uint32_t block = 0;           // of shared memory: whose it is
    std::uint32_t rank = trace::none;  // that mapa gave the address for, as far as the address tells
    std::array<std::byte, widest_access> value{};  // loaded, stored, or found by an atomic operation
    std::uint64_t b = 0, c = 0;                    // operands of an atomic operation
    std::uint32_t records = 1;
    bool mapped = false;
    bool pointers = false;  // values of 8 bytes may be pointers
};

// Lanes of a warp that access one space at once; of shared memory, that of one block.
struct AccessPiece {
    trace::Mask mask = 0;
    trace::Space space = trace::Space::global;
    std::uint32_t block = 0;  // whose shared memory
    std::uint32_t pc = 0;
    std::uint16_t ordinal = 0;
    unsigned width = 0;
    std::array<std::uint64_t, 32> offsets{};
};
using LaneBytes = std::array<std::byte, 32 * widest_access>;  // lane i's bytes at i × width

// The effect of an instruction on memory.
struct AccessForm {
    trace::AccessKind kind = trace::AccessKind::load;
    unsigned width = 0;
    bool finds_old = true;  // of atomics: the record holds what was found
    bool swaps = false;     // compare and swap: two operands
    bool commutes = false;  // the result does not depend on the order of the operations
    simt::AtomicResult result = nullptr;
};

class AccessDecoder {
  public:
    AccessDecoder(const ptx::Module& module, const simt::Program& program, const Probes& probes,
                  MemoryImage& global, MemoryImage& constant)
        : module_(module), program_(program), probes_(probes), global_(global), constant_(constant) {}

    void begin(const trace::RecordStreams& streams, const trace::Launch& launch,
               std::vector<MappedRange> ranges, trace::Recorder& recorder, DecodedLaunch& result);
    void add_range(const MappedRange& range) { ranges_.push_back(range); }
    void end_ranges();  // sorts them
    // Afterwards: a range takes the place of those that it overlaps.
    void insert_range(const MappedRange& range);
    void remove_range(std::uint64_t gpu_address);

    // The access that the lane's next record, or the one `ahead` of it, tells of; none when it is another
    // record.
    std::optional<DecodedAccess> read(Lane& lane, std::uint32_t pc, std::uint32_t ahead = 0) const;
    const AccessForm& form(std::uint32_t pc) const;

    // A pointer's value as the trace writes it: the generic address that the CPU machine would have.
    std::uint64_t pointer(const Lane& lane, std::uint64_t address) const;

    // One instruction of lanes of a warp: takes their records and writes the event.
    void run(std::array<Lane*, 32>& lanes, trace::Mask mask, std::uint32_t pc, std::uint16_t ordinal);
    // Finds where the trace has an address of a lane. False: nowhere.
    bool map(const Lane& lane, std::uint64_t address, DecodedAccess& access) const;
    // The same, but false for the shared memory of another block.
    bool map_own(const Lane& lane, std::uint64_t address, DecodedAccess& access) const {
        return map(lane, address, access) && access.block == block_of(lane);
    }
    MemoryImage* image(trace::Space space, std::uint32_t block, Lane* lane) const;
    // Accesses that follow from operands: the event, and of the others also the effect on memory.
    void load(const AccessPiece& piece) const;
    void write(const AccessPiece& piece, trace::AccessKind kind, const std::array<Lane*, 32>& lanes,
               const LaneBytes& values) const;
    void count_unmapped() const { ++result_->unmapped; }
    // Notes an access whose address map() does not know.
    void note_outside(const Lane& lane, std::uint32_t pc, trace::AccessKind kind, unsigned width,
                      std::uint64_t address);
    // Notes an access whose address map_own() does not know.
    void note_left_out(const Lane& lane, std::uint32_t pc, trace::AccessKind kind, unsigned width,
                       std::uint64_t address);
    // A value of 8 bytes that has other bits in the trace: the address of a kernel; for one lane, the state
    // of an mbarrier object.
    void note_value(std::uint64_t found, std::uint64_t in_trace, std::uint32_t slot = trace::none) {
        values_[{slot, found}] = in_trace;
    }
    std::uint64_t in_trace(const Lane& lane, std::uint64_t value) const {
        if (values_.empty()) return value;
        for (const std::uint32_t slot : {lane.slot, trace::none})
            if (const auto known = values_.find({slot, value}); known != values_.end()) return known->second;
        return value;
    }

    // Whether every load and atomic operation of the lane up to its next point finds what memory holds.
    // `lanes`: the group; what one of them stores on the way counts.
    bool fits(const std::array<Lane*, 32>& lanes, trace::Mask mask) const;

    void end_block(std::uint32_t block) { shared_.erase(block); }

  private:
    struct Lanes;
    void load(Lanes& work) const;
    void store(Lanes& work) const;
    void atomic(Lanes& work) const;
    void correct(Lanes& work, unsigned lane, const std::array<std::byte, widest_access>& value) const;
    bool explained_by_group(const std::array<Lane*, 32>& lanes, trace::Mask mask, std::uint32_t pc,
                            const DecodedAccess& found, unsigned width,
                            const std::array<std::byte, widest_access>& known) const;
    void translate_pointers(const Lane& lane, unsigned width, DecodedAccess& access) const;
    MappedRange nearest_range(std::uint64_t address) const;
    std::size_t place_of(const Lane& lane) const { return lane.slot / streams_->block_threads; }
    std::uint32_t block_of(const Lane& lane) const { return streams_->blocks[place_of(lane)]; }

    const ptx::Module& module_;
    const simt::Program& program_;
    const Probes& probes_;
    MemoryImage& global_;
    MemoryImage& constant_;
    const trace::RecordStreams* streams_ = nullptr;
    std::vector<MappedRange> ranges_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> values_;  // by slot and value
    std::vector<std::uint32_t> cluster_blocks_;  // of each recorded block's cluster, by rank
    std::uint32_t cluster_size_ = 1;
    bool all_recorded_ = true;
    std::map<std::uint32_t, std::size_t> outside_;  // by pc: which of DecodedLaunch::outside_accesses
    trace::Recorder* recorder_ = nullptr;
    DecodedLaunch* result_ = nullptr;
    mutable std::unordered_map<std::uint32_t, MemoryImage> shared_;  // per block
    mutable std::unordered_map<std::uint32_t, AccessForm> forms_;
};

}  // namespace lanescope::gpu
