// nvJitLink, loaded at run time. It assembles PTX and links code with the device runtime.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace lanescope::compile {

class LinkLibrary {
  public:
    // `path`: a file, or a bare name for the loader's own search. Error: the loader's message.
    static Result<LinkLibrary> load(const std::string& path);

    std::string version() const;  // "13.0"

    enum class Input { cubin = 1, ptx = 2 };  // nvJitLink's numbers
    struct Linked {
        std::string cubin;
        Diagnostics notes;  // what the library says of the code, one per line; empty unless it was asked for
    };
    // Links one PTX text or relocatable object to machine code for `target` ("sm_90"). If `device_runtime`
    // names the library, adds the device runtime for dynamic parallelism. `verbose`: say what each kernel
    // needs. Errors: nvJitLink's messages, one per line.
    Result<Linked> link(Input kind, const std::string& input, const std::string& target,
                        const std::string& device_runtime, bool verbose = false) const;

  private:
    struct Functions;
    explicit LinkLibrary(std::shared_ptr<const Functions> functions) : functions_(std::move(functions)) {}
    std::shared_ptr<const Functions> functions_;
};

}  // namespace lanescope::compile
