#include "compile/elsewhere.h"

namespace lanescope::compile {

std::optional<Result<Output>> compile_elsewhere(const RemoteSource&) {
    return std::nullopt;
}

}  // namespace lanescope::compile
