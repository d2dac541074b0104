// The bytes of a buffer in a browser.
#pragma once

#include <vector>

#include "render/buffer.h"

namespace lanescope::render {

struct Buffer::Memory {
    std::vector<std::byte> bytes;
    std::shared_ptr<const char> version;  // other bytes have another one

    explicit Memory(std::vector<std::byte> bytes_) : bytes(std::move(bytes_)) { changed(); }
    void changed() { version = std::make_shared<const char>(); }
};

}  // namespace lanescope::render
