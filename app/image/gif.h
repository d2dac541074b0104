// An animated GIF, written picture by picture: memory holds two pictures, however many the file has.
#pragma once

#include <filesystem>
#include <memory>

#include "base/result.h"
#include "image/image.h"

namespace lanescope::image {

class GifWriter {
  public:
    // The animation repeats without end. Until finish() the file lies beside `path`, as PATH.part. Errors: a
    // side over 65535, a file that cannot be written.
    static Result<GifWriter> create(const std::filesystem::path& path, int width, int height);
    GifWriter(GifWriter&&) noexcept;
    GifWriter& operator=(GifWriter&&) noexcept;
    ~GifWriter();  // without finish() the file is removed

    // Adds an RGB or RGBA picture of 8 bits and the size given to create(), shown for `delay_ms`, in steps of
    // 10. Only pixels that differ from the picture before are stored, with 255 colours of their own, without
    // dithering. Errors: another kind or size, a full disk.
    Result<void> add(const Image& image, int delay_ms);
    Result<void> finish();

  private:
    struct State;
    explicit GifWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::image
