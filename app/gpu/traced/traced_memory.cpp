// Memory of a traced run: the trace's addresses, what the device holds before and after a launch.
#include "gpu/traced/traced_state.h"

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

Result<void> TracedEngine::State::find_variables() {
    Result<TraceDevice::Address> found = device.symbol(ptx::ProbeState::symbol);
    if (!found) return found.diagnostics();
    probe_state = *found;
    for (const simt::ModuleVariable& variable : program->variables) {
        if (variable.size_bytes == 0) continue;
        const Result<TraceDevice::Address> address = device.symbol(variable.name);
        if (!address) continue;  // the assembler dropped what no code names
        buffers.push_back({*address, variable.size_bytes, variable.address, 0, true});
    }
    return {};
}

Result<void> TracedEngine::State::save(bool back) {
    for (TracedBuffer& buffer : buffers) {
        if (buffer.size_bytes == 0 || simt::window_of(buffer.mirror) == simt::Window::constant) continue;
        if (buffer.saved == 0) {
            Result<TraceDevice::Address> made = device.allocate(buffer.size_bytes);
            if (!made) return made.diagnostics();
            buffer.saved = *made;
        }
        Result<void> copied = back ? device.copy(buffer.address, buffer.saved, buffer.size_bytes)
                                   : device.copy(buffer.saved, buffer.address, buffer.size_bytes);
        if (!copied) return copied;
    }
    return {};
}

// As the CPU machine has it, at the same place: see Machine::State::make_workspace.
Result<void> TracedEngine::State::make_grid_barrier() {
    if (grid_barrier == 0) {
        trace::Symbol symbol;
        symbol.name = "grid barrier";
        symbol.size_bytes = grid_barrier_bytes;
        symbol.extents = {grid_barrier_bytes};
        const Result<simt::DeviceAddress> made = mirror.allocate(grid_barrier_bytes, symbol);
        if (!made) return made.diagnostics();
        grid_barrier = *made;
        symbol.offset = grid_barrier - simt::window::global;
        recorder->add_symbol(symbol);
    }
    const std::array<std::byte, grid_barrier_bytes> contents{std::byte{grid_barrier_bytes}};
    if (Result<void> written = mirror.write(grid_barrier, contents); !written) return written;
    global.write(grid_barrier - simt::window::global, contents);
    recorder->host_write(trace::Space::global, grid_barrier - simt::window::global, contents);
    return {};
}

Result<void> TracedEngine::State::read_variables() {
    for (const TracedBuffer& buffer : buffers) {
        if (!buffer.variable) continue;
        std::vector<std::byte> now(buffer.size_bytes), known(buffer.size_bytes);
        if (Result<void> read = device.read(buffer.address, now); !read) return read;
        if (Result<void> read = mirror.read(buffer.mirror, known); !read) return read;
        if (now == known) continue;
        if (Result<void> written = mirror.write(buffer.mirror, now); !written) return written;
        recorder->host_write(simt::space_of(simt::window_of(buffer.mirror)), offset(buffer), now);
    }
    return {};
}

Result<void> TracedEngine::State::fill_images() {
    if (Result<void> read = read_variables(); !read) return read;
    for (const TracedBuffer& buffer : buffers) {
        std::vector<std::byte> bytes(buffer.size_bytes);
        const std::unique_ptr<bool[]> set(new bool[buffer.size_bytes + 1]());
        if (Result<void> read = mirror.read(buffer.mirror, bytes, {set.get(), buffer.size_bytes}); !read)
            return read;
        for_runs(
            buffer.size_bytes, [&](std::uint64_t at) { return set[at]; },
            [&](std::uint64_t at, std::uint64_t size) {
                image(buffer).write(offset(buffer) + at, std::span(bytes).subspan(at, size));
            });
    }
    return {};
}

Result<void> TracedEngine::State::adopt_memory() {
    for (const TracedBuffer& buffer : buffers) {
        if (buffer.size_bytes == 0 || simt::window_of(buffer.mirror) == simt::Window::constant) continue;
        const std::uint64_t size = buffer.size_bytes, start = offset(buffer);
        std::vector<std::byte> now(size), before(size), known(size);
        if (Result<void> read = device.read(buffer.address, now); !read) return read;
        if (Result<void> read = device.read(buffer.saved, before); !read) return read;
        std::vector<bool> set(size), foreign(size);
        for (std::uint64_t at = 0; at < size; at += 16) {
            const std::uint64_t piece = std::min<std::uint64_t>(16, size - at);
            const std::uint16_t bits = image(buffer).read(start + at, std::span(known).subspan(at, piece));
            for (std::uint64_t i = at; i < at + piece; ++i) {
                const bool explained = (bits >> (i - at) & 1) != 0;
                foreign[i] = explained ? known[i] != now[i] : before[i] != now[i];
                set[i] = explained || foreign[i];
            }
        }
        // A byte may be written with what was there before; the others of its cell tell.
        for (std::uint64_t first = 0; first < size; first += buffer.cell_bytes) {
            const std::uint64_t end = std::min(size, first + buffer.cell_bytes);
            bool any = false;
            for (std::uint64_t i = first; i < end; ++i)
                any = any || foreign[i];
            for (std::uint64_t i = first; any && i < end; ++i) {
                foreign[i] = foreign[i] || !set[i];
                set[i] = true;
            }
        }
        for_runs(
            size, [&](std::uint64_t at) { return foreign[at]; },
            [&](std::uint64_t at, std::uint64_t length) {
                const auto bytes = std::span(std::as_const(now)).subspan(at, length);
                image(buffer).write(start + at, bytes);
                recorder->host_write(trace::Space::global, start + at, bytes);
                unexplained_bytes += length;
            });
        Result<void> adopted;
        for_runs(
            size, [&](std::uint64_t at) { return set[at]; },
            [&](std::uint64_t at, std::uint64_t length) {
                if (adopted)
                    adopted =
                        mirror.write(buffer.mirror + at, std::span(std::as_const(now)).subspan(at, length));
            });
        if (!adopted) return adopted;
    }
    return {};
}

}  // namespace lanescope::gpu
