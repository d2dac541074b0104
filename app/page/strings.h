// Numbers texts and keeps each only once, because thousands of cells hold the same few values.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace lanescope::page {

class Strings {
  public:
    static constexpr std::uint32_t unknown = 0;  // not set or not in scope: ""
    static constexpr std::uint32_t unset = 1;    // a variable in scope without a value

    Strings() { of(""), of("–"); }
    std::uint32_t of(const std::string& text) {
        const auto [at, added] = numbers_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
        if (added) texts_.push_back(text);
        return at->second;
    }
    const std::vector<std::string>& texts() const { return texts_; }

  private:
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<std::string> texts_;
};

}  // namespace lanescope::page
