#include "lesson/data_file.h"

#include <cstring>
#include <filesystem>

#include "base/file_kind.h"
#include "base/files.h"
#include "base/npy.h"
#include "lesson/element_type.h"

namespace lanescope::lesson {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_data_bytes = 2ull << 30;

struct Data {
    std::string bytes;
    std::size_t begin = 0;  // of the items
    std::vector<std::uint64_t> extents;
};

Diagnostic refused(const Buffer& buffer, const std::string& file, const std::string& why,
                   const std::string& hint = {}) {
    return error_at(file, buffer.line, 0,
                    "'" + buffer.file + "', the contents of '" + buffer.name + "': " + why, hint);
}

// A file that came from somewhere must not read others of this computer.
Result<fs::path> path_of(const Buffer& buffer, const std::string& file) {
    std::error_code failed;
    const fs::path folder = fs::weakly_canonical(fs::absolute(file, failed).parent_path(), failed);
    const fs::path wanted = fs::weakly_canonical(folder / buffer.file, failed);
    const fs::path inside = wanted.lexically_relative(folder);
    if (failed || inside.empty() || *inside.begin() == "..")
        return refused(buffer, file,
                       "the file is outside of the folder of " + fs::path(file).filename().string(),
                       "put it into that folder");
    return wanted;
}

// What .npy calls the scalars of the type.
NpyHeader npy_of(const ElementType& type) {
    using Kind = ElementType::Kind;
    NpyHeader header;
    header.kind = type.kind == Kind::floating ? 'f' : type.kind == Kind::signed_int ? 'i' : 'u';
    header.item_bytes = type.scalar_bytes;
    return header;
}

bool same_items(const NpyHeader& there, const ElementType& type) {
    const NpyHeader wanted = npy_of(type);
    if (there.kind == 'b') return !type.floating() && type.scalar_bytes == 1;
    if (there.kind == 'c') return type.floating() && type.components == 2 && there.item_bytes == type.bytes();
    return there.kind == wanted.kind && there.item_bytes == wanted.item_bytes;
}

Result<Data> read_npy_data(const Buffer& buffer, const std::string& file, const ElementType& type,
                           Data data) {
    const Result<NpyHeader> header = read_npy(data.bytes);
    if (!header) {
        const Diagnostic& why = header.diagnostics().front();
        return refused(buffer, file, why.message, why.hint);
    }
    if (!same_items(*header, type))
        return refused(buffer, file,
                       "the file's items are " + header->type() + ", but the buffer's are " + buffer.type +
                           ", " + npy_of(type).type(),
                       "change the type, or save the array with .astype");
    data.begin = header->data_offset;
    data.extents = header->shape;
    if (type.components > 1 && header->kind != 'c') {
        if (data.extents.empty() || data.extents.back() != type.components)
            return refused(buffer, file,
                           "the last extent of the file's shape is not " + std::to_string(type.components) +
                               ", the components of " + buffer.type);
        data.extents.pop_back();
    }
    if (data.extents.empty()) data.extents.push_back(1);
    if (data.extents.size() > 2) {  // drawn as the matrix of its last two extents, one below the other
        const std::uint64_t columns = data.extents.back();
        data.extents.pop_back();
        std::uint64_t rows = 1;
        for (const std::uint64_t extent : data.extents)
            rows *= extent;
        data.extents = {rows, columns};
    }
    return data;
}

Result<Data> read(const Buffer& buffer, const std::string& file) {
    const Result<fs::path> path = path_of(buffer, file);
    if (!path) return path.diagnostics();
    Result<std::string> bytes = read_file(*path, max_data_bytes);
    if (!bytes) return refused(buffer, file, bytes.diagnostics().front().message);
    const ElementType type = *element_type(buffer.type);
    Data data{std::move(*bytes), 0, {}};
    if (kind_of(buffer.file) == FileKind::npy) return read_npy_data(buffer, file, type, std::move(data));
    if (data.bytes.size() % type.bytes() != 0)
        return refused(buffer, file,
                       "the file has " + std::to_string(data.bytes.size()) +
                           " bytes, which are not whole elements of " + buffer.type);
    data.extents = {data.bytes.size() / type.bytes()};
    return data;
}

}  // namespace

Result<std::vector<std::uint64_t>> data_extents(const Buffer& buffer, const std::string& file) {
    Result<Data> data = read(buffer, file);
    if (!data) return data.diagnostics();
    return std::move(data->extents);
}

Result<void> read_data(const Buffer& buffer, const std::string& file, std::span<std::byte> bytes) {
    const Result<Data> data = read(buffer, file);
    if (!data) return data.diagnostics();
    if (data->bytes.size() - data->begin != bytes.size())
        return refused(buffer, file, "the file changed while it was read");
    std::memcpy(bytes.data(), data->bytes.data() + data->begin, bytes.size());
    return {};
}

}  // namespace lanescope::lesson
