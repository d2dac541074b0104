// One line on the terminal that says what is done at the moment.
#pragma once

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
    void clear();  // before other text

  private:
    bool terminal_;
    bool shown_ = false;
};

// "3.1 MiB received"
std::string received_text(std::uint64_t bytes);

}  // namespace lanescope
