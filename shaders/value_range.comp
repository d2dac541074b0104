#version 450 core
// The least and the greatest value that the watched variable ever has, in all threads.
#include "record.glsl"

layout(local_size_x = 256) in;
layout(std430, binding = 6) buffer Range { uint least_key, greatest_key; };

shared uint least_here, greatest_here;

// Keys are ordered as the numbers are.
uint key_of(float number) {
    uint bits = floatBitsToUint(number);
    return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
}

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        least_here = none;
        greatest_here = 0u;
    }
    barrier();
    uint slot = gl_WorkGroupID.y * gl_NumWorkGroups.x * 256u + gl_GlobalInvocationID.x;
    uint count = slot < threads ? records_of(slot) : 0u;
    for (uint k = 0u; k < count; ++k) {
        uvec4 record = record_at(slot, k);
        if (kind_of(record) != kind_variable) continue;
        uint type = watched_type(record);
        if (type == none) continue;
        float number = as_number(record.zw, type);
        if (isnan(number) || isinf(number)) continue;
        atomicMin(least_here, key_of(number));
        atomicMax(greatest_here, key_of(number));
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u && least_here != none) {
        atomicMin(least_key, least_here);
        atomicMax(greatest_key, greatest_here);
    }
}
