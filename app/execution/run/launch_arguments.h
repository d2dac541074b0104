// Prepares the launches of a front matter for every engine: the kernel's symbol and the bytes of its
// arguments.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/flags.h"
#include "lesson/instance.h"
#include "lesson/launch_words.h"
#include "simt/launch/launch.h"

namespace lanescope::simt {
struct KernelInfo;
}

namespace lanescope::execution {

// How a person opens a file.
struct Opening {
    compile::Flags flags;
    std::string kernel;  // which kernel a launch is proposed for; empty: the first
    lesson::LaunchWords launch = {};
};

// Returns the file's own front matter, or that of NAME.toml beside NAME.ptx, or a launch proposed for one of
// its kernels. Errors: those of the front matter; no launch can be proposed; a kernel is chosen, but the file
// has front matter.
Result<lesson::FrontMatter> front_matter_of(const std::string& source, const std::string& file,
                                            const Opening& opening, bool& proposed);

// Returns the flags that a file is compiled with: `wanted` before those of its front matter. Errors: a flag
// that the compiler does not know.
Result<compile::Flags> flags_of(const lesson::FrontMatter& front, const std::string& file,
                                const compile::Flags& wanted);

struct PreparedArgument {
    std::vector<std::byte> bytes;                              // as many as the parameter has
    std::map<std::uint64_t, lesson::BufferAddress> addresses;  // by the bytes that they go to
};

struct PreparedLaunch {
    std::string kernel;  // its symbol
    std::vector<PreparedArgument> arguments;
};

// `symbols`: of the names that were given to the compiler. Errors, at the [[launch]]: an unknown kernel; a
// wrong number of arguments; an argument that does not fit.
Result<PreparedLaunch> prepare_launch(const lesson::LaunchInstance& launch, const lesson::Instance& instance,
                                      const std::vector<simt::KernelInfo>& kernels,
                                      const std::map<std::string, std::string>& symbols,
                                      const std::string& file);

using AddressOf = std::function<std::uint64_t(const std::string& buffer)>;
// Puts addresses into bytes.
void put_addresses(std::vector<std::byte>& bytes,
                   const std::map<std::uint64_t, lesson::BufferAddress>& addresses,
                   const AddressOf& address_of);

// Returns the launch as the machine takes it; `address_of` gives the address of a buffer that it names.
simt::LaunchRequest machine_launch(const lesson::LaunchInstance& launch, PreparedLaunch prepared,
                                   const AddressOf& address_of);

}  // namespace lanescope::execution
