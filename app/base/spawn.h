// Starts a child process that ends with this one, however this one ends: the kernel kills the child when the
// thread that started it has ended. So that thread must outlive the child.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace lanescope {

struct SpawnPlan {
    std::vector<std::string> argv;                      // argv[0] is looked for in PATH
    std::vector<std::string> environment;               // "NAME=VALUE"
    std::vector<std::pair<int, int>> descriptors = {};  // of this process, and what the child calls them
    const sigset_t* signals = nullptr;                  // that the child blocks; null: as this thread
};

// "NAME=VALUE" of all variables of this process.
std::vector<std::string> own_environment();

// Error: the child could not be started.
Result<pid_t> spawn(const SpawnPlan& plan);

}  // namespace lanescope
