// Damages inputs: bytes, words and lines of a text, numbers of a PTX section, and parts of a binary file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::fuzz {

constexpr std::size_t max_input_bytes = 64 << 10;

// A piece of a binary input; 8 bytes of the input hold its length.
struct Part {
    std::size_t begin = 0;
    std::size_t size = 0;
    std::size_t size_at = 0;
};

// A target may define either function to describe its inputs.
[[gnu::weak]] std::vector<std::string> words();
[[gnu::weak]] std::vector<Part> parts(std::string_view input);

class Mutator {
  public:
    explicit Mutator(std::uint64_t seed);

    // Makes one to six changes; inserted pieces come from `other`.
    void change(std::string& input, std::string_view other);

  private:
    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : std::size_t(random_() % limit); }
    void change_once(std::string& input, std::string_view other);
    void change_part(std::string& input, const Part& part);
    void change_bytes(std::string& text, std::string_view other);
    void change_words(std::string& text, std::string_view other);
    void change_lines(std::string& text, std::string_view other);
    void change_data(std::string& text);
    std::string number();
    void replace_number(std::string& text, std::size_t at);
    std::string_view line_of(std::string_view text);

    std::mt19937_64 random_;
    std::vector<std::string> words_;
};

}  // namespace lanescope::fuzz
