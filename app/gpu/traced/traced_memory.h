// The memory of a traced run: the device's memory, its place in the trace, and which bytes are known.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gpu/traced/launch_decoder.h"
#include "gpu/traced/memory_image.h"
#include "gpu/traced/trace_device.h"
#include "simt/machine/machine.h"
#include "simt/memory/memory.h"
#include "simt/texture/texture.h"
#include "trace/recorder.h"

namespace lanescope::gpu {

// Arrays that a program has on the device, by the device's handles.
class ProgramArrays {
  public:
    virtual ~ProgramArrays() = default;
    // Copies all elements to memory of the device, or `back`: rows and slices without gaps, as `image`
    // describes them. Its address is not used.
    virtual Result<void> copy(std::uint64_t handle, const simt::Image& image, TraceDevice::Address memory,
                              bool back) = 0;
};

class TracedMemory : public LaunchMemory {
  public:
    // `device` outlives it.
    TracedMemory(std::shared_ptr<const simt::Program> program, TraceDevice& device,
                 std::uint64_t limit_bytes);

    Result<void> find_variables();  // of the module; once, when the device has its code
    // As of simt::Machine; addresses are the device's.
    Result<simt::DeviceAddress> allocate(std::uint64_t size_bytes, trace::Symbol description);
    // Memory that the device has already, with what it contains: nothing tells which bytes were written.
    Result<void> take(std::uint64_t address, std::uint64_t size_bytes, trace::Symbol description);
    // An array that the device has already: its elements get memory of their own, in
    // which launches that write to the array are found. Returns the address of this memory. `changes`:
    // a launch may write to the array. `arrays` outlives this.
    Result<std::uint64_t> take_array(ProgramArrays& arrays, std::uint64_t handle, const simt::Image& image,
                                     bool changes, trace::Symbol description);
    Result<simt::Machine::SymbolAddress> symbol(std::string_view name) const;
    // `recorder`: null before the first launch, of which the trace holds what it begins with.
    Result<void> write(simt::DeviceAddress address, std::span<const std::byte> bytes,
                       trace::Recorder* recorder);
    Result<void> read(simt::DeviceAddress address, std::span<std::byte> bytes, std::span<bool> set) const;
    void lose() { lost_ = true; }  // with the device's context, after a fault or a kernel that does not end
    void describe_to(trace::Recorder& recorder);  // the buffers so far

    // Gives the decoder the contents that are known before the first launch.
    Result<void> fill_images(trace::Recorder& recorder);
    // Saves the memory that a launch may change on the device; restores it.
    Result<void> save();
    Result<void> restore();
    // As the CPU machine has it, at the same place: see Machine::State::make_workspace.
    Result<void> make_grid_barrier(trace::Recorder& recorder);
    std::uint64_t grid_barrier() const { return grid_barrier_ - simt::window::global; }  // in global memory
    // After a launch was decoded: the device's memory is right. Returns how many bytes hold another value
    // than the recorded order gives.
    Result<std::uint64_t> adopt(trace::Recorder& recorder);

    std::optional<MappedRange> allocated(std::uint64_t gpu_address, std::uint64_t size_bytes,
                                         trace::Recorder& recorder) override;
    void released(std::uint64_t gpu_address) override;
    std::optional<MappedRange> arguments(std::uint64_t gpu_address, std::uint64_t size_bytes,
                                         trace::Recorder& recorder) override;
    // The child has begun; `offset`: of its arguments in global memory.
    void give_arguments(std::uint64_t offset, std::uint64_t size_bytes) {
        free_arguments_[size_bytes].push_back(offset);
    }

    // Where the trace has this address of the device; the address itself where it has none.
    std::uint64_t in_trace(std::uint64_t address) const;
    bool has(std::uint64_t address) const { return find(address, 1) != nullptr; }

    MemoryImage& global() { return global_; }
    MemoryImage& constant() { return constant_; }
    std::vector<MappedRange> ranges() const;  // of the buffers, in global memory
    // The allocation or variable at a generic address of the trace, or the nearest one; null: there is none.
    const simt::Allocation* nearest(std::uint64_t in_trace) const;
    // Where memory begins and ends on the device that an access can reach without a fault. Empty: not all
    // that kernels may use is known.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> reachable() const;

  private:
    struct Buffer {
        std::uint64_t address = 0, size_bytes = 0;  // on the device
        simt::DeviceAddress mirror = 0;  // where the CPU machine would have it: the trace's addresses
        std::uint64_t saved = 0;         // its contents before the launch; 0: no room was made
        bool variable = false;           // of the module, not allocated
        std::uint64_t cell_bytes = 1;    // written as a whole
        bool heap = false;               // a thread allocated it: the host cannot read it

        std::uint64_t offset() const { return mirror - simt::window_start(simt::window_of(mirror)); }
        bool constant() const { return simt::window_of(mirror) == simt::Window::constant; }
    };
    struct Array {
        ProgramArrays* arrays = nullptr;
        std::uint64_t handle = 0;
        simt::Image image;
        std::uint64_t elements = 0;  // where its elements are copied to
    };
    struct Found {
        std::vector<std::byte> bytes;
        std::vector<bool> set, foreign;  // foreign: no record explains the byte
    };

    const Buffer* find(std::uint64_t address, std::uint64_t size_bytes) const;
    MemoryImage& image(const Buffer& buffer) { return buffer.constant() ? constant_ : global_; }
    Result<void> copy_saved(bool back);
    Result<void> copy_arrays(bool back);
    Result<void> read_variables(trace::Recorder& recorder);
    Result<Found> compare(const Buffer& buffer);
    std::optional<std::uint64_t> add_for_kernel(std::string name, std::uint64_t size_bytes,
                                                trace::Recorder& recorder);

    std::shared_ptr<const simt::Program> program_;
    TraceDevice& device_;
    std::shared_ptr<simt::DeviceMemory> mirrored_;  // of the mirror
    simt::Machine mirror_;  // lays out memory and knows which bytes are set; nothing runs on it
    std::vector<Buffer> buffers_;
    std::vector<Array> arrays_;  // to which launches may write
    MemoryImage global_, constant_;
    std::uint64_t grid_barrier_ = 0;  // in the mirror; made for the first cooperative launch
    std::uint32_t heap_allocations_ = 0;
    std::map<std::uint64_t, std::vector<std::uint64_t>> free_arguments_;  // offsets by size
    bool lost_ = false;
    bool variables_known_ = false;  // where all of them lie
};

}  // namespace lanescope::gpu
