// Fuzzes the client of a device's process: whatever the process answers, a traced run ends with an error or
// with a trace that can be walked.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>

#include "base/archive.h"
#include "client_answers.h"
#include "client_run.h"
#include "gpu/served/frames.h"
#include "mutate.h"

namespace {

using namespace lanescope;

// The text and its program stay as they are while answers change.
const std::optional<fuzz::ClientCode>& code_of(std::string_view text) {
    static std::map<std::string, std::optional<fuzz::ClientCode>> known;
    constexpr std::size_t most = 64;
    const auto found = known.find(std::string(text));
    if (found != known.end()) return found->second;
    if (known.size() >= most) known.clear();
    return known[std::string(text)] = fuzz::client_code(std::string(text));
}

std::string stream_of(const std::vector<std::string_view>& pieces) {
    ArchiveWriter bytes;
    constexpr std::string_view greeting = "\1lanescope device";
    bytes.raw(greeting.data(), greeting.size());
    bytes.value(gpu::device_protocol);
    for (std::size_t i = 1; i < pieces.size(); ++i) {
        if (pieces[i].empty()) continue;
        const std::string_view payload = pieces[i].substr(1);
        bytes.value(static_cast<std::uint8_t>(pieces[i].front()));
        bytes.value(static_cast<std::uint8_t>(gpu::Packing::plain));
        bytes.value(std::uint16_t{0});
        bytes.value(static_cast<std::uint32_t>(i));
        bytes.value(static_cast<std::uint32_t>(payload.size()));
        bytes.value(static_cast<std::uint32_t>(payload.size()));
        bytes.raw(payload.data(), payload.size());
    }
    return std::move(bytes.bytes);
}

// A file that is read from its beginning stands for the connection.
int file_with(std::string_view bytes) {
    static const int file = ::memfd_create("answers", MFD_CLOEXEC);
    if (::ftruncate(file, 0) != 0 ||
        ::pwrite(file, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()) ||
        ::lseek(file, 0, SEEK_SET) != 0)
        std::abort();
    return file;
}

}  // namespace

std::vector<lanescope::fuzz::Part> lanescope::fuzz::parts(std::string_view input) {
    std::vector<Part> found;
    for (const std::string_view piece : client_pieces(input)) {
        const auto begin = static_cast<std::size_t>(piece.data() - input.data());
        found.push_back({begin, piece.size(), begin - sizeof(std::uint64_t)});
    }
    if (!found.empty()) found.erase(found.begin());  // the text
    return found;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<std::string_view> pieces =
        fuzz::client_pieces({reinterpret_cast<const char*>(data), size});
    if (pieces.empty()) return 0;
    const std::optional<fuzz::ClientCode>& code = code_of(pieces.front());
    if (!code) return 0;
    static const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    const int answers = file_with(stream_of(pieces));
    gpu::ServedDevice::Setup setup;
    setup.connect = [answers] { return gpu::Wire{answers, nowhere, -1, nullptr, {}}; };
    setup.shown = "device";
    fuzz::run_client(*code, setup);
    return 0;
}
