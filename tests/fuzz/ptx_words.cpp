#include "ptx_words.h"

#include "mutate.h"

namespace lanescope::fuzz {

std::vector<std::string> words() {
    return ptx_words();
}

}  // namespace lanescope::fuzz
