// The operands of a form: the edges of its types in every combination, then random values.
#include <algorithm>
#include <bit>
#include <cstring>

#include "form.h"

namespace lanescope::parity {

namespace {

std::uint64_t mixed(std::uint64_t z) {  // splitmix64, S. Vigna, public domain
    z += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

using Values = std::vector<std::uint64_t>;

const Values& integer_edges(unsigned bits) {
    static const Values edges8{0, 1, 2, 3, 0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff, 0x55, 0x20};
    static const Values edges16{0, 1, 2, 31, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff};
    static const Values edges32{0,          1,          2,          32,         0xff,       0xffff,
                                0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x5a5a5a5a};
    static const Values edges64{0,
                                1,
                                2,
                                63,
                                0xffffffff,
                                0x100000000,
                                0x7fffffffffffffff,
                                0x8000000000000000,
                                0x8000000000000001,
                                0xfffffffffffffffe,
                                0xffffffffffffffff,
                                0x123456789abcdef0};
    return bits == 8 ? edges8 : bits == 16 ? edges16 : bits == 32 ? edges32 : edges64;
}

// Returns zeros, ones, the least and greatest subnormal and normal numbers, infinities, and a quiet and a
// signalling NaN with payloads.
const Values& float_edges(const std::string& type) {
    static const Values half{0,      0x8000, 0x3c00, 0xbc00, 0x0001, 0x83ff,
                             0x0400, 0x7bff, 0xfc00, 0x7c00, 0x7e01, 0xfd55};
    static const Values brain{0,      0x8000, 0x3f80, 0xbf80, 0x0001, 0x807f,
                              0x0080, 0x7f7f, 0xff80, 0x7f80, 0x7fc1, 0xffa5};
    static const Values single{0,          0x80000000, 0x3f800000, 0xbf800000, 0x00000001, 0x807fffff,
                               0x00800000, 0x7f7fffff, 0xff800000, 0x7f800000, 0x7fc12345, 0xffa00005};
    static const Values twice{0,
                              0x8000000000000000,
                              0x3ff0000000000000,
                              0xbff0000000000000,
                              0x0000000000000001,
                              0x800fffffffffffff,
                              0x0010000000000000,
                              0x7fefffffffffffff,
                              0xfff0000000000000,
                              0x7ff0000000000000,
                              0x7ff8000000012345,
                              0xfff4000000000005};
    return type == "f16" ? half : type == "bf16" ? brain : type == "f32" ? single : twice;
}

unsigned bits_of(const std::string& type) {
    if (type.ends_with("x2") || type.ends_with("32")) return 32;
    if (type.ends_with("64")) return 64;
    return type.ends_with("16") ? 16 : 8;
}

bool is_float(const std::string& type) {
    return type == "f16" || type == "bf16" || type == "f32" || type == "f64";
}

// Prefers numbers near 1 in magnitude: sums and products of random bits are mostly infinite or zero.
std::uint64_t random_float(const std::string& type, std::uint64_t random) {
    const unsigned mantissa = type == "f16" ? 10 : type == "bf16" ? 7 : type == "f32" ? 23 : 52;
    const unsigned bits = bits_of(type), exponent = bits - 1 - mantissa;
    const std::uint64_t raw = bits == 64 ? random : random & ((1ull << bits) - 1);
    if ((random >> 7 & 3) == 0) return raw;
    const std::uint64_t bias = (1ull << (exponent - 1)) - 1;
    const std::uint64_t near = bias + (mixed(random) % 14) - 6;
    return (raw & ~(((1ull << exponent) - 1) << mantissa)) | near << mantissa;
}

// Returns quiet and signalling NaNs of both signs with small and large payloads, and some
// numbers; slot 0 varies fastest.
std::uint64_t nan_value(const std::string& type, std::size_t slot, std::uint32_t lane) {
    const unsigned mantissa = type == "f16" ? 10 : type == "bf16" ? 7 : type == "f32" ? 23 : 52;
    const unsigned bits = type == "f64" ? 64 : type == "f32" ? 32 : 16;
    const std::uint64_t sign = 1ull << (bits - 1), quiet = 1ull << (mantissa - 1),
                        ones = (1ull << mantissa) - 1;
    const std::uint64_t infinity = (sign - 1) & ~ones, one = (infinity >> 1) & ~ones;
    const std::uint64_t values[16] = {infinity | quiet,
                                      sign | infinity | quiet,
                                      infinity | quiet | 1,
                                      sign | infinity | quiet | (ones & 0xaa),
                                      infinity | 1,
                                      sign | infinity | 1,
                                      infinity | quiet >> 1 | 5,
                                      sign | infinity | quiet >> 1 | 5,
                                      infinity | ones,
                                      sign | infinity | ones,
                                      infinity | (ones ^ quiet),
                                      infinity | quiet | (ones & 0x123456789abcdull),
                                      sign | infinity | quiet | quiet >> 1,
                                      one,
                                      0,
                                      infinity};
    const std::uint32_t index = slot == 0 ? lane : slot == 1 ? lane / 16 : lane * 7 + lane / 16 * 3;
    return values[index % 16];
}

// Returns numbers for matrices: some whole, the others of magnitude up to 2.
std::uint64_t unit_value(const std::string& type, std::uint64_t random) {
    const double value = (random & 3) == 0 ? static_cast<double>(random >> 8 & 7) - 3
                                           : static_cast<double>(random >> 11) * 0x1p-51 - 2;
    if (type == "f32") return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    if (type == "bf16") return single >> 16;
    const std::uint32_t exponent = single >> 23 & 255;
    if (exponent < 113) return single >> 16 & 0x8000;  // too small for f16: zero
    return (single >> 16 & 0x8000) | (exponent - 112) << 10 | (single >> 13 & 0x3ff);
}

std::uint64_t scalar(const std::string& type, std::size_t slot, std::uint32_t lane) {
    const Values& edges = is_float(type) ? float_edges(type) : integer_edges(bits_of(type));
    const std::uint32_t count = static_cast<std::uint32_t>(edges.size());
    const std::uint64_t random = mixed(mixed(slot * 1000 + bits_of(type)) + lane);
    if (lane < count * count) {
        const std::uint32_t index = slot == 0 ? lane
                                    : slot == 1
                                        ? lane / count
                                        : lane * 5 + lane / count * 7 + static_cast<std::uint32_t>(slot);
        return edges[index % count];
    }
    return is_float(type) ? random_float(type, random) : random;
}

std::uint64_t flavoured(const Operand& operand, std::size_t slot, std::uint32_t lane) {
    const std::uint64_t random = mixed(mixed(slot * 77 + 5) + lane);
    constexpr std::uint64_t far[] = {127, 128, 255, 256, 257, 288, 320, 512, 0x10000, 0x80000000};
    if (operand.flavour == "small" && lane >= 220 && lane < 240)
        return lane < 230 ? far[(lane + slot) % 10] : slot % 2 == 0 ? far[lane % 10] : lane % 64;
    if (operand.flavour == "small")
        return lane < 240 ? (slot == 2 ? lane / 12 * 5 + lane % 7 : lane % 71) : random;
    if (operand.flavour == "nan") return nan_value(operand.type, slot, lane);
    if (operand.flavour == "lane") return random & 31;
    if (operand.flavour == "offset")
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(random % 41) - 20);
    if (operand.flavour == "tf32") return unit_value("f32", random) & 0xffffe000u;
    return unit_value(operand.type, random);
}

}  // namespace

namespace {

std::uint64_t value_of(const Operand& operand, std::size_t slot, std::uint32_t lane) {
    const std::string& type = operand.type;
    if (type == "pred") return mixed(slot * 31 + lane) & 1;
    if (type.ends_with("x2")) {
        Operand half{operand.name, type.substr(0, type.size() - 2), operand.flavour};
        // The upper half goes through its edges in another order than the lower half.
        return value_of(half, slot, lane) | value_of(half, slot + 2, lane) << 16;
    }
    const std::uint64_t value =
        operand.flavour.empty() ? scalar(type, slot, lane) : flavoured(operand, slot, lane);
    return bits_of(type) == 64 ? value : value & ((1ull << bits_of(type)) - 1);
}

}  // namespace

Work work_of(const Form& form) {
    Work work;
    work.inputs.resize(std::max<std::size_t>(form.inputs.size(), 1) * lanes * slot_bytes);
    for (std::size_t i = 0; i < form.inputs.size(); ++i)
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            const std::uint64_t value = value_of(form.inputs[i], i, lane);
            std::memcpy(work.inputs.data() + (i * lanes + lane) * slot_bytes, &value, slot_bytes);
        }
    // Memory holds values of the type that the form works on.
    const Operand* like = !form.inputs.empty()    ? &form.inputs[0]
                          : !form.outputs.empty() ? &form.outputs[0]
                                                  : nullptr;
    const std::string type = like == nullptr || like->type == "pred" ? "u32" : like->type;
    const unsigned size = bits_of(type) / 8;
    work.memory.resize(std::size_t{lanes} * lane_memory_bytes);
    for (std::size_t at = 0; at < work.memory.size(); at += size) {
        const auto lane = static_cast<std::uint32_t>(at / lane_memory_bytes);
        const std::uint64_t value = value_of({"m", type, like == nullptr ? "" : like->flavour},
                                             3 + at % lane_memory_bytes / size, lane);
        std::memcpy(work.memory.data() + at, &value, size);
    }
    return work;
}

}  // namespace lanescope::parity
