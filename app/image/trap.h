// libpng and libjpeg report an error through a function that must not return. Trap's function jumps to the
// call of the library.
#pragma once

#include <csetjmp>
#include <cstdio>

namespace lanescope::image {

class Trap {
  public:
    // Calls `step`. Returns false if the library failed in it; message() says why. A jump runs no
    // destructors, so `step` and the callbacks of the library must own nothing while the library can fail.
    template <class Step>
    bool passes(const Step& step) {
        if (setjmp(place_) != 0) return false;
        step();
        return true;
    }
    // Call it only within passes().
    [[noreturn]] void spring(const char* message) {
        std::snprintf(message_, sizeof message_, "%s", message);
        std::longjmp(place_, 1);
    }
    const char* message() const { return message_; }

  private:
    std::jmp_buf place_ = {};
    char message_[200] = "";
};

}  // namespace lanescope::image
