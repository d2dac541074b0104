#include "render/map_on_cpu.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace lanescope::render {
namespace {

using trace::Record, trace::RecordKind;

constexpr std::uint32_t none = ~0u, warp_size = 32;
constexpr std::uint64_t forever = ~0ull;

std::uint32_t packed(ThreadState state, std::uint32_t pc) {
    return static_cast<std::uint32_t>(state) << trace::record_kind_shift | (pc & trace::record_pc_mask);
}
ThreadState state_of(std::uint32_t now) {
    return static_cast<ThreadState>(now >> trace::record_kind_shift);
}

// One thread's records.
struct Stream {
    const Record* first = nullptr;
    std::size_t stride = 0;
    std::uint32_t count = 0;  // that are there

    Stream(const MapRecords& records, std::uint32_t slot)
        : first(records.records.data() + slot),
          stride(records.shape.threads()),
          count(std::min(records.counts[slot], records.shape.capacity)) {}

    const Record& at(std::uint32_t k) const { return first[k * stride]; }

    // The last point at or before record k; what lies between points has no clock.
    std::uint32_t point_before(std::uint32_t k) const {
        while (kind_of(at(k)) != RecordKind::point)
            if (k-- == 0) return none;
        return k;
    }
};

// How many of a thread's records lie at or before a time, and the last point among them.
struct Found {
    std::uint32_t until = 0, point = none;
};

Found search(const Stream& stream, std::uint64_t limit) {
    std::uint32_t low = 0, high = stream.count;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2, point = stream.point_before(middle);
        if (point == none || stream.at(point).value <= limit)
            low = middle + 1;
        else
            high = point;
    }
    return {low, low > 0 ? stream.point_before(low - 1) : none};
}

// The lanes of a warp mostly have their points at the same places, so the neighbour's is tried first.
Found search_near(const Stream& stream, std::uint64_t limit, std::uint32_t until) {
    if (until > stream.count) return search(stream, limit);
    if (until < stream.count) {
        const Record& next = stream.at(until);
        if (kind_of(next) != RecordKind::point || next.value <= limit) return search(stream, limit);
    }
    const std::uint32_t point = until > 0 ? stream.point_before(until - 1) : none;
    if (point != none && stream.at(point).value > limit) return search(stream, limit);
    return {until, point};
}

float as_number(std::uint64_t bits, std::uint32_t type) {
    const std::uint32_t size_bytes = type >> 2;
    const auto kind = static_cast<NumberKind>(type & 3);
    const auto low = static_cast<std::uint32_t>(bits);
    if (kind == NumberKind::floating)
        return size_bytes == 8 ? static_cast<float>(std::bit_cast<double>(bits)) : std::bit_cast<float>(low);
    if (size_bytes == 8) {
        const auto high = static_cast<std::uint32_t>(bits >> 32);
        const float upper =
            kind == NumberKind::signed_int ? float(static_cast<std::int32_t>(high)) : float(high);
        return upper * 4294967296.0f + float(low);
    }
    const std::uint32_t unused = 32 - 8 * std::clamp(size_bytes, 1u, 4u);
    return kind == NumberKind::signed_int ? float(static_cast<std::int32_t>(low << unused) >> unused)
                                          : float(low << unused >> unused);
}

}  // namespace

// --- Tables ------------------------------------------------------------------------------------------------

void MapOnCpu::set_code(std::span<const CodePoint> code) {
    code_.assign(code.begin(), code.end());
    if (code_.empty()) code_.resize(1);  // as an empty buffer of the shaders
    forget();
}

void MapOnCpu::set_clock_offsets(std::span<const std::uint64_t> offsets) {
    offsets_.assign(offsets.begin(), offsets.end());
    forget();
}

void MapOnCpu::set_watched(const std::vector<std::vector<WatchedRegister>>& by_function) {
    watched_ = by_function;
    watching_ = std::any_of(watched_.begin(), watched_.end(), [](const auto& each) { return !each.empty(); });
    forget();
}

const WatchedRegister* MapOnCpu::watched_by(const Record& record) const {
    const std::uint32_t pc = pc_of(record);
    if (pc >= code_.size() || code_[pc].function >= watched_.size()) return nullptr;
    for (const WatchedRegister& each : watched_[code_[pc].function])
        if (each.number == record.extra) return &each;
    return nullptr;
}

// --- States ------------------------------------------------------------------------------------------------

void MapOnCpu::begin(const StreamShape& shape) {
    shape_ = shape;
    tally_ = {};
    nows_.assign(shape_.threads(), 0);
    values_.assign(watching_ ? shape_.threads() : 0, {});
    spans_.assign(std::size_t{shape_.blocks} * shape_.warps_per_block(), {});
    tally_.states[std::size_t(ThreadState::absent)] = shape_.threads();
}

// A thread enters the tally, or leaves it.
void MapOnCpu::count(std::uint32_t slot, bool more) {
    const std::uint32_t by = more ? 1u : ~0u, pc = nows_[slot] & trace::record_pc_mask;
    const ThreadState state = state_of(nows_[slot]);
    tally_.states[std::size_t(state)] += by;
    const bool alive =
        state != ThreadState::absent && state != ThreadState::not_started && state != ThreadState::finished;
    if (alive && pc < code_.size()) tally_.lines[std::min(code_[pc].line_rank, max_ranks - 1)] += by;
}

MapOnCpu::Value MapOnCpu::last_value(const MapRecords& records, std::uint32_t slot,
                                     std::uint32_t until) const {
    const Stream stream(records, slot);
    for (std::uint32_t k = until; k-- > 0;) {
        const Record& record = stream.at(k);
        if (kind_of(record) != RecordKind::variable) continue;
        if (const WatchedRegister* watched = watched_by(record)) return {record.value, watched->type, true};
    }
    return {};
}

MapOnCpu::Span MapOnCpu::place_warp(const MapRecords& records, std::uint64_t time, std::uint32_t block,
                                    std::uint32_t warp) {
    const std::uint32_t first = block * shape_.block_threads + warp * warp_size,
                        lanes = std::min(shape_.block_threads - warp * warp_size, warp_size);
    std::array<std::uint64_t, warp_size> ages{};  // time since the last point
    std::uint32_t live = 0;                       // lanes that have begun and not ended
    std::uint32_t together = none;  // lanes that the last points of all live lanes have in common
    std::uint64_t least_age = forever, since = forever, next = forever;
    Found found;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::uint32_t slot = first + lane;
        const Stream stream(records, slot);
        const Record begin = stream.count > 0 ? stream.at(0) : Record{};
        const std::uint32_t sm = kind_of(begin) == RecordKind::begin ? begin.extra : 0;
        const std::uint64_t limit = sm < offsets_.size() ? time + offsets_[sm] : time;
        found = search_near(stream, limit, found.until);
        ThreadState state = ThreadState::not_started;
        std::uint32_t pc = 0;
        if (found.until < stream.count) next = std::min(next, stream.at(found.until).value - limit);
        if (found.point != none) {
            const Record& last = stream.at(found.point);
            pc = pc_of(last);
            ages[lane] = limit - last.value;
            since = std::min(since, ages[lane]);
            const bool passed = ages[lane] != 0, all = found.until == stream.count;
            const bool ended = all && kind_of(stream.at(stream.count - 1)) == RecordKind::end;
            const bool waits = pc < code_.size() && (code_[pc].flags & waits_at_barrier) != 0;
            state = ended && passed                                                  ? ThreadState::finished
                    : passed && all && records.counts[slot] > records.shape.capacity ? ThreadState::cut_off
                    : passed && waits                                                ? ThreadState::at_barrier
                                                                                     : ThreadState::active;
            if (state != ThreadState::finished) {
                live |= 1u << lane;
                together &= last.extra;
                least_age = std::min(least_age, ages[lane]);
            }
        }
        count(slot, false);
        nows_[slot] = packed(state, pc);
        if (watching_) values_[slot] = last_value(records, slot, found.until);
    }
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        std::uint32_t& now = nows_[first + lane];
        if (state_of(now) == ThreadState::active && (live & ~together) != 0)
            now = packed(ages[lane] > least_age ? ThreadState::left_behind : ThreadState::diverged, now);
        count(first + lane, true);
    }
    // A point is over right after its time; until then, its thread has neither ended nor arrived.
    const Span span{since == forever ? 0 : time - std::min(time, std::max<std::uint64_t>(since, 1) - 1),
                    time + std::min(next, forever - time)};
    return since == 0 ? Span{time, time + 1} : span;
}

void MapOnCpu::update(const MapRecords& records, std::uint64_t time) {
    if (spans_.empty()) begin(records.shape);
    auto span = spans_.begin();
    for (std::uint32_t block = 0; block < shape_.blocks; ++block)
        for (std::uint32_t warp = 0; warp < shape_.warps_per_block(); ++warp, ++span)
            if (time < span->from || time >= span->until) *span = place_warp(records, time, block, warp);
}

ValueRange MapOnCpu::range(const MapRecords& records) const {
    ValueRange range;
    if (!watching_) return range;
    for (std::uint32_t k = 0; k < records.shape.capacity; ++k) {
        const Record* const row = records.records.data() + std::size_t{k} * records.shape.threads();
        for (std::uint32_t slot = 0; slot < records.shape.threads(); ++slot) {
            if (k >= records.counts[slot] || kind_of(row[slot]) != RecordKind::variable) continue;
            const WatchedRegister* const watched = watched_by(row[slot]);
            const float number = watched != nullptr ? as_number(row[slot].value, watched->type) : NAN;
            if (!std::isfinite(number)) continue;
            range.least = range.any ? std::min(range.least, number) : number;
            range.greatest = range.any ? std::max(range.greatest, number) : number;
            range.any = true;
        }
    }
    return range;
}

ThreadNow MapOnCpu::thread(std::uint32_t slot) const {
    if (slot >= nows_.size()) return {};
    ThreadNow now;
    now.state = state_of(nows_[slot]);
    now.pc = nows_[slot] & trace::record_pc_mask;
    if (!values_.empty() && values_[slot].set)
        now.has_value = true, now.type = values_[slot].type, now.bits = values_[slot].bits;
    return now;
}

// --- The picture -------------------------------------------------------------------------------------------

namespace {

constexpr std::uint32_t scale_steps = 4096;  // the eye and eight bits per channel see fewer
constexpr float least_shaped_px = 8, least_seamed_px = 5;

std::uint32_t channel(std::uint32_t colour, int index) {
    return colour >> (8 * index) & 255;
}

// Colours from the least value to the greatest.
void mix_scale(const MapPicture& picture, std::vector<std::uint32_t>& scale) {
    scale.resize(scale_steps + 1);
    for (std::uint32_t i = 0; i <= scale_steps; ++i) {
        const float at = float(i) / scale_steps * 4;
        const std::uint32_t first = std::min(static_cast<std::uint32_t>(at), 3u);
        const float share = at - float(first);
        scale[i] = 0;
        for (int each = 0; each < 4; ++each) {
            const auto from = float(channel(picture.scale_colours[first], each)),
                       to = float(channel(picture.scale_colours[first + 1], each));
            scale[i] |= static_cast<std::uint32_t>(std::lround(from + (to - from) * share)) << (8 * each);
        }
    }
}

// Each state has a shape as well, in cells that are large enough. x, y: in the cell, 0 to 1.
float shape_of(ThreadState state, float x, float y) {
    const float from_x = std::abs(x - 0.5f), from_y = std::abs(y - 0.5f);
    switch (state) {
        case ThreadState::not_started:  // hollow
            return std::max(from_x, from_y) > 0.36f ? 1 : 0.25f;
        case ThreadState::diverged:  // half
            return x + y > 1 ? 0.45f : 1;
        case ThreadState::left_behind:  // the other half
            return x + y > 1 ? 1 : 0.45f;
        case ThreadState::at_barrier:  // two bars
            return std::abs(from_x - 0.16f) < 0.07f && from_y < 0.28f ? 0.2f : 1;
        case ThreadState::finished:  // a dot
            return from_x * from_x + from_y * from_y < 0.16f * 0.16f ? 1.6f : 1;
        case ThreadState::cut_off:  // struck through
            return from_y < 0.07f ? 0.2f : 1;
        default:
            return 1;
    }
}

// Where the samples of one direction lie.
struct Axis {
    float cell, pitch, seam, before;
    int samples;
    std::uint32_t cells;  // of a block

    struct Place {
        std::uint32_t tile = 0, cell = 0;  // the block, and the cell in it
        float in_cell = 0;                 // 0 to 1
    };

    Axis(const MapPicture& picture, float origin, std::uint32_t cells_, int samples_)
        : cell(picture.cell),
          pitch(float(cells_) * picture.cell + picture.gap),
          seam(cell >= least_seamed_px ? std::max(1.0f, std::floor(cell * 0.08f)) / cell : 0),
          before(origin),
          samples(samples_),
          cells(cells_) {}

    // Nothing lies between blocks and between cells.
    std::optional<Place> place(std::size_t sample) const {
        const auto pixel = float(sample / std::size_t(samples)), part = float(sample % std::size_t(samples));
        const float at = pixel + 0.5f - before - 0.5f + (part + 0.5f) / float(samples);
        const float tile = std::floor(at / pitch), inside = std::max(at - tile * pitch, 0.0f);
        const float number = std::floor(inside / cell), in_cell = inside / cell - number;
        if (!(at >= 0 && tile < float(1u << 31) && number < float(cells) && in_cell <= 1 - seam)) return {};
        return Place{static_cast<std::uint32_t>(tile), static_cast<std::uint32_t>(number), in_cell};
    }
};

std::uint32_t shaded(std::uint32_t colour, float by) {
    std::uint32_t made = colour & 0xff000000u;
    for (int each = 0; each < 3; ++each)
        made |= std::min(static_cast<std::uint32_t>(std::lround(float(channel(colour, each)) * by)), 255u)
                << (8 * each);
    return made;
}

std::uint32_t by_alpha(std::uint32_t colour) {
    const std::uint32_t alpha = channel(colour, 3);
    return alpha == 255 ? colour : alpha == 0 ? 0 : shaded(colour, float(alpha) / 255);
}

}  // namespace

std::uint32_t MapOnCpu::value_colour(const MapPicture& picture, const Value& value) const {
    const float number = value.set ? as_number(value.bits, value.type) : NAN;
    if (std::isnan(number)) return picture.unset_colour;
    const float least = picture.range.least, greatest = picture.range.greatest;
    const float share = greatest > least ? (number - least) / (greatest - least) : 0.5f;
    const float within = share > 0 ? std::min(share, 1.0f) : 0;  // 0 if it is not a number
    return scale_[static_cast<std::size_t>(std::lround(within * scale_steps))];
}

std::uint32_t MapOnCpu::colour_of(const MapPicture& picture, std::uint32_t slot) const {
    const std::uint32_t now = nows_[slot], pc = now & trace::record_pc_mask;
    const ThreadState state = state_of(now);
    const std::uint32_t of_state = picture.state_colours[std::size_t(state)];
    if (picture.colour_by == ColourBy::state || state == ThreadState::not_started ||
        state == ThreadState::cut_off)
        return of_state;
    if (picture.colour_by == ColourBy::line)
        return state == ThreadState::finished || pc >= code_.size() ? of_state : code_[pc].colour;
    return values_.empty() ? picture.unset_colour : value_colour(picture, values_[slot]);
}

// Finds the threads for every row and column of samples.
void MapOnCpu::lay_out(const MapPicture& picture, int samples) {
    const std::uint32_t beside = std::max(picture.columns, 1u),
                        warps = std::max(shape_.warps_per_block(), 1u);
    const Axis across{picture, picture.origin_x, warp_size, samples},
        down{picture, picture.origin_y, warps, samples};
    columns_.assign(std::size_t(picture.width) * std::size_t(samples), {});
    for (std::size_t i = 0; i < columns_.size(); ++i)
        if (const auto at = across.place(i); at && at->tile < beside)
            columns_[i] = {at->tile * shape_.block_threads + at->cell, at->cell, at->tile, at->in_cell};
    rows_.assign(std::size_t(picture.height) * std::size_t(samples), {});
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const auto at = down.place(i);
        if (!at || std::uint64_t{at->tile} * beside >= shape_.blocks) continue;
        const std::uint32_t block = at->tile * beside, thread = at->cell * warp_size;
        rows_[i] = {block * shape_.block_threads + thread, std::min(shape_.block_threads - thread, warp_size),
                    std::min(shape_.blocks - block, beside), at->in_cell};
    }
}

// The pixels from the first to the last column in which a cell is.
std::pair<std::size_t, std::size_t> MapOnCpu::shown_columns(std::size_t samples) const {
    const auto shown = [](const Column& column) { return column.lane != none; };
    const auto first = std::find_if(columns_.begin(), columns_.end(), shown);
    const auto last = std::find_if(columns_.rbegin(), columns_.rend(), shown);
    if (first == columns_.end()) return {0, 0};
    return {std::size_t(first - columns_.begin()) / samples,
            (std::size_t(columns_.rend() - last) + samples - 1) / samples};
}

// `weighted`: channels are multiplied by alpha, so that they can be averaged.
void MapOnCpu::choose_colours(const MapPicture& picture, bool weighted) {
    if (picture.colour_by == ColourBy::value) mix_scale(picture, scale_);
    colours_.resize(nows_.size());
    const auto shown = [](const Row& row) { return row.lanes != 0; };
    const auto first = std::find_if(rows_.begin(), rows_.end(), shown);
    if (first == rows_.end()) return;
    const Row& last = *std::find_if(rows_.rbegin(), rows_.rend(), shown);
    const std::uint32_t end = last.first_slot + (last.blocks - 1) * shape_.block_threads + last.lanes;
    for (std::uint32_t slot = first->first_slot; slot < end; ++slot)
        colours_[slot] = weighted ? by_alpha(colour_of(picture, slot)) : colour_of(picture, slot);
}

// The mean of a pixel's samples. Two channels at a time are added; 16 samples do not overflow.
std::uint32_t MapOnCpu::averaged(std::span<const Row> rows, std::span<const Column> columns) const {
    std::uint32_t red_blue = 0, green_alpha = 0;
    for (const Row& row : rows)
        for (const Column& column : columns) {
            if (column.lane >= row.lanes || column.block >= row.blocks) continue;
            const std::uint32_t colour = colours_[row.first_slot + column.offset];
            red_blue += colour & 0x00ff00ffu;
            green_alpha += colour >> 8 & 0x00ff00ffu;
        }
    const std::uint32_t alpha = green_alpha >> 16;
    if (alpha == 0) return 0;
    const std::uint32_t inverse = (255u << 16) / alpha;
    const auto mean = [&](std::uint32_t sum) { return (sum * inverse + (1u << 15)) >> 16; };
    const auto samples = static_cast<std::uint32_t>(rows.size() * columns.size());
    return mean(red_blue & 0xffffu) | mean(green_alpha & 0xffffu) << 8 | mean(red_blue >> 16) << 16 |
           (alpha + samples / 2) / samples << 24;
}

void MapOnCpu::draw(const MapPicture& picture, std::span<std::uint32_t> pixels) {
    if (nows_.empty() || !(picture.cell > 0)) return std::fill(pixels.begin(), pixels.end(), 0u);
    const int samples = static_cast<int>(std::clamp(std::ceil(1 / picture.cell), 1.0f, 4.0f));
    const auto step = std::size_t(samples), width = std::size_t(picture.width);
    const bool shaped = picture.cell >= least_shaped_px && picture.colour_by == ColourBy::state;
    lay_out(picture, samples);
    choose_colours(picture, samples > 1);
    const auto [left, right] = shown_columns(step);
    for (std::size_t y = 0; y < std::size_t(picture.height); ++y) {
        const std::span<const Row> rows = std::span(rows_).subspan(y * step, step);
        const std::span<std::uint32_t> line = pixels.subspan(y * width, width);
        const Row& row = rows.front();
        if (samples == 1 && y > 0 && row.first_slot == rows_[y - 1].first_slot &&
            row.lanes == rows_[y - 1].lanes && !(shaped && row.lanes != 0)) {
            std::copy_n(line.data() - width, width, line.data());
            continue;
        }
        std::fill(line.begin(), line.end(), 0u);
        for (std::size_t x = left; x < right; ++x) {
            const std::span<const Column> columns = std::span(columns_).subspan(x * step, step);
            if (samples > 1) {
                line[x] = averaged(rows, columns);
                continue;
            }
            const Column& column = columns.front();
            if (column.lane >= row.lanes || column.block >= row.blocks) continue;
            const std::uint32_t slot = row.first_slot + column.offset, colour = colours_[slot];
            if (channel(colour, 3) == 0) continue;
            line[x] = shaped ? shaded(colour, shape_of(state_of(nows_[slot]), column.in_cell, row.in_cell))
                             : colour;
        }
    }
}

}  // namespace lanescope::render
