#include "execution/run/engine.h"

namespace lanescope::execution {

Result<std::unique_ptr<Engine>> make_traced_engine(std::shared_ptr<const ptx::Module>,
                                                   std::shared_ptr<const simt::Program>,
                                                   const std::string& file, gpu::TraceDevice&,
                                                   const simt::Limits&) {
    return error_at(file, 0, 0, "a browser runs kernels on the CPU machine only");
}

}  // namespace lanescope::execution
