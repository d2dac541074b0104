// One line on the terminal that says what is done at the moment.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace lanescope {

// Shows nothing if standard error is not a terminal. The line disappears at the end.
class StatusLine {
  public:
    StatusLine();
    ~StatusLine();
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;

    void show(const std::string& words);
    // As show(), for work of many small pieces: ten times a second are enough. Where standard error is not a
    // terminal, a line every ten seconds tells a log that the work goes on.
    void tell(const std::string& words);
    void clear();  // before other text

  private:
    bool terminal_;
    bool shown_ = false;
    std::chrono::steady_clock::time_point told_;
};

// "3.1 MiB received"
std::string received_text(std::uint64_t bytes);

}  // namespace lanescope
