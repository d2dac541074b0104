#include "dap/server.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "dap/adapter.h"

namespace lanescope::dap {

namespace {

bool write_all(int out, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(out, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

// Waits for bytes for at most so many ms. False: the client has closed its end.
bool read_some(int in, int wait_ms, MessageReader& reader) {
    pollfd polled{in, POLLIN, 0};
    if (::poll(&polled, 1, wait_ms) <= 0) return true;
    char bytes[1 << 16];
    const ssize_t count = ::read(in, bytes, sizeof bytes);
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    reader.add({bytes, static_cast<std::size_t>(count)});
    return count > 0;
}

}  // namespace

Result<void> serve(int in, int out, Services services, std::shared_ptr<const lesson::Registry> registry) {
    std::int64_t number = 0;
    bool writable = true;
    Adapter adapter(std::move(services), std::move(registry), [&](Json message) {
        message["seq"] = ++number;
        writable = writable && write_all(out, framed(message));
    });
    MessageReader reader;
    bool open = true;
    while (open && writable && !adapter.over()) {
        open = read_some(in, adapter.advance(), reader);
        while (!adapter.over()) {
            const Result<std::optional<std::string>> message = reader.next();
            if (!message) {
                adapter.tell_error(message.diagnostics().front());
                return message.diagnostics();
            }
            if (!*message) break;
            adapter.take(Json::parse(**message, nullptr, false));
        }
    }
    return {};
}

}  // namespace lanescope::dap
