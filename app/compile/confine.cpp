#include "compile/confine.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
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

}  // namespace

int confine_to(const std::vector<std::filesystem::path>& readable) {
    const int known = version();
    if (known == 0) return 0;
    Ruleset wanted;
    wanted.files = first_rights | (known >= 2 ? refer_right : 0) | (known >= 3 ? truncate_right : 0) |
                   (known >= 5 ? device_right : 0);
    wanted.network = known >= 4 ? network_rights : 0;
    const std::size_t size = known >= 4 ? sizeof wanted : sizeof wanted.files;
    const int rules = static_cast<int>(syscall(SYS_landlock_create_ruleset, &wanted, size, 0));
    if (rules < 0) return 0;
    for (const char* path : {"/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/local/lib", "/lib",
                             "/lib64", "/etc/ld.so.cache", "/dev/null", "/dev/urandom", "/proc/cpuinfo",
                             "/proc/meminfo", "/sys/devices/system/cpu", "/nix/store"})
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
