#include "compile/confine.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lanescope::compile {
namespace {

// The kernel's numbers; the C library has no wrappers, and older headers lack the newer rights.
constexpr std::uint64_t read_rights =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t file_rights = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;
constexpr std::uint64_t first_rights = (1ull << 13) - 1;  // of version 1
constexpr std::uint64_t refer_right = 1ull << 13;         // version 2
constexpr std::uint64_t truncate_right = 1ull << 14;      // version 3
constexpr std::uint64_t device_right = 1ull << 15;        // version 5
constexpr std::uint64_t network_rights = 3;               // version 4: bind and connect

struct Ruleset {
    std::uint64_t files = 0, network = 0;
};

int version() {
    const long known = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return known < 0 ? 0 : static_cast<int>(known);
}

void allow(int rules, const std::filesystem::path& path) {
    const int opened = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    if (opened < 0) return;
    struct stat facts = {};
    const bool folder = ::fstat(opened, &facts) == 0 && S_ISDIR(facts.st_mode);
    landlock_path_beneath_attr rule = {};
    rule.allowed_access = folder ? read_rights : file_rights;
    rule.parent_fd = opened;
    (void)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    ::close(opened);
}

// --- seccomp: a program of the kernel's packet filter, which sees the number and the arguments of a call

constexpr sock_filter statement(std::uint32_t code, std::uint32_t value) {
    return {static_cast<std::uint16_t>(code), 0, 0, value};
}

constexpr sock_filter load(std::size_t offset) {
    return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}

// Skips the next statement unless the loaded value equals this one.
constexpr sock_filter if_equal(std::uint32_t value) {
    return {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value};
}

constexpr sock_filter end_with(std::uint32_t action) {
    return statement(BPF_RET | BPF_K, action);
}

constexpr std::uint32_t refuse_with(int number) {
    return SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(number) & SECCOMP_RET_DATA);
}

// Numbers that x86-64 has and the C library's headers may lack.
constexpr std::uint32_t pidfd_send_signal = 424, io_uring_setup = 425, pidfd_open = 434, clone3 = 435,
                        pidfd_getfd = 438;
constexpr std::uint32_t other_convention = 0x40000000;  // x32: the same calls by other numbers

// Compilers start threads: clone() with CLONE_THREAD, and tgkill() within the process, are allowed. The
// answer to clone3(), whose flags lie in memory, makes the C library use clone().
std::vector<sock_filter> process_filter() {
    std::vector<sock_filter> filter{load(offsetof(seccomp_data, arch)),
                                    {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, AUDIT_ARCH_X86_64},
                                    end_with(SECCOMP_RET_KILL_PROCESS),
                                    load(offsetof(seccomp_data, nr)),
                                    {BPF_JMP | BPF_JGE | BPF_K, 0, 1, other_convention},
                                    end_with(SECCOMP_RET_KILL_PROCESS)};
    for (const std::uint32_t call : {std::uint32_t{SYS_fork},
                                     std::uint32_t{SYS_vfork},
                                     std::uint32_t{SYS_execve},
                                     std::uint32_t{SYS_execveat},
                                     std::uint32_t{SYS_socket},
                                     std::uint32_t{SYS_socketpair},
                                     std::uint32_t{SYS_ptrace},
                                     std::uint32_t{SYS_process_vm_readv},
                                     std::uint32_t{SYS_process_vm_writev},
                                     std::uint32_t{SYS_kill},
                                     std::uint32_t{SYS_tkill},
                                     std::uint32_t{SYS_rt_sigqueueinfo},
                                     std::uint32_t{SYS_unshare},
                                     std::uint32_t{SYS_setns},
                                     std::uint32_t{SYS_bpf},
                                     std::uint32_t{SYS_perf_event_open},
                                     std::uint32_t{SYS_userfaultfd},
                                     std::uint32_t{SYS_keyctl},
                                     std::uint32_t{SYS_add_key},
                                     std::uint32_t{SYS_request_key},
                                     std::uint32_t{SYS_shmget},
                                     std::uint32_t{SYS_msgget},
                                     std::uint32_t{SYS_semget},
                                     pidfd_send_signal,
                                     io_uring_setup,
                                     pidfd_open,
                                     pidfd_getfd}) {
        filter.push_back(if_equal(call));
        filter.push_back(end_with(refuse_with(EPERM)));
    }
    filter.push_back(if_equal(clone3));
    filter.push_back(end_with(refuse_with(ENOSYS)));
    const std::size_t first_argument = offsetof(seccomp_data, args);  // its lower half
    filter.insert(filter.end(), {{BPF_JMP | BPF_JEQ | BPF_K, 0, 4, SYS_clone},
                                 load(first_argument),
                                 {BPF_JMP | BPF_JSET | BPF_K, 1, 0, CLONE_THREAD},
                                 end_with(refuse_with(EPERM)),
                                 end_with(SECCOMP_RET_ALLOW)});
    filter.insert(filter.end(), {{BPF_JMP | BPF_JEQ | BPF_K, 0, 3, SYS_tgkill},
                                 load(first_argument),
                                 {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, static_cast<std::uint32_t>(::getpid())},
                                 end_with(refuse_with(EPERM)),
                                 end_with(SECCOMP_RET_ALLOW)});
    return filter;
}

}  // namespace

bool forbid_other_processes() {
    std::vector<sock_filter> filter = process_filter();
    const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

int confine_to(const std::vector<std::filesystem::path>& readable, Libraries libraries) {
    const int known = version();
    if (known == 0) return 0;
    Ruleset wanted;
    wanted.files = first_rights | (known >= 2 ? refer_right : 0) | (known >= 3 ? truncate_right : 0) |
                   (known >= 5 ? device_right : 0);
    wanted.network = known >= 4 ? network_rights : 0;
    const std::size_t size = known >= 4 ? sizeof wanted : sizeof wanted.files;
    const int rules = static_cast<int>(syscall(SYS_landlock_create_ruleset, &wanted, size, 0));
    if (rules < 0) return 0;
    if (libraries == Libraries::readable)
        for (const char* path : {"/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/local/lib",
                                 "/lib", "/lib64", "/etc/ld.so.cache", "/dev/null", "/dev/urandom",
                                 "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu", "/nix/store"})
            allow(rules, path);
    for (const std::filesystem::path& path : readable)
        allow(rules, path);
    const bool confined =
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    ::close(rules);
    return confined ? known : 0;
}

std::string confinement_text() {
    const int known = version();
    if (known != 0)
        return "Landlock " + std::to_string(known) +
               ": the compiler's process reads only sources and the toolkit, writes nothing" +
               (known >= 4 ? ", has no network" : "");
    return std::string("none: the kernel offers no Landlock (") + std::strerror(errno) +
           "); compile strangers' files as a user without access to your data";
}

}  // namespace lanescope::compile
