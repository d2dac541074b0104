// Converts values to bytes and back. The writer and the reader have the same interface, so that one
// description of a type serves both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/large_file.h"

namespace lanescope {

class ArchiveWriter {
  public:
    std::string bytes;

    template <class T>
    requires std::is_integral_v<T>
    void value(T number) { raw(&number, sizeof number); }
    void value(const std::string& text) {
        value(std::uint64_t{text.size()});
        raw(text.data(), text.size());
    }
    template <class T>
    void choice(T& one, std::uint64_t) {
        value(static_cast<std::uint8_t>(one));
    }
    // Stores the values with the layout that they have in memory.
    template <class T>
    void block(const std::vector<T>& values) {
        value(std::uint64_t{values.size()});
        raw(values.data(), values.size() * sizeof(T));
    }
    template <class T, class Fields>
    void list(std::vector<T>& items, Fields&& fields) {
        value(std::uint64_t{items.size()});
        for (T& item : items)
            fields(*this, item);
    }
    void raw(const void* from, std::size_t size_bytes) {
        bytes.append(static_cast<const char*>(from), size_bytes);
    }
};

// Never reads beyond its bytes and never allocates more than they can fill. After an error every value reads
// as zero.
class ArchiveReader {
  public:
    explicit ArchiveReader(std::string_view bytes) : rest_(bytes) {}
    bool ok() const { return ok_; }
    std::string_view rest() const { return rest_; }

    template <class T>
    requires std::is_integral_v<T>
    void value(T& number) {
        if constexpr (std::is_same_v<T, bool>) {
            std::uint8_t byte = 0;
            raw(&byte, 1);
            if (byte > 1) fail();
            number = byte == 1;
        } else {
            raw(&number, sizeof number);
        }
    }
    void value(std::string& text) {
        const std::uint64_t size = count(1);
        text.assign(rest_.substr(0, size));
        rest_.remove_prefix(size);
    }
    template <class T>
    void choice(T& one, std::uint64_t last) {
        std::uint8_t number = 0;
        value(number);
        if (number > last) fail();
        one = static_cast<T>(ok_ ? number : 0);
    }
    template <class T>
    void block(std::vector<T>& values) {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::uint64_t size = count(sizeof(T));
        values.reserve(size);
        prefer_large_pages(values.data(), size * sizeof(T));
        values.resize(size);
        raw(values.data(), values.size() * sizeof(T));
    }
    template <class T, class Fields>
    void list(std::vector<T>& items, Fields&& fields) {
        const std::uint64_t size = count(1);
        items.clear();
        for (std::uint64_t i = 0; i < size && ok_; ++i)
            fields(*this, items.emplace_back());
    }
    void raw(void* to, std::size_t size_bytes) {
        if (size_bytes > rest_.size()) fail();
        if (!ok_) {
            if (size_bytes != 0) std::memset(to, 0, size_bytes);
            return;
        }
        if (size_bytes != 0) std::memcpy(to, rest_.data(), size_bytes);
        rest_.remove_prefix(size_bytes);
    }
    void fail() {
        ok_ = false;
        rest_ = {};
    }

  private:
    // Reads a number of items of at least `min_bytes` each. A number that the remaining bytes cannot hold is
    // an error.
    std::uint64_t count(std::size_t min_bytes) {
        std::uint64_t number = 0;
        value(number);
        if (number > rest_.size() / min_bytes) fail();
        return ok_ ? number : 0;
    }

    std::string_view rest_;
    bool ok_ = true;
};

// A choice among the values of an enumeration, of which this is the last.
template <class T>
struct UpTo {
    T& value;
    T last;
};
template <class T>
UpTo<T> up_to(T& value, T last) {
    return {value, last};
}

template <class Archive, class T>
void archive_one(Archive& archive, T& value) {
    if constexpr (std::is_integral_v<T> || std::is_same_v<T, std::string>)
        archive.value(value);
    else if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, std::byte>)
        archive.raw(&value, sizeof value);
    else
        fields(archive, value);
}
template <class Archive, class T>
void archive_one(Archive& archive, UpTo<T>& choice) {
    archive.choice(choice.value, static_cast<std::uint64_t>(choice.last));
}
template <class Archive, class T, std::size_t count>
void archive_one(Archive& archive, std::array<T, count>& values) {
    static_assert(std::is_arithmetic_v<T> || std::is_same_v<T, std::byte>);
    archive.raw(values.data(), sizeof values);
}
template <class Archive, class T>
void archive_one(Archive& archive, std::vector<T>& values) {
    if constexpr (std::is_trivially_copyable_v<T>)
        archive.block(values);
    else
        archive.list(values, [](Archive& each, T& value) { archive_one(each, value); });
}

// Writes or reads values of any kind, in this order. A structure names its parts in a function
// `fields(archive, structure)` of its namespace.
template <class Archive, class... T>
void archive_all(Archive& archive, T&&... values) {
    (archive_one(archive, values), ...);
}

}  // namespace lanescope
