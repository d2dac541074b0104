// Records one block's steps for a page as JSON text: the state after the first step, then the changes of each
// further step. assets/html/trace.js reads it and describes the format.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "session/session.h"

namespace lanescope::page {

// Numbers texts and keeps each only once, because thousands of cells hold the same few values.
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

struct StepRange {
    std::size_t first = 0, last = 0;  // inclusive
};

struct RecordingWatch {
    const std::atomic<bool>* cancel = nullptr;
    std::function<void(float)> progress;  // 0 … 1; may be empty
    std::uint64_t max_bytes = ~0ull;      // of the JSON text
};

// Moves `shown` along the steps of its focus block. Errors: cancelled; the text is larger than the watch
// allows.
Result<std::string> record_block(session::Session& shown, StepRange range, Strings& strings,
                                 const RecordingWatch& watch);

}  // namespace lanescope::page
