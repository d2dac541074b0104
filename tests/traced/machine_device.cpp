#include "machine_device.h"

#include <vector>

#include "ptx/debug_info.h"
#include "ptx/parser.h"
#include "simt/decode/load.h"

namespace lanescope::traced {

Result<void> MachineDevice::load(const std::string& instrumented_ptx) {
    Result<ptx::Module> module = ptx::parse(instrumented_ptx, "instrumented");
    if (!module) return module.diagnostics();
    Result<std::shared_ptr<const simt::Program>> program =
        simt::load(*module, ptx::DebugInfo(), instrumented_ptx, "", "");
    if (!program) return program.diagnostics();
    simt::Limits limits;
    limits.memory_bytes = 8ull << 30;
    limits.workers = 1;  // one worker keeps the order of clocks and cursors the same
    machine_ = std::make_unique<simt::Machine>(*program, limits, simt::Schedule());
    records_ = records_size_ = 0;
    return {};
}

Result<gpu::TraceDevice::Address> MachineDevice::allocate(std::uint64_t size_bytes) {
    trace::Symbol symbol;
    symbol.size_bytes = size_bytes;
    symbol.extents = {size_bytes};
    return machine_->allocate(size_bytes, symbol);
}

Result<void> MachineDevice::write(Address to, std::span<const std::byte> bytes) {
    return machine_->write(to, bytes);
}
Result<void> MachineDevice::read(Address from, std::span<std::byte> bytes) {
    return machine_->read(from, bytes);
}

Result<void> MachineDevice::read_rows(Address from, std::uint64_t pitch_bytes, std::uint64_t width_bytes,
                                      std::uint64_t rows, std::span<std::byte> bytes) {
    for (std::uint64_t row = 0; row < rows; ++row)
        if (Result<void> got =
                machine_->read(from + row * pitch_bytes, bytes.subspan(row * width_bytes, width_bytes));
            !got)
            return got;
    return {};
}

Result<void> MachineDevice::copy(Address to, Address from, std::uint64_t size_bytes) {
    std::vector<std::byte> bytes(size_bytes);
    if (Result<void> got = machine_->read(from, bytes); !got) return got;
    return machine_->write(to, bytes);
}

Result<void> MachineDevice::fill(Address at, std::uint64_t size_bytes, std::byte value) {
    return machine_->write(at, std::vector<std::byte>(size_bytes, value));
}

Result<gpu::TraceDevice::Address> MachineDevice::symbol(const std::string& mangled) {
    Result<simt::Machine::SymbolAddress> found = machine_->symbol(mangled);
    if (!found) return found.diagnostics();
    return found->address;
}

Result<gpu::TraceDevice::Address> MachineDevice::records(std::uint64_t size_bytes) {
    if (size_bytes <= records_size_) return records_;
    Result<Address> made = allocate(size_bytes);
    if (!made) return made;
    records_ = *made;
    records_size_ = size_bytes;
    if (Result<void> cleared = fill(records_, size_bytes, std::byte{0}); !cleared)
        return cleared.diagnostics();
    return records_;
}

Result<gpu::TraceDevice::Ran> MachineDevice::launch(const simt::LaunchRequest& request, double,
                                                    const std::atomic<bool>* cancel, std::string& console) {
    simt::LaunchRequest all = request;
    all.recorded_blocks.clear();
    const std::size_t printed = machine_->console().size(), problems = machine_->problems().size();
    const simt::Outcome outcome = machine_->launch(all, cancel);
    console += machine_->console().substr(printed);
    Ran ran;
    ran.ending = outcome.ending;
    if (machine_->problems().size() > problems) ran.message = machine_->problems()[problems].message;
    return ran;
}

}  // namespace lanescope::traced
