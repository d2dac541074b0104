#include "trace/events.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <new>

namespace lanescope::trace {
namespace {

std::uint64_t first_lane(Mask mask) {
    return static_cast<std::uint64_t>(std::countr_zero(mask));
}

}  // namespace

void ByteBuffer::Free::operator()(std::byte* bytes) const {
    if (owner == nullptr) std::free(bytes);
}

void ByteBuffer::borrow(std::shared_ptr<const std::byte> owner, std::size_t size) {
    auto* bytes = const_cast<std::byte*>(owner.get());  // read only: capacity_ and size_ leave no room
    data_ = {bytes, Free{std::move(owner)}};
    size_ = capacity_ = size;
}

void ByteBuffer::grow(std::size_t more_bytes) {
    assert(data_.get_deleter().owner == nullptr);
    const std::size_t needed = size_ + more_bytes + slack_bytes;
    const std::size_t capacity = std::max({needed, capacity_ + capacity_ / 2, std::size_t{64} << 10});
    void* grown = std::realloc(data_.get(), capacity);
    if (grown == nullptr) throw std::bad_alloc();
    (void)data_.release();
    data_.reset(static_cast<std::byte*>(grown));
    capacity_ = capacity;
}

std::uint64_t events_end(const Trace& trace, std::uint64_t position) {
    return position < trace.turns.size() ? trace.turns[position].events : trace.events->bytes.size();
}

void source_lanes(const Event& exchange, std::uint8_t* lanes) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const unsigned bit = lane * 5;
        const auto low = static_cast<unsigned>(exchange.deltas[bit / 8]);
        const auto high = bit / 8 + 1 < 20 ? static_cast<unsigned>(exchange.deltas[bit / 8 + 1]) : 0u;
        lanes[lane] = static_cast<std::uint8_t>((low | high << 8) >> bit % 8 & 31);
    }
}

EventReader::EventReader(const Trace& trace, std::uint64_t turn)
    : at_(trace.events->bytes.data() + trace.turns[turn].events),
      end_(trace.events->bytes.data() + events_end(trace, turn + 1)),
      turn_mask_(trace.turns[turn].mask),
      pc_(trace.turns[turn].pc) {}

bool EventReader::next(Event& event) {
    if (at_ >= end_ || damaged_) return false;
    auto first = static_cast<unsigned>(*at_++);
    event.owner = none;
    if (static_cast<EventKind>(first & 15) == EventKind::owner) {
        damaged_ = !read_number(event.owner) || at_ >= end_;
        if (damaged_) return false;
        first = static_cast<unsigned>(*at_++);
    }
    damaged_ = !read_body(event, first) ||
               (event.owner != none && (!is_access(event.kind) || event.space != Space::shared));
    return !damaged_;
}

bool EventReader::read_body(Event& event, unsigned first) {
    event.kind = static_cast<EventKind>(first & 15);
    switch (event.kind) {
        case EventKind::load:
        case EventKind::store:
        case EventKind::atomic:
        case EventKind::forget:
            return read_access(event, first);
        case EventKind::variable:
            return read_variable(event, first);
        case EventKind::unset:
            return read_mask(event, first) && read_number(event.slot);
        case EventKind::branch:
            return read_branch(event, first);
        case EventKind::jump:
            if (!read_place(event, first)) return false;
            ++ordinal_;
            return true;
        case EventKind::exchange:
            return read_place(event, first) && read_mask(event, first) && read_block(event.deltas, 20);
        case EventKind::sync:
            event.sync = static_cast<SyncKind>(first >> 6);
            return read_place(event, first) && read_mask(event, first) && read_number(event.detail);
        case EventKind::push:
            return read_mask(event, first) && read_frame(event);
        case EventKind::pop:
            return read_mask(event, first) && read_frame(event);
        case EventKind::exit:
            return read_raw(event.ordinal) && read_mask(event, first);
        case EventKind::patch:
            return read_patch(event, first);
        case EventKind::launch:
            return read_number(event.function);
        case EventKind::owner:
        case EventKind::count:
            break;
    }
    return false;
}

bool EventReader::read_access(Event& event, unsigned first) {
    event.space = static_cast<Space>(first >> 6);
    std::uint8_t form = 0;
    if (!read_raw(form)) return false;
    event.width = static_cast<std::uint8_t>((form & 15) + 1);
    const unsigned offset_code = form >> 4 & 7;
    if (offset_code > 4 || !read_place(event, first) || !read_mask(event, first)) return false;
    const unsigned lanes = static_cast<unsigned>(std::popcount(event.mask));
    event.affine = offset_code == 0;
    if (!read_number(event.base)) return false;
    if (event.affine) {
        if (!read_signed(event.stride)) return false;
        event.base -= first_lane(event.mask) * event.stride;
    } else {
        event.offset_bytes = static_cast<std::uint8_t>(1u << (offset_code - 1));
        if (!read_block(event.offsets, std::uint64_t{lanes} * event.offset_bytes)) return false;
    }
    event.newly = NewlySet::nothing;
    event.delta_bytes = 0;
    if (event.kind == EventKind::load) return true;
    std::uint8_t change = 0;
    if (!read_raw(change)) return false;
    event.delta_bytes = static_cast<std::uint8_t>(change & 31);
    event.newly = static_cast<NewlySet>(change >> 5 & 3);
    event.uniform = (change >> 7) != 0;
    if (event.delta_bytes > event.width) return false;
    if (event.newly == NewlySet::lanes && !read_raw(event.newly_mask)) return false;
    if (event.newly == NewlySet::bytes && !read_block(event.newly_bytes, 2 * lanes)) return false;
    return read_block(event.deltas, std::uint64_t{event.uniform ? 1u : lanes} * event.delta_bytes);
}

bool EventReader::read_variable(Event& event, unsigned first) {
    event.affine = (first >> 5 & 1) != 0;
    event.newly = static_cast<NewlySet>(first >> 6);
    event.depth = event.slot_base = 0;
    std::uint32_t slot = 0;
    if (!read_mask(event, first) || !read_number(slot)) return false;
    event.slot = slot >> 1;
    if ((slot & 1) != 0 && (!read_number(event.depth) || !read_number(event.slot_base))) return false;
    if (event.newly == NewlySet::bytes) return false;
    event.newly_mask = event.newly == NewlySet::all ? event.mask : 0;
    if (event.newly == NewlySet::lanes && !read_raw(event.newly_mask)) return false;
    if (event.affine) {
        if (!read_signed(event.base) || !read_signed(event.stride)) return false;
        event.base -= first_lane(event.mask) * event.stride;
        return true;
    }
    if (!read_raw(event.delta_bytes) || event.delta_bytes > 8) return false;
    return read_block(event.deltas, std::uint64_t(std::popcount(event.mask)) * event.delta_bytes);
}

bool EventReader::read_branch(Event& event, unsigned first) {
    if (!read_place(event, first) || !read_mask(event, first)) return false;
    const unsigned taken = first >> 6;  // 0 none, 1 all, 2 the lanes that follow
    event.newly_mask = taken == 1 ? event.mask : 0;
    return taken != 2 || read_raw(event.newly_mask);
}

bool EventReader::read_frame(Event& event) {
    return read_number(event.function) && read_number(event.local_base);
}

bool EventReader::read_patch(Event& event, unsigned first) {
    event.space = static_cast<Space>(first >> 6);
    event.newly = (first >> 5 & 1) != 0 ? NewlySet::bytes : NewlySet::nothing;
    if (!read_number(event.base) || !read_number(event.length) || event.length > page_bytes) return false;
    if (event.newly == NewlySet::bytes && !read_block(event.newly_bytes, (event.length + 7) / 8))
        return false;
    return read_block(event.deltas, event.length);
}

bool EventReader::read_place(Event& event, unsigned first) {
    std::uint32_t ordinals = 0;
    if (!read_number(ordinals)) return false;
    std::uint64_t apart = 0;
    if ((first >> 5 & 1) == 0 && !read_signed(apart)) return false;
    ordinal_ = static_cast<std::uint16_t>(ordinal_ + ordinals);
    pc_ += ordinals + static_cast<std::uint32_t>(apart);
    event.ordinal = ordinal_;
    event.pc = pc_;
    return true;
}

bool EventReader::read_mask(Event& event, unsigned first) {
    event.mask = turn_mask_;
    return (first >> 4 & 1) != 0 || read_raw(event.mask);
}

template <class T>
bool EventReader::read_number(T& value) {
    std::uint64_t number = 0;
    for (unsigned shift = 0; at_ < end_ && shift < 64; shift += 7) {
        const auto byte = static_cast<std::uint64_t>(*at_++);
        number |= (byte & 127) << shift;
        if (byte < 128) {
            value = static_cast<T>(number);
            return value == number;
        }
    }
    return false;
}

bool EventReader::read_signed(std::uint64_t& value) {
    std::uint64_t zigzag = 0;
    if (!read_number(zigzag)) return false;
    value = (zigzag >> 1) ^ (0 - (zigzag & 1));
    return true;
}

template <class T>
bool EventReader::read_raw(T& value) {
    if (static_cast<std::size_t>(end_ - at_) < sizeof(T)) return false;
    __builtin_memcpy(&value, at_, sizeof(T));
    at_ += sizeof(T);
    return true;
}

bool EventReader::read_block(const std::byte*& block, std::uint64_t size_bytes) {
    if (static_cast<std::uint64_t>(end_ - at_) < size_bytes) return false;
    block = at_;
    at_ += size_bytes;
    return true;
}

}  // namespace lanescope::trace
