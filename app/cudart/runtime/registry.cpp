#include "cudart/runtime/registry.h"

#include <cstdint>

namespace lanescope::cudart {

namespace {

// fatbinary_section.h; in version 2, relocatable modules are listed behind `prelinked`, up to a null.
struct Wrapper {
    int magic, version;
    const void* data;
    const void* const* prelinked;
};
constexpr int wrapper_magic = 0x466243b1;

}  // namespace

std::size_t add_module(Registry& registry, const void* wrapper) {
    const auto* const found = static_cast<const Wrapper*>(wrapper);
    auto made = std::make_unique<RegisteredModule>();
    if (found != nullptr && found->magic == wrapper_magic) {
        if (found->version == 2 && found->prelinked != nullptr)
            for (const void* const* each = found->prelinked; *each != nullptr; ++each)
                made->fat_binaries.push_back(*each);
        else
            made->fat_binaries.push_back(found->data);
    }
    registry.modules.push_back(std::move(made));
    return registry.modules.size() - 1;
}

}  // namespace lanescope::cudart
