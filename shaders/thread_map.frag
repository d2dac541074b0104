#version 450 core
// The threads as cells: 32 in a row are a warp, the rows of a block stand below each other, blocks beside each other.
#include "record.glsl"

layout(std430, binding = 5) readonly buffer States { uvec4 states[]; };

uniform float target_height;  // px
uniform vec2 origin;          // of the first block's first cell, px from the upper left corner
uniform float cell;           // px
uniform float gap;            // between blocks, px
uniform uint columns;         // of blocks
uniform uint blocks;
uniform uint warps_per_block;
uniform uint block_threads;
uniform uint colour_by;       // 0 state, 1 line, 2 value
uniform vec2 range;           // of the values
uniform vec4 state_colours[8];
uniform vec4 scale_colours[5];  // from the least value to the greatest
uniform vec4 unset_colour;

out vec4 colour;

vec4 scaled(float share) {
    float at = clamp(share, 0.0, 1.0) * 4.0;
    int first = min(int(at), 3);
    return mix(scale_colours[first], scale_colours[first + 1], at - float(first));
}

vec4 colour_of(uvec4 thread) {
    uint state = thread.x >> 28, pc = thread.x & 0x0fffffffu;
    if (colour_by == 0u || state == 1u || state == 6u) return state_colours[state];
    if (colour_by == 1u) {
        if (state == 5u || pc >= uint(code.length())) return state_colours[state];
        return unpackUnorm4x8(code[pc].w);
    }
    if ((thread.y & 1u) == 0u) return unset_colour;
    float number = as_number(thread.zw, thread.y >> 1);
    if (isnan(number)) return unset_colour;
    return scaled(range.y > range.x ? (number - range.x) / (range.y - range.x) : 0.5);
}

// Each state has a shape as well, in cells that are large enough. `at`: in the cell, 0 to 1.
float shape_of(uint state, vec2 at) {
    vec2 from_centre = abs(at - 0.5);
    if (state == 1u) return max(from_centre.x, from_centre.y) > 0.36 ? 1.0 : 0.25;           // hollow
    if (state == 3u) return at.x + at.y > 1.0 ? 0.45 : 1.0;                                    // half
    if (state == 7u) return at.x + at.y > 1.0 ? 1.0 : 0.45;                                    // the other half
    if (state == 4u) return abs(from_centre.x - 0.16) < 0.07 && from_centre.y < 0.28 ? 0.2 : 1.0;  // two bars
    if (state == 5u) return length(from_centre) < 0.16 ? 1.6 : 1.0;                            // a dot
    if (state == 6u) return from_centre.y < 0.07 ? 0.2 : 1.0;                                  // struck through
    return 1.0;
}

vec4 cell_colour(vec2 at) {
    vec2 pitch = vec2(32.0, float(warps_per_block)) * cell + gap;
    vec2 tile = floor(at / pitch), inside = at - tile * pitch;
    uvec2 place = uvec2(inside / cell);
    if (at.x < 0.0 || at.y < 0.0 || tile.x >= float(columns) || place.x >= 32u || place.y >= warps_per_block)
        return vec4(0.0);
    uint block = uint(tile.y) * columns + uint(tile.x), thread = place.y * 32u + place.x;
    if (block >= blocks || thread >= block_threads) return vec4(0.0);
    vec2 in_cell = inside / cell - vec2(place);
    float seam = cell >= 5.0 ? max(1.0, floor(cell * 0.08)) / cell : 0.0;
    if (in_cell.x > 1.0 - seam || in_cell.y > 1.0 - seam) return vec4(0.0);
    uvec4 state = states[block * block_threads + thread];
    vec4 filled = colour_of(state);
    if (cell >= 8.0 && colour_by == 0u) filled.rgb *= shape_of(state.x >> 28, in_cell);
    return filled;
}

void main() {
    vec2 pixel = vec2(gl_FragCoord.x, target_height - gl_FragCoord.y) - origin;
    int samples = clamp(int(ceil(1.0 / cell)), 1, 4);
    vec4 sum = vec4(0.0);
    for (int y = 0; y < samples; ++y)
        for (int x = 0; x < samples; ++x) {
            vec4 one = cell_colour(pixel - 0.5 + (vec2(float(x), float(y)) + 0.5) / float(samples));
            sum += vec4(one.rgb * one.a, one.a);
        }
    colour = sum.a > 0.0 ? vec4(sum.rgb / sum.a, sum.a / float(samples * samples)) : vec4(0.0);
}
