// tex and tld4 on texture objects, suld.b and sust.b on surface objects (PTX ISA 9.7.10.3-4, 9.7.11.1-2).
//
// Every element that a fetch reads is an access to the memory of its array. The coordinate x of a surface
// counts bytes.
#include <algorithm>
#include <cstring>

#include "simt/exec/executors.h"
#include "simt/state/access.h"
#include "simt/state/async.h"
#include "simt/state/faults.h"
#include "simt/state/launch_context.h"
#include "simt/state/warp.h"
#include "simt/texture/sample.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Op;

namespace {

const TextureForm& form_of(const Warp& warp, const Decoded& decoded) {
    return warp.run->program.tables.textures[decoded.target];
}

std::string handle_text(const Warp& warp, std::uint64_t handle, const char* wanted) {
    const ImageObjects& images = warp.run->images;
    const std::string what = std::string("uses ") + std::to_string(handle) + " as a " + wanted + " object, ";
    if (handle == 0) return what + "but 0 is not one; has the object been created?";
    if (images.texture(handle) != nullptr) return what + "but it is a texture object";
    if (images.surface(handle) != nullptr) return what + "but it is a surface object";
    return what + (images.was_known(handle) ? "which was destroyed" : "but there is no such object");
}

// Calls visit(lanes, object) for the lanes of each object; lanes without one are reported.
template <class Find, class Visit>
void for_each_object(Warp& warp, const Decoded& decoded, Mask mask, const char* wanted, Find find,
                     Visit visit) {
    const auto* handles = warp.row<std::uint64_t>(form_of(warp, decoded).handle);
    while (mask != 0) {
        const std::uint64_t handle = handles[first_lane(mask) % warp_size];
        Mask same = 0;
        for_each_lane(mask, [&](unsigned lane) {
            if (handles[lane] == handle) same |= lane_bit(lane);
        });
        mask &= ~same;
        if (const auto* object = find(handle))
            visit(same, *object);
        else
            report(warp, trace::ProblemKind::out_of_bounds, warp.run->pc_of(decoded), same,
                   handle_text(warp, handle, wanted));
    }
}

const char* shape_name(Image::Shape shape, bool layered) {
    switch (shape) {
        case Image::Shape::memory:
            return "linear memory";
        case Image::Shape::line:
            return layered ? "1-D with layers" : "1-D";
        case Image::Shape::plane:
            return layered ? "2-D with layers" : "2-D";
        case Image::Shape::solid:
            return "3-D";
        case Image::Shape::cube:
            return layered ? "a cube map with layers" : "a cube map";
    }
    return "";
}

// The slices of a cube are also those of a surface with layers.
bool texture_fits(const TextureForm& form, const Image& image) {
    if (image.shape == Image::Shape::memory) return form.shape == Image::Shape::line && form.by_element;
    return form.shape == image.shape && form.layered == image.layered;
}
bool surface_fits(const TextureForm& form, const Image& image) {
    if (image.shape == Image::Shape::cube) return form.shape == Image::Shape::plane && form.layered;
    return form.shape == image.shape && form.layered == image.layered;
}

bool report_misfit(Warp& warp, const Decoded& decoded, Mask lanes, const Image& image, const char* wanted) {
    const TextureForm& form = form_of(warp, decoded);
    std::string text = std::string("uses a ") + wanted + " that is " +
                       shape_name(image.shape, image.layered) + " as if it were " +
                       shape_name(form.shape, form.layered);
    if (image.shape == Image::Shape::memory) text += "; tex1Dfetch reads it";
    report(warp, trace::ProblemKind::out_of_bounds, warp.run->pc_of(decoded), lanes, std::move(text));
    return false;
}

FetchPosition position_of(const Warp& warp, const TextureForm& form, unsigned lane) {
    FetchPosition position;
    position.by_element = form.by_element;
    for (std::size_t k = 0; k < form.at.size() && form.at[k] != no_ref; ++k) {
        if (form.by_element)
            position.element[k] = warp.row<std::int32_t>(form.at[k])[lane];
        else
            position.at[k] = warp.row<float>(form.at[k])[lane];
    }
    if (form.layer != no_ref) position.layer = warp.row<std::int32_t>(form.layer)[lane];
    return position;
}

// Reads tap number `tap` of all lanes.
void read_tap(Warp& warp, std::uint32_t pc, Mask lanes, const Texture& texture, unsigned tap,
              const std::array<Taps, warp_size>& taps, std::array<std::array<Texel, 8>, warp_size>& texels) {
    const Decoded piece = piece_at(pc, Window::global, texture.image.format.bytes());
    Addresses addresses{};
    Mask inside = 0;
    for_each_lane(lanes, [&](unsigned lane) {
        if (tap >= taps[lane].count) return;
        if (taps[lane].at[tap].inside) {
            inside |= lane_bit(lane);
            addresses[lane] = address_of(texture.image, taps[lane].at[tap]);
        } else {
            texels[lane][tap] = border_texel(texture);
        }
    });
    if (inside == 0) return;
    Targets targets;
    resolve(warp, piece, inside, addresses, trace::AccessKind::load, targets);
    for_each_lane(inside, [&](unsigned lane) {
        texels[lane][tap] =
            has_lane(targets.mask, lane) ? texel_of(texture.image.format, targets.data[lane]) : Texel{};
    });
    record_access(warp, piece, trace::AccessKind::load, targets.mask, addresses, nullptr);
}

void sample_object(Warp& warp, const Decoded& decoded, Mask lanes, const Texture& texture) {
    const TextureForm& form = form_of(warp, decoded);
    if (!texture_fits(form, texture.image)) {
        report_misfit(warp, decoded, lanes, texture.image, "texture");
        return;
    }
    const bool gathers = form.component != 0xff;
    std::array<Taps, warp_size> taps;
    std::array<std::array<Texel, 8>, warp_size> texels{};
    unsigned count = 0;
    for_each_lane(lanes, [&](unsigned lane) {
        const FetchPosition position = position_of(warp, form, lane);
        taps[lane] = gathers ? gather_taps_of(texture, position) : taps_of(texture, position);
        count = std::max(count, taps[lane].count);
    });
    const std::uint32_t pc = warp.run->pc_of(decoded);
    for (unsigned tap = 0; tap < count; ++tap)
        read_tap(warp, pc, lanes, texture, tap, taps, texels);
    for_each_lane(lanes, [&](unsigned lane) {
        Texel result{};
        if (gathers)
            for (unsigned k = 0; k < 4; ++k)
                result[k] = converted(texture, texels[lane][k])[form.component];
        else
            result = filtered(texture, taps[lane], texels[lane]);
        for (std::size_t k = 0; k < form.values.size(); ++k)
            if (form.values[k] != no_ref) warp.row<std::uint32_t>(form.values[k])[lane] = result[k];
    });
}

void sample(Warp& warp, const Decoded& decoded, Mask mask) {
    const TextureForm& form = form_of(warp, decoded);
    for (const Ref ref : form.values)
        if (ref != no_ref)
            for_each_lane(mask, [&](unsigned lane) { warp.row<std::uint32_t>(ref)[lane] = 0; });
    if (form.resident != no_ref) warp.predicate(form.resident) |= mask;  // everything is in memory
    for_each_object(
        warp, decoded, mask, "texture",
        [&](std::uint64_t handle) { return warp.run->images.texture(handle); },
        [&](Mask lanes, const Texture& texture) { sample_object(warp, decoded, lanes, texture); });
}

// --- surfaces

std::string surface_place_text(const TextureForm& form, const std::array<std::int64_t, 3>& at,
                               const Image& image) {
    std::string text = "byte " + std::to_string(at[0]);
    if (form.shape != Image::Shape::line) text += " of row " + std::to_string(at[1]);
    if (form.shape == Image::Shape::solid || form.layered)
        text += (form.layered ? " of layer " : " of slice ") + std::to_string(at[2]);
    text +=
        " of a surface of " + std::to_string(image.width * std::uint64_t{image.format.bytes()}) + " bytes";
    if (form.shape != Image::Shape::line) text += " by " + std::to_string(image.height) + " rows";
    if (image.depth > 1) text += " by " + std::to_string(image.depth);
    return text;
}

std::optional<std::uint64_t> surface_place(Warp& warp, const Decoded& decoded, const Image& image,
                                           unsigned lane) {
    const TextureForm& form = form_of(warp, decoded);
    const unsigned width = form.element_bytes * static_cast<unsigned>(form.values.size());
    const auto coordinate = [&](Ref ref) -> std::int64_t {
        return ref == no_ref ? 0 : warp.row<std::int32_t>(ref)[lane];
    };
    const SurfacePosition at{coordinate(form.at[0]), coordinate(form.at[1]),
                             form.layer != no_ref ? coordinate(form.layer) : coordinate(form.at[2])};
    const std::uint32_t pc = warp.run->pc_of(decoded);
    if (form.outside == TextureForm::Outside::trap && !is_inside(image, width, at))
        report(warp, trace::ProblemKind::out_of_bounds, pc, lane_bit(lane),
               std::string(ptx::Op::suld == warp.run->program.ops[pc] ? "reads " : "writes ") +
                   surface_place_text(form, at, image));
    return surface_address(image, width, at, form.outside == TextureForm::Outside::clamp);
}

template <class Use>
void access_surface(Warp& warp, const Decoded& decoded, Mask lanes, const Image& image,
                    trace::AccessKind kind, Use use) {
    const TextureForm& form = form_of(warp, decoded);
    if (!surface_fits(form, image)) {
        report_misfit(warp, decoded, lanes, image, "surface");
        return;
    }
    const unsigned width = form.element_bytes * static_cast<unsigned>(form.values.size());
    const Decoded piece = piece_at(warp.run->pc_of(decoded), Window::global, width);
    Addresses addresses{};
    Mask inside = 0;
    for_each_lane(lanes, [&](unsigned lane) {
        const std::optional<std::uint64_t> address = surface_place(warp, decoded, image, lane);
        if (!address) return;
        inside |= lane_bit(lane);
        addresses[lane] = *address;
    });
    Targets targets;
    resolve(warp, piece, inside, addresses, kind, targets);
    use(piece, addresses, targets);
}

const Image* find_surface(const Warp& warp, std::uint64_t handle) {
    return warp.run->images.surface(handle);
}

void put_element(Warp& warp, const TextureForm& form, std::size_t k, unsigned lane, std::uint64_t value) {
    if (form.values[k] == no_ref) return;
    if (form.element_bytes == 8)
        warp.row<std::uint64_t>(form.values[k])[lane] = value;
    else
        warp.row<std::uint32_t>(form.values[k])[lane] = static_cast<std::uint32_t>(value);
}

void load_surface(Warp& warp, const Decoded& decoded, Mask mask) {
    const TextureForm& form = form_of(warp, decoded);
    for (std::size_t k = 0; k < form.values.size(); ++k)
        for_each_lane(mask, [&](unsigned lane) { put_element(warp, form, k, lane, 0); });
    const auto use = [&](const Decoded& piece, const Addresses& addresses, const Targets& targets) {
        for_each_lane(targets.mask, [&](unsigned lane) {
            for (std::size_t k = 0; k < form.values.size(); ++k) {
                std::uint64_t value = 0;
                std::memcpy(&value, targets.data[lane] + k * form.element_bytes, form.element_bytes);
                put_element(warp, form, k, lane, value);
            }
        });
        record_access(warp, piece, trace::AccessKind::load, targets.mask, addresses, nullptr);
    };
    for_each_object(
        warp, decoded, mask, "surface", [&](std::uint64_t handle) { return find_surface(warp, handle); },
        [&](Mask lanes, const Image& image) {
            access_surface(warp, decoded, lanes, image, trace::AccessKind::load, use);
        });
}

void store_surface(Warp& warp, const Decoded& decoded, Mask mask) {
    const TextureForm& form = form_of(warp, decoded);
    warp.progressed = true;
    const auto use = [&](const Decoded& piece, const Addresses& addresses, Targets& targets) {
        Recorded values;
        for_each_lane(targets.mask, [&](unsigned lane) {
            std::array<std::byte, 16> bytes{};
            for (std::size_t k = 0; k < form.values.size(); ++k) {
                const std::uint64_t value = form.element_bytes == 8
                                                ? warp.row<std::uint64_t>(form.values[k])[lane]
                                                : warp.row<std::uint32_t>(form.values[k])[lane];
                std::memcpy(bytes.data() + k * form.element_bytes, &value, form.element_bytes);
            }
            const std::size_t at = std::size_t{lane} * piece.width;
            std::memcpy(values.before.data() + at, targets.data[lane], piece.width);
            std::memcpy(values.after.data() + at, bytes.data(), piece.width);
            std::memcpy(targets.data[lane], bytes.data(), piece.width);
            values.newly_set[lane] = mark_lane(targets, lane, piece.width);
        });
        record_access(warp, piece, trace::AccessKind::store, targets.mask, addresses, &values);
    };
    for_each_object(
        warp, decoded, mask, "surface", [&](std::uint64_t handle) { return find_surface(warp, handle); },
        [&](Mask lanes, const Image& image) {
            access_surface(warp, decoded, lanes, image, trace::AccessKind::store, use);
        });
}

}  // namespace

Exec select_sample(const Instruction&, bool) {
    return &sample;
}
Exec select_surface_load(const Instruction&, bool) {
    return &load_surface;
}
Exec select_surface_store(const Instruction&, bool) {
    return &store_surface;
}

}  // namespace lanescope::simt
