// The records of a launch's threads, as app/trace/record.h lays them out. One record is a uvec4:
// x: head (bits 0-27 pc, bits 28-31 kind), y: extra, z and w: value, low half first.
// Record k of the thread in slot s lies at records[k * threads + s].

const uint kind_empty = 0u, kind_begin = 1u, kind_point = 2u, kind_access = 3u, kind_data = 4u, kind_variable = 5u,
           kind_lane = 6u, kind_address = 7u, kind_end = 8u;

layout(std430, binding = 0) readonly buffer Records { uvec4 records[]; };
layout(std430, binding = 1) readonly buffer Counts { uint counts[]; };  // per slot; more than capacity: cut off
// Per pc: rank of its line among the lines that are told apart, CodeFlags, function, colour of its line (RGBA8).
layout(std430, binding = 2) readonly buffer Code { uvec4 code[]; };
// First, per function: where its watched registers begin and how many they are. Then these: number, value type.
layout(std430, binding = 4) readonly buffer Watched { uvec2 watched[]; };

const uint waits_at_barrier = 1u;  // a CodeFlag
const uint none = 0xffffffffu;

uniform uint threads;
uniform uint capacity;

uint kind_of(uvec4 record) { return record.x >> 28; }
uint pc_of(uvec4 record) { return record.x & 0x0fffffffu; }
uvec4 record_at(uint slot, uint k) { return records[k * threads + slot]; }
uint records_of(uint slot) { return min(counts[slot], capacity); }

// Which of its function's watched registers a variable record is about; its value type, or none.
uint watched_type(uvec4 record) {
    uint pc = pc_of(record);
    if (pc >= uint(code.length())) return none;
    uint function = code[pc].z;
    if (function >= uint(watched.length())) return none;
    uvec2 range = watched[function];
    for (uint i = 0u; i < range.y; ++i)
        if (watched[range.x + i].x == record.y) return watched[range.x + i].y;
    return none;
}

// Value types: bits 0-1 are 0 unsigned, 1 signed, 2 floating; the rest is the size in bytes.
float as_number(uvec2 bits, uint type) {
    uint size = type >> 2, kind = type & 3u;
    if (kind == 2u) return size == 8u ? float(packDouble2x32(bits)) : uintBitsToFloat(bits.x);
    if (size == 8u) return (kind == 1u ? float(int(bits.y)) : float(bits.y)) * 4294967296.0 + float(bits.x);
    int unused = int(32u - 8u * size);
    return kind == 1u ? float(int(bits.x << unused) >> unused) : float(bits.x << unused >> unused);
}
