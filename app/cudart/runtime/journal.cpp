#include "cudart/runtime/journal.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/files.h"
#include "cudart/runtime/registry.h"

namespace lanescope::cudart {

namespace {

using nlohmann::ordered_json;

constexpr std::uint64_t most_events = 100'000;  // of a kind
constexpr std::size_t most_stacks = 10'000;

// A new folder of this process, whose number a later one may have again.
std::filesystem::path folder_of_process(const std::filesystem::path& all) {
    const std::string process = std::to_string(::getpid());
    std::error_code failed;
    std::filesystem::path made = all / process;
    for (int again = 1; !std::filesystem::create_directory(made, failed) && !failed; ++again)
        made = all / (process + "-" + std::to_string(again));
    return made;
}

ordered_json words_of_process() {
    ordered_json words = ordered_json::array();
    std::ifstream line("/proc/self/cmdline");
    for (std::string word; std::getline(line, word, '\0');)
        words.push_back(word);
    return words;
}

// Ends this process when the one that runs it was killed, also where others stand between, such as a shell.
// One that ends by itself removes its folder first.
void end_with(pid_t owner, std::filesystem::path request) {
    const auto process = static_cast<int>(::syscall(SYS_pidfd_open, owner, 0));
    if (process < 0) return;
    sigset_t all{}, before{};
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before);  // the thread takes none of the program's signals
    std::thread([process, request = std::move(request)] {
        pollfd ended{process, POLLIN, 0};
        while (::poll(&ended, 1, -1) < 0 && errno == EINTR) {
        }
        std::error_code failed;
        if (std::filesystem::exists(request, failed)) ::kill(::getpid(), SIGKILL);
        ::close(process);
    }).detach();
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

Journal::Journal(const char* variable) {
    const char* folder = std::getenv(variable);
    if (folder == nullptr || *folder == '\0') return;
    folder_ = folder;
    const std::filesystem::path request = folder_ / "request.json";
    if (const Result<std::string> text = read_file(request)) {
        const ordered_json parsed = ordered_json::parse(*text, nullptr, false);
        if (parsed.is_object()) request_ = parsed;
    }
    const bool apart = request_.value("processes", false);
    if (apart) folder_ = folder_of_process(folder_);
    file_ = std::fopen((folder_ / "journal.jsonl").c_str(), "ae");
    constexpr mode_t own = 0600;
    state_ = ::open((folder_ / "state.json").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, own);
    if (apart)
        write({{"event", "process"},
               {"words", words_of_process()},
               {"began", began_.time_since_epoch().count()}});
    if (request_.contains("owner") && request_["owner"].is_number_integer())
        end_with(request_["owner"].get<pid_t>(), request);
}

Journal::~Journal() {
    if (state_ >= 0) ::close(state_);
    if (file_ == nullptr) return;
    std::fclose(file_);
}

bool Journal::has_room(const ordered_json& event, bool important) {
    if (file_ == nullptr) return false;
    const std::string kind = event.value("event", "");
    if (++(important ? important_ : events_)[kind] <= most_events) return true;
    leave_out(kind);
    return false;
}

void Journal::leave_out(const std::string& kind) {
    ++left_out_[kind];
    write_state();
}

void Journal::set_running(ordered_json launch) {
    if (!kept()) return;
    running_ = std::move(launch);
    if (!running_.is_null()) running_["function"] = function_, running_["call"] = call();
    write_state();
}

// One write over what the file has, so that a reader finds the one state or the other.
void Journal::write_state() {
    if (state_ < 0) return;
    std::string text = ordered_json{{"running", running_}, {"left_out", left_out_}}.dump(
        -1, ' ', false, ordered_json::error_handler_t::replace);
    state_bytes_ = std::max(state_bytes_, text.size());
    text.resize(state_bytes_, ' ');
    // Without room on the disk, the report of a killed program lacks this.
    [[maybe_unused]] const ssize_t written = ::pwrite(state_, text.data(), text.size(), 0);
}

void Journal::write(const ordered_json& event, bool important) {
    if (!has_room(event, important)) return;
    std::string line;
    if (event.value("event", "") == "end" && !left_out_.empty())
        line = ordered_json{{"event", "left_out"}, {"kinds", left_out_}}.dump() + '\n';
    line += event.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + '\n';
    std::fwrite(line.data(), 1, line.size(), file_);
    // What follows may end the process.
    std::fflush(file_);
}

void Journal::write_host(ordered_json event, bool important, double began_ms) {
    if (!has_room(event, important)) return;
    event["function"] = function_;
    event["at_ms"] = began_ms < 0 ? now_ms() : began_ms;
    event["call"] = call();
    --(important ? important_ : events_)[event.value("event", "")];  // counted again where it is written
    write(event, important);
}

double Journal::now_ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began_).count();
}

void Journal::warn(const std::string& sentence) {
    if (!warned_.insert(sentence).second) return;
    if (kept())
        write({{"event", "warning"}, {"message", sentence}}, true);
    else
        std::fprintf(stderr, "lanescope: %s\n", sentence.c_str());
}

void Journal::refuse(const std::string& sentence) {
    if (!warned_.insert(sentence).second) return;
    if (kept())
        write_host({{"event", "unsupported"}, {"message", sentence}}, true);
    else
        std::fprintf(stderr, "lanescope: %s\n", sentence.c_str());
}

ordered_json Journal::call() {
    if (!kept()) return nullptr;
    constexpr std::size_t most_frames = 8;
    std::array<void*, 24> addresses{};
    const int found = backtrace(addresses.data(), static_cast<int>(addresses.size()));
    const std::vector<void*> key(addresses.begin(), addresses.begin() + found);
    if (const auto known = stacks_.find(key); known != stacks_.end()) return known->second;
    if (stacks_.size() >= most_stacks) {
        leave_out("stack");
        return nullptr;
    }
    const std::uint64_t number = stacks_.size();
    stacks_.emplace(key, number);
    Dl_info own{};
    dladdr(reinterpret_cast<const void*>(&add_module), &own);
    ordered_json frames = ordered_json::array();
    for (std::size_t i = 0; i < key.size() && frames.size() < most_frames; ++i) {
        Dl_info info{};
        // The return address lies behind the call.
        auto* const call = static_cast<char*>(key[i]) - 1;
        if (dladdr(call, &info) == 0 || info.dli_fname == nullptr) continue;
        if (info.dli_fbase == own.dli_fbase && frames.empty()) continue;  // this library
        frames.push_back({{"file", info.dli_fname},
                          {"offset", static_cast<std::uint64_t>(call - static_cast<char*>(info.dli_fbase))}});
    }
    write({{"event", "stack"}, {"number", number}, {"frames", std::move(frames)}}, true);
    return number;
}

}  // namespace lanescope::cudart
