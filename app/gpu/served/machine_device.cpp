#include "gpu/served/machine_device.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "ptx/debug_info.h"
#include "ptx/parser.h"
#include "simt/decode/load.h"
#include "simt/memory/memory.h"

namespace lanescope::gpu {

namespace {

constexpr std::uint64_t piece_bytes = 16ull << 20;
constexpr std::uint64_t kept_base =
    0x7000'0000'0000;  // the address of adopted records; the machine has none there
constexpr std::uint64_t most_shared_bytes = 64ull << 20, most_memory_bytes = 8ull << 30;

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

// One that reaches the device's memory.
Result<simt::Machine*> MachineDevice::machine() const {
    if (machine_) return machine_.get();
    if (!codes_.empty()) return codes_.begin()->second.get();
    return error("no code is loaded on the device");
}

Result<simt::Machine*> MachineDevice::machine_of(std::uint32_t code) const {
    const auto found = codes_.find(code);
    if (found == codes_.end()) return error("the device has no code " + std::to_string(code));
    return found->second.get();
}

Result<std::unique_ptr<simt::Machine>> MachineDevice::made_of(const std::string& ptx) const {
    Result<ptx::Module> module = ptx::parse(ptx, "the device's code");
    if (!module) return module.diagnostics();
    Result<std::shared_ptr<const simt::Program>> program =
        simt::load(*module, ptx::DebugInfo(), ptx, "", "", simt::placement_behind(*memory_));
    if (!program) return program.diagnostics();
    simt::Limits limits;
    limits.memory_bytes = most_memory_bytes;
    limits.workers = 1;  // one worker keeps the order of clocks and cursors the same
    return std::make_unique<simt::Machine>(*program, limits, simt::Schedule(), memory_);
}

Result<void> MachineDevice::load(const std::string& instrumented_ptx) {
    machine_.reset();
    codes_.clear();
    memory_ = std::make_shared<simt::DeviceMemory>(most_memory_bytes);
    ++life_;
    Result<std::unique_ptr<simt::Machine>> made = made_of(instrumented_ptx);
    if (!made) return made.diagnostics();
    machine_ = std::move(*made);
    records_ = records_size_ = 0;
    return {};
}

Result<TraceDevice::Address> MachineDevice::allocate(std::uint64_t size_bytes) {
    const Result<simt::Machine*> ready = machine();
    if (!ready) return ready.diagnostics();
    trace::Symbol symbol;
    symbol.size_bytes = size_bytes;
    symbol.extents = {size_bytes};
    return (*ready)->allocate(size_bytes, symbol);
}

Result<void> MachineDevice::release(Address memory) {
    simt::Allocation* found = memory_ ? memory_->global.find(memory) : nullptr;
    if (found == nullptr || !found->live) return error("the device has not allocated this memory");
    memory_->global.release(*found, memory_->budget);
    return {};
}

Result<void> MachineDevice::write(Address to, std::span<const std::byte> bytes) {
    const Result<simt::Machine*> ready = machine();
    return ready ? (*ready)->write(to, bytes) : ready.diagnostics();
}
Result<void> MachineDevice::read(Address from, std::span<std::byte> bytes) {
    if (is_kept(from, bytes.size())) {
        std::memcpy(bytes.data(), shared_.bytes().data() + (from - kept_base), bytes.size());
        return {};
    }
    const Result<simt::Machine*> ready = machine();
    return ready ? (*ready)->read(from, bytes) : ready.diagnostics();
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
    if (!machine_) return machine().diagnostics();
    Result<simt::Machine::SymbolAddress> found = machine_->symbol(mangled);
    if (!found) return found.diagnostics();
    return found->address;
}

Result<std::uint64_t> MachineDevice::texture(const simt::Texture& texture) {
    if (!machine_) return machine().diagnostics();
    return machine_->add_texture(texture);
}

Result<std::uint64_t> MachineDevice::surface(const simt::Image& image) {
    if (!machine_) return machine().diagnostics();
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

Result<ExportedMemory> MachineDevice::share_records(std::uint64_t most_bytes) {
    Result<SharedPages> pages = SharedPages::make(std::min(most_bytes, most_shared_bytes));
    if (!pages) return pages.diagnostics();
    ExportedMemory made;
    Result<Descriptor> descriptor = pages->descriptor().copy();
    if (!descriptor) return descriptor.diagnostics();
    made.descriptor = std::move(*descriptor);
    made.size_bytes = record_bytes_ = pages->bytes().size();
    shared_ = std::move(*pages);
    return made;
}

Result<void> MachineDevice::adopt_records(const ExportedMemory& records) {
    Result<Descriptor> file = records.descriptor.copy();
    if (!file) return file.diagnostics();
    Result<SharedPages> pages = SharedPages::map(std::move(*file), records.size_bytes);
    if (!pages) return pages.diagnostics();
    record_bytes_ = records.size_bytes;
    shared_ = std::move(*pages);
    return {};
}

bool MachineDevice::is_kept(Address from, std::uint64_t size_bytes) const {
    const std::uint64_t size = shared_.bytes().size();
    return from >= kept_base && from - kept_base <= size && size_bytes <= size - (from - kept_base);
}

void MachineDevice::keep_records() {
    const std::span<std::byte> kept = shared_.bytes();
    if (!kept.empty() && records_size_ != 0)
        (void)machine_->read(records_, kept.first(std::min<std::size_t>(kept.size(), records_size_)));
}

Device::Ran MachineDevice::launch_on(simt::Machine& machine, const simt::LaunchRequest& request,
                                     double seconds, const std::atomic<bool>* cancel) {
    const std::size_t problems = machine.problems().size();
    const Stopwatch watch(seconds, cancel);
    const simt::Outcome outcome = machine.launch(request, watch.stop());
    Ran ran;
    ran.ending = outcome.ending;
    if (outcome.ending == simt::Ending::cancelled && watch.late()) {
        ran.ending = simt::Ending::timeout;
        ran.message = "it did not end within its time";
    }
    if (machine.problems().size() > problems) {
        ran.message = machine.problems()[problems].message;
        ran.fault = machine.problems()[problems].kind;
    }
    return ran;
}

Result<TraceDevice::Ran> MachineDevice::launch(const simt::LaunchRequest& request, double seconds,
                                               const std::atomic<bool>* cancel, std::string& console) {
    if (!machine_) return machine().diagnostics();
    simt::LaunchRequest all = request;
    all.recorded_blocks.clear();
    const std::size_t printed = machine_->console().size();
    Ran ran = launch_on(*machine_, all, seconds, cancel);
    console += machine_->console().substr(printed);
    keep_records();
    return ran;
}

// --- Unchanged code ----------------------------------------------------------------------------------------

Result<std::uint32_t> MachineDevice::add_code(const DeviceCode& code) {
    if (!memory_) memory_ = std::make_shared<simt::DeviceMemory>(most_memory_bytes);
    Result<std::unique_ptr<simt::Machine>> made = made_of(code.ptx);
    if (!made) return made.diagnostics();
    codes_.emplace(++added_, std::move(*made));
    return added_;
}

Result<void> MachineDevice::remove_code(std::uint32_t code) {
    if (const Result<simt::Machine*> found = machine_of(code); !found) return found.diagnostics();
    codes_.erase(code);
    return {};
}

Result<Place> MachineDevice::variable(std::uint32_t code, const std::string& symbol) {
    const Result<simt::Machine*> found = machine_of(code);
    if (!found) return found.diagnostics();
    const Result<simt::Machine::SymbolAddress> at = (*found)->symbol(symbol);
    if (!at) return at.diagnostics();
    return Place{at->address, at->size_bytes};
}

Result<Device::Worked> MachineDevice::run(const DeviceWork& work, double seconds,
                                          const std::atomic<bool>* cancel) {
    using Clock = std::chrono::steady_clock;
    using Kind = DeviceWork::Step::Kind;
    for (const DeviceWork::Write& each : work.writes)
        if (Result<void> written = write(each.to, each.bytes); !written) return written.diagnostics();
    const Clock::time_point begin = Clock::now();
    std::vector<Clock::time_point> marks;
    Worked worked;
    for (const DeviceWork::Step& step : work.steps) {
        if (step.kind == Kind::mark) marks.push_back(Clock::now());
        if (step.kind == Kind::copy)
            if (Result<void> copied = copy(step.to, step.from, step.size_bytes); !copied)
                return copied.diagnostics();
        if (step.kind != Kind::launch) continue;
        const Result<simt::Machine*> machine = machine_of(step.code);
        if (!machine) return machine.diagnostics();
        simt::LaunchRequest request;
        request.kernel = step.launch.kernel;
        request.label = step.launch.label;
        request.grid = {step.launch.grid[0], step.launch.grid[1], step.launch.grid[2]};
        request.block = {step.launch.block[0], step.launch.block[1], step.launch.block[2]};
        request.dynamic_shared_bytes = step.launch.shared_bytes;
        request.cooperative = step.launch.cooperative;
        for (const CleanArgument& each : step.launch.arguments)
            request.arguments.push_back(each.bytes);
        const double passed = std::chrono::duration<double>(Clock::now() - begin).count();
        worked.ran = launch_on(**machine, request, seconds - passed, cancel);
        if (worked.ran.ending == simt::Ending::step_limit) worked.ran.ending = simt::Ending::timeout;
        if (worked.ran.ending != simt::Ending::finished) return worked;
    }
    for (const Clock::time_point each : marks)
        worked.marks_ms.push_back(std::chrono::duration<double, std::milli>(each - marks.front()).count());
    return worked;
}

}  // namespace lanescope::gpu
