#include "base/descriptor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace lanescope {

namespace {

constexpr char passed_byte = 'd';  // a message with a descriptor needs at least one byte

Diagnostic system_error(const char* what) {
    return error(std::string(what) + ": " + std::strerror(errno));
}

// A message of one byte, with room for one descriptor.
struct DescriptorMessage {
    char byte = passed_byte;
    iovec bytes{&byte, 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr header{};

    DescriptorMessage() {
        header.msg_iov = &bytes;
        header.msg_iovlen = 1;
        header.msg_control = control.data();
        header.msg_controllen = control.size();
    }
};

}  // namespace

void Descriptor::close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
}

Result<Descriptor> Descriptor::copy() const {
    const int made = ::fcntl(number_, F_DUPFD_CLOEXEC, 0);
    if (made < 0) return system_error("copying a file descriptor");
    return Descriptor(made);
}

Result<void> send_descriptor(int socket, const Descriptor& descriptor) {
    DescriptorMessage message;
    cmsghdr* head = CMSG_FIRSTHDR(&message.header);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    const int number = descriptor.number();
    std::memcpy(CMSG_DATA(head), &number, sizeof number);
    if (::sendmsg(socket, &message.header, MSG_NOSIGNAL) != 1)
        return system_error("passing a file descriptor");
    return {};
}

Result<Descriptor> receive_descriptor(int socket, double seconds) {
    constexpr double per_second = 1000;
    pollfd wait{socket, POLLIN, 0};
    if (::poll(&wait, 1, static_cast<int>(seconds * per_second)) <= 0)
        return error("no file descriptor came");
    DescriptorMessage message;
    if (::recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC) != 1)
        return error("the socket for file descriptors was closed");
    const cmsghdr* head = CMSG_FIRSTHDR(&message.header);
    if (head == nullptr || head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS)
        return error("a message without its file descriptor came");
    int number = -1;
    std::memcpy(&number, CMSG_DATA(head), sizeof number);
    return Descriptor(number);
}

}  // namespace lanescope
