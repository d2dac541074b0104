// The device that a program sees: the CPU machine with its memory and the program's modules.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cudart/check/launch_check.h"
#include "cudart/runtime/code.h"
#include "cudart/runtime/images.h"
#include "cudart/runtime/journal.h"
#include "cudart/runtime/registered.h"
#include "cudart/runtime/registry.h"
#include "cudart/runtime/timeline.h"
#include "simt/machine/machine.h"
#include "simt/memory/memory.h"

namespace lanescope::cudart {

constexpr unsigned compute_capability = 90;

constexpr unsigned graph_memory = 1u << 31;  // a block's flags: a node of a graph allocates it

// A piece of memory that the program asked for.
struct Block {
    enum class Kind : std::uint8_t { device, managed, pinned, array, registered };
    std::uint64_t address = 0;
    std::uint64_t size_bytes = 0;
    Kind kind = Kind::device;
    unsigned flags = 0;        // as given for pinned and managed memory
    std::uint64_t number = 0;  // counts from 0
    // The last launch that gave a value to bytes without one, and how many.
    std::optional<std::uint64_t> filled_by{};
    std::uint64_t filled_bytes = 0;
};
const char* to_text(Block::Kind kind);

struct Launch {
    const RegisteredFunction* function = nullptr;
    trace::Dim3 grid, block;
    std::uint64_t dynamic_shared_bytes = 0;
    void** arguments = nullptr;  // one pointer per parameter
    bool cooperative = false;
    std::uint64_t stream = 0;  // its number, for the journal
    std::optional<trace::Dim3> cluster{};
};

class Device {
  public:
    Device(Registry& registry, Timeline& timeline);
    Timeline& timeline() { return timeline_; }

    // --- memory
    std::optional<std::uint64_t> allocate(std::uint64_t size_bytes, Block::Kind kind, unsigned flags);
    bool release(std::uint64_t address);  // false: no block begins there
    // The live block that holds the whole of [address, address + size), or null.
    const Block* find(std::uint64_t address, std::uint64_t size_bytes = 1) const;
    const std::map<std::uint64_t, Block>& blocks() const { return blocks_; }
    // Whether the device's memory holds all of these bytes: a block, or a variable of a module.
    bool holds(std::uint64_t address, std::uint64_t size_bytes) const;
    // The variable of a module that holds the address; empty: there is none.
    std::string variable_name(std::uint64_t address) const;
    // The buffer that was freed and held the address; empty: none did.
    std::string freed_name(std::uint64_t address) const;
    // Whether the address lies where the device's memory lies, in a block or between blocks.
    bool in_range(std::uint64_t address) const;
    // Copies and fills; the caller has checked that the device holds the bytes. Bytes without a value stay
    // so where both ends are the device's.
    void write(std::uint64_t address, const void* from, std::uint64_t size_bytes);
    void read(void* to, std::uint64_t address, std::uint64_t size_bytes) const;
    void move(std::uint64_t to, std::uint64_t from, std::uint64_t size_bytes);
    void fill(std::uint64_t address, int value, std::uint64_t size_bytes);
    // Elements of a buffer that nothing wrote, of those in these rows. An element whose bytes are partly
    // written counts as written; where its type is not known, it has 16 bytes.
    struct Unwritten {
        std::uint64_t buffer = 0;            // its number
        std::uint64_t first = 0, count = 0;  // elements: the first's index in the buffer, and how many
        std::uint64_t of = 0;                // of so many that the rows have
        struct Writer {
            std::uint64_t launch = 0, elements = 0;
        };
        std::optional<Writer> writer;  // the last launch that wrote elements which had no value
    };
    std::optional<Unwritten> unwritten(const Rows& rows) const;
    std::uint64_t free_bytes() const;
    std::uint64_t total_bytes() const;
    // Limits what malloc() in kernels can take.
    void set_heap_limit(std::uint64_t size_bytes) { memory_->heap.set_limit(size_bytes); }

    Registered& registered() { return registered_; }
    const Registered& registered() const { return registered_; }
    Images& images() { return images_; }
    simt::ImageObjects& image_objects() { return memory_->images; }  // what kernels see of them

    // --- code; the first use of a module decodes it
    Result<std::uint64_t> variable_address(const RegisteredVariable& variable);
    Result<const simt::Kernel*> kernel(const RegisteredFunction& function);
    std::uint64_t local_bytes(const RegisteredFunction& function);  // of one thread
    void place_managed_variables(std::size_t module);

    // Runs a launch to its end. Returns what the launch itself answers, and sets `fault` to the error that a
    // later call is to find.
    cudaError_t launch(const Launch& launch, cudaError_t& fault);
    // Prints what kernels have printed.
    void flush_output();
    bool has_output() const { return !output_.empty(); }

    std::uint64_t launches() const { return launches_; }
    std::uint64_t steps() const { return steps_; }  // of all launches and copies; see advance()
    void advance(std::uint64_t steps) { steps_ += steps; }
    void reset();  // as after cudaDeviceReset()

  private:
    struct LoadedModule {
        DeviceCode code;
        std::unique_ptr<simt::Machine> machine;
        std::unique_ptr<LaunchCheck> check;  // once it is wanted
        std::uint64_t file_changes = 0;
        Diagnostics problems;  // why it could not be loaded
    };
    LoadedModule& load(std::size_t module);
    Result<void> decode(std::size_t module, LoadedModule& loaded);
    simt::Region* region(std::uint64_t address, std::uint64_t size_bytes) const;
    bool is_recorded(const std::string& kernel);
    simt::Outcome record(LoadedModule& loaded, const simt::LaunchRequest& request,
                         const nlohmann::ordered_json& names);
    // Gives the blocks to which arguments point the type of their parameter. Returns, by number, what the
    // kernel calls them.
    nlohmann::ordered_json describe_blocks(const LoadedModule& loaded, const simt::LaunchRequest& request);
    void describe_arrays(const LoadedModule& loaded);
    std::vector<std::uint64_t> unset_bytes() const;  // of each block
    void note_writer(const std::vector<std::uint64_t>& unset_before);
    LaunchCheck::Findings check(LoadedModule& loaded, const simt::LaunchRequest& request);
    nlohmann::ordered_json describe(const Launch& launch, const simt::KernelInfo& kernel);
    void note_launch(nlohmann::ordered_json event, const Launch& launch, const simt::KernelInfo& kernel,
                     const LoadedModule& loaded, const LaunchCheck::Findings& findings);

    Registry& registry_;
    Timeline& timeline_;
    Journal& journal_;
    std::shared_ptr<simt::DeviceMemory> memory_;
    simt::Limits limits_;
    Images images_;
    Registered registered_;
    std::map<std::uint64_t, Block> blocks_;  // live ones by address
    std::uint64_t allocations_ = 0;
    std::map<std::size_t, LoadedModule> modules_;
    std::string output_;
    std::uint64_t launches_ = 0, steps_ = 0;
    std::map<std::string, std::uint64_t> kernel_launches_;
};

}  // namespace lanescope::cudart
