#include "compile/worker_protocol.h"

#include "base/result_fields.h"

namespace lanescope::compile {

namespace {

// The last character is the version. Both sides are the same program.
constexpr std::string_view request_mark = "lanescope compile request 4";
constexpr std::string_view answer_mark = "lanescope compile answer 4";

constexpr auto texts = [](auto& archive, std::vector<std::string>& items) {
    archive.list(items, [](auto& a, std::string& item) { a.value(item); });
};

template <class Archive>
void fields(Archive& archive, NamedText& named) {
    archive.value(named.name);
    archive.value(named.text);
    archive.value(named.shown);
}

template <class Archive>
void fields(Archive& archive, Request& request) {
    archive.choice(request.kind, static_cast<std::uint64_t>(Request::Kind::assemble));
    archive.value(request.library);
    texts(archive, request.options);
    fields(archive, request.source);
    archive.list(request.headers, [](Archive& a, NamedText& header) { fields(a, header); });
    texts(archive, request.instantiations);
    archive.value(request.alias);
    archive.value(request.target);
    archive.value(request.linker);
    archive.value(request.device_runtime);
}

template <class Archive>
void fields(Archive& archive, Answer& answer) {
    archive.value(answer.library_loaded);
    archive.value(answer.compiled);
    archive.value(answer.version);
    archive.value(answer.ptx);
    archive.value(answer.aliased_ptx);
    archive.value(answer.cubin);
    texts(archive, answer.symbols);
    lanescope::fields(archive, answer.diagnostics);
}

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
