#include "dap/wire.h"

#include <charconv>

#include "base/text.h"

namespace lanescope::dap {

namespace {

// The length that a header states; nothing: none, or not a number.
std::optional<std::size_t> length_in(std::string_view header) {
    constexpr std::string_view name = "content-length:";
    for (std::size_t at = 0; at < header.size();) {
        const std::size_t end = std::min(header.find("\r\n", at), header.size());
        const std::string_view line = header.substr(at, end - at);
        at = end + 2;
        if (!lower_case(line).starts_with(name)) continue;
        const std::string_view digits = trimmed(line.substr(name.size()));
        std::size_t length = 0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), length);
        if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return std::nullopt;
        return length;
    }
    return std::nullopt;
}

}  // namespace

Result<std::optional<std::string>> MessageReader::next() {
    if (!wanted_) {
        const std::size_t end = bytes_.find("\r\n\r\n");
        if (end == std::string::npos ? bytes_.size() > most_header_bytes : end > most_header_bytes)
            return error("a message's header is longer than " + std::to_string(most_header_bytes) + " bytes");
        if (end == std::string::npos) return std::optional<std::string>();
        wanted_ = length_in(std::string_view(bytes_).substr(0, end));
        if (!wanted_)
            return error("a message has no length",
                         "each message begins with Content-Length: BYTES and an empty line");
        if (*wanted_ > most_message_bytes)
            return error("a message of " + std::to_string(*wanted_) + " bytes is too long",
                         "the limit is " + std::to_string(most_message_bytes) + " bytes");
        bytes_.erase(0, end + 4);
    }
    if (bytes_.size() < *wanted_) return std::optional<std::string>();
    std::optional<std::string> message = bytes_.substr(0, *wanted_);
    bytes_.erase(0, *wanted_);
    wanted_.reset();
    return message;
}

std::string framed(const Json& message) {
    const std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
    return "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
}

const Json& part_of(const Json& from, const char* name) {
    static const Json none;
    if (!from.is_object()) return none;
    const auto found = from.find(name);
    return found == from.end() ? none : *found;
}

const Json& list_of(const Json& from, const char* name) {
    static const Json none = Json::array();
    const Json& part = part_of(from, name);
    return part.is_array() ? part : none;
}

std::string text_of(const Json& from, const char* name, std::string otherwise) {
    const Json& part = part_of(from, name);
    return part.is_string() ? part.get<std::string>() : std::move(otherwise);
}

std::int64_t number_of(const Json& from, const char* name, std::int64_t otherwise) {
    const Json& part = part_of(from, name);
    return part.is_number_integer() ? part.get<std::int64_t>() : otherwise;
}

bool flag_of(const Json& from, const char* name, bool otherwise) {
    const Json& part = part_of(from, name);
    return part.is_boolean() ? part.get<bool>() : otherwise;
}

}  // namespace lanescope::dap
