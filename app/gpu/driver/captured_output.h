// Captures the output of kernels, which the driver writes to standard output when it synchronises.
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
    std::string take();  // returns the output so far and restores standard output

  private:
    void restore();
    int file_ = -1, saved_ = -1;
};

}  // namespace lanescope::gpu
