#include "recorded_device.h"

#include <cstring>

#include "base/files.h"

namespace lanescope::traced {
namespace {

constexpr std::uint64_t no_address = ~0ull;  // the device did not find the symbol

std::uint64_t hash_of(std::string_view text) {  // FNV-1a
    std::uint64_t hash = 14695981039346656037ull;
    for (const char each : text)
        hash = (hash ^ static_cast<unsigned char>(each)) * 1099511628211ull;
    return hash;
}

class Writer {
  public:
    void number(std::uint64_t value) { out_.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void bytes(const void* from, std::size_t size) {
        number(size);
        out_.append(static_cast<const char*>(from), size);
    }
    const std::string& text() const { return out_; }

  private:
    std::string out_;
};

class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}
    std::uint64_t number() {
        std::uint64_t value = 0;
        take(&value, sizeof value);
        return value;
    }
    std::string bytes() {
        const std::uint64_t size = number();
        if (size > text_.size()) damaged_ = true;
        std::string out(text_.substr(0, damaged_ ? 0 : size));
        text_.remove_prefix(out.size());
        return out;
    }
    bool damaged() const { return damaged_; }

  private:
    void take(void* to, std::size_t size) {
        if (size > text_.size()) {
            damaged_ = true;
            return;
        }
        std::memcpy(to, text_.data(), size);
        text_.remove_prefix(size);
    }
    std::string_view text_;
    bool damaged_ = false;
};

}  // namespace

Result<void> DeviceLog::save(const std::filesystem::path& file) const {
    Writer out;
    out.bytes(name.data(), name.size());
    std::uint64_t rate = 0;
    std::memcpy(&rate, &cycles_per_ns, sizeof rate);
    out.number(rate);
    out.number(record_bytes);
    out.number(code_hash);
    out.number(addresses.size());
    for (const std::uint64_t address : addresses)
        out.number(address);
    out.number(reads.size());
    for (const auto& read : reads)
        out.bytes(read.data(), read.size());
    out.number(printed.size());
    for (const std::string& text : printed)
        out.bytes(text.data(), text.size());
    return write_file(file, out.text());
}

Result<DeviceLog> DeviceLog::open(const std::filesystem::path& file) {
    Result<std::string> text = read_file(file);
    if (!text) return text.diagnostics();
    Reader in(*text);
    DeviceLog log;
    log.name = in.bytes();
    const std::uint64_t rate = in.number();
    std::memcpy(&log.cycles_per_ns, &rate, sizeof rate);
    log.record_bytes = in.number();
    log.code_hash = in.number();
    for (std::uint64_t count = in.number(); count > 0 && !in.damaged(); --count)
        log.addresses.push_back(in.number());
    for (std::uint64_t count = in.number(); count > 0 && !in.damaged(); --count) {
        const std::string bytes = in.bytes();
        const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
        log.reads.emplace_back(first, first + bytes.size());
    }
    for (std::uint64_t count = in.number(); count > 0 && !in.damaged(); --count)
        log.printed.push_back(in.bytes());
    if (in.damaged()) return error(file.string() + " is cut off");
    return log;
}

// --- Recording ---------------------------------------------------------------------------------------------

Result<void> RecordingDevice::load(const std::string& instrumented_ptx) {
    log_ = {};
    log_.name = name();
    log_.cycles_per_ns = cycles_per_ns();
    log_.record_bytes = record_bytes();
    log_.code_hash = hash_of(instrumented_ptx);
    return device_.load(instrumented_ptx);
}

Result<gpu::TraceDevice::Address> RecordingDevice::noted(Result<Address> address) {
    log_.addresses.push_back(address ? *address : no_address);
    return address;
}
Result<gpu::TraceDevice::Address> RecordingDevice::allocate(std::uint64_t size_bytes) {
    return noted(device_.allocate(size_bytes));
}
Result<gpu::TraceDevice::Address> RecordingDevice::symbol(const std::string& mangled) {
    return noted(device_.symbol(mangled));
}
Result<gpu::TraceDevice::Address> RecordingDevice::records(std::uint64_t size_bytes) {
    return noted(device_.records(size_bytes));
}

Result<void> RecordingDevice::read(Address from, std::span<std::byte> bytes) {
    Result<void> done = device_.read(from, bytes);
    log_.reads.emplace_back(bytes.begin(), bytes.end());
    return done;
}
Result<void> RecordingDevice::read_rows(Address from, std::uint64_t pitch_bytes, std::uint64_t width_bytes,
                                        std::uint64_t rows, std::span<std::byte> bytes) {
    Result<void> done = device_.read_rows(from, pitch_bytes, width_bytes, rows, bytes);
    log_.reads.emplace_back(bytes.begin(), bytes.end());
    return done;
}

Result<gpu::TraceDevice::Ran> RecordingDevice::launch(const simt::LaunchRequest& request, double seconds,
                                                      const std::atomic<bool>* cancel, std::string& console) {
    std::string printed;
    Result<Ran> ran = device_.launch(request, seconds, cancel, printed);
    console += printed;
    log_.printed.push_back(printed);
    return ran;
}

// --- Replay ------------------------------------------------------------------------------------------------

Result<void> ReplayedDevice::load(const std::string& instrumented_ptx) {
    if (hash_of(instrumented_ptx) == log_.code_hash) return {};
    return error(
        "the recording belongs to other code: the kernel, the compiler or the instrumentation has changed",
        "record it again as tests/traced/README.md describes");
}

Result<gpu::TraceDevice::Address> ReplayedDevice::next_address() {
    if (address_ >= log_.addresses.size()) return error("the recording has no more addresses");
    const std::uint64_t address = log_.addresses[address_++];
    if (address == no_address) return error("the recorded device did not find this symbol");
    return address;
}

Result<void> ReplayedDevice::next_read(std::span<std::byte> bytes) {
    if (read_ >= log_.reads.size() || log_.reads[read_].size() != bytes.size())
        return error("the next read of the recording does not have " + std::to_string(bytes.size()) +
                     " bytes");
    std::memcpy(bytes.data(), log_.reads[read_++].data(), bytes.size());
    return {};
}

Result<void> ReplayedDevice::read(Address, std::span<std::byte> bytes) {
    return next_read(bytes);
}

Result<gpu::TraceDevice::Ran> ReplayedDevice::launch(const simt::LaunchRequest&, double,
                                                     const std::atomic<bool>*, std::string& console) {
    if (launch_ >= log_.printed.size()) return error("the recording has no more launches");
    console += log_.printed[launch_++];
    return Ran{};
}

}  // namespace lanescope::traced
