// nvJitLink, loaded at run time: assembles PTX, and links what needs the device runtime.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace lanescope::compile {

class LinkLibrary {
  public:
    // `path`: a file, or a bare name for the loader's own search. Error: what the loader says.
    static Result<LinkLibrary> load(const std::string& path);

    std::string version() const;  // "13.0"

    enum class Input { cubin = 1, ptx = 2 };  // as nvJitLink numbers them
    // One text or relocatable object, with the device runtime of dynamic parallelism where `device_runtime`
    // names its library, to machine code for `target` ("sm_90"). Errors: what nvJitLink says, a line each.
    Result<std::string> link(Input kind, const std::string& input, const std::string& target,
                             const std::string& device_runtime) const;

  private:
    struct Functions;
    explicit LinkLibrary(std::shared_ptr<const Functions> functions) : functions_(std::move(functions)) {}
    std::shared_ptr<const Functions> functions_;
};

}  // namespace lanescope::compile
