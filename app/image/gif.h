// An animated GIF, written picture by picture: memory holds two of them, however many there are.
#pragma once

#include <filesystem>
#include <memory>

#include "base/result.h"
#include "image/image.h"

namespace lanescope::image {

class GifWriter {
  public:
    // The animation begins again when it is over. What is written lies beside `path` until finish(). Errors:
    // a size over 65535, a file that cannot be written.
    static Result<GifWriter> create(const std::filesystem::path& path, int width, int height);
    GifWriter(GifWriter&&) noexcept;
    GifWriter& operator=(GifWriter&&) noexcept;
    ~GifWriter();  // without finish() nothing stays

    // Of the size that was announced; it stands for `delay_ms`, in steps of 10. Only what differs from the
    // picture before is stored, with 255 colours of its own, without dithering. Errors: another size, a full
    // disk.
    Result<void> add(const Image& image, int delay_ms);
    Result<void> finish();

  private:
    struct State;
    explicit GifWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::image
