// Alternates between libFuzzer's own mutations (with the dictionary) and ours.
#include <algorithm>
#include <cstring>
#include <string>

#include "mutate.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
    if (seed % 3 == 0) return LLVMFuzzerMutate(data, size, max_size);
    static lanescope::fuzz::Mutator mutator(seed);
    std::string input(reinterpret_cast<const char*>(data), size);
    const std::string other = input;
    mutator.change(input, other);
    const std::size_t length = std::min(input.size(), max_size);
    std::memcpy(data, input.data(), length);
    return length;
}

// Puts pieces of the second input into the first.
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data, std::size_t size,
                                                 const std::uint8_t* second, std::size_t second_size,
                                                 std::uint8_t* out, std::size_t max_size, unsigned int seed) {
    static lanescope::fuzz::Mutator mutator(seed);
    std::string input(reinterpret_cast<const char*>(data), size);
    mutator.change(input, {reinterpret_cast<const char*>(second), second_size});
    const std::size_t length = std::min(input.size(), max_size);
    std::memcpy(out, input.data(), length);
    return length;
}
