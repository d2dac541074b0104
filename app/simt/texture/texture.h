// Textures and surfaces: what the handles stand for that kernels pass to tex, suld and sust.
#pragma once

#include <array>
#include <cstdint>
#include <map>

namespace lanescope::simt {

struct TexelFormat {
    enum class Kind : std::uint8_t { unsigned_integer, signed_integer, floating };
    Kind kind = Kind::floating;
    std::uint8_t bits = 32;     // of a channel: 8, 16 or 32
    std::uint8_t channels = 1;  // 1, 2 or 4
    unsigned bytes() const { return bits / 8u * channels; }
    bool operator==(const TexelFormat&) const = default;
};

// Elements in global memory, row after row, slice after slice.
struct Image {
    enum class Shape : std::uint8_t {
        memory,  // read by element number only
        line,
        plane,
        solid,
        cube  // six square slices
    };
    Shape shape = Shape::plane;
    bool layered = false;
    TexelFormat format;
    std::uint64_t address = 0;  // generic
    std::uint64_t row_bytes = 0, slice_bytes = 0;
    std::uint32_t width = 1, height = 1;
    std::uint32_t depth = 1;  // of a solid; else the slices: layers times faces
};

enum class Addressing : std::uint8_t { wrap, clamp, mirror, border };

struct Texture {
    Image image;
    std::array<Addressing, 3> addressing{Addressing::clamp, Addressing::clamp, Addressing::clamp};
    bool linear = false;            // filtering; else the nearest element
    bool normalized = false;        // coordinates from 0 to 1
    bool as_float = false;          // integers of 8 and 16 bits as floats from 0 or -1 to 1
    std::array<float, 4> border{};  // what lies outside with Addressing::border
};

// The live objects of a device by their handles. A handle is not used again.
class ImageObjects {
  public:
    std::uint64_t add(const Texture& texture) {
        textures_.emplace(++last_, texture);
        return last_;
    }
    std::uint64_t add_surface(const Image& image) {
        surfaces_.emplace(++last_, image);
        return last_;
    }
    void remove(std::uint64_t handle) { textures_.erase(handle); }
    void remove_surface(std::uint64_t handle) { surfaces_.erase(handle); }
    const Texture* texture(std::uint64_t handle) const {
        const auto found = textures_.find(handle);
        return found == textures_.end() ? nullptr : &found->second;
    }
    const Image* surface(std::uint64_t handle) const {
        const auto found = surfaces_.find(handle);
        return found == surfaces_.end() ? nullptr : &found->second;
    }
    bool was_known(std::uint64_t handle) const { return handle != 0 && handle <= last_; }

  private:
    std::map<std::uint64_t, Texture> textures_;
    std::map<std::uint64_t, Image> surfaces_;
    std::uint64_t last_ = 0;
};

}  // namespace lanescope::simt
