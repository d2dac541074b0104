#include "recording.h"

#include <cstring>
#include <fstream>
#include <span>
#include <sstream>

#include "base/files.h"

namespace lanescope::parity {

namespace {

constexpr std::string_view title = "lanescope parity 1";

std::uint64_t fnv1a(std::span<const std::byte> bytes, std::uint64_t hash) {
    for (const std::byte byte : bytes)
        hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3ull;
    return hash;
}

template <class T>
void put(std::string& text, T value) {
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

class Reader {
  public:
    explicit Reader(const std::string& text) : text_(text) {}

    bool take(void* to, std::size_t size) {
        if (size > text_.size() - at_) return false;
        std::memcpy(to, text_.data() + at_, size);
        at_ += size;
        return true;
    }
    bool line(std::string& out) {
        const std::size_t end = text_.find('\n', at_);
        if (end == std::string::npos) return false;
        out = text_.substr(at_, end - at_);
        at_ = end + 1;
        return true;
    }
    bool done() const { return at_ == text_.size(); }
    std::size_t left() const { return text_.size() - at_; }

  private:
    const std::string& text_;
    std::size_t at_ = 0;
};

bool read_record(Reader& reader, Record& record) {
    std::uint32_t length = 0, size = 0;
    if (!reader.take(&length, sizeof length) || length > reader.left()) return false;
    record.code.resize(length);
    if (!reader.take(record.code.data(), length) ||
        !reader.take(&record.work_hash, sizeof record.work_hash) || !reader.take(&size, sizeof size) ||
        size > reader.left())
        return false;
    record.result.resize(size);
    return reader.take(record.result.data(), size);
}

}  // namespace

std::uint64_t work_hash(const Form& form, const Work& work) {
    const std::string text = module_of({form});
    std::uint64_t hash = fnv1a(std::as_bytes(std::span(text)), 0xcbf29ce484222325ull);
    return fnv1a(work.memory, fnv1a(work.inputs, hash));
}

std::uint64_t text_hash(const std::string& text) {
    return fnv1a(std::as_bytes(std::span(text)), 0xcbf29ce484222325ull);
}

std::uint64_t file_hash(const std::string& source) {
    const std::string expected_problems = "\n[[expect]]\nproblems = ";
    const std::size_t begin = source.find(expected_problems);
    if (begin == std::string::npos) return text_hash(source);
    const std::size_t end = source.find('\n', begin + expected_problems.size());
    return text_hash(source.substr(0, begin) + (end == std::string::npos ? "" : source.substr(end + 1)));
}

std::string corpus_record_name(const std::string& file, bool debug, const std::string& buffer) {
    return file + (debug ? " debug " : " optimized ") + buffer;
}

Result<void> save(const Recording& recording, const std::string& path) {
    std::string text =
        std::string(title) + "\n" + recording.device + "\n" + recording.driver + "\n" + recording.date + "\n";
    for (const Record& record : recording.records) {
        put(text, static_cast<std::uint32_t>(record.code.size()));
        text += record.code;
        put(text, record.work_hash);
        put(text, static_cast<std::uint32_t>(record.result.size()));
        text.append(reinterpret_cast<const char*>(record.result.data()), record.result.size());
    }
    std::ofstream file(path, std::ios::binary);
    file << text;
    return file.good() ? Result<void>{} : Result<void>{error("cannot write " + path)};
}

Result<Recording> load_recording(const std::string& path) {
    auto text = read_file(path);
    if (!text.ok()) return text.diagnostics();
    Reader reader(*text);
    Recording recording;
    std::string first;
    if (!reader.line(first) || first != title || !reader.line(recording.device) ||
        !reader.line(recording.driver) || !reader.line(recording.date))
        return error(path + " is not a recording of a GPU");
    while (!reader.done()) {
        recording.records.emplace_back();
        if (!read_record(reader, recording.records.back()))
            return error(path + " ends in the middle of a record; record it again");
    }
    return recording;
}

}  // namespace lanescope::parity
