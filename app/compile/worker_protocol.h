// The messages between the compiler process and the program, on standard input and output, encoded with
// base/archive.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lanescope::compile {

// A text that the compiler knows by name: the user's file or an included header.
struct NamedText {
    std::string name;  // spelling of the #include
    std::string text;
    std::string shown;  // its name in diagnostics
};

// The second argument of the compiler process, behind "__compile", for a text from another machine.
inline constexpr const char* remote_mode = "remote";

// An option of Kind::assemble: the answer's notes say what each kernel needs.
inline constexpr const char* verbose_option = "-verbose";

struct Request {
    enum class Kind : std::uint8_t { compile, version, assemble };
    Kind kind = Kind::compile;
    std::string library;  // path, or a bare name for the loader's own search
    std::vector<std::string> options;
    NamedText source;
    std::vector<NamedText> headers;           // the user's own
    std::vector<std::string> instantiations;  // name expressions of template kernels
    bool alias = false;                       // also compile the text with references to shared arrays
    std::string target;                       // "sm_90": make its machine code instead of PTX
    std::string linker;                       // nvJitLink, also a path or a bare name
    std::string device_runtime;               // libcudadevrt.a; empty if not found
};

struct Answer {
    bool library_loaded = false;
    bool compiled = false;
    std::string version;  // "13.0"
    std::string ptx;
    std::string aliased_ptx;
    std::string cubin;
    std::vector<std::string> symbols;  // mangled names of the request's instantiations
    Diagnostics diagnostics;
};

std::string encode(const Request& request);
std::string encode(const Answer& answer);

// These return nothing unless the bytes are exactly one whole message.
std::optional<Request> decode_request(std::string_view bytes);
std::optional<Answer> decode_answer(std::string_view bytes);

}  // namespace lanescope::compile
