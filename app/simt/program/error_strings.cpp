#include "simt/program/error_strings.h"

#include <map>

namespace lanescope::simt {

namespace {

struct ErrorStrings {
    std::string bytes;
    std::map<std::uint32_t, std::uint64_t> names, texts;
    std::uint64_t unknown = 0;

    ErrorStrings() {
#define LANESCOPE_CUDA_ERROR(code, name, text) \
    names[code] = add(#name);                  \
    texts[code] = add(text);
#include "simt/program/errors.def"
#undef LANESCOPE_CUDA_ERROR
        unknown = add("unrecognized error code");
    }
    std::uint64_t add(const char* string) {
        const std::uint64_t at = bytes.size();
        bytes.append(string).push_back('\0');
        return at;
    }
    std::uint64_t at(const std::map<std::uint32_t, std::uint64_t>& places, std::uint32_t code) const {
        const auto found = places.find(code);
        return found == places.end() ? unknown : found->second;
    }
};

const ErrorStrings& all_error_strings() {
    static const ErrorStrings all;
    return all;
}

}  // namespace

const std::string& error_strings() {
    return all_error_strings().bytes;
}

std::uint64_t error_name_at(std::uint32_t code) {
    return all_error_strings().at(all_error_strings().names, code);
}

std::uint64_t error_text_at(std::uint32_t code) {
    return all_error_strings().at(all_error_strings().texts, code);
}

}  // namespace lanescope::simt
