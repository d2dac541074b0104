// Fuzzes the reader of debug sections. An input is PTX text. Few mutations of a text still parse, so each
// text that parses is read several times, with damaged section bytes, moved labels and missing relocations.
#include <cstdint>
#include <string_view>

#include "ptx/debug_info.h"
#include "ptx/parser.h"

namespace {

using namespace lanescope;

std::uint8_t random_byte(std::uint64_t& state) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint8_t>(state >> 56);
}

// Damages the sections in a way that depends only on the text, so that an input always gives the same run.
void damage(ptx::Module& module, std::uint64_t& state) {
    for (ptx::Section& section : module.sections) {
        if (section.bytes.empty() || random_byte(state) % 2 == 0) continue;
        const std::size_t at = (random_byte(state) << 8 | random_byte(state)) % section.bytes.size();
        switch (random_byte(state) % 6) {
            case 0:
                section.bytes.resize(at);
                std::erase_if(section.relocations, [&](const auto& r) { return r.at + r.size_bytes > at; });
                std::erase_if(section.labels, [&](const auto& label) { return label.second > at; });
                break;
            case 1:
                if (!section.relocations.empty()) section.relocations.pop_back();
                break;
            case 2:
                section.bytes[at] = random_byte(state) % 2 ? 0xff : 0x80;
                break;
            case 3:
                section.bytes[at] ^= static_cast<std::uint8_t>(1u << random_byte(state) % 8);
                break;
            default:
                section.bytes[at] = random_byte(state);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto module = ptx::parse(text);
    if (!module) return 0;
    const std::string_view file =
        module->files.empty() ? "kernel.cu" : std::string_view(module->files[0].path);
    (void)ptx::read_debug_info(*module, file);
    (void)ptx::read_debug_info(*module, file, &*module);
    std::uint64_t state = size;
    for (const std::uint8_t byte : text)
        state = state * 31 + byte;
    for (int i = 0; i < 8; ++i) {
        ptx::Module damaged = *module;
        damage(damaged, state);
        (void)ptx::read_debug_info(damaged, file);
    }
    return 0;
}
