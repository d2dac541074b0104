// A device that another part of the program, or another process, has: memory by addresses, and code as the
// compiler made it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "gpu/clean/clean_program.h"
#include "simt/launch/launch.h"
#include "trace/trace.h"

namespace lanescope::gpu {

// Memory of the device that OpenGL, or another process on the same device, opens.
struct ExportedMemory {
    Descriptor descriptor;
    std::uint64_t size_bytes = 0;
    std::array<std::uint8_t, 16> device{};  // its UUID
};

// The same code twice: a GPU takes the machine code, the CPU machine the PTX.
struct DeviceCode {
    std::string ptx, cubin;
};

// Work for a device: writes, then steps one after the other, without the host in between.
struct DeviceWork {
    struct Write {
        std::uint64_t to = 0;
        std::vector<std::byte> bytes;
    };
    struct Step {
        enum class Kind : std::uint8_t { launch, copy, mark };
        Kind kind = Kind::mark;
        std::uint32_t code = 0;                          // of launch, as add_code() numbers it
        CleanLaunch launch;                              // its arguments are bytes alone
        std::uint64_t to = 0, from = 0, size_bytes = 0;  // of copy
    };
    std::vector<Write> writes;
    std::vector<Step> steps;
};

class Device {
  public:
    using Address = std::uint64_t;
    virtual ~Device() = default;

    // Makes the device ready where that takes time, such as a login. Errors: there is no device; `cancel`,
    // which may be null, was set.
    virtual Result<void> open(const std::atomic<bool>* /*cancel*/) { return {}; }
    // Changes when everything on the device is gone. 0: it is not open.
    virtual std::uint64_t life() const { return 1; }

    virtual std::string name() const = 0;
    virtual std::string driver() const { return {}; }            // empty: it has none
    virtual std::string code_target() const { return "sm_90"; }  // of machine code that it runs

    virtual Result<Address> allocate(std::uint64_t size_bytes) = 0;
    // As one of the functions that allocate gave it.
    virtual Result<void> release(Address /*memory*/) { return no_code(); }
    virtual Result<void> write(Address to, std::span<const std::byte> bytes) = 0;
    virtual Result<void> read(Address from, std::span<std::byte> bytes) = 0;
    virtual Result<void> fill(Address at, std::uint64_t size_bytes, std::byte value) = 0;
    // Memory that outlives the device. Error: the device cannot share its memory.
    struct Exported {
        Address address = 0;
        ExportedMemory memory;
    };
    virtual Result<Exported> allocate_exported(std::uint64_t /*size_bytes*/) {
        return error(name() + " does not share its memory");
    }

    // The number of the code on the device. Errors: the device refuses the code; it runs none.
    virtual Result<std::uint32_t> add_code(const DeviceCode& /*code*/) { return no_code(); }
    virtual Result<void> remove_code(std::uint32_t /*code*/) { return no_code(); }
    // Error: the code has no such module-scope variable.
    virtual Result<Place> variable(std::uint32_t /*code*/, const std::string& /*symbol*/) {
        return no_code();
    }

    struct Ran {
        simt::Ending ending = simt::Ending::finished;  // finished, faulted, timeout, cancelled, refused
        std::string message;                           // of an ending that is not `finished`
        trace::ProblemKind fault = trace::ProblemKind::trap;  // of faulted
    };
    struct Worked {
        Ran ran;
        std::vector<double> marks_ms;  // when the device came to each mark, from the first one on
    };
    // Waits for the end, at most `seconds`. After an ending that is neither `finished` nor `refused`,
    // everything on the device is gone. Error: a step that names nothing on the device.
    virtual Result<Worked> run(const DeviceWork& /*work*/, double /*seconds*/,
                               const std::atomic<bool>* /*cancel*/) {
        return no_code();
    }

  private:
    Diagnostic no_code() const { return error(name() + " does not run unchanged code"); }
};

}  // namespace lanescope::gpu
