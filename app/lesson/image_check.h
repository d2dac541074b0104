// What the image decoder does not check itself.
#pragma once

#include <string_view>

namespace lanescope::lesson {

// Whether no Huffman table of a JPEG (ITU-T T.81, B.2.4.2) has more than 256 codes. Version 2.27 of
// stb_image, which Debian has, writes behind its tables when one has. True of what is no JPEG.
bool huffman_tables_fit(std::string_view bytes);

// Whether every chunk of a PNG lies in the file: the decoder takes as much memory as one says before it reads
// it. True of what is no PNG.
bool chunks_fit(std::string_view bytes);

}  // namespace lanescope::lesson
