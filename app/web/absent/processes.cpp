// A page starts no processes and shares no memory with one.
#include "base/child_process.h"
#include "base/process.h"
#include "base/standard_streams.h"

namespace lanescope {

namespace {

Diagnostic refused() {
    return error("a browser starts no other programs", "use Lanescope's desktop program for this");
}

}  // namespace

Result<ProcessOutcome> run_process(const std::vector<std::string>&, std::string_view, int, std::uint64_t,
                                   const std::atomic<bool>*, const Environment&, bool,
                                   const std::function<void(std::string_view)>&) {
    return refused();
}

Result<ProcessOutcome> run_attached(const std::vector<std::string>&, const Environment&) {
    return refused();
}

bool is_program(const std::filesystem::path&) {
    return false;
}

std::filesystem::path find_program(const std::string&) {
    return {};
}

}  // namespace lanescope
