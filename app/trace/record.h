// The records that an instrumented kernel writes on a GPU: per-thread streams of fixed-width records.
// Shaders, the decoder and the encoder of CPU traces share this layout. shaders/record.glsl repeats it.
//
// Record k of the thread in slot s is records[k × threads + s], so that lanes in lockstep write side by side.
// A slot is (recorded block) × (threads of a block) + (linear thread in the block).
#pragma once

#include <cstdint>

namespace lanescope::trace {

struct Record {
    std::uint32_t head = 0;  // bits 0-27: pc, index into Program::code_rows; bits 28-31: RecordKind
    std::uint32_t extra = 0;
    std::uint64_t value = 0;
};
static_assert(sizeof(Record) == 16);

enum class RecordKind : std::uint8_t {
    empty,     // no record was written here
    begin,     // the thread starts. extra: number of its SM; value: %globaltimer, ns
    point,     // execution reached pc. extra: active mask of its warp; value: %clock64 of its SM, cycles
    access,    // extra: low 32 bits of the value; value: generic address. Wider values: data records follow
    data,      // value: the next 8 bytes of a value (one record for 8 bytes, two for 16, more for operands of
               // atomics)
    variable,  // a register that holds variables was written. extra: its number in the function; value: its
               // bits
    lane,      // a value came from another lane. extra: number of that lane
    address,   // position of a symbol. extra: its number; value: generic address
    end,       // the thread leaves the kernel. extra: number of its SM; value: %globaltimer, ns
};

constexpr unsigned record_kind_shift = 28;
constexpr std::uint32_t record_pc_mask = (1u << record_kind_shift) - 1;

constexpr RecordKind kind_of(const Record& record) {
    return static_cast<RecordKind>(record.head >> record_kind_shift);
}
constexpr std::uint32_t pc_of(const Record& record) {
    return record.head & record_pc_mask;
}
constexpr std::uint32_t record_head(RecordKind kind, std::uint32_t pc) {
    return static_cast<std::uint32_t>(kind) << record_kind_shift | (pc & record_pc_mask);
}

}  // namespace lanescope::trace
