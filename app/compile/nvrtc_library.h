// NVRTC, loaded at run time so that the program itself starts without a CUDA library.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/worker_protocol.h"

namespace lanescope::compile {

class NvrtcLibrary {
  public:
    // `path`: a file, or a bare name for the loader's own search. Error: the loader's message.
    static Result<NvrtcLibrary> load(const std::string& path);

    std::string version() const;  // "13.0"

    struct Outcome {
        bool ok = false;
        std::string log;
        std::string ptx;
        std::string cubin;                 // if the options name a real architecture (sm_90)
        std::vector<std::string> symbols;  // of the instantiations
    };
    std::vector<int> architectures() const;  // for which it generates machine code: 75, 80, …

    // Error: NVRTC could not create a program from the text.
    Result<Outcome> compile(const std::string& text, const std::string& name,
                            const std::vector<NamedText>& headers, const std::vector<std::string>& options,
                            const std::vector<std::string>& instantiations) const;

  private:
    struct Functions;
    explicit NvrtcLibrary(std::shared_ptr<const Functions> functions) : functions_(std::move(functions)) {}
    std::shared_ptr<const Functions> functions_;
};

}  // namespace lanescope::compile
