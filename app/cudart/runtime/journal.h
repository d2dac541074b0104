// What a program did, for those who look at it afterwards: one JSON object a line.
//
// The folder in LANESCOPE_PROGRAM holds `request.json` (what is wanted) and receives `journal.jsonl` and the
// traces. Without the variable, the journal keeps nothing, and warnings go to standard error.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace lanescope::cudart {

class Journal {
  public:
    Journal();
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    bool kept() const { return file_ != nullptr; }
    const std::filesystem::path& folder() const { return folder_; }
    // The contents of request.json; an empty object without one.
    const nlohmann::ordered_json& request() const { return request_; }

    // Writes one event; `event["event"]` says which. Events beyond the limit are counted; `important` ones
    // are written all the same.
    void write(const nlohmann::ordered_json& event, bool important = false);
    // A sentence for the person, once for each text: an event and, when no journal is kept, a line on
    // standard error.
    void warn(const std::string& sentence);

    // The functions of the program from which the interface was called, innermost first: the files that hold
    // them and the offsets of the calls in these. At most eight; null when no journal is kept.
    nlohmann::ordered_json call() const;

  private:
    std::filesystem::path folder_;
    nlohmann::ordered_json request_ = nlohmann::ordered_json::object();
    std::FILE* file_ = nullptr;
    std::uint64_t events_ = 0, left_out_ = 0;
    std::set<std::string> warned_;
};

}  // namespace lanescope::cudart
