#include "gpu/driver/texture_object.h"

#include <algorithm>
#include <utility>

namespace lanescope::gpu {

namespace {

using simt::Image;
using Kind = simt::TexelFormat::Kind;

CUarray_format format_of(const simt::TexelFormat& format) {
    const bool byte = format.bits == 8, half = format.bits == 16;
    if (format.kind == Kind::floating) return half ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
    if (format.kind == Kind::unsigned_integer)
        return byte   ? CU_AD_FORMAT_UNSIGNED_INT8
               : half ? CU_AD_FORMAT_UNSIGNED_INT16
                      : CU_AD_FORMAT_UNSIGNED_INT32;
    return byte ? CU_AD_FORMAT_SIGNED_INT8 : half ? CU_AD_FORMAT_SIGNED_INT16 : CU_AD_FORMAT_SIGNED_INT32;
}

CUaddress_mode mode_of(simt::Addressing addressing) {
    switch (addressing) {
        case simt::Addressing::wrap:
            return CU_TR_ADDRESS_MODE_WRAP;
        case simt::Addressing::mirror:
            return CU_TR_ADDRESS_MODE_MIRROR;
        case simt::Addressing::border:
            return CU_TR_ADDRESS_MODE_BORDER;
        case simt::Addressing::clamp:
            break;
    }
    return CU_TR_ADDRESS_MODE_CLAMP;
}

CUDA_ARRAY3D_DESCRIPTOR shape_of(const Image& image) {
    CUDA_ARRAY3D_DESCRIPTOR shape{};
    shape.Width = image.width;
    shape.Height = image.shape == Image::Shape::line ? 0 : image.height;
    const bool slices =
        image.layered || image.shape == Image::Shape::solid || image.shape == Image::Shape::cube;
    shape.Depth = slices ? image.depth : 0;
    shape.Format = format_of(image.format);
    shape.NumChannels = image.format.channels;
    if (image.layered) shape.Flags |= CUDA_ARRAY3D_LAYERED;
    if (image.shape == Image::Shape::cube) shape.Flags |= CUDA_ARRAY3D_CUBEMAP;
    return shape;
}

CUDA_TEXTURE_DESC sampler_of(const simt::Texture& texture) {
    CUDA_TEXTURE_DESC sampler{};
    for (std::size_t i = 0; i < texture.addressing.size(); ++i)
        sampler.addressMode[i] = mode_of(texture.addressing[i]);
    sampler.filterMode = texture.linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
    if (texture.normalized) sampler.flags |= CU_TRSF_NORMALIZED_COORDINATES;
    if (texture.image.format.kind != Kind::floating && !texture.as_float)
        sampler.flags |= CU_TRSF_READ_AS_INTEGER;
    std::copy(texture.border.begin(), texture.border.end(), std::begin(sampler.borderColor));
    return sampler;
}

std::string size_of(const Image& image) {
    std::string text = std::to_string(image.width);
    if (image.height > 1) text += " × " + std::to_string(image.height);
    if (image.depth > 1) text += " × " + std::to_string(image.depth);
    return text + " elements";
}

}  // namespace

Result<TextureObject> TextureObject::create(const Context& context, const simt::Texture& texture) {
    const CurrentContext current(*context.life());
    const Driver& driver = context.driver();
    TextureObject made;
    made.context_ = &context;
    made.image_ = texture.image;
    const std::string what = "making a texture of " + size_of(texture.image);
    const CUDA_ARRAY3D_DESCRIPTOR shape = shape_of(texture.image);
    if (Result<void> done = context.check(driver.array_3d_create(&made.array_, &shape), what); !done)
        return done.diagnostics();
    made.life_ = context.life();
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = made.array_;
    const CUDA_TEXTURE_DESC sampler = sampler_of(texture);
    const CUresult status = driver.tex_object_create(&made.object_, &resource, &sampler, nullptr);
    if (Result<void> done = context.check(status, what); !done) return done.diagnostics();
    return made;
}

Result<void> TextureObject::refresh(CUstream stream) const {
    CUDA_MEMCPY3D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = image_.address;
    copy.srcPitch = image_.row_bytes;
    copy.srcHeight = image_.height;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array_;
    copy.WidthInBytes = std::size_t{image_.width} * image_.format.bytes();
    copy.Height = image_.height;
    copy.Depth = image_.depth;
    return context_->check(life_->driver->memcpy_3d_async(&copy, stream), "copying into a texture");
}

void TextureObject::release() {
    if (life_ && life_->releases())
        if (const CurrentContext current(*life_); current) {
            if (object_ != 0) life_->driver->tex_object_destroy(object_);
            life_->driver->array_destroy(array_);
        }
    life_.reset();
}

TextureObject::~TextureObject() {
    release();
}

TextureObject::TextureObject(TextureObject&& other) noexcept
    : context_(other.context_),
      life_(std::move(other.life_)),
      image_(other.image_),
      array_(std::exchange(other.array_, nullptr)),
      object_(std::exchange(other.object_, 0)) {}

TextureObject& TextureObject::operator=(TextureObject&& other) noexcept {
    if (this == &other) return *this;
    release();
    context_ = other.context_;
    life_ = std::move(other.life_);
    image_ = other.image_;
    array_ = std::exchange(other.array_, nullptr);
    object_ = std::exchange(other.object_, 0);
    return *this;
}

}  // namespace lanescope::gpu
