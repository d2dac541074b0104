#include "compile/compiled_course.h"

#include <zlib.h>

#include <algorithm>
#include <utility>

#include "base/archive.h"
#include "base/files.h"
#include "compile/cache.h"

namespace lanescope::compile {

namespace {

// Part of every key: raise it when the same request gives another answer.
constexpr const char* course_format = "lanescope course 1";
constexpr std::uint64_t max_entry_bytes = 16u << 20;
constexpr std::uint64_t max_answer_bytes = 256u << 20;

// What decides the answer: nothing of the machine on which it was made.
std::string key_of(const Request& request) {
    Request plain;
    for (const std::string& option : request.options)
        if (!option.starts_with("-I")) plain.options.push_back(option);
    plain.source = {request.source.name, request.source.text, {}};
    for (const NamedText& header : request.headers)
        plain.headers.push_back({header.name, header.text, {}});
    plain.instantiations = request.instantiations;
    plain.alias = request.alias;
    plain.target = request.target;
    const bool debug =
        std::find(plain.options.begin(), plain.options.end(), "--device-debug") != plain.options.end();
    return std::filesystem::path(request.source.name).stem().string() + (debug ? ".debug." : ".optimized.") +
           content_hash(course_format + encode(plain));
}

// Exchanges the files' names on the machine and those that sources include them by.
template <class From, class To>
void rename_files(Diagnostics& diagnostics, const Request& request, From from, To to) {
    for (Diagnostic& diagnostic : diagnostics) {
        std::vector<const NamedText*> texts = {&request.source};
        for (const NamedText& header : request.headers)
            texts.push_back(&header);
        const auto named = std::find_if(texts.begin(), texts.end(), [&](const NamedText* text) {
            return text->*from == diagnostic.file;
        });
        if (named != texts.end()) diagnostic.file = (*named)->*to;
    }
}

std::string deflated(const std::string& bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string packed(size, '\0');
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
              static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
    packed.resize(size);
    return packed;
}

std::optional<std::string> inflated(std::string_view packed) {
    ArchiveReader archive(packed);
    std::uint64_t bytes = 0;
    archive.value(bytes);
    if (!archive.ok() || bytes > max_answer_bytes) return std::nullopt;
    std::string text(bytes, '\0');
    uLongf size = static_cast<uLongf>(bytes);
    const std::string_view rest = archive.rest();
    const int code = uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                                reinterpret_cast<const Bytef*>(rest.data()), static_cast<uLong>(rest.size()));
    if (code != Z_OK || size != bytes) return std::nullopt;
    return text;
}

}  // namespace

std::filesystem::path CompiledCourse::path_of(const Request& request) const {
    return folder_ / (key_of(request) + ".entry");
}

std::optional<Answer> CompiledCourse::find(const Request& request) const {
    const std::string key = key_of(request);
    const std::optional<std::string> packed = read_entry(folder_ / (key + ".entry"), key, max_entry_bytes);
    const std::optional<std::string> bytes = packed ? inflated(*packed) : std::nullopt;
    std::optional<Answer> answer = bytes ? decode_answer(*bytes) : std::nullopt;
    if (!answer || !answer->compiled) return std::nullopt;
    rename_files(answer->diagnostics, request, &NamedText::name, &NamedText::shown);
    return answer;
}

Result<void> CompiledCourse::put(const Request& request, Answer answer) const {
    rename_files(answer.diagnostics, request, &NamedText::shown, &NamedText::name);
    const std::string bytes = encode(answer);
    ArchiveWriter archive;
    archive.value(std::uint64_t{bytes.size()});
    const std::string key = key_of(request);
    return write_file(path_of(request), entry_bytes(key, archive.bytes + deflated(bytes)));
}

}  // namespace lanescope::compile
