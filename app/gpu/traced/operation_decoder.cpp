#include "gpu/traced/operation_decoder.h"

#include <algorithm>
#include <cstring>

#include "simt/texture/sample.h"

namespace lanescope::gpu {

using ptx::Form;
using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using trace::AccessKind;
using trace::Mask;
using trace::Record;
using trace::RecordKind;
using trace::Space;

namespace {

AccessPiece piece_of(const DecodedStep& step, Space space, unsigned width) {
    AccessPiece piece;
    piece.space = space;
    piece.block = step.warp.block;
    piece.pc = step.pc;
    piece.ordinal = step.ordinal;
    piece.width = width;
    return piece;
}

void put(LaneBytes& bytes, unsigned lane, unsigned width, const void* from) {
    std::memcpy(bytes.data() + std::size_t{lane} * width, from, width);
}

}  // namespace

bool OperationDecoder::run(const DecodedStep& step, const Instruction& made) {
    if (!records_operands(made)) {
        groups(step, made);
        return false;
    }
    const Values values = take_operands(step, streams_, probes_.operands[step.pc]);
    if (values.lanes == 0) return true;
    switch (ptx::info(made.op).form) {
        case Form::sample:
            fetch(step, values);
            break;
        case Form::matrix_rows:
            matrix_rows(step, made, values);
            break;
        case Form::fragment:
            matrix(step, made, values);
            break;
        case Form::copy:
            copy(step, made, values);
            break;
        case Form::bulk_copy:
            bulk_copy(step, made, values);
            break;
        case Form::copy_arrival:
            each_lane(values.lanes, [&](unsigned lane) {
                const auto at = in_object(step, lane, values.of[0][lane]);
                if (at) copies_.track(step, lane, *at, !made.has(Mod::noinc));
            });
            break;
        case Form::mbarrier:
            barrier_object(step, made, values);
            break;
        case Form::surface:
            surface(step, made, values);
            break;
        default:
            break;
    }
    return true;
}

OperandValues take_operands(const DecodedStep& step, const trace::RecordStreams& streams, std::size_t count) {
    OperandValues values;
    values.of.resize(count);
    each_lane(step.active, [&](unsigned number) {
        Lane& lane = *step.warp.lanes[number];
        const Record* first = lane.peek(streams);
        if (count == 0 || first == nullptr || first->head != trace::record_head(RecordKind::access, step.pc))
            return;  // its guard was off
        for (std::size_t i = 0; i < count; ++i) {
            const Record* record = lane.peek(streams);
            if (record == nullptr) return;  // the rest was cut off
            values.of[i][number] = record->value;
            ++lane.next;
        }
        values.lanes |= Mask{1} << number;
    });
    return values;
}

std::optional<std::uint64_t> OperationDecoder::in_shared(const DecodedStep& step, unsigned number,
                                                         std::uint64_t address, AccessKind kind,
                                                         unsigned width) {
    const Lane& lane = *step.warp.lanes[number];
    DecodedAccess place;
    if (accesses_.map_own(lane, address, place) && place.space == Space::shared) return place.offset;
    accesses_.note_left_out(lane, step.pc, kind, width, address);
    return std::nullopt;
}

void OperationDecoder::access(const DecodedStep& step, AccessKind kind, Mask lanes, unsigned width,
                              const std::array<std::uint64_t, 32>& addresses, const LaneBytes& bytes) {
    std::array<DecodedAccess, 32> places;
    Mask left = 0;
    each_lane(lanes, [&](unsigned lane) {
        if (accesses_.map(*step.warp.lanes[lane], addresses[lane], places[lane]))
            left |= Mask{1} << lane;
        else
            accesses_.note_outside(*step.warp.lanes[lane], step.pc, kind, width, addresses[lane]);
    });
    while (left != 0) {
        const DecodedAccess& first = places[static_cast<unsigned>(std::countr_zero(left))];
        AccessPiece piece = piece_of(step, first.space, width);
        piece.block = first.block;
        each_lane(left, [&](unsigned lane) {
            if (places[lane].space != piece.space || places[lane].block != piece.block) return;
            piece.mask |= Mask{1} << lane;
            piece.offsets[lane] = places[lane].offset;
        });
        left &= ~piece.mask;
        if (kind == AccessKind::load)
            accesses_.load(piece);
        else
            accesses_.write(piece, kind, step.warp.lanes, bytes);
    }
}

// Instructions without operands that concern copies.
void OperationDecoder::groups(const DecodedStep& step, const Instruction& made) {
    const auto keep = [&] { return static_cast<std::uint32_t>(made.operands[0].bits); };
    switch (made.op) {
        case Op::cp_async_commit_group:
            return copies_.commit(step, false);
        case Op::cp_async_wait_group:
            return copies_.wait(step, keep());
        case Op::cp_async_wait_all:
            copies_.commit(step, false);
            return copies_.wait(step, 0);
        case Op::cp_async_bulk_commit_group:
            return copies_.commit(step, true);
        case Op::cp_async_bulk_wait_group:
            return copies_.wait_bulk(step, keep(), made.has(Mod::read));
        default:
            return;
    }
}

// --- Textures ----------------------------------------------------------------------------------------------

namespace {

// Calls use(lanes, object) for each object that lanes name by its handle; those without one are returned.
template <class Object, class Use>
Mask for_each_object(const std::map<std::uint64_t, Object>& objects, const OperandValues& values,
                     const Use& use) {
    Mask left = values.lanes, unknown = 0;
    while (left != 0) {
        const std::uint64_t handle = values.of[0][static_cast<unsigned>(std::countr_zero(left))];
        Mask same = 0;
        each_lane(left, [&](unsigned lane) {
            if (values.of[0][lane] == handle) same |= Mask{1} << lane;
        });
        left &= ~same;
        if (const auto known = objects.find(handle); known != objects.end())
            use(same, known->second);
        else
            unknown |= same;
    }
    return unknown;
}

}  // namespace

void OperationDecoder::fetch(const DecodedStep& step, const Values& values) {
    const Mask unknown = for_each_object(
        images_.textures, values,
        [&](Mask lanes, const simt::Texture& texture) { fetch_from(step, values, lanes, texture); });
    each_lane(unknown, [&](unsigned) { accesses_.count_unmapped(); });
}

void OperationDecoder::fetch_from(const DecodedStep& step, const Values& values, Mask lanes,
                                  const simt::Texture& texture) {
    const simt::TextureForm& form = program_.tables.textures[program_.code[step.pc].target];
    const std::size_t first = form.layered ? 2 : 1;  // after the object and the layer
    std::array<simt::Taps, 32> taps;
    unsigned count = 0;
    each_lane(lanes, [&](unsigned lane) {
        simt::FetchPosition position;
        position.by_element = form.by_element;
        for (std::size_t k = 0; k < form.at.size() && form.at[k] != simt::no_ref; ++k) {
            const auto bits = static_cast<std::uint32_t>(values.of[first + k][lane]);
            if (form.by_element)
                position.element[k] = static_cast<std::int32_t>(bits);
            else
                position.at[k] = std::bit_cast<float>(bits);
        }
        if (form.layered) position.layer = static_cast<std::int32_t>(values.of[1][lane]);
        constexpr std::uint8_t not_gathering = 0xff;
        taps[lane] = form.component != not_gathering ? simt::gather_taps_of(texture, position)
                                                     : simt::taps_of(texture, position);
        count = std::max(count, taps[lane].count);
    });
    for (unsigned tap = 0; tap < count; ++tap) {
        AccessPiece piece = piece_of(step, Space::global, texture.image.format.bytes());
        each_lane(lanes, [&](unsigned lane) {
            if (tap >= taps[lane].count || !taps[lane].at[tap].inside) return;
            piece.mask |= Mask{1} << lane;
            piece.offsets[lane] = simt::address_of(texture.image, taps[lane].at[tap]) - simt::window::global;
        });
        accesses_.load(piece);
    }
}

// --- Surfaces ----------------------------------------------------------------------------------------------

void OperationDecoder::surface(const DecodedStep& step, const Instruction& made, const Values& values) {
    const Mask unknown = for_each_object(images_.surfaces, values, [&](Mask lanes, const simt::Image& image) {
        access_surface(step, made, values, lanes, image);
    });
    each_lane(unknown, [&](unsigned) { accesses_.count_unmapped(); });
}

void OperationDecoder::access_surface(const DecodedStep& step, const Instruction& made, const Values& values,
                                      Mask lanes, const simt::Image& image) {
    const simt::TextureForm& form = program_.tables.textures[program_.code[step.pc].target];
    const bool stores = made.op == Op::sust;
    const std::size_t first = form.layered ? 2 : 1;  // after the object and the layer
    const std::size_t first_value = values.of.size() - (stores ? form.values.size() : 0);
    AccessPiece piece =
        piece_of(step, Space::global, form.element_bytes * static_cast<unsigned>(form.values.size()));
    LaneBytes bytes{};
    each_lane(lanes, [&](unsigned lane) {
        const auto coordinate = [&](std::size_t operand) {
            return static_cast<std::int32_t>(values.of[operand][lane]);
        };
        simt::SurfacePosition at{};
        for (std::size_t k = 0; k < form.at.size() && form.at[k] != simt::no_ref; ++k)
            at[k] = coordinate(first + k);
        if (form.layered) at[2] = coordinate(1);
        const auto address =
            simt::surface_address(image, piece.width, at, form.outside == simt::TextureForm::Outside::clamp);
        if (!address) return;
        piece.mask |= Mask{1} << lane;
        piece.offsets[lane] = *address - simt::window::global;
        for (std::size_t k = 0; stores && k < form.values.size(); ++k)
            std::memcpy(bytes.data() + lane * piece.width + k * form.element_bytes,
                        &values.of[first_value + k][lane], form.element_bytes);
    });
    if (stores)
        accesses_.write(piece, AccessKind::store, step.warp.lanes, bytes);
    else
        accesses_.load(piece);
}

// --- Matrices ----------------------------------------------------------------------------------------------

// ldmatrix, stmatrix: lanes 8i … 8i+7 hold the addresses of the rows of matrix i; lane 4i + j holds elements
// 2j and 2j+1 of row i, or of column i of the transposed matrix.
void OperationDecoder::matrix_rows(const DecodedStep& step, const Instruction& made, const Values& values) {
    constexpr unsigned rows = 8, row_bytes = 16;
    const unsigned count = made.has(Mod::x4) ? 4 : made.has(Mod::x2) ? 2 : 1;
    const Mask used = count == 4 ? values.lanes : values.lanes & ((Mask{1} << count * rows) - 1);
    recorder_.sync(trace::SyncKind::meet, step.pc, step.ordinal, step.active, 0);
    LaneBytes bytes{};
    if (made.op == Op::stmatrix) {
        std::array<std::array<std::array<std::uint16_t, 8>, 8>, 4> matrices{};
        for (unsigned m = 0; m < count; ++m)
            each_lane(values.lanes, [&](unsigned lane) {
                const auto pair = static_cast<std::uint32_t>(values.of[1 + m][lane]);
                const unsigned i = lane / 4, j = lane % 4 * 2;
                const bool turned = made.has(Mod::trans);
                (turned ? matrices[m][j][i] : matrices[m][i][j]) = static_cast<std::uint16_t>(pair);
                (turned ? matrices[m][j + 1][i] : matrices[m][i][j + 1]) =
                    static_cast<std::uint16_t>(pair >> 16);
            });
        for (unsigned lane = 0; lane < count * rows; ++lane)
            put(bytes, lane, row_bytes, matrices[lane / rows][lane % rows].data());
    }
    access(step, made.op == Op::stmatrix ? AccessKind::store : AccessKind::load, used, row_bytes,
           values.of[0], bytes);
}

void OperationDecoder::matrix(const DecodedStep& step, const Instruction& made, const Values& values) {
    const simt::MatrixForm& form = program_.tables.matrices[program_.code[step.pc].target];
    const bool stores = made.op == Op::wmma_store, strided = made.operands.size() > 2;
    const simt::FragmentLayout layout{form.shape, form.role, simt::element_bits(made.type())};
    const bool together = form.row_major == layout.along_rows();
    const unsigned at_once = together ? layout.per_register() : 1;
    const unsigned bits = layout.element_bits * at_once, width = std::max(1u, bits / 8);
    const std::size_t first_register = strided ? 2 : 1;
    recorder_.sync(trace::SyncKind::meet, step.pc, step.ordinal, step.active, 0);
    for (unsigned reg = 0; reg < layout.registers(); ++reg)
        for (unsigned element = 0; element < layout.per_register(); element += at_once) {
            std::array<std::uint64_t, 32> addresses{};
            LaneBytes bytes{};
            each_lane(values.lanes, [&](unsigned lane) {
                const simt::MatrixPlace at = layout.place(lane, reg, element);
                const std::uint64_t packed = form.row_major ? layout.columns() : layout.rows();
                const std::uint64_t leading =
                    strided ? static_cast<std::uint32_t>(values.of[1][lane]) : packed;
                const std::uint64_t index =
                    form.row_major ? at.row * leading + at.column : at.column * leading + at.row;
                addresses[lane] = values.of[0][lane] + index * layout.element_bits / 8;
                if (!stores) return;
                const std::uint64_t word = values.of[first_register + reg][lane];
                const std::uint64_t value = bits < 32 ? word >> element * layout.element_bits : word;
                put(bytes, lane, width, &value);
            });
            access(step, stores ? AccessKind::store : AccessKind::load, values.lanes, width, addresses,
                   bytes);
        }
}

// --- Asynchronous copies -----------------------------------------------------------------------------------

void OperationDecoder::copy(const DecodedStep& step, const Instruction& made, const Values& values) {
    const auto width = static_cast<unsigned>(made.operands[2].bits);
    AccessPiece to = piece_of(step, Space::shared, width), from = piece_of(step, Space::global, width);
    std::array<std::uint8_t, 32> read{};
    LaneBytes bytes{};
    each_lane(values.lanes, [&](unsigned number) {
        Lane& lane = *step.warp.lanes[number];
        const std::optional<std::uint64_t> target =
            in_shared(step, number, values.of[0][number], AccessKind::store, width);
        unsigned count = width;
        if (values.of.size() > 2) {
            const ptx::Operand& extra = made.operands[3];
            const auto value = static_cast<std::uint32_t>(values.of[2][number]);
            const bool ignores = program_.tables.copies[program_.code[step.pc].target].ignore != simt::no_ref;
            if (ignores)
                count = (value != 0) != extra.negated ? 0 : width;
            else
                count = std::min(value, width);
        }
        DecodedAccess source;
        if (!target || (count != 0 && !accesses_.map_own(lane, values.of[1][number], source))) {
            if (target) accesses_.note_left_out(lane, step.pc, AccessKind::load, count, values.of[1][number]);
            return;
        }
        accesses_.image(source.space, step.warp.block, &lane)
            ->read(source.offset, std::span(bytes).subspan(std::size_t{number} * width, count));
        to.mask |= Mask{1} << number;
        to.offsets[number] = *target;
        from.offsets[number] = source.offset;
        read[number] = static_cast<std::uint8_t>(count);
    });
    if (to.mask != 0) copies_.issue(step, to, from, read, bytes);
}

void OperationDecoder::bulk_copy(const DecodedStep& step, const Instruction& made, const Values& values) {
    each_lane(values.lanes, [&](unsigned number) {
        const Lane& lane = *step.warp.lanes[number];
        BulkPiece copy;
        copy.pc = step.pc;
        copy.lane = number;
        copy.size_bytes = static_cast<std::uint32_t>(values.of[2][number]);
        if (copy.size_bytes == 0) return;
        if (!copies_.has_room(copy.size_bytes)) return accesses_.count_unmapped();
        if (!accesses_.map_own(lane, values.of[0][number], copy.to))
            return accesses_.note_left_out(lane, step.pc, AccessKind::store, copy.size_bytes,
                                           values.of[0][number]);
        if (!accesses_.map_own(lane, values.of[1][number], copy.from))
            return accesses_.note_left_out(lane, step.pc, AccessKind::load, copy.size_bytes,
                                           values.of[1][number]);
        if (made.has(Mod::bulk_group)) return copies_.issue_out(step, std::move(copy));
        if (const auto object = in_object(step, number, values.of[3][number]))
            copies_.issue_in(step, std::move(copy), *object);
    });
}

// --- mbarrier objects --------------------------------------------------------------------------------------

void OperationDecoder::barrier_object(const DecodedStep& step, const Instruction& made,
                                      const Values& values) {
    if (tests_barrier_object(made.op)) return test_object(step, values);
    if (made.op != Op::mbarrier_init && made.op != Op::mbarrier_inval)
        return change_objects(step, made, values);
    each_lane(values.lanes, [&](unsigned lane) {
        const auto at = in_object(step, lane, values.of[0][lane]);
        if (!at) return;
        std::uint64_t word = 0;
        if (made.op == Op::mbarrier_init) {
            Mbarrier barrier;
            barrier.pending = barrier.expected = static_cast<std::uint32_t>(values.of[1][lane]);
            word = barrier.pack();
            copies_.begin_object(step, *at);
        } else {
            copies_.end_object(step, *at);
        }
        AccessPiece piece = piece_of(step, Space::shared, barrier_object_bytes);
        piece.mask = Mask{1} << lane;
        piece.offsets[lane] = *at;
        LaneBytes bytes{};
        put(bytes, lane, barrier_object_bytes, &word);
        accesses_.write(piece, AccessKind::store, step.warp.lanes, bytes);
    });
}

namespace {

// What an instruction does to an object; see simt/exec/exec_mbarrier.cpp.
void change(const Instruction& made, std::uint32_t operand, bool given, Mbarrier& barrier) {
    const Op op = made.op;
    if (op == Op::mbarrier_expect_tx || op == Op::mbarrier_complete_tx) {
        const std::int64_t bytes = operand;
        barrier.bytes += op == Op::mbarrier_complete_tx ? -bytes : bytes;
        if (op == Op::mbarrier_complete_tx) barrier.settle();
        return;
    }
    const bool expects = op == Op::mbarrier_arrive_expect_tx || op == Op::mbarrier_arrive_drop_expect_tx;
    const std::uint32_t count = given && !expects ? operand : 1;
    if (expects) barrier.bytes += operand;
    if (op == Op::mbarrier_arrive_drop || op == Op::mbarrier_arrive_drop_expect_tx)
        barrier.expected -= std::min(count, barrier.expected);
    barrier.pending -= std::min(count, barrier.pending);
    barrier.settle();
}

}  // namespace

// Lanes take effect one after the other; the event shows them together.
void OperationDecoder::change_objects(const DecodedStep& step, const Instruction& made,
                                      const Values& values) {
    AccessPiece piece = piece_of(step, Space::shared, barrier_object_bytes);
    LaneBytes bytes{};
    std::map<std::uint64_t, Mbarrier> now;
    std::array<std::uint64_t, 32> before{};
    each_lane(values.lanes, [&](unsigned lane) {
        const auto at = in_object(step, lane, values.of[0][lane]);
        if (!at) return;
        Mbarrier& barrier = now.try_emplace(*at, copies_.object(step, *at)).first->second;
        before[lane] = barrier.pack();
        const bool given = values.of.size() > 1;
        change(made, given ? static_cast<std::uint32_t>(values.of[1][lane]) : 0, given, barrier);
        const std::uint64_t word = barrier.pack();
        put(bytes, lane, barrier_object_bytes, &word);
        piece.mask |= Mask{1} << lane;
        piece.offsets[lane] = *at;
    });
    accesses_.write(piece, AccessKind::atomic, step.warp.lanes, bytes);
    if (!records_result(made)) return;
    each_lane(values.lanes, [&](unsigned lane) {
        const Record* state = step.warp.lanes[lane]->take(streams_, RecordKind::access, step.pc);
        if (state != nullptr) accesses_.note_value(state->value, before[lane], step.warp.lanes[lane]->slot);
    });
}

// A wait that succeeded shows that everything arrived that the object tracks.
void OperationDecoder::test_object(const DecodedStep& step, const Values& values) {
    AccessPiece piece = piece_of(step, Space::shared, barrier_object_bytes);
    Mask complete = 0;
    each_lane(values.lanes, [&](unsigned lane) {
        const Record* result = step.warp.lanes[lane]->take(streams_, RecordKind::access, step.pc);
        if (result != nullptr && result->value != 0) complete |= Mask{1} << lane;
        const auto at = in_object(step, lane, values.of[0][lane]);
        if (!at) return;
        piece.mask |= Mask{1} << lane;
        piece.offsets[lane] = *at;
    });
    each_lane(piece.mask & complete,
              [&](unsigned lane) { copies_.finish_tracked(step, piece.offsets[lane]); });
    accesses_.load(piece);
}

}  // namespace lanescope::gpu
