#include "session/clock/registers.h"

#include <cstdint>
#include <cstring>
#include <vector>

namespace lanescope::session {

namespace {

template <class T>
T number_at(std::string_view bytes, std::uint64_t at) {
    T value{};
    if (at <= bytes.size() && bytes.size() - at >= sizeof value)
        std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

// The fields of an ELF64 section header that are needed.
struct Section {
    std::string_view name, bytes;
    std::uint32_t info = 0;
};

std::string_view part(std::string_view bytes, std::uint64_t at, std::uint64_t size) {
    return at <= bytes.size() ? bytes.substr(at, size) : std::string_view();
}

std::vector<Section> sections_of(std::string_view elf) {
    constexpr std::uint64_t header_bytes = 64, at_offset = 24, at_size = 32, at_info = 44;
    const auto headers = number_at<std::uint64_t>(elf, 0x28);
    const auto count = number_at<std::uint16_t>(elf, 0x3c), names = number_at<std::uint16_t>(elf, 0x3e);
    const auto bytes_of = [&](std::uint64_t section) {
        const std::uint64_t header = headers + section * header_bytes;
        return part(elf, number_at<std::uint64_t>(elf, header + at_offset),
                    number_at<std::uint64_t>(elf, header + at_size));
    };
    const std::string_view texts = bytes_of(names);
    std::vector<Section> sections;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t header = headers + i * header_bytes;
        const std::string_view rest = part(texts, number_at<std::uint32_t>(elf, header), texts.size());
        sections.push_back(
            {rest.substr(0, rest.find('\0')), bytes_of(i), number_at<std::uint32_t>(elf, header + at_info)});
    }
    return sections;
}

}  // namespace

// The section .nv.info has attributes: a form, a name, and for form 4 a size and as many bytes. The attribute
// 0x2f has a symbol and the registers of its function; the section of the function names the same symbol.
std::map<std::string, int> registers_of(std::string_view cubin) {
    constexpr std::string_view prefix = ".text.";
    constexpr std::uint8_t sized = 4, register_count = 0x2f;
    std::map<std::string, int> found;
    if (!cubin.starts_with("\177ELF")) return found;
    const std::vector<Section> sections = sections_of(cubin);
    std::map<std::uint32_t, int> by_symbol;
    for (const Section& section : sections) {
        if (section.name != ".nv.info") continue;
        for (std::uint64_t at = 0; at + 4 <= section.bytes.size();) {
            const auto form = number_at<std::uint8_t>(section.bytes, at);
            const auto size = number_at<std::uint16_t>(section.bytes, at + 2);
            if (form == sized && number_at<std::uint8_t>(section.bytes, at + 1) == register_count)
                by_symbol[number_at<std::uint32_t>(section.bytes, at + 4)] =
                    static_cast<int>(number_at<std::uint32_t>(section.bytes, at + 8));
            at += 4 + (form == sized ? size : 0u);
        }
    }
    for (const Section& section : sections)
        if (section.name.starts_with(prefix))
            if (const auto count = by_symbol.find(section.info & 0xffffff); count != by_symbol.end())
                found[std::string(section.name.substr(prefix.size()))] = count->second;
    return found;
}

}  // namespace lanescope::session
