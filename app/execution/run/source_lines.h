// A source text by line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace lanescope::execution {

class SourceLines {
  public:
    explicit SourceLines(std::string_view text) {
        for (std::size_t at = 0; at <= text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            lines_.emplace_back(text.substr(at, end - at));
            at = end + 1;
        }
    }
    std::size_t count() const { return lines_.size(); }
    // Lines count from 1; empty for numbers outside.
    std::string_view operator[](std::uint32_t line) const {
        return line >= 1 && line <= lines_.size() ? std::string_view(lines_[line - 1]) : std::string_view();
    }
    // Returns the line without blanks at both ends.
    std::string trimmed(std::uint32_t line) const { return std::string(lanescope::trimmed((*this)[line])); }

  private:
    std::vector<std::string> lines_;
};

}  // namespace lanescope::execution
