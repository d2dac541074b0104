#include "gpu/traced/traced_memory.h"

#include <algorithm>
#include <array>
#include <utility>

#include "gpu/traced/probes.h"

namespace lanescope::gpu {

namespace {

// Calls visit(first, length) for the runs of places below `size` where `is` holds.
template <class Is, class Visit>
void for_runs(std::uint64_t size, Is is, Visit visit) {
    for (std::uint64_t at = 0; at < size;) {
        std::uint64_t end = at;
        while (end < size && is(end))
            ++end;
        if (end > at) visit(at, end - at);
        at = end + 1;
    }
}

}  // namespace

TracedMemory::TracedMemory(std::shared_ptr<const simt::Program> program, TraceDevice& device,
                           std::uint64_t limit_bytes)
    : program_(program),
      device_(device),
      mirrored_(std::make_shared<simt::DeviceMemory>(limit_bytes)),
      mirror_(std::move(program), {.memory_bytes = limit_bytes}, {}, mirrored_) {}

Result<void> TracedMemory::find_variables() {
    variables_known_ = true;
    for (const simt::ModuleVariable& variable : program_->variables) {
        if (variable.size_bytes == 0) continue;
        const Result<TraceDevice::Address> address = device_.symbol(variable.name);
        variables_known_ = variables_known_ && address.ok();
        if (!address) continue;  // the assembler dropped an unused variable
        buffers_.push_back({*address, variable.size_bytes, variable.address, 0, true});
    }
    return {};
}

const TracedMemory::Buffer* TracedMemory::find(std::uint64_t address, std::uint64_t size_bytes) const {
    for (const Buffer& buffer : buffers_)
        if (address >= buffer.address && address + size_bytes <= buffer.address + buffer.size_bytes)
            return &buffer;
    return nullptr;
}

Result<simt::DeviceAddress> TracedMemory::allocate(std::uint64_t size_bytes, trace::Symbol description) {
    const std::uint64_t cell = program_->description.types[description.element].size_bytes;
    Result<simt::DeviceAddress> mirror = mirror_.allocate(size_bytes, std::move(description));
    if (!mirror) return mirror.diagnostics();
    Result<TraceDevice::Address> made = device_.allocate(std::max<std::uint64_t>(size_bytes, 1));
    if (!made) return made.diagnostics();
    // Unwritten memory keeps a pattern, so that writes can be recognised.
    constexpr std::byte unset_pattern{0xA5};
    if (Result<void> filled = device_.fill(*made, size_bytes, unset_pattern); !filled)
        return filled.diagnostics();
    buffers_.push_back({*made, size_bytes, *mirror, 0, false, std::max<std::uint64_t>(1, cell)});
    return *made;
}

Result<void> TracedMemory::take(std::uint64_t address, std::uint64_t size_bytes, trace::Symbol description) {
    const std::uint64_t cell = program_->description.types[description.element].size_bytes;
    const Result<simt::DeviceAddress> mirror = mirror_.allocate(size_bytes, std::move(description));
    if (!mirror) return mirror.diagnostics();
    std::vector<std::byte> bytes(size_bytes);
    if (Result<void> read = device_.read(address, bytes); !read) return read;
    buffers_.push_back({address, size_bytes, *mirror, 0, false, std::max<std::uint64_t>(1, cell)});
    return mirror_.write(*mirror, bytes);
}

Result<std::uint64_t> TracedMemory::take_array(ProgramArrays& arrays, std::uint64_t handle,
                                               const simt::Image& image, bool changes,
                                               trace::Symbol description) {
    const std::uint64_t size_bytes = image.slice_bytes * image.depth;
    const Result<TraceDevice::Address> elements = device_.allocate(std::max<std::uint64_t>(size_bytes, 1));
    if (!elements) return elements.diagnostics();
    if (Result<void> copied = arrays.copy(handle, image, *elements, false); !copied)
        return copied.diagnostics();
    if (changes) arrays_.push_back({&arrays, handle, image, *elements});
    if (Result<void> taken = take(*elements, size_bytes, std::move(description)); !taken)
        return taken.diagnostics();
    return *elements;
}

std::uint64_t TracedMemory::in_trace(std::uint64_t address) const {
    const Buffer* buffer = find(address, 1);
    return buffer == nullptr ? address : buffer->mirror + (address - buffer->address);
}

Result<simt::Machine::SymbolAddress> TracedMemory::symbol(std::string_view name) const {
    Result<simt::Machine::SymbolAddress> known = mirror_.symbol(name);
    if (!known) return known;
    for (const Buffer& buffer : buffers_)
        if (buffer.variable && buffer.mirror == known->address)
            return simt::Machine::SymbolAddress{buffer.address, known->size_bytes};
    return error("no kernel uses the variable '" + std::string(name) + "'");
}

Result<void> TracedMemory::write(simt::DeviceAddress address, std::span<const std::byte> bytes,
                                 trace::Recorder* recorder) {
    if (bytes.empty()) return {};
    const Buffer* buffer = find(address, bytes.size());
    if (buffer == nullptr) return error("a write does not fit into any buffer");
    const std::uint64_t mirrored = buffer->mirror + (address - buffer->address);
    if (Result<void> written = mirror_.write(mirrored, bytes); !written) return written;
    if (recorder != nullptr) {
        const std::uint64_t at = buffer->offset() + (address - buffer->address);
        image(*buffer).write(at, bytes);
        recorder->host_write(simt::space_of(simt::window_of(mirrored)), at, bytes);
    }
    return device_.write(address, bytes);
}

Result<void> TracedMemory::read(simt::DeviceAddress address, std::span<std::byte> bytes,
                                std::span<bool> set) const {
    if (bytes.empty()) return {};
    const Buffer* buffer = find(address, bytes.size());
    if (buffer == nullptr) return error("a read does not lie in any buffer");
    if (lost_) {
        std::fill(bytes.begin(), bytes.end(), std::byte{});
        std::fill(set.begin(), set.end(), false);
        return {};
    }
    std::vector<std::byte> mirrored(bytes.size());
    const std::unique_ptr<bool[]> known(new bool[bytes.size()]());
    const std::span<bool> flags(known.get(), bytes.size());
    if (Result<void> read = mirror_.read(buffer->mirror + (address - buffer->address), mirrored, flags);
        !read)
        return read;
    if (Result<void> read = device_.read(address, bytes); !read) return read;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        if (!flags[i]) bytes[i] = std::byte{0};
    std::copy_n(flags.begin(), std::min(set.size(), flags.size()), set.begin());
    return {};
}

void TracedMemory::describe_to(trace::Recorder& recorder) {
    mirror_.record_into(&recorder);
    mirror_.record_into(nullptr);
}

const simt::Allocation* TracedMemory::nearest(std::uint64_t in_trace) const {
    const bool constant = simt::window_of(in_trace) == simt::Window::constant;
    return (constant ? mirrored_->constant : mirrored_->global).nearest(in_trace);
}

std::vector<MappedRange> TracedMemory::ranges() const {
    std::vector<MappedRange> ranges;
    for (const Buffer& buffer : buffers_)
        if (!buffer.variable)
            ranges.push_back({buffer.address, buffer.size_bytes, trace::Space::global, buffer.offset()});
    return ranges;
}

// CUDA maps memory in pages of 2 MiB: what lies beside a buffer in its page is there as well.
std::vector<std::pair<std::uint64_t, std::uint64_t>> TracedMemory::reachable() const {
    constexpr std::uint64_t page = 2ull << 20;
    if (!variables_known_) return {};
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pages;
    for (const Buffer& buffer : buffers_)
        pages.emplace_back(
            buffer.address / page * page,
            (buffer.address + std::max<std::uint64_t>(buffer.size_bytes, 1) + page - 1) / page * page);
    std::sort(pages.begin(), pages.end());
    std::vector<std::pair<std::uint64_t, std::uint64_t>> joined;
    for (const auto& each : pages) {
        if (!joined.empty() && each.first <= joined.back().second)
            joined.back().second = std::max(joined.back().second, each.second);
        else
            joined.push_back(each);
    }
    return joined;
}

// --- Memory that threads take ------------------------------------------------------------------------------

// The offset in global memory.
std::optional<std::uint64_t> TracedMemory::add_for_kernel(std::string name, std::uint64_t size_bytes,
                                                          trace::Recorder& recorder) {
    trace::Symbol symbol;
    symbol.name = std::move(name);
    symbol.extents = {size_bytes};
    const Result<simt::DeviceAddress> made = mirror_.allocate_for_kernel(size_bytes, symbol);
    if (!made) return std::nullopt;
    symbol.size_bytes = size_bytes;
    symbol.offset = *made - simt::window::global;
    recorder.add_symbol(symbol);
    return symbol.offset;
}

std::optional<MappedRange> TracedMemory::allocated(std::uint64_t gpu_address, std::uint64_t size_bytes,
                                                   trace::Recorder& recorder) {
    const auto offset = add_for_kernel("malloc#" + std::to_string(heap_allocations_++), size_bytes, recorder);
    if (!offset) return std::nullopt;
    buffers_.push_back({gpu_address, size_bytes, simt::window::global + *offset, 0, false, 1, true});
    return MappedRange{gpu_address, size_bytes, trace::Space::global, *offset};
}

void TracedMemory::released(std::uint64_t gpu_address) {
    std::erase_if(buffers_,
                  [&](const Buffer& buffer) { return buffer.heap && buffer.address == gpu_address; });
}

std::optional<MappedRange> TracedMemory::arguments(std::uint64_t gpu_address, std::uint64_t size_bytes,
                                                   trace::Recorder& recorder) {
    std::vector<std::uint64_t>& free = free_arguments_[size_bytes];
    std::optional<std::uint64_t> offset;
    if (free.empty()) {
        offset = add_for_kernel("arguments of a child grid", size_bytes, recorder);
    } else {
        offset = free.back();
        free.pop_back();
    }
    if (!offset) return std::nullopt;
    return MappedRange{gpu_address, size_bytes, trace::Space::global, *offset, true};
}

// --- Around a launch ---------------------------------------------------------------------------------------

Result<void> TracedMemory::copy_saved(bool back) {
    for (Buffer& buffer : buffers_) {
        if (buffer.size_bytes == 0 || buffer.constant() || buffer.heap) continue;
        if (buffer.saved == 0) {
            Result<TraceDevice::Address> made = device_.allocate(buffer.size_bytes);
            if (!made) return made.diagnostics();
            buffer.saved = *made;
        }
        Result<void> copied = back ? device_.copy(buffer.address, buffer.saved, buffer.size_bytes)
                                   : device_.copy(buffer.saved, buffer.address, buffer.size_bytes);
        if (!copied) return copied;
    }
    return {};
}

Result<void> TracedMemory::copy_arrays(bool back) {
    for (const Array& array : arrays_)
        if (Result<void> copied = array.arrays->copy(array.handle, array.image, array.elements, back);
            !copied)
            return copied;
    return {};
}

Result<void> TracedMemory::save() {
    if (Result<void> copied = copy_arrays(false); !copied) return copied;
    return copy_saved(false);
}

Result<void> TracedMemory::restore() {
    if (Result<void> copied = copy_saved(true); !copied) return copied;
    return copy_arrays(true);
}

Result<void> TracedMemory::make_grid_barrier(trace::Recorder& recorder) {
    if (grid_barrier_ == 0) {
        trace::Symbol symbol;
        symbol.name = "grid barrier";
        symbol.size_bytes = grid_barrier_bytes;
        symbol.extents = {grid_barrier_bytes};
        const Result<simt::DeviceAddress> made = mirror_.allocate(grid_barrier_bytes, symbol);
        if (!made) return made.diagnostics();
        grid_barrier_ = *made;
        symbol.offset = grid_barrier();
        recorder.add_symbol(symbol);
    }
    const std::array<std::byte, grid_barrier_bytes> contents{std::byte{grid_barrier_bytes}};
    if (Result<void> written = mirror_.write(grid_barrier_, contents); !written) return written;
    global_.write(grid_barrier(), contents);
    recorder.host_write(trace::Space::global, grid_barrier(), contents);
    return {};
}

Result<void> TracedMemory::read_variables(trace::Recorder& recorder) {
    for (const Buffer& buffer : buffers_) {
        if (!buffer.variable) continue;
        std::vector<std::byte> now(buffer.size_bytes), known(buffer.size_bytes);
        if (Result<void> read = device_.read(buffer.address, now); !read) return read;
        if (Result<void> read = mirror_.read(buffer.mirror, known); !read) return read;
        if (now == known) continue;
        if (Result<void> written = mirror_.write(buffer.mirror, now); !written) return written;
        recorder.host_write(simt::space_of(simt::window_of(buffer.mirror)), buffer.offset(), now);
    }
    return {};
}

Result<void> TracedMemory::fill_images(trace::Recorder& recorder) {
    if (Result<void> read = read_variables(recorder); !read) return read;
    for (const Buffer& buffer : buffers_) {
        std::vector<std::byte> bytes(buffer.size_bytes);
        const std::unique_ptr<bool[]> set(new bool[buffer.size_bytes + 1]());
        if (Result<void> read = mirror_.read(buffer.mirror, bytes, {set.get(), buffer.size_bytes}); !read)
            return read;
        for_runs(
            buffer.size_bytes, [&](std::uint64_t at) { return set[at]; },
            [&](std::uint64_t at, std::uint64_t size) {
                image(buffer).write(buffer.offset() + at, std::span(bytes).subspan(at, size));
            });
    }
    return {};
}

Result<TracedMemory::Found> TracedMemory::compare(const Buffer& buffer) {
    const std::uint64_t size = buffer.size_bytes;
    Found found{std::vector<std::byte>(size), std::vector<bool>(size), std::vector<bool>(size)};
    std::vector<std::byte> before(size), known(size);
    if (Result<void> read = device_.read(buffer.address, found.bytes); !read) return read.diagnostics();
    if (Result<void> read = device_.read(buffer.saved, before); !read) return read.diagnostics();
    for (std::uint64_t at = 0; at < size; at += 16) {
        const std::uint64_t piece = std::min<std::uint64_t>(16, size - at);
        const std::uint16_t bits =
            image(buffer).read(buffer.offset() + at, std::span(known).subspan(at, piece));
        for (std::uint64_t i = at; i < at + piece; ++i) {
            const bool explained = (bits >> (i - at) & 1) != 0;
            found.foreign[i] = explained ? known[i] != found.bytes[i] : before[i] != found.bytes[i];
            found.set[i] = explained || found.foreign[i];
        }
    }
    // A write may leave a byte unchanged; the other bytes of its cell show it.
    for (std::uint64_t first = 0; first < size; first += buffer.cell_bytes) {
        const std::uint64_t end = std::min(size, first + buffer.cell_bytes);
        bool any = false;
        for (std::uint64_t i = first; i < end; ++i)
            any = any || found.foreign[i];
        for (std::uint64_t i = first; any && i < end; ++i) {
            found.foreign[i] = found.foreign[i] || !found.set[i];
            found.set[i] = true;
        }
    }
    return found;
}

Result<std::uint64_t> TracedMemory::adopt(trace::Recorder& recorder) {
    std::uint64_t unexplained_bytes = 0;
    if (Result<void> copied = copy_arrays(false); !copied) return copied.diagnostics();
    for (const Buffer& buffer : buffers_) {
        if (buffer.size_bytes == 0 || buffer.constant() || buffer.heap) continue;
        const Result<Found> found = compare(buffer);
        if (!found) return found.diagnostics();
        for_runs(
            buffer.size_bytes, [&](std::uint64_t at) { return found->foreign[at]; },
            [&](std::uint64_t at, std::uint64_t length) {
                const auto bytes = std::span(found->bytes).subspan(at, length);
                image(buffer).write(buffer.offset() + at, bytes);
                recorder.host_write(trace::Space::global, buffer.offset() + at, bytes);
                unexplained_bytes += length;
            });
        Result<void> adopted;
        for_runs(
            buffer.size_bytes, [&](std::uint64_t at) { return found->set[at]; },
            [&](std::uint64_t at, std::uint64_t length) {
                if (adopted)
                    adopted = mirror_.write(buffer.mirror + at, std::span(found->bytes).subspan(at, length));
            });
        if (!adopted) return adopted.diagnostics();
    }
    return unexplained_bytes;
}

}  // namespace lanescope::gpu
