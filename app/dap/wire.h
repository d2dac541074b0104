// Messages of the Debug Adapter Protocol on two file descriptors: a header with the length, then JSON.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/result.h"

namespace lanescope::dap {

using Json = nlohmann::json;

// What has arrived, cut into messages.
class MessageReader {
  public:
    static constexpr std::size_t most_header_bytes = 4096, most_message_bytes = 8u << 20;

    void add(std::string_view bytes) { bytes_.append(bytes); }
    // The next whole message, as text; nothing: more bytes have to come. Errors: a header without a length,
    // or one that is too long; the beginning of the next message is not known then.
    Result<std::optional<std::string>> next();

  private:
    std::string bytes_;
    std::optional<std::size_t> wanted_;  // bytes of the message whose header was read
};

std::string framed(const Json& message);  // text that is not UTF-8 is replaced

// Members of a request's arguments. A member of another type counts as a missing one.
std::string text_of(const Json& from, const char* name, std::string otherwise = {});
std::int64_t number_of(const Json& from, const char* name, std::int64_t otherwise = 0);
bool flag_of(const Json& from, const char* name, bool otherwise = false);
const Json& part_of(const Json& from, const char* name);  // null: there is none
const Json& list_of(const Json& from, const char* name);  // empty: there is none

}  // namespace lanescope::dap
