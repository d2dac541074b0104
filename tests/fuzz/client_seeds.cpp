// Writes seeds for the fuzz target "client": the answers of the CPU machine that runs instrumented code.
//   fuzz_client_seeds FOLDER FILE.ptx…
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "base/files.h"
#include "client_answers.h"
#include "client_run.h"
#include "gpu/served/frames.h"
#include "gpu/served/machine_device.h"
#include "gpu/served/server.h"

namespace {

using namespace lanescope;

using Pair = std::array<int, 2>;

bool connect(Pair& ends) {
    return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0;
}

// A device whose records have little room, so that its answers are short.
class SmallDevice : public gpu::MachineDevice {
  public:
    std::uint64_t record_bytes() const override { return 1 << 20; }
};

void serve(int descriptor) {
    gpu::ServedSide side;
    side.in = side.out = descriptor;
    side.open = [] { return Result<std::unique_ptr<gpu::TraceDevice>>(std::make_unique<SmallDevice>()); };
    (void)gpu::serve_device(side);
    ::shutdown(descriptor, SHUT_RDWR);
}

// Copies the answers on, and keeps them.
void pass_on(int from, int to, std::string& kept) {
    const gpu::FrameStream::Tick go_on = [] { return Result<void>(); };
    gpu::FrameStream in(from, from, "server"), out(to, to, "client");
    if (!in.read_greeting(go_on) || !out.write_greeting()) return;
    for (;;) {
        const auto frame = in.read(go_on);
        if (!frame || !*frame) break;
        if ((*frame)->call != gpu::Call::alive)
            kept += fuzz::client_piece(std::string(1, static_cast<char>((*frame)->call)) + (*frame)->payload);
        if (!out.write(**frame, gpu::Packing::plain, go_on)) break;
    }
    ::shutdown(to, SHUT_RDWR);
}

bool write_seed(const std::filesystem::path& folder, const std::filesystem::path& file) {
    const Result<std::string> text = read_file(file);
    const auto code = text ? fuzz::client_code(*text) : std::nullopt;
    Pair server{-1, -1}, client{-1, -1};
    if (!code || !connect(server) || !connect(client)) return false;
    std::string answers;
    std::thread serving([&] { serve(server[1]); });
    std::thread passing([&] { pass_on(server[0], client[0], answers); });
    // Requests go straight to the server.
    gpu::ServedDevice::Setup setup;
    setup.connect = [&] { return gpu::Wire{client[1], server[0], -1, nullptr, {}}; };
    setup.shown = "device";
    fuzz::run_client(*code, setup);
    ::shutdown(server[0], SHUT_WR);
    serving.join();
    passing.join();
    for (const int each : {server[0], server[1], client[0], client[1]})
        ::close(each);
    return write_file(folder / file.filename().replace_extension(), fuzz::client_piece(*text) + answers).ok();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    for (int i = 2; i < argc; ++i)
        if (!write_seed(folder, argv[i])) {
            std::fprintf(stderr, "no seed from %s\n", argv[i]);
            return 1;
        }
    return 0;
}
