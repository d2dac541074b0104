#version 450 core
// What every thread does at one time: a binary search in its records. One invocation per lane of a warp.
#include "record.glsl"

layout(local_size_x = 256) in;
const uint warps_here = 8u, line_ranks = 256u;

layout(std430, binding = 3) readonly buffer Offsets { uvec2 offsets[]; };  // per SM: its clock at time 0
// Per slot: state and pc, 1 + 2 × value type when there is a value, the value.
layout(std430, binding = 5) writeonly buffer States { uvec4 states[]; };
layout(std430, binding = 6) buffer Tally { uint tally[]; };  // per state, then per line rank

uniform uvec2 time;
uniform uint block_threads;
uniform uint warps_per_block;
uniform uint blocks;
uniform bool watching;

const uint absent = 0u, not_started = 1u, running = 2u, diverged = 3u, at_barrier = 4u, finished = 5u, cut_off = 6u,
           left_behind = 7u;
const uint state_count = 8u;

shared uint live[warps_here];      // lanes that have begun and not ended
shared uint together[warps_here];  // lanes that the last points of all live lanes have in common
shared uint least_age[warps_here];  // time since the last point of any live lane
shared uint state_tally[state_count];
shared uint line_tally[line_ranks];

bool at_most(uvec2 a, uvec2 b) { return a.y < b.y || (a.y == b.y && a.x <= b.x); }
// How much larger b is; as much as fits into 32 bits.
uint apart(uvec2 a, uvec2 b) {
    uint borrow;
    uint low = usubBorrow(b.x, a.x, borrow);
    return b.y - a.y - borrow == 0u ? low : none;
}
uvec2 plus(uvec2 a, uvec2 b) {
    uint carry;
    uint low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}

// The last point at or before record k; what lies between points has no clock.
uint point_before(uint slot, uint k) {
    while (kind_of(record_at(slot, k)) != kind_point) {
        if (k == 0u) return none;
        --k;
    }
    return k;
}

// How many of a thread's records lie at or before the limit.
uint records_until(uint slot, uvec2 limit) {
    uint low = 0u, high = records_of(slot);
    while (low < high) {
        uint middle = (low + high) / 2u;
        uint point = point_before(slot, middle);
        if (point == none || at_most(record_at(slot, point).zw, limit))
            low = middle + 1u;
        else
            high = point;
    }
    return low;
}

uvec3 last_value(uint slot, uint until) {
    for (uint k = until; k-- > 0u;) {
        uvec4 record = record_at(slot, k);
        if (kind_of(record) != kind_variable) continue;
        uint type = watched_type(record);
        if (type != none) return uvec3(1u + 2u * type, record.zw);
    }
    return uvec3(0u);
}

void main() {
    uint index = gl_WorkGroupID.y * gl_NumWorkGroups.x * 256u + gl_GlobalInvocationID.x;
    uint lane = index % 32u, warp = index / 32u, warp_here = gl_LocalInvocationIndex / 32u;
    uint block = warp / warps_per_block, thread = warp % warps_per_block * 32u + lane;
    bool exists = block < blocks && thread < block_threads;
    uint slot = block * block_threads + thread;
    if (gl_LocalInvocationIndex < state_count) state_tally[gl_LocalInvocationIndex] = 0u;
    line_tally[gl_LocalInvocationIndex] = 0u;
    if (lane == 0u) {
        live[warp_here] = 0u;
        together[warp_here] = none;
        least_age[warp_here] = none;
    }
    barrier();

    uint state = absent, pc = 0u, until = 0u, age = 0u;
    if (exists) {
        state = not_started;
        uint count = records_of(slot);
        uvec4 first = count > 0u ? record_at(slot, 0u) : uvec4(0u);
        uint sm = kind_of(first) == kind_begin ? first.y : 0u;
        uvec2 limit = sm < uint(offsets.length()) ? plus(time, offsets[sm]) : time;
        until = records_until(slot, limit);
        uint point = until > 0u ? point_before(slot, until - 1u) : none;
        if (point != none) {
            uvec4 last = record_at(slot, point);
            pc = pc_of(last);
            bool passed = !at_most(limit, last.zw);
            bool ended = until == count && kind_of(record_at(slot, count - 1u)) == kind_end;
            bool waits = pc < uint(code.length()) && (code[pc].y & waits_at_barrier) != 0u;
            state = ended && passed ? finished
                    : passed && until == count && counts[slot] > capacity ? cut_off
                    : passed && waits ? at_barrier : running;
            if (state != finished) {
                atomicOr(live[warp_here], 1u << lane);
                atomicAnd(together[warp_here], last.y);
                age = apart(last.zw, limit);
                atomicMin(least_age[warp_here], age);
            }
        }
    }
    barrier();
    if (state == running && (live[warp_here] & ~together[warp_here]) != 0u)
        state = age > least_age[warp_here] ? left_behind : diverged;

    if (exists) {
        uvec3 value = watching ? last_value(slot, until) : uvec3(0u);
        states[slot] = uvec4(state << 28 | pc, value);
        atomicAdd(state_tally[state], 1u);
        bool alive = state != not_started && state != finished;
        if (alive && pc < uint(code.length())) atomicAdd(line_tally[min(code[pc].x, line_ranks - 1u)], 1u);
    }
    barrier();
    uint i = gl_LocalInvocationIndex;
    if (i < state_count && state_tally[i] != 0u) atomicAdd(tally[i], state_tally[i]);
    if (line_tally[i] != 0u) atomicAdd(tally[state_count + i], line_tally[i]);
}
