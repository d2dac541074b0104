#include "image/image.h"

#include <utility>

namespace lanescope::image {

std::string describe(const Header& header) {
    static constexpr const char* kinds[] = {"", "grey", "grey with alpha", "RGB", "RGBA"};
    return std::to_string(header.width) + " × " + std::to_string(header.height) + " · " +
           kinds[header.channels <= 4 ? header.channels : 0] + " " + std::to_string(header.bits) + " bit";
}

Image with_channels(Image image, std::uint32_t channels) {
    if (image.channels == channels) return image;
    Image made{image, {}};
    made.channels = channels;
    made.samples.reserve(made.pixels() * channels);
    const bool from_colour = image.channels >= 3, to_colour = channels >= 3;
    for (std::size_t i = 0; i < image.samples.size(); i += image.channels) {
        const std::uint16_t* const from = &image.samples[i];
        if (to_colour)
            for (std::size_t c = 0; c < 3; ++c)
                made.samples.push_back(from[from_colour ? c : 0]);
        else if (from_colour)
            made.samples.push_back(
                static_cast<std::uint16_t>((77u * from[0] + 150u * from[1] + 29u * from[2]) >> 8));
        else
            made.samples.push_back(from[0]);
        if (made.has_alpha())
            made.samples.push_back(image.has_alpha() ? from[image.channels - 1]
                                                     : static_cast<std::uint16_t>(image.max_level()));
    }
    return made;
}

}  // namespace lanescope::image
