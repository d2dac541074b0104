// What a program did, for its report: one JSON object a line.
//
// The folder in LANESCOPE_PROGRAM, or in the variable that is named, holds `request.json` (what is wanted)
// and receives `journal.jsonl`, the traces, and `state.json`: the launch that is running and the numbers of
// events that the journal leaves out, so that they are known when the program is killed. If the request says
// "processes", each process that uses the interface has all but the request in a folder of its own, and its
// journal begins with the process's words. Without the variable, the journal keeps nothing, and warnings go
// to standard error.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::cudart {

class Journal {
  public:
    explicit Journal(const char* variable = "LANESCOPE_PROGRAM");
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    bool kept() const { return file_ != nullptr; }
    const std::filesystem::path& folder() const { return folder_; }
    // The contents of request.json; an empty object without one.
    const nlohmann::ordered_json& request() const { return request_; }

    // Writes one event; `event["event"]` is its kind. Beyond 100,000 of a kind they are only counted;
    // `important` ones have a limit of their own, as large.
    void write(const nlohmann::ordered_json& event, bool important = false);
    // What the host did: the event with the function that was called, its place in the program, and the time.
    // `began_ms`: when it began; by default now.
    void write_host(nlohmann::ordered_json event, bool important = false, double began_ms = -1);
    // A launch runs, as its event describes it, until null is given.
    void set_running(nlohmann::ordered_json launch);
    double now_ms() const;  // since the journal began
    // A sentence for the person, once for each text: an event and, when no journal is kept, a line on
    // standard error.
    void warn(const std::string& sentence);
    // The same for a call that does not do what CUDA's does, with its place.
    void refuse(const std::string& sentence);

    // The functions of the program from which the interface was called: the number of a "stack" event, which
    // has them innermost first, each with the file that holds it and the offset of the call there. Null when
    // no journal is kept.
    nlohmann::ordered_json call();

    // While this lives, what is written is what this function of the interface did.
    class Inside {
      public:
        Inside(Journal& journal, const char* function)
            : journal_(journal), before_(std::exchange(journal.function_, function)) {}
        ~Inside() {
            journal_.function_ = before_;
            journal_.kernel_.clear();
        }
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

      private:
        Journal& journal_;
        const char* before_;
    };
    const char* function() const { return function_; }
    // The symbol of the kernel that the function is going to launch.
    void set_kernel(std::string symbol) { kernel_ = std::move(symbol); }
    const std::string& kernel() const { return kernel_; }
    // Why the function is going to return an error; the error's event tells it.
    void explain(std::string reason) { reason_ = std::move(reason); }
    std::string take_reason() { return std::exchange(reason_, {}); }

  private:
    bool has_room(const nlohmann::ordered_json& event, bool important);
    void leave_out(const std::string& kind);
    void write_state();

    std::filesystem::path folder_;
    nlohmann::ordered_json request_ = nlohmann::ordered_json::object();
    std::FILE* file_ = nullptr;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    std::map<std::string, std::uint64_t> events_, important_, left_out_;  // by kind
    nlohmann::ordered_json running_;
    int state_ = -1;  // the file state.json
    std::size_t state_bytes_ = 0;
    std::map<std::vector<void*>, std::uint64_t> stacks_;  // by return addresses
    std::set<std::string> warned_;
    const char* function_ = "";
    std::string reason_, kernel_;
};

}  // namespace lanescope::cudart
