#include "simt/program/program.h"

#include <algorithm>

namespace lanescope::simt {

const Kernel* Program::find_kernel(std::string_view symbol) const {
    for (const Kernel& kernel : kernels)
        if (kernel.info.symbol == symbol) return &kernel;
    return nullptr;
}

std::vector<KernelInfo> kernels(const Program& program) {
    std::vector<KernelInfo> infos;
    for (const Kernel& kernel : program.kernels)
        infos.push_back(kernel.info);
    return infos;
}

void mark_lengths(std::vector<Decoded>& code) {
    std::uint16_t length = 0;
    for (std::size_t i = code.size(); i-- > 0;) {
        const bool last =
            (code[i].flags & (decoded_flag::control | decoded_flag::step_after | decoded_flag::next_round)) !=
            0;
        length = static_cast<std::uint16_t>(last || length == 0 ? 1 : std::min(length + 1, 60'000));
        code[i].length = length;
    }
}

}  // namespace lanescope::simt
