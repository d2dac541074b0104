// An OpenGL context of EGL without a window or a display server.
#pragma once

#include <memory>

#include "base/result.h"
#include "render/gl.h"

namespace lanescope::render {

class HeadlessContext {
  public:
    // Tries, in this order: NVIDIA devices, other graphics devices, Mesa without a surface, the default
    // display, and devices that draw in software. Makes the context current on the calling thread. Error: no
    // device offers OpenGL 4.5; the message names the tried ones.
    static Result<HeadlessContext> create();
    ~HeadlessContext();
    HeadlessContext(HeadlessContext&&) noexcept;
    HeadlessContext& operator=(HeadlessContext&&) noexcept;

    const GlDevice& device() const;

  private:
    struct State;
    explicit HeadlessContext(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::render
