#include "gpu/traced/access_decoder.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "simt/state/cluster.h"

namespace lanescope::gpu {

using trace::AccessKind;
using trace::Mask;
using trace::Record;
using trace::RecordKind;
using trace::Space;

namespace {

std::uint16_t all_bytes(unsigned width) {
    return static_cast<std::uint16_t>((1u << width) - 1);
}

// In an address that mapa gives on the CPU machine.
std::uint64_t rank_bits(std::uint32_t rank) {
    return rank == trace::none ? 0 : (std::uint64_t{rank} + 1) << simt::cluster_rank_shift;
}

// As Recorder::access() takes it.
template <class Accessed>
std::uint32_t owner_of(const Accessed& accessed) {
    return accessed.space == Space::shared ? accessed.block : trace::none;
}

}  // namespace

// The lanes of one instruction that touch one space.
struct AccessDecoder::Lanes {
    std::array<Lane*, 32>& lanes;
    const AccessForm& form;
    Mask mask = 0;
    Space space = Space::global;
    std::uint32_t block = 0;  // whose shared memory
    std::uint32_t pc = 0;
    std::uint16_t ordinal = 0;
    std::array<DecodedAccess, 32>& accesses;
    std::array<std::uint64_t, 32> offsets{};
};

void AccessDecoder::begin(const trace::RecordStreams& streams, const trace::Launch& launch,
                          std::vector<MappedRange> ranges, trace::Recorder& recorder, DecodedLaunch& result) {
    streams_ = &streams;
    ranges_ = std::move(ranges);
    all_recorded_ = streams.blocks.size() == launch.grid.count();
    cluster_size_ = static_cast<std::uint32_t>(launch.cluster.count());
    cluster_blocks_.clear();
    for (const std::uint32_t block : streams.blocks) {
        const std::vector<std::uint32_t> blocks = launch.blocks_of_cluster(launch.cluster_of(block));
        cluster_blocks_.insert(cluster_blocks_.end(), blocks.begin(), blocks.end());
    }
    recorder_ = &recorder;
    result_ = &result;
    outside_.clear();
    shared_.clear();
}

void AccessDecoder::end_ranges() {
    std::sort(ranges_.begin(), ranges_.end(),
              [](const MappedRange& a, const MappedRange& b) { return a.gpu_address < b.gpu_address; });
}

void AccessDecoder::insert_range(const MappedRange& range) {
    std::erase_if(ranges_, [&](const MappedRange& each) {
        return each.gpu_address < range.gpu_address + range.size_bytes &&
               range.gpu_address < each.gpu_address + each.size_bytes;
    });
    ranges_.push_back(range);
    end_ranges();
}

void AccessDecoder::remove_range(std::uint64_t gpu_address) {
    std::erase_if(ranges_, [&](const MappedRange& each) { return each.gpu_address == gpu_address; });
}

MappedRange AccessDecoder::nearest_range(std::uint64_t address) const {
    MappedRange nearest;
    std::uint64_t least = ~0ull;
    for (const MappedRange& range : ranges_) {
        const std::uint64_t end = range.gpu_address + range.size_bytes;
        const std::uint64_t distance =
            address < range.gpu_address ? range.gpu_address - address : address - std::min(address, end);
        if (range.size_bytes != 0 && distance < least) least = distance, nearest = range;
    }
    return nearest;
}

void AccessDecoder::note_outside(const Lane& lane, std::uint32_t pc, AccessKind kind, unsigned width,
                                 std::uint64_t address) {
    const auto [known, added] = outside_.try_emplace(pc, result_->outside_accesses.size());
    if (!added) {
        ++result_->outside_accesses[known->second].count;
        return;
    }
    OutsideAccess& made = result_->outside_accesses.emplace_back();
    made.first = {block_of(lane), lane.slot % streams_->block_threads, pc, lane.line,
                  lane.turn == Lane::no_turn ? 0 : lane.turn};
    made.kind = kind;
    made.width_bytes = width;
    made.address = address;
    made.nearest = nearest_range(address);
}

void AccessDecoder::note_left_out(const Lane& lane, std::uint32_t pc, AccessKind kind, unsigned width,
                                  std::uint64_t address) {
    DecodedAccess place;
    if (map(lane, address, place) && place.block != block_of(lane))
        ++result_->in_other_blocks;
    else
        note_outside(lane, pc, kind, width, address);
}

const AccessForm& AccessDecoder::form(std::uint32_t pc) const {
    const auto [found, added] = forms_.try_emplace(pc);
    AccessForm& form = found->second;
    if (!added) return form;
    const simt::DecodedFunction& function = program_.functions[program_.function_of(pc)];
    const ptx::Instruction& made =
        module_.functions[program_.function_of(pc)].instructions[pc - function.first_pc];
    form.width = probes_.access_bytes[pc];
    if (made.op == ptx::Op::st) form.kind = AccessKind::store;
    if (made.op != ptx::Op::atom && made.op != ptx::Op::red) return form;
    form.kind = AccessKind::atomic;
    form.finds_old = made.op == ptx::Op::atom && made.operands[0].kind == ptx::Operand::Kind::reg;
    form.swaps = made.has(ptx::Mod::cas);
    form.commutes =
        !form.swaps && !made.has(ptx::Mod::exch) && !made.has(ptx::Mod::inc) && !made.has(ptx::Mod::dec);
    form.result = simt::atomic_result(made);
    return form;
}

bool AccessDecoder::map(const Lane& lane, std::uint64_t address, DecodedAccess& access) const {
    const auto behind =
        std::upper_bound(ranges_.begin(), ranges_.end(), address,
                         [](std::uint64_t at, const MappedRange& range) { return at < range.gpu_address; });
    if (behind != ranges_.begin()) {
        const MappedRange& range = *(behind - 1);
        if (address - range.gpu_address < range.size_bytes) {
            access.space = range.space;
            access.offset = range.offset + (address - range.gpu_address);
            access.rank = range.rank;
            access.block = range.rank == trace::none
                               ? block_of(lane)
                               : cluster_blocks_[place_of(lane) * cluster_size_ + range.rank];
            if (range.plain_too && access.block == block_of(lane)) access.rank = trace::none;
            access.pointers = range.arguments;
            return true;
        }
    }
    for (auto frame = lane.frames.rbegin(); frame != lane.frames.rend(); ++frame)
        for (const auto& [at, offset] : frame->locals)
            if (address >= at &&
                address - at < std::uint64_t{frame->local_end} - frame->local_base - offset) {
                access.space = Space::local;
                access.offset = frame->local_base + offset + (address - at);
                access.block = block_of(lane);
                access.pointers = true;
                return true;
            }
    return false;
}

std::uint64_t AccessDecoder::pointer(const Lane& lane, std::uint64_t address) const {
    DecodedAccess place;
    std::uint64_t behind = 0;
    if (!map(lane, address, place)) {
        if (address == 0 || !map(lane, address - 1, place))
            return address;  // a pointer may stand behind the end
        behind = 1;
    }
    switch (place.space) {
        case Space::global:
            return simt::window::global + place.offset + behind;
        case Space::constant:
            return simt::window::constant + place.offset + behind;
        case Space::shared:
            return simt::window::shared + rank_bits(place.rank) + place.offset + behind;
        case Space::local:
            break;
    }
    return simt::window::local_of(block_of(lane), lane.slot % streams_->block_threads) + place.offset +
           behind;
}

std::optional<DecodedAccess> AccessDecoder::read(Lane& lane, std::uint32_t pc, std::uint32_t ahead) const {
    const Record* first = lane.peek(*streams_, ahead);
    if (first == nullptr || first->head != trace::record_head(RecordKind::access, pc)) return std::nullopt;
    const AccessForm& form = this->form(pc);
    DecodedAccess access;
    access.address = first->value;
    access.mapped = map(lane, access.address, access);
    std::memcpy(access.value.data(), &first->extra, std::min(form.width, 4u));
    const auto more = [&](void* to, unsigned size) {
        const Record* record = lane.peek(*streams_, ahead + access.records++);
        if (record != nullptr) std::memcpy(to, &record->value, size);
    };
    for (unsigned at = 0; form.width > 4 && at < form.width; at += 8)
        more(access.value.data() + at, std::min(8u, form.width - at));
    if (access.mapped && access.pointers) translate_pointers(lane, form.width, access);
    if (form.kind != AccessKind::atomic) return access;
    more(&access.b, 8);
    if (form.swaps) more(&access.c, 8);
    return access;
}

// Variables in local memory hold pointers as those in registers do, and so do arguments of child grids.
void AccessDecoder::translate_pointers(const Lane& lane, unsigned width, DecodedAccess& access) const {
    for (unsigned at = 0; at + 8 <= width; at += 8) {
        std::uint64_t value = 0;
        std::memcpy(&value, access.value.data() + at, sizeof value);
        value = in_trace(lane, pointer(lane, value));
        std::memcpy(access.value.data() + at, &value, sizeof value);
    }
}

MemoryImage* AccessDecoder::image(Space space, std::uint32_t block, Lane* lane) const {
    switch (space) {
        case Space::global:
            return &global_;
        case Space::constant:
            return &constant_;
        case Space::shared:
            return &shared_[block];
        case Space::local:
            break;
    }
    return &lane->local_memory();
}

void AccessDecoder::run(std::array<Lane*, 32>& lanes, Mask mask, std::uint32_t pc, std::uint16_t ordinal) {
    std::array<DecodedAccess, 32> accesses;
    Mask found = 0;
    each_lane(mask, [&](unsigned lane) {
        std::optional<DecodedAccess> access = read(*lanes[lane], pc);
        if (!access) {  // its guard was off
            if (lanes[lane]->peek(*streams_) == nullptr && lanes[lane]->stopped == trace::none)
                lanes[lane]->stopped = pc;
            return;
        }
        lanes[lane]->next += access->records;
        accesses[lane] = *access;
        if (access->mapped) {
            found |= Mask{1} << lane;
            return;
        }
        Lane& each = *lanes[lane];
        note_outside(each, pc, form(pc).kind, form(pc).width, access->address);
        if (each.outside != trace::none) return;
        each.outside = pc;
        each.outside_address = access->address;
        each.outside_turn = each.turn;
    });
    while (found != 0) {
        const DecodedAccess& first = accesses[static_cast<unsigned>(std::countr_zero(found))];
        Lanes work{lanes, form(pc), 0, first.space, first.block, pc, ordinal, accesses};
        each_lane(found, [&](unsigned lane) {
            if (accesses[lane].space != work.space || accesses[lane].block != work.block) return;
            work.mask |= Mask{1} << lane;
            work.offsets[lane] = accesses[lane].offset;
        });
        found &= ~work.mask;
        if (work.form.kind == AccessKind::load)
            load(work);
        else if (work.form.kind == AccessKind::store)
            store(work);
        else
            atomic(work);
    }
}

// Sets the trace's memory to the value that the GPU found, because an unrecorded thread or a cut-off record
// wrote it.
void AccessDecoder::correct(Lanes& work, unsigned lane,
                            const std::array<std::byte, widest_access>& value) const {
    const unsigned width = work.form.width;
    MemoryImage& memory = *image(work.space, work.block, work.lanes[lane]);
    std::array<std::byte, widest_access> known{};
    const std::uint16_t set = memory.read(work.offsets[lane], std::span(known).first(width));
    const bool same = std::memcmp(known.data(), value.data(), width) == 0;
    if (same && set == all_bytes(width)) return;
    if (set != all_bytes(width) && all_recorded_) return;  // no thread wrote it: it has no value
    if (work.space == Space::local) return;
    if (all_recorded_) ++result_->out_of_order;
    if (work.space == Space::shared) return;
    recorder_->foreign_store(work.space, work.offsets[lane], std::span(known).first(width),
                             std::span(value).first(width),
                             static_cast<std::uint16_t>(~set & all_bytes(width)));
    memory.write(work.offsets[lane], std::span(value).first(width));
}

void AccessDecoder::load(Lanes& work) const {
    each_lane(work.mask, [&](unsigned lane) { correct(work, lane, work.accesses[lane].value); });
    recorder_->access(AccessKind::load, work.space, work.pc, work.ordinal, work.form.width, work.mask,
                      work.offsets.data(), nullptr, nullptr, nullptr, owner_of(work));
}

void AccessDecoder::store(Lanes& work) const {
    const unsigned width = work.form.width;
    std::array<std::byte, 32 * widest_access> before{}, after{};
    std::array<std::uint16_t, 32> newly{};
    each_lane(work.mask, [&](unsigned lane) {
        MemoryImage& memory = *image(work.space, work.block, work.lanes[lane]);
        const std::uint16_t set = memory.read(work.offsets[lane], {&before[lane * width], width});
        newly[lane] = static_cast<std::uint16_t>(~set & all_bytes(width));
        std::memcpy(&after[lane * width], work.accesses[lane].value.data(), width);
        memory.write(work.offsets[lane], {&after[lane * width], width});
    });
    recorder_->access(AccessKind::store, work.space, work.pc, work.ordinal, width, work.mask,
                      work.offsets.data(), before.data(), after.data(), newly.data(), owner_of(work));
}

void AccessDecoder::load(const AccessPiece& piece) const {
    if (piece.mask == 0) return;
    recorder_->access(AccessKind::load, piece.space, piece.pc, piece.ordinal, piece.width, piece.mask,
                      piece.offsets.data(), nullptr, nullptr, nullptr, owner_of(piece));
}

void AccessDecoder::write(const AccessPiece& piece, AccessKind kind, const std::array<Lane*, 32>& lanes,
                          const LaneBytes& values) const {
    if (piece.mask == 0) return;
    LaneBytes before{};
    std::array<std::uint16_t, 32> newly{};
    each_lane(piece.mask, [&](unsigned lane) {
        const std::size_t at = std::size_t{lane} * piece.width;
        MemoryImage& memory = *image(piece.space, piece.block, lanes[lane]);
        const std::uint16_t set =
            memory.read(piece.offsets[lane], std::span(before).subspan(at, piece.width));
        newly[lane] = static_cast<std::uint16_t>(~set & all_bytes(piece.width));
        memory.write(piece.offsets[lane], std::span(values).subspan(at, piece.width));
    });
    recorder_->access(kind, piece.space, piece.pc, piece.ordinal, piece.width, piece.mask,
                      piece.offsets.data(), before.data(), values.data(), newly.data(), owner_of(piece));
}

// Lanes that share a place are written in lane order, as everywhere in a trace; the result register of each
// holds the value that it found on the GPU.
void AccessDecoder::atomic(Lanes& work) const {
    const unsigned width = work.form.width;
    const simt::Window window = work.space == Space::global ? simt::Window::global : simt::Window::shared;
    std::array<std::byte, 32 * widest_access> before{}, after{};
    std::array<std::uint16_t, 32> newly{};
    Mask seen = 0;
    each_lane(work.mask, [&](unsigned lane) {
        MemoryImage& memory = *image(work.space, work.block, work.lanes[lane]);
        std::array<std::byte, widest_access> known{};
        std::uint16_t set = memory.read(work.offsets[lane], std::span(known).first(width));
        // Where the order matters, or others write too, memory becomes what the first of these lanes found.
        if ((seen >> lane & 1) == 0 && work.form.finds_old && !(work.form.commutes && all_recorded_)) {
            bool explained = false;
            each_lane(work.mask, [&](unsigned other) {
                if (work.offsets[other] != work.offsets[lane]) return;
                seen |= Mask{1} << other;
                explained =
                    explained || std::memcmp(work.accesses[other].value.data(), known.data(), width) == 0;
            });
            if (!explained || set != all_bytes(width)) {
                correct(work, lane, work.accesses[lane].value);
                set = memory.read(work.offsets[lane], std::span(known).first(width));
            }
        }
        std::uint64_t old = 0;
        std::memcpy(&old, known.data(), std::min(width, 8u));
        const std::uint64_t made =
            work.form.result(old, work.accesses[lane].b, work.accesses[lane].c, window);
        newly[lane] = static_cast<std::uint16_t>(~set & all_bytes(width));
        std::memcpy(&before[lane * width], &old, width);
        std::memcpy(&after[lane * width], &made, width);
        memory.write(work.offsets[lane], {&after[lane * width], width});
    });
    recorder_->access(AccessKind::atomic, work.space, work.pc, work.ordinal, width, work.mask,
                      work.offsets.data(), before.data(), after.data(), newly.data(), owner_of(work));
}

bool AccessDecoder::fits(const std::array<Lane*, 32>& lanes, Mask mask) const {
    bool fit = true;
    each_lane(mask, [&](unsigned number) {
        Lane& lane = *lanes[number];
        for (std::uint32_t ahead = 1; fit; ++ahead) {
            const Record* record = lane.peek(*streams_, ahead);
            if (record == nullptr || kind_of(*record) == RecordKind::point) break;
            if (kind_of(*record) != RecordKind::access || probes_.access_bytes[pc_of(*record)] == 0) continue;
            const AccessForm& form = this->form(pc_of(*record));
            if (form.kind == AccessKind::store || !form.finds_old) continue;
            const std::optional<DecodedAccess> access = read(lane, pc_of(*record), ahead);
            if (!access || !access->mapped || access->space == Space::local ||
                access->space == Space::constant)
                continue;
            std::array<std::byte, widest_access> known{};
            image(access->space, access->block, &lane)
                ->read(access->offset, std::span(known).first(form.width));
            const bool same = std::memcmp(known.data(), access->value.data(), form.width) == 0;
            if (same) continue;
            fit = explained_by_group(lanes, mask, pc_of(*record), *access, form.width, known);
        }
    });
    return fit;
}

// Whether lanes of the group wrote the place just before, or one of those that operate on it together found
// what memory holds.
bool AccessDecoder::explained_by_group(const std::array<Lane*, 32>& lanes, Mask mask, std::uint32_t pc,
                                       const DecodedAccess& found, unsigned width,
                                       const std::array<std::byte, widest_access>& known) const {
    bool explained = false;
    each_lane(mask, [&](unsigned number) {
        Lane& lane = *lanes[number];
        for (std::uint32_t ahead = 1; !explained; ++ahead) {
            const Record* record = lane.peek(*streams_, ahead);
            if (record == nullptr || kind_of(*record) == RecordKind::point || pc_of(*record) > pc) break;
            if (kind_of(*record) != RecordKind::access || probes_.access_bytes[pc_of(*record)] == 0) continue;
            const AccessForm& form = this->form(pc_of(*record));
            if (form.kind == AccessKind::load) continue;
            const std::optional<DecodedAccess> access = read(lane, pc_of(*record), ahead);
            if (!access || !access->mapped || access->space != found.space || access->block != found.block)
                continue;
            const bool overlaps =
                access->offset < found.offset + width && found.offset < access->offset + form.width;
            if (pc_of(*record) < pc)
                explained = overlaps;
            else
                explained = access->offset == found.offset &&
                            std::memcmp(access->value.data(), known.data(), width) == 0;
        }
    });
    return explained;
}

}  // namespace lanescope::gpu
