// Which elements a fetch reads, and their weights; where an access to a surface is.
#include <algorithm>
#include <cmath>

#include "simt/texture/sample.h"

namespace lanescope::simt {

namespace {

unsigned dimensions(const Image& image) {
    switch (image.shape) {
        case Image::Shape::memory:
        case Image::Shape::line:
            return 1;
        case Image::Shape::solid:
            return 3;
        default:
            return 2;
    }
}

std::int64_t modulo(std::int64_t a, std::int64_t n) {
    const std::int64_t rest = a % n;
    return rest < 0 ? rest + n : rest;
}

// The element at which a coordinate beyond the ends is read; -1: the border.
std::int64_t addressed(std::int64_t element, std::int64_t size, Addressing mode) {
    switch (mode) {
        case Addressing::wrap:
            return modulo(element, size);
        case Addressing::clamp:
            return std::clamp<std::int64_t>(element, 0, size - 1);
        case Addressing::mirror: {
            const std::int64_t at = modulo(element, 2 * size);
            return at < size ? at : 2 * size - 1 - at;
        }
        case Addressing::border:
            break;
    }
    return element < 0 || element >= size ? -1 : element;
}

// Wrapping and mirroring exist for normalized coordinates only.
Addressing mode_of(const Texture& texture, unsigned k) {
    const Addressing mode = texture.addressing[k];
    if (texture.normalized || mode == Addressing::border) return mode;
    return Addressing::clamp;
}

// An element, and how much of the next one is taken, in 1/256.
struct Place {
    std::int64_t first = 0;
    std::uint32_t fraction = 0;
};

// Repeating coordinates need their place in two periods only.
double sound(double coordinate, bool repeats) {
    constexpr double far = 1 << 24;
    if (std::isnan(coordinate)) return 0;
    if (!repeats) return std::clamp(coordinate, -far, far);
    return std::isinf(coordinate) ? 0 : std::fmod(coordinate, 2.0);
}

using Point = std::array<double, 3>;

double without_subnormal(float value) {
    return std::fpclassify(value) == FP_SUBNORMAL ? 0 : value;
}
Point point_of(const std::array<float, 3>& at) {
    return {without_subnormal(at[0]), without_subnormal(at[1]), without_subnormal(at[2])};
}

// Normalized coordinates are cut to 21 binary places; positions between elements are rounded to 1/256.
Place place_of(const Texture& texture, double coordinate, std::uint32_t size, unsigned k, bool gathers) {
    const Addressing mode = mode_of(texture, k);
    const double at = sound(coordinate, mode == Addressing::wrap || mode == Addressing::mirror);
    std::int64_t fixed = 0;
    if (texture.normalized) {
        constexpr int bits = 21;
        const std::int64_t place = static_cast<std::int64_t>(std::floor(at * (1 << bits))) * size;
        if (!texture.linear) return {place >> bits, 0};
        fixed = (place - (1 << (bits - 1)) + (1 << (bits - 9))) >> (bits - 8);
    } else {
        if (!texture.linear) return {static_cast<std::int64_t>(std::floor(at)), 0};
        fixed = static_cast<std::int64_t>(std::floor((at - 0.5) * 256 + 0.5));
    }
    Place made{fixed >> 8, static_cast<std::uint32_t>(fixed & 255)};
    // Beyond the ends, a clamped position is that of the last element.
    if (!gathers && mode == Addressing::clamp && (made.first < 0 || made.first >= std::int64_t{size} - 1)) {
        made.first = made.first < 0 ? 0 : std::int64_t{size} - 1;
        made.fraction = 0;
    }
    return made;
}

std::uint32_t size_along(const Image& image, unsigned k) {
    return k == 0 ? image.width : k == 1 ? image.height : image.depth;
}

void set_along(Tap& tap, unsigned k, std::int64_t element) {
    if (element < 0) {
        tap.inside = false;
        return;
    }
    const auto place = static_cast<std::uint32_t>(element);
    (k == 0 ? tap.x : k == 1 ? tap.y : tap.slice) = place;
}

// Weights are multiples of 1/256: those of the slices are split along x, these along y. Halves go to the
// second element, except along y those of the first column.
std::array<std::uint32_t, 8> weights_of(const std::array<Place, 3>& places) {
    std::array<std::uint32_t, 8> weights{};
    for (unsigned z = 0; z < 2; ++z) {
        const std::uint32_t slice = z == 1 ? places[2].fraction : 256 - places[2].fraction;
        const std::uint32_t second = (slice * places[0].fraction + 128) >> 8;
        for (unsigned x = 0; x < 2; ++x) {
            const std::uint32_t column = x == 1 ? second : slice - second;
            const std::uint32_t below = (column * places[1].fraction + (x == 1 ? 128 : 127)) >> 8;
            weights[4 * z + x] = column - below;
            weights[4 * z + 2 + x] = below;
        }
    }
    return weights;
}

// Elements right at the position leave out their neighbours, unless all four of a plane are gathered.
Taps planar_taps(const Texture& texture, const Point& at, std::uint32_t slice, bool gathers = false) {
    const Image& image = texture.image;
    // A line is a plane of one row, which a border on both sides meets halfway.
    const bool as_plane = dimensions(image) == 1 && !image.layered && texture.linear &&
                          texture.addressing[1] == Addressing::border;
    const unsigned used = as_plane ? 2 : dimensions(image);
    std::array<Place, 3> places;
    for (unsigned k = 0; k < used; ++k)
        places[k] = place_of(texture, as_plane && k == 1 ? 0 : at[k], size_along(image, k), k, gathers);
    const std::array<std::uint32_t, 8> weights = weights_of(places);
    Taps taps;
    taps.count = 0;
    for (unsigned i = 0; i < (texture.linear ? 1u << used : 1u); ++i) {
        bool wanted = true;
        for (unsigned k = 0; k < used; ++k)
            wanted = wanted && ((i >> k & 1) == 0 || places[k].fraction != 0);
        if (!wanted && !gathers) continue;
        Tap& tap = taps.at[taps.count++];
        tap.slice = slice;
        tap.weight = weights[i];
        tap.plane = i >> 2;
        for (unsigned k = 0; k < used; ++k)
            set_along(tap, k,
                      addressed(places[k].first + (i >> k & 1), size_along(image, k), mode_of(texture, k)));
    }
    return taps;
}

// Layers beyond the last one, and those below 0, are the last one.
std::uint32_t slice_of(const Image& image, std::int32_t layer, std::uint32_t face = 0) {
    if (!image.layered) return face;
    const std::uint32_t faces = image.shape == Image::Shape::cube ? 6 : 1;
    return std::min(static_cast<std::uint32_t>(layer), image.depth / faces - 1) * faces + face;
}

struct Face {
    std::uint32_t number = 0;
    Point at{};
};

// If components are equal, z goes before y, and y before x.
Face face_of(const std::array<float, 3>& direction) {
    const double x = direction[0], y = direction[1], z = direction[2];
    const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    double s = 0, t = 0, m = 0;
    std::uint32_t face = 0;
    if (az >= ax && az >= ay)
        face = z >= 0 ? 4 : 5, s = z >= 0 ? x : -x, t = -y, m = az;
    else if (ay >= ax)
        face = y >= 0 ? 2 : 3, s = x, t = y >= 0 ? z : -z, m = ay;
    else
        face = x >= 0 ? 0 : 1, s = x >= 0 ? -z : z, t = -y, m = ax;
    return {face, {(s / m + 1) / 2, (t / m + 1) / 2, 0}};
}

Taps element_taps(const Texture& texture, const FetchPosition& position) {
    Taps taps;
    for (unsigned k = 0; k < dimensions(texture.image); ++k) {
        const std::int64_t element = position.element[k];
        const bool inside = element >= 0 && element < size_along(texture.image, k);
        set_along(taps.at[0], k, inside ? element : -1);
    }
    return taps;
}

}  // namespace

Taps taps_of(const Texture& texture, const FetchPosition& position) {
    const Image& image = texture.image;
    if (position.by_element) return element_taps(texture, position);
    if (image.shape == Image::Shape::cube) {
        const Face face = face_of(position.at);
        Texture square = texture;
        square.normalized = true;
        return planar_taps(square, face.at, slice_of(image, position.layer, face.number));
    }
    return planar_taps(texture, point_of(position.at), slice_of(image, position.layer));
}

Taps gather_taps_of(const Texture& texture, const FetchPosition& position) {
    Texture linear = texture;
    linear.linear = true;
    const Taps taps = planar_taps(linear, point_of(position.at), 0, true);
    Taps gathered = taps;
    constexpr std::array<unsigned, 4> order{2, 3, 1, 0};  // counter-clockwise from the lower left
    for (unsigned k = 0; k < 4; ++k)
        gathered.at[k] = taps.at[order[k]];
    return gathered;
}

namespace {

SurfacePosition last_in(const Image& image, unsigned width_bytes) {
    return {std::int64_t{image.width} * image.format.bytes() - width_bytes, std::int64_t{image.height} - 1,
            std::int64_t{image.depth} - 1};
}

}  // namespace

bool is_inside(const Image& image, unsigned width_bytes, const SurfacePosition& at) {
    const SurfacePosition last = last_in(image, width_bytes);
    for (std::size_t k = 0; k < at.size(); ++k)
        if (at[k] < 0 || at[k] > last[k]) return false;
    return true;
}

std::optional<std::uint64_t> surface_address(const Image& image, unsigned width_bytes, SurfacePosition at,
                                             bool clamps) {
    const SurfacePosition last = last_in(image, width_bytes);
    if (!is_inside(image, width_bytes, at)) {
        if (!clamps || last[0] < 0) return std::nullopt;
        for (std::size_t k = 0; k < at.size(); ++k)
            at[k] = std::clamp<std::int64_t>(at[k], 0, last[k]);
    }
    return image.address + static_cast<std::uint64_t>(at[2]) * image.slice_bytes +
           static_cast<std::uint64_t>(at[1]) * image.row_bytes + static_cast<std::uint64_t>(at[0]);
}

}  // namespace lanescope::simt
