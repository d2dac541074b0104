// A child process whose input and output this process keeps open, to talk with it. Its standard error is that
// of this process.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "base/descriptor.h"
#include "base/result.h"

namespace lanescope {

// Whether file descriptors are passed over a socket, which the child has as its descriptor 3.
enum class Passing : std::uint8_t { nothing, descriptors };
constexpr int passing_socket = 3;

class ChildProcess {
  public:
    // Runs argv[0], looked for in PATH. Error: it cannot be started.
    static Result<std::unique_ptr<ChildProcess>> start(const std::vector<std::string>& argv,
                                                       Passing passing = Passing::nothing);
    // Closes the streams. A child that has not ended soon afterwards is killed.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    int output() const { return output_; }  // what the child writes is read here
    int input() const { return input_; }    // never blocks; what is written here is the child's input
    int passing() const { return passing_.number(); }  // this end of the socket; negative: none
    // Whether the child has ended, and how: "ended with exit code 127".
    std::string ending();

  private:
    class Keeper;
    ChildProcess(pid_t pid, int input, int output, Descriptor passing, std::unique_ptr<Keeper> keeper);
    bool ended_within(std::chrono::milliseconds time);

    pid_t pid_;
    int input_, output_;
    Descriptor passing_;
    std::unique_ptr<Keeper> keeper_;
    bool ended_ = false;
    int status_ = 0;
};

}  // namespace lanescope
