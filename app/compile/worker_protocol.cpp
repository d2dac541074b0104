#include "compile/worker_protocol.h"

#include "base/result_fields.h"

namespace lanescope::compile {

// The last character is the version. Both sides are the same program.
constexpr std::string_view request_mark = "lanescope compile request 4";
constexpr std::string_view answer_mark = "lanescope compile answer 4";

template <class Archive>
void fields(Archive& archive, NamedText& named) {
    archive_all(archive, named.name, named.text, named.shown);
}

template <class Archive>
void fields(Archive& archive, Request& request) {
    archive_all(archive, up_to(request.kind, Request::Kind::assemble), request.library, request.options,
                request.source, request.headers, request.instantiations, request.alias, request.target,
                request.linker, request.device_runtime);
}

template <class Archive>
void fields(Archive& archive, Answer& answer) {
    archive_all(archive, answer.library_loaded, answer.compiled, answer.version, answer.ptx,
                answer.aliased_ptx, answer.cubin, answer.symbols, answer.diagnostics);
}

namespace {

template <class Message>
std::string to_bytes(std::string_view mark, Message message) {
    ArchiveWriter archive;
    archive.value(std::string(mark));
    fields(archive, message);
    return std::move(archive.bytes);
}

template <class Message>
std::optional<Message> from_bytes(std::string_view mark, std::string_view bytes) {
    ArchiveReader archive(bytes);
    std::string found;
    archive.value(found);
    if (found != mark) return std::nullopt;
    Message message;
    fields(archive, message);
    if (!archive.ok() || !archive.rest().empty()) return std::nullopt;
    return message;
}

}  // namespace

std::string encode(const Request& request) {
    return to_bytes(request_mark, request);
}
std::string encode(const Answer& answer) {
    return to_bytes(answer_mark, answer);
}

std::optional<Request> decode_request(std::string_view bytes) {
    return from_bytes<Request>(request_mark, bytes);
}
std::optional<Answer> decode_answer(std::string_view bytes) {
    return from_bytes<Answer>(answer_mark, bytes);
}

}  // namespace lanescope::compile
