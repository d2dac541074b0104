// Writes a film (.mp4, .webm) picture by picture, with ffmpeg.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "base/temporary_folder.h"
#include "image/image.h"

namespace lanescope::image {

class FilmWriter {
  public:
    // Errors: ffmpeg is not installed.
    static Result<FilmWriter> create(const std::filesystem::path& path);

    // Adds a picture of 8 bits, which is shown for `delay_ms`. Errors: a full disk.
    Result<void> add(const Image& image, int delay_ms);
    // Errors: what ffmpeg says; it has ten minutes.
    Result<void> finish();

  private:
    FilmWriter(std::filesystem::path path, std::filesystem::path ffmpeg, TemporaryFolder folder)
        : path_(std::move(path)), ffmpeg_(std::move(ffmpeg)), folder_(std::move(folder)) {}

    std::filesystem::path path_, ffmpeg_;
    TemporaryFolder folder_;  // holds the pictures and their list
    std::string list_, last_;
    int count_ = 0;
};

}  // namespace lanescope::image
