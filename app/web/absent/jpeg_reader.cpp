#include "image/reader.h"

namespace lanescope::image {

namespace {

class NoReader : public Reader {
  public:
    Result<Header> header() override {
        return error("this program reads no JPEG by itself", "drop the file onto the page, which decodes it");
    }
    Result<Samples> samples() override { return header().diagnostics(); }
};

}  // namespace

std::unique_ptr<Reader> jpeg_reader(std::string_view) {
    return std::make_unique<NoReader>();
}

}  // namespace lanescope::image
