#include "gpu/peers/peer.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "base/folders.h"
#include "gpu/driver/context.h"
#include "gpu/peers/abi.h"

namespace lanescope::gpu {

namespace {

#ifdef LANESCOPE_PEERS_BUILT
constexpr bool built_with_peers = true;
#else
constexpr bool built_with_peers = false;
#endif

constexpr const char* library_name = "liblanescope-peers.so";
// The ceiling is the better of these.
constexpr std::array copies_by = {"copy_kernel", "copy_memcpy"};

// Beside the program in a build folder, in lib/lanescope of an installed program.
std::filesystem::path library_path() {
    const std::filesystem::path folder = executable_path().parent_path();
    std::error_code failed;
    if (std::filesystem::exists(folder / library_name, failed)) return folder / library_name;
    return (folder / "../lib/lanescope" / library_name).lexically_normal();
}

Result<const LanescopePeers*> open_library() {
    if (!built_with_peers)
        return error(
            "this build has no library peers",
            "to compare with CUB and cuBLAS, install the CUDA Toolkit and build with -DLANESCOPE_PEERS=ON");
    const std::string path = library_path().string();
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);  // for the life of the program
    if (!library) return error(std::string("the library peers cannot be opened: ") + dlerror());
    const auto table = reinterpret_cast<const LanescopePeers* (*)()>(dlsym(library, "lanescope_peers"));
    if (!table || table()->version != lanescope_peers_version)
        return error("'" + path + "' is of another build of this program", "build both again");
    return table();
}

const Result<const LanescopePeers*>& library() {
    static const Result<const LanescopePeers*> opened = open_library();
    return opened;
}

bool is_copy(const std::string& name) {
    return std::find(copies_by.begin(), copies_by.end(), name) != copies_by.end();
}

// One peer, uploaded.
class Peer {
  public:
    static Result<Peer> open(const LanescopePeers& table, const LanescopePeerRequest& request) {
        Peer peer(table);
        peer.handle_.reset(table.open(&request, peer.error_.data(), peer.error_.size()));
        if (!peer.handle_) return peer.failed(request.name);
        return peer;
    }

    Result<void> check(const std::string& name) {
        if (!table_->check(handle_.get(), error_.data(), error_.size())) return failed(name);
        return {};
    }
    Result<void> launch(const std::string& name, std::size_t copy) {
        if (!table_->launch(handle_.get(), copy, error_.data(), error_.size())) return failed(name);
        return {};
    }
    std::string library() const { return table_->library(handle_.get()); }
    std::uint64_t compulsory_bytes() const { return table_->compulsory_bytes(handle_.get()); }

  private:
    explicit Peer(const LanescopePeers& table) : table_(&table), handle_(nullptr, table.close) {}
    Diagnostics failed(const std::string& name) const {
        return {lanescope::error(name + ": " + error_.data())};
    }

    const LanescopePeers* table_;
    std::unique_ptr<LanescopePeer, void (*)(LanescopePeer*)> handle_;
    std::array<char, 512> error_{};
};

// Counts copies as for the lesson, with the peer's own memory. Returns the copies and the bytes of one.
Result<Work> work_for(const Context& context, const LanescopePeers& table,
                      const LanescopePeerRequest& request) {
    std::array<char, 512> words{};
    const std::uint64_t bytes = table.bytes_per_copy(&request, words.data(), words.size());
    if (bytes == 0) return error(words.data());
    std::size_t free_bytes = 0, all_bytes = 0;
    if (const Result<void> asked =
            context.check(context.driver().mem_get_info(&free_bytes, &all_bytes), "asking for free memory");
        !asked)
        return asked.diagnostics();
    Work work;
    work.copies = rotating_copies(bytes, context.device().l2_bytes, free_bytes);
    work.copy_bytes = bytes;
    return work;
}

Result<PeerTiming> time_one(Context& context, const PeerRequest& wanted, const std::string& name,
                            const MeasureOptions& options) {
    const auto& table = library();
    if (!table) return table.diagnostics();
    if (const Result<void> current = context.make_current(); !current) return current.diagnostics();
    LanescopePeerRequest request{
        name.c_str(),   wanted.element.c_str(), wanted.n, wanted.rows,     wanted.columns,
        wanted.results, wanted.input.data(),    1,        context.stream()};
    Result<Work> work = work_for(context, **table, request);
    if (!work) return work.diagnostics();
    request.copies = work->copies;
    Result<Peer> peer = Peer::open(**table, request);
    if (!peer) return peer.diagnostics();
    if (const Result<void> right = peer->check(name); !right) return right.diagnostics();
    work->launch = [&](std::size_t copy) { return peer->launch(name, copy); };
    Result<Timing> timing = measure(context, *work, options);
    if (!timing) return timing.diagnostics();
    return PeerTiming{wanted.name, peer->library(), *timing, peer->compulsory_bytes()};
}

}  // namespace

std::vector<std::string> built_peers() {
    std::vector<std::string> names;
    const auto& table = library();
    if (!table) return names;
    for (std::uint32_t i = 0; i < (*table)->name_count; ++i)
        if (const std::string name = (*table)->names[i]; !is_copy(name)) names.push_back(name);
    names.push_back("copy");
    std::sort(names.begin(), names.end());
    return names;
}

Result<PeerTiming> time_peer(Context& context, const PeerRequest& request, const MeasureOptions& options) {
    if (!library()) return library().diagnostics();
    const std::vector<std::string> names = built_peers();
    if (std::find(names.begin(), names.end(), request.name) == names.end()) {
        std::string list;
        for (const std::string& name : names)
            list += (list.empty() ? "" : ", ") + name;
        return error("there is no library peer '" + request.name + "'", "there are " + list);
    }
    if (request.input.size() != request.input_bytes)
        return error("the input of " + request.name + " has " + std::to_string(request.input.size()) +
                     " bytes instead of " + std::to_string(request.input_bytes));
    if (request.name != "copy") return time_one(context, request, request.name, options);
    Result<PeerTiming> best = time_one(context, request, copies_by[0], options);
    if (!best) return best;
    Result<PeerTiming> other = time_one(context, request, copies_by[1], options);
    if (!other) return other;
    return other->timing.median_ms < best->timing.median_ms ? other : best;
}

}  // namespace lanescope::gpu
