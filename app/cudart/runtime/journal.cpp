#include "cudart/runtime/journal.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <array>
#include <cstdlib>

#include "base/files.h"
#include "cudart/runtime/registry.h"

namespace lanescope::cudart {

namespace {

using nlohmann::ordered_json;

constexpr std::uint64_t most_events = 200'000;

}  // namespace

Journal::Journal() {
    const char* folder = std::getenv("LANESCOPE_PROGRAM");
    if (folder == nullptr || *folder == '\0') return;
    folder_ = folder;
    file_ = std::fopen((folder_ / "journal.jsonl").c_str(), "ae");
    if (const Result<std::string> text = read_file(folder_ / "request.json")) {
        const ordered_json parsed = ordered_json::parse(*text, nullptr, false);
        if (parsed.is_object()) request_ = parsed;
    }
}

Journal::~Journal() {
    if (file_ == nullptr) return;
    if (left_out_ != 0) write({{"event", "left_out"}, {"count", left_out_}}, true);
    std::fclose(file_);
}

void Journal::write(const ordered_json& event, bool important) {
    if (file_ == nullptr) return;
    if (++events_ > most_events && !important) {
        ++left_out_;
        return;
    }
    const std::string line = event.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + '\n';
    std::fwrite(line.data(), 1, line.size(), file_);
    // What follows may end the process.
    std::fflush(file_);
}

void Journal::warn(const std::string& sentence) {
    if (!warned_.insert(sentence).second) return;
    if (kept())
        write({{"event", "warning"}, {"message", sentence}}, true);
    else
        std::fprintf(stderr, "lanescope: %s\n", sentence.c_str());
}

ordered_json Journal::call() const {
    if (!kept()) return nullptr;
    constexpr std::size_t most_frames = 8;
    std::array<void*, 24> addresses{};
    const int found = backtrace(addresses.data(), static_cast<int>(addresses.size()));
    Dl_info own{};
    dladdr(reinterpret_cast<const void*>(&add_module), &own);
    ordered_json frames = ordered_json::array();
    for (int i = 0; i < found && frames.size() < most_frames; ++i) {
        Dl_info info{};
        // The return address lies behind the call.
        auto* const call = static_cast<char*>(addresses[static_cast<std::size_t>(i)]) - 1;
        if (dladdr(call, &info) == 0 || info.dli_fname == nullptr) continue;
        if (info.dli_fbase == own.dli_fbase && frames.empty()) continue;  // this library
        frames.push_back({{"file", info.dli_fname},
                          {"offset", static_cast<std::uint64_t>(call - static_cast<char*>(info.dli_fbase))}});
    }
    return frames;
}

}  // namespace lanescope::cudart
