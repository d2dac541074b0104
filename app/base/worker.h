// The streams of a child process that answers requests of this same program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope {

class WorkerStreams {
  public:
    // What libraries and kernels print to standard output, which must not get between the answers.
    enum class Printed : std::uint8_t { to_errors, nowhere };
    // From now on standard output is elsewhere.
    explicit WorkerStreams(Printed printed = Printed::nowhere);

    std::string request() const;                // standard input to its end
    bool answer(std::string_view bytes) const;  // false: the other side is gone
    int out() const { return out_; }            // negative: it cannot be kept

  private:
    int out_;
};

}  // namespace lanescope
