// Writes an animated GIF picture by picture. Memory holds only two pictures at a time.
#pragma once

#include <filesystem>
#include <memory>

#include "base/result.h"
#include "image/image.h"

namespace lanescope::image {

class GifWriter {
  public:
    // The animation repeats forever. Until finish() the file is PATH.part. Errors: a side over 65535, a file
    // that cannot be written.
    static Result<GifWriter> create(const std::filesystem::path& path, int width, int height);
    GifWriter(GifWriter&&) noexcept;
    GifWriter& operator=(GifWriter&&) noexcept;
    ~GifWriter();  // removes the file unless finish() succeeded

    // Adds an RGB or RGBA picture of 8 bits and of the size given to create(). It is shown for `delay_ms`,
    // rounded down to a multiple of 10. Stores only pixels that differ from the previous picture, with 255
    // colours of their own, without dithering. Errors: another kind or size, a full disk.
    Result<void> add(const Image& image, int delay_ms);
    Result<void> finish();

  private:
    struct State;
    explicit GifWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::image
