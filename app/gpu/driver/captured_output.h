// What kernels print: the driver writes it to the process's standard output when it synchronises.
#pragma once

#include <string>

namespace lanescope::gpu {

// While it lives, standard output goes to a file. One at a time in a process.
class CapturedOutput {
  public:
    CapturedOutput();
    ~CapturedOutput();
    CapturedOutput(const CapturedOutput&) = delete;
    CapturedOutput& operator=(const CapturedOutput&) = delete;
    std::string take();  // what was written so far; standard output is as before

  private:
    void restore();
    int file_ = -1, saved_ = -1;
};

}  // namespace lanescope::gpu
