#include "trace/warp_calls.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lanescope::trace {
namespace {

constexpr unsigned piece_bytes = 16;

unsigned lowest(Mask mask) {
    return static_cast<unsigned>(std::countr_zero(mask));
}

}  // namespace

std::uint32_t WarpCalls::slots_of(std::uint32_t function) const {
    return function < program_->functions.size() ? program_->functions[function].slots : 0;
}

std::uint32_t WarpCalls::local_bytes_of(std::uint32_t function) const {
    return function < program_->functions.size() ? program_->functions[function].local_bytes : 0;
}

WarpCalls::Frame WarpCalls::top(unsigned lane) const {
    return depth_[lane] == 0 ? Frame{kernel_, 0} : stack_[depth_[lane] - 1][lane];
}

Mask WarpCalls::alike(Mask mask) const {
    const unsigned first = lowest(mask);
    const std::uint32_t depth = depth_[first], slot_base = slot_base_[first];
    std::array<std::uint32_t, warp_size> different;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        different[lane] = (depth_[lane] ^ depth) | (slot_base_[lane] ^ slot_base);
    if (depth != 0) {
        const auto& frames = stack_[depth - 1];
        const Frame frame = frames[first];
        for (unsigned lane = 0; lane < warp_size; ++lane)
            different[lane] |=
                (frames[lane].function ^ frame.function) | (frames[lane].local_base ^ frame.local_base);
    }
    std::uint32_t any = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        any |= different[lane];
    if (any == 0) return mask;
    Mask alike = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        alike |= Mask{different[lane] == 0} << lane;
    return alike & mask;
}

void WarpCalls::push(EventWriter& writer, Mask mask, std::uint32_t function, std::uint32_t local_base) {
    for (Mask rest = mask; rest != 0;) {
        const Mask same = alike(rest);
        const Frame caller = top(lowest(same));
        const std::uint32_t behind = caller.local_base + local_bytes_of(caller.function);
        push_alike(writer, same, {function, local_base == none ? behind : local_base});
        rest &= ~same;
    }
}

void WarpCalls::push_alike(EventWriter& writer, Mask mask, Frame frame) {
    forget_local(writer, mask, frame);
    writer.push(mask, frame.function, frame.local_base);
    const unsigned first = lowest(mask);
    const std::uint32_t depth = depth_[first];
    const std::uint32_t slot_base = slot_base_[first] + slots_of(top(first).function);
    if (stack_.size() <= depth) stack_.resize(depth + 1);
    for (Mask rest = mask; rest != 0; rest &= rest - 1) {
        stack_[depth][lowest(rest)] = frame;
        depth_[lowest(rest)] = depth + 1;
        slot_base_[lowest(rest)] = slot_base;
    }
    deep_ |= mask;
    frames_used_ = std::max(frames_used_, depth + 2);
    slots_used_ = std::max(slots_used_, slot_base + slots_of(frame.function));
}

void WarpCalls::pop(EventWriter& writer, Mask mask) {
    for (Mask rest = mask & deep_; rest != 0;) {
        const Mask same = alike(rest);
        pop_alike(writer, same);
        rest &= ~same;
    }
}

// The variables' last contents stay in their slots but do not count as values.
void WarpCalls::pop_alike(EventWriter& writer, Mask mask) {
    const Frame frame = top(lowest(mask));
    const std::uint64_t base = slot_base_[lowest(mask)];
    const std::uint64_t end = std::min<std::uint64_t>(base + slots_of(frame.function), set_.size());
    for (std::uint64_t slot = base; slot < end; ++slot) {
        const Mask set = set_[slot] & mask;
        if (set != 0) writer.unset(slot, set);
        set_[slot] &= ~set;
    }
    forget_local(writer, mask, frame);
    writer.pop(mask, frame.function, frame.local_base);
    std::uint32_t last = kernel_, slots = slots_of(last);
    for (Mask rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned lane = lowest(rest);
        --depth_[lane];
        const std::uint32_t caller = top(lane).function;
        if (caller != last) slots = slots_of(last = caller);
        slot_base_[lane] -= slots;
    }
    if (depth_[lowest(mask)] == 0) deep_ &= ~mask;
}

void WarpCalls::variable(EventWriter& writer, std::uint32_t slot, Mask mask, const std::uint64_t* after) {
    for (Mask pending = mask; pending != 0;) {
        const Mask same = alike(pending);
        pending &= ~same;
        const std::uint32_t base = slot_base_[lowest(same)];
        const std::uint64_t at = std::uint64_t{base} + slot;
        if (at >= set_.size()) {
            values_.resize(at + 1);
            set_.resize(at + 1);
        }
        auto& values = values_[at];
        writer.variable(slot, depth_[lowest(same)], base, same, values.data(), after, same & ~set_[at]);
        set_[at] |= same;
        for (Mask rest = same; rest != 0; rest &= rest - 1)
            values[lowest(rest)] = after[lowest(rest)];
    }
}

bool WarpCalls::set_at(unsigned lane, std::uint64_t offset) const {
    return offset < local_[lane].set.size() && local_[lane].set[offset] != 0;
}

void WarpCalls::change_local(EventWriter& writer, AccessKind kind, std::uint32_t pc, std::uint16_t ordinal,
                             unsigned width, Mask mask, const std::uint64_t* offsets,
                             const AccessChange& change) {
    std::array<std::byte, warp_size * piece_bytes> before{};
    std::array<std::uint16_t, warp_size> newly{};
    const std::uint64_t kernel_bytes = local_bytes_of(kernel_);
    for (Mask rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned lane = lowest(rest);
        if (change.newly_set != nullptr) newly[lane] = change.newly_set[lane];
        std::byte* old = &before[lane * width];
        std::memcpy(old, change.before + lane * width, width);
        LaneMemory& memory = local_[lane];
        for (unsigned i = 0; i < width; ++i) {
            if (offsets[lane] + i < kernel_bytes) continue;
            const std::uint64_t at = offsets[lane] + i - kernel_bytes;
            if (at >= memory.bytes.size()) {
                memory.bytes.resize(at + 1);
                memory.set.resize(at + 1);
            }
            old[i] = memory.bytes[at];
            newly[lane] = static_cast<std::uint16_t>((newly[lane] & ~(1u << i)) | (memory.set[at] ^ 1u) << i);
            memory.bytes[at] = change.after[lane * width + i];
            memory.set[at] = 1;
        }
    }
    writer.change(kind, Space::local, pc, ordinal, width, mask, offsets,
                  {before.data(), change.after, newly.data()});
}

// Local memory of a frame that begins or ends reads as zero without a value.
void WarpCalls::forget_local(EventWriter& writer, Mask mask, Frame frame) {
    const std::uint64_t kernel_bytes = local_bytes_of(kernel_);
    const std::uint64_t end = std::uint64_t{frame.local_base} + local_bytes_of(frame.function);
    for (std::uint64_t first = std::max<std::uint64_t>(frame.local_base, kernel_bytes); first < end;
         first += piece_bytes) {
        const unsigned size = static_cast<unsigned>(std::min<std::uint64_t>(piece_bytes, end - first));
        std::array<std::byte, warp_size * piece_bytes> old{};
        std::array<std::uint16_t, warp_size> set{};
        Mask lanes = 0;
        for (Mask rest = mask; rest != 0; rest &= rest - 1) {
            const unsigned lane = lowest(rest);
            for (unsigned i = 0; i < size; ++i) {
                const std::uint64_t at = first + i - kernel_bytes;
                if (!set_at(lane, at)) continue;
                set[lane] = static_cast<std::uint16_t>(set[lane] | 1u << i);
                old[lane * size + i] = local_[lane].bytes[at];
                local_[lane].bytes[at] = std::byte{0};
                local_[lane].set[at] = 0;
            }
            if (set[lane] != 0) lanes |= Mask{1} << lane;
        }
        if (lanes != 0) writer.forget_local(first, size, lanes, old.data(), set.data());
    }
}

}  // namespace lanescope::trace
