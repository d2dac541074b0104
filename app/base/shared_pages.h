// Memory of the host that two processes map: a file in memory, whose descriptor one passes to the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/descriptor.h"
#include "base/result.h"

namespace lanescope {

class SharedPages {
  public:
    SharedPages() = default;
    // Makes pages of zeros. Error: no memory.
    static Result<SharedPages> make(std::uint64_t size_bytes);
    // Maps the pages of another process. Errors: the file is smaller; it cannot be mapped.
    static Result<SharedPages> map(Descriptor file, std::uint64_t size_bytes);

    std::span<std::byte> bytes() const { return bytes_; }  // empty: there are none
    const Descriptor& descriptor() const { return file_; }

  private:
    Descriptor file_;
    std::span<std::byte> bytes_;
    std::shared_ptr<std::byte> life_;  // unmaps them
};

}  // namespace lanescope
