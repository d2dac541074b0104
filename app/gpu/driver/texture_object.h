// A texture object over elements in the device's memory. Addressing rules and filters need CUDA's arrays,
// whose layout is the driver's: the object has a copy of the elements.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "gpu/driver/context.h"
#include "simt/texture/texture.h"

namespace lanescope::gpu {

class TextureObject {
  public:
    TextureObject() = default;
    // `texture.image.address` is on the device. Its contents are not copied yet. Errors: the driver's; an
    // image that is larger than a texture can be.
    static Result<TextureObject> create(const Context& context, const simt::Texture& texture);
    ~TextureObject();
    TextureObject(TextureObject&& other) noexcept;
    TextureObject& operator=(TextureObject&& other) noexcept;

    std::uint64_t handle() const { return object_; }
    // Copies the elements that the memory holds when the stream comes to it.
    Result<void> refresh(CUstream stream) const;

  private:
    void release();

    const Context* context_ = nullptr;
    std::shared_ptr<ContextLife> life_;
    simt::Image image_;
    CUarray array_ = nullptr;
    CUtexObject object_ = 0;
};

}  // namespace lanescope::gpu
