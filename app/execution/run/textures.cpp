#include "execution/run/textures.h"

#include <algorithm>

namespace lanescope::execution {

namespace {

simt::TexelFormat format_of(const lesson::BufferInstance& buffer) {
    using Kind = simt::TexelFormat::Kind;
    simt::TexelFormat format;
    const char last = buffer.type.back();
    format.channels = static_cast<std::uint8_t>(last == '2' || last == '4' ? last - '0' : 1);
    format.bits = static_cast<std::uint8_t>(buffer.element_bytes / format.channels * 8);
    const bool floating = buffer.type.starts_with("float") || buffer.type.starts_with("half");
    format.kind = floating                       ? Kind::floating
                  : buffer.type.starts_with('u') ? Kind::unsigned_integer
                                                 : Kind::signed_integer;
    return format;
}

simt::Addressing addressing_of(const std::string& word) {
    return word == "wrap"     ? simt::Addressing::wrap
           : word == "mirror" ? simt::Addressing::mirror
           : word == "border" ? simt::Addressing::border
                              : simt::Addressing::clamp;
}

}  // namespace

simt::Texture texture_of(const lesson::TextureEntry& entry, const lesson::BufferInstance& buffer,
                         simt::DeviceAddress address) {
    const bool matrix = buffer.extents.size() == 2;
    const auto size = [](std::uint64_t extent) {
        return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(extent, 1, 1u << 31));
    };
    simt::Texture texture;
    texture.image.shape = matrix ? simt::Image::Shape::plane : simt::Image::Shape::line;
    texture.image.format = format_of(buffer);
    texture.image.address = address;
    texture.image.width = size(matrix ? buffer.extents[1] : buffer.count);
    texture.image.height = matrix ? size(buffer.extents[0]) : 1;
    texture.image.row_bytes = std::uint64_t{texture.image.width} * buffer.element_bytes;
    texture.image.slice_bytes = texture.image.row_bytes * texture.image.height;
    // A row has a border at its ends only.
    texture.addressing[0] = addressing_of(entry.address);
    if (matrix) texture.addressing[1] = texture.addressing[0];
    texture.linear = entry.filter == "linear";
    texture.normalized = entry.normalized;
    return texture;
}

Result<std::map<std::string, std::uint64_t>> add_textures(
    Engine& engine, const lesson::Instance& instance,
    const std::function<simt::DeviceAddress(const std::string& buffer)>& address_of) {
    std::map<std::string, std::uint64_t> handles;
    for (const lesson::TextureEntry& entry : instance.front.textures)
        for (const lesson::BufferInstance& buffer : instance.buffers) {
            if (buffer.name != entry.buffer) continue;
            const Result<std::uint64_t> handle =
                engine.add_texture(texture_of(entry, buffer, address_of(buffer.name)));
            if (!handle) return handle.diagnostics();
            handles[entry.name] = *handle;
        }
    return handles;
}

}  // namespace lanescope::execution
