#include "base/files.h"
#include "base/large_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>
#include <thread>

#include "base/sizes.h"
#include "base/text_file.h"
#include "base/unfinished_file.h"

namespace lanescope {

namespace fs = std::filesystem;

namespace {

Diagnostic failed(const fs::path& path, std::string message) {
    return error_at(path.string(), 0, 0, std::move(message));
}

// Writes for the file that the message names.
Result<void> write_bytes(const fs::path& path, const fs::path& named, std::string_view bytes) {
    std::ofstream stream(path, std::ios::binary | std::ios::trunc);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    stream.flush();
    if (stream) return {};
    return failed(named, std::string("cannot be written: ") + std::strerror(errno));
}

}  // namespace

namespace {

// Returns the size of a file; an error if the file must not be read.
Result<std::uintmax_t> checked_size(const fs::path& path, std::uint64_t max_bytes) {
    max_bytes = holdable(max_bytes);
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (status.type() == fs::file_type::not_found) return failed(path, "no such file");
    if (code) return failed(path, code.message());
    if (status.type() == fs::file_type::directory) return failed(path, "is a directory, not a file");
    if (status.type() != fs::file_type::regular) return failed(path, "is not a regular file");
    const std::uintmax_t size = fs::file_size(path, code);
    if (code) return failed(path, code.message());
    if (size > max_bytes)
        return failed(
            path, "is too large: " + std::to_string(size) + " bytes, at most " + std::to_string(max_bytes));
    return size;
}

}  // namespace

Result<std::string> read_file(const fs::path& path, std::uint64_t max_bytes) {
    const Result<std::uintmax_t> size = checked_size(path, max_bytes);
    if (!size) return size.diagnostics();
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return failed(path, std::string("cannot be read: ") + std::strerror(errno));
    std::string bytes(*size, '\0');
    stream.read(bytes.data(), static_cast<std::streamsize>(*size));
    bytes.resize(static_cast<std::size_t>(stream.gcount()));
    return bytes;
}

namespace {

constexpr std::size_t worth_a_thread_bytes = 64u << 20;

// Bytes [at, end) of a file; `at` advances as bytes are read.
struct Part {
    std::size_t at = 0, end = 0;
    int wrong = 0;  // errno
};

void read_part(int file, std::byte* to, Part& part) {
    while (part.at < part.end) {
        const ssize_t got = ::pread(file, to + part.at, part.end - part.at, static_cast<off_t>(part.at));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) part.wrong = errno;
        if (got <= 0) return;
        part.at += static_cast<std::size_t>(got);
    }
}

}  // namespace

void prefer_large_pages(void* memory, std::size_t size_bytes) {
    constexpr std::uintptr_t page = 2u << 20;
    const auto at = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t first = (at + page - 1) / page * page, end = (at + size_bytes) / page * page;
    if (first < end) (void)::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

Result<FileBytes> read_large_file(const fs::path& path, std::uint64_t max_bytes, std::size_t slack_bytes) {
    const Result<std::uintmax_t> size = checked_size(path, max_bytes);
    if (!size) return size.diagnostics();
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return failed(path, std::string("cannot be read: ") + std::strerror(errno));
    const std::size_t room = *size + slack_bytes;
    void* memory = ::mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        ::close(file);
        return failed(path, "needs more memory than there is: " + std::to_string(room) + " bytes");
    }
    prefer_large_pages(memory, room);
    auto* bytes = static_cast<std::byte*>(memory);
    FileBytes read{{bytes, [room](const std::byte* at) { ::munmap(const_cast<std::byte*>(at), room); }}, 0};
    // Copying takes longer than reading ahead, so two threads copy.
    const std::size_t half = *size >= worth_a_thread_bytes ? *size / 2 : *size;
    Part first{0, half}, second{half, static_cast<std::size_t>(*size)};
    {
        std::jthread other;
        if (second.at < second.end) other = std::jthread([&] { read_part(file, bytes, second); });
        read_part(file, bytes, first);
    }
    const int why = first.wrong != 0 ? first.wrong : second.wrong;
    read.size = first.at == half ? second.at : first.at;  // shorter if the file was truncated meanwhile
    ::close(file);
    if (why != 0) return failed(path, std::string("cannot be read: ") + std::strerror(why));
    return read;
}

Result<std::string> read_text_file(const fs::path& path, std::uint64_t max_bytes) {
    Result<TextFile> read = read_text(path, max_bytes);
    if (!read) return read.diagnostics();
    return std::move(read->text);
}

Result<void> write_file(const fs::path& path, std::string_view bytes) {
    std::error_code code;
    // A rename would put a file in the place of a device or a pipe.
    if (fs::is_other(fs::status(path, code))) return write_bytes(path, path, bytes);
    // A link stays one, and an older file's permissions stay.
    const fs::path real =
        fs::is_symlink(fs::symlink_status(path, code)) ? fs::weakly_canonical(path, code) : path;
    fs::path temporary = real;
    temporary += "." + std::to_string(::getpid()) + ".part";
    const UnfinishedFile unfinished(temporary);
    Result<void> written = write_bytes(temporary, path, bytes);
    if (written) {
        if (const fs::file_status older = fs::status(real, code); fs::exists(older))
            fs::permissions(temporary, older.permissions(), code);
        fs::rename(temporary, real, code);
        if (!code) return {};
        written = failed(path, "cannot be written: " + code.message());
    }
    fs::remove(temporary, code);
    return written;
}

std::string content_hash(std::string_view bytes) {
    std::uint64_t lanes[2] = {0xcbf29ce484222325ull, 0x84222325cbf29ce4ull};
    for (const char c : bytes) {
        lanes[0] = (lanes[0] ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
        lanes[1] = (lanes[1] ^ (static_cast<unsigned char>(c) + (lanes[0] >> 32))) * 0x100000001b3ull;
    }
    static const char digits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint64_t lane : lanes)
        for (int shift = 60; shift >= 0; shift -= 4)
            text += digits[(lane >> shift) & 15];
    return text;
}

}  // namespace lanescope
