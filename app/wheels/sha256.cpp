#include "wheels/sha256.h"

#include <sha2.h>
#include <sys/types.h>

#include <fstream>
#include <vector>

namespace lanescope::wheels {

Result<std::string> sha256_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return error_at(file.string(), 0, 0, "cannot be read");
    SHA2_CTX state;
    SHA256Init(&state);
    std::vector<char> buffer(1 << 20);
    while (stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || stream.gcount() > 0)
        SHA256Update(&state, reinterpret_cast<const std::uint8_t*>(buffer.data()),
                     static_cast<std::size_t>(stream.gcount()));
    if (stream.bad()) return error_at(file.string(), 0, 0, "cannot be read");
    std::string digits(SHA256_DIGEST_STRING_LENGTH, '\0');
    SHA256End(&state, digits.data());
    digits.resize(SHA256_DIGEST_STRING_LENGTH - 1);
    return digits;
}

}  // namespace lanescope::wheels
