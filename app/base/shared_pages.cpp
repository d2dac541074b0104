#include "base/shared_pages.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace lanescope {

namespace {

Diagnostic failed(const char* what) {
    return error(std::string(what) + " memory for two processes: " + std::strerror(errno));
}

}  // namespace

Result<SharedPages> SharedPages::make(std::uint64_t size_bytes) {
    Descriptor file(::memfd_create("lanescope", MFD_CLOEXEC));
    if (!file || ::ftruncate(file.number(), static_cast<off_t>(size_bytes)) != 0) return failed("making");
    return map(std::move(file), size_bytes);
}

Result<SharedPages> SharedPages::map(Descriptor file, std::uint64_t size_bytes) {
    struct stat facts {};
    if (::fstat(file.number(), &facts) != 0) return failed("opening");
    // An access behind the end of the file would end the process.
    if (std::cmp_less(facts.st_size, size_bytes)) return error("memory for two processes is too small");
    void* at = ::mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
    if (at == MAP_FAILED) return failed("mapping");
    SharedPages made;
    made.file_ = std::move(file);
    made.bytes_ = {static_cast<std::byte*>(at), size_bytes};
    made.life_ = std::shared_ptr<std::byte>(
        made.bytes_.data(), [size_bytes](std::byte* mapped) { ::munmap(mapped, size_bytes); });
    return made;
}

}  // namespace lanescope
