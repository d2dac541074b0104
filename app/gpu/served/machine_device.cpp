#include "gpu/served/machine_device.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "ptx/debug_info.h"
#include "ptx/parser.h"
#include "simt/decode/load.h"

namespace lanescope::gpu {

namespace {

constexpr std::uint64_t piece_bytes = 16ull << 20;
constexpr std::uint64_t kept_base =
    0x7000'0000'0000;  // the address of adopted records; the machine has none there
constexpr std::uint64_t most_shared_bytes = 64ull << 20;

// Sets a flag when the time is over or the run is cancelled.
class Stopwatch {
  public:
    Stopwatch(double seconds, const std::atomic<bool>* cancel)
        : thread_([this, seconds, cancel](const std::stop_token& ended) {
              const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
              constexpr std::chrono::milliseconds pause{5};
              while (!ended.stop_requested() && !stop_) {
                  late_ = std::chrono::steady_clock::now() >= end;
                  stop_ = late_ || (cancel != nullptr && cancel->load());
                  std::this_thread::sleep_for(pause);
              }
          }) {}
    const std::atomic<bool>* stop() const { return &stop_; }
    bool late() const { return late_; }

  private:
    std::atomic<bool> stop_ = false, late_ = false;
    std::jthread thread_;
};

}  // namespace

Result<void> MachineDevice::loaded() const {
    return machine_ ? Result<void>() : error("no code is loaded on the device");
}

Result<void> MachineDevice::load(const std::string& instrumented_ptx) {
    Result<ptx::Module> module = ptx::parse(instrumented_ptx, "instrumented");
    if (!module) return module.diagnostics();
    Result<std::shared_ptr<const simt::Program>> program =
        simt::load(*module, ptx::DebugInfo(), instrumented_ptx, "", "");
    if (!program) return program.diagnostics();
    simt::Limits limits;
    limits.memory_bytes = 8ull << 30;
    limits.workers = 1;  // one worker keeps the order of clocks and cursors the same
    memory_ = std::make_shared<simt::DeviceMemory>(limits.memory_bytes);
    machine_ = std::make_unique<simt::Machine>(*program, limits, simt::Schedule(), memory_);
    records_ = records_size_ = 0;
    return {};
}

Result<TraceDevice::Address> MachineDevice::allocate(std::uint64_t size_bytes) {
    if (Result<void> ready = loaded(); !ready) return ready.diagnostics();
    trace::Symbol symbol;
    symbol.size_bytes = size_bytes;
    symbol.extents = {size_bytes};
    return machine_->allocate(size_bytes, symbol);
}

Result<void> MachineDevice::write(Address to, std::span<const std::byte> bytes) {
    if (Result<void> ready = loaded(); !ready) return ready;
    return machine_->write(to, bytes);
}
Result<void> MachineDevice::read(Address from, std::span<std::byte> bytes) {
    if (is_kept(from, bytes.size())) {
        std::memcpy(bytes.data(), shared_.data() + (from - kept_base), bytes.size());
        return {};
    }
    if (Result<void> ready = loaded(); !ready) return ready;
    return machine_->read(from, bytes);
}

Result<void> MachineDevice::read_rows(Address from, std::uint64_t pitch_bytes, std::uint64_t width_bytes,
                                      std::uint64_t rows, std::span<std::byte> bytes) {
    for (std::uint64_t row = 0; row < rows; ++row)
        if (Result<void> got = read(from + row * pitch_bytes, bytes.subspan(row * width_bytes, width_bytes));
            !got)
            return got;
    return {};
}

Result<void> MachineDevice::copy(Address to, Address from, std::uint64_t size_bytes) {
    std::vector<std::byte> bytes(std::min(size_bytes, piece_bytes));
    for (std::uint64_t at = 0; at < size_bytes; at += piece_bytes) {
        const std::span piece = std::span(bytes).first(std::min(size_bytes - at, piece_bytes));
        if (Result<void> got = read(from + at, piece); !got) return got;
        if (Result<void> put = write(to + at, piece); !put) return put;
    }
    return {};
}

Result<void> MachineDevice::fill(Address at, std::uint64_t size_bytes, std::byte value) {
    const std::vector<std::byte> bytes(std::min(size_bytes, piece_bytes), value);
    for (std::uint64_t from = 0; from < size_bytes; from += piece_bytes)
        if (Result<void> put =
                write(at + from, std::span(bytes).first(std::min(size_bytes - from, piece_bytes)));
            !put)
            return put;
    return {};
}

Result<TraceDevice::Address> MachineDevice::symbol(const std::string& mangled) {
    if (Result<void> ready = loaded(); !ready) return ready.diagnostics();
    Result<simt::Machine::SymbolAddress> found = machine_->symbol(mangled);
    if (!found) return found.diagnostics();
    return found->address;
}

Result<std::uint64_t> MachineDevice::texture(const simt::Texture& texture) {
    if (Result<void> ready = loaded(); !ready) return ready.diagnostics();
    return machine_->add_texture(texture);
}

Result<std::uint64_t> MachineDevice::surface(const simt::Image& image) {
    if (Result<void> ready = loaded(); !ready) return ready.diagnostics();
    return memory_->images.add_surface(image);
}

Result<TraceDevice::Address> MachineDevice::records(std::uint64_t size_bytes) {
    if (!machine_ && is_kept(kept_base, size_bytes)) return Address{kept_base};
    if (size_bytes <= records_size_) return records_;
    Result<Address> made = allocate(size_bytes);
    if (!made) return made;
    records_ = *made;
    records_size_ = size_bytes;
    if (Result<void> cleared = fill(records_, size_bytes, std::byte{0}); !cleared)
        return cleared.diagnostics();
    return records_;
}

// --- Records that outlive the process ----------------------------------------------------------------------

Result<void> MachineDevice::map_shared(const Descriptor& descriptor, std::uint64_t size_bytes) {
    void* at = ::mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.number(), 0);
    if (at == MAP_FAILED) return error(std::string("mapping memory for records: ") + std::strerror(errno));
    shared_ = {static_cast<std::byte*>(at), size_bytes};
    shared_life_ = std::shared_ptr<std::byte>(
        shared_.data(), [size_bytes](std::byte* mapped) { ::munmap(mapped, size_bytes); });
    return {};
}

Result<SharedRecords> MachineDevice::share_records(std::uint64_t most_bytes) {
    SharedRecords made;
    made.size_bytes = std::min(most_bytes, most_shared_bytes);
    made.descriptor = Descriptor(::memfd_create("records", MFD_CLOEXEC));
    if (!made.descriptor || ::ftruncate(made.descriptor.number(), static_cast<off_t>(made.size_bytes)) != 0)
        return error(std::string("memory for records: ") + std::strerror(errno));
    if (Result<void> mapped = map_shared(made.descriptor, made.size_bytes); !mapped)
        return mapped.diagnostics();
    record_bytes_ = made.size_bytes;
    return made;
}

Result<void> MachineDevice::adopt_records(const SharedRecords& records) {
    record_bytes_ = records.size_bytes;
    return map_shared(records.descriptor, records.size_bytes);
}

bool MachineDevice::is_kept(Address from, std::uint64_t size_bytes) const {
    return from >= kept_base && from - kept_base <= shared_.size() &&
           size_bytes <= shared_.size() - (from - kept_base);
}

void MachineDevice::keep_records() {
    if (!shared_.empty() && records_size_ != 0)
        (void)machine_->read(records_, shared_.first(std::min<std::size_t>(shared_.size(), records_size_)));
}

Result<TraceDevice::Ran> MachineDevice::launch(const simt::LaunchRequest& request, double seconds,
                                               const std::atomic<bool>* cancel, std::string& console) {
    if (Result<void> ready = loaded(); !ready) return ready.diagnostics();
    simt::LaunchRequest all = request;
    all.recorded_blocks.clear();
    const std::size_t printed = machine_->console().size(), problems = machine_->problems().size();
    const Stopwatch watch(seconds, cancel);
    const simt::Outcome outcome = machine_->launch(all, watch.stop());
    console += machine_->console().substr(printed);
    keep_records();
    Ran ran;
    ran.ending = outcome.ending;
    if (outcome.ending == simt::Ending::cancelled && watch.late()) {
        ran.ending = simt::Ending::timeout;
        ran.message = "it did not end within its time";
    }
    if (machine_->problems().size() > problems) {
        ran.message = machine_->problems()[problems].message;
        ran.fault = machine_->problems()[problems].kind;
    }
    return ran;
}

}  // namespace lanescope::gpu
