#include "ui/timeline/timeline_paint.h"

#include <algorithm>
#include <cmath>

#include "ui/kit/theme.h"

namespace lanescope::ui {
namespace {

constexpr double narrowest_cell_px = 2;  // narrower cells are folded
constexpr double gap_from_px = 6;        // wider cells have a pixel between them
constexpr float waiting = 0.45f, leftover = 0.5f;

void fill(std::span<ImU32> columns, double from, double to, ImU32 colour) {
    const auto column = [&](double x) {
        return std::size_t(std::clamp(std::round(x), 0.0, double(columns.size())));
    };
    const std::size_t first = column(from), end = column(to);
    if (first < end)
        std::fill(columns.begin() + std::ptrdiff_t(first), columns.begin() + std::ptrdiff_t(end), colour);
}

void paint_cells(const TimelineRow& row, std::size_t step_count, double begin, double per_step_px,
                 std::span<ImU32> columns) {
    const auto x_of = [&](double step) { return (step - begin) * per_step_px; };
    const double gap = per_step_px >= gap_from_px ? 1 : 0;
    std::size_t i = row.first_cell(std::uint32_t(std::max(begin, 0.0)));
    if (i > 0) --i;  // the warp may still wait there
    for (; i < row.cells.size() && x_of(row.cells[i].step) < double(columns.size()); ++i) {
        const TimelineCell& cell = row.cells[i];
        const double next = i + 1 < row.cells.size() ? row.cells[i + 1].step : double(step_count);
        fill(columns, x_of(cell.step), x_of(cell.step + 1.0) - gap, cell_colour(cell));
        if (cell.waits)
            fill(columns, x_of(cell.step + 1.0), x_of(next), faded(theme().barrier, waiting));
        else if (cell.finished)
            fill(columns, x_of(cell.step + 1.0), x_of(next), faded(theme().finished, leftover));
    }
}

void paint_folded(const TimelineRow& row, std::size_t step_count, double begin, double per_step_px,
                  std::span<ImU32> columns) {
    std::size_t level = 0;
    double folded = TimelineModel::first_fold;
    while (level + 1 < row.levels.size() && folded * TimelineModel::fold_factor * per_step_px <= 1)
        ++level, folded *= TimelineModel::fold_factor;
    const std::vector<TimelineBucket>& buckets = row.levels[level];
    std::size_t last_bucket = ~std::size_t{0};
    ImU32 colour = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const double step = begin + (double(i) + 0.5) / per_step_px;
        if (step >= double(step_count)) break;
        const auto bucket = std::size_t(std::max(step, 0.0) / folded);
        if (bucket != last_bucket && bucket < buckets.size()) colour = bucket_colour(buckets[bucket], bucket);
        last_bucket = bucket;
        columns[i] = colour;
    }
}

}  // namespace

ImU32 kind_colour(CellKind kind) {
    switch (kind) {
        case CellKind::run:
            return theme().run;
        case CellKind::write:
            return blend(theme().panel, theme().write_edge, 0.68f);
        case CellKind::barrier:
            return theme().barrier;
        case CellKind::finished:
            break;
    }
    return theme().finished;
}

ImU32 cell_colour(const TimelineCell& cell) {
    if (cell.kind == CellKind::barrier) return theme().barrier;
    return blend(theme().panel, kind_colour(cell.kind),
                 0.35f + 0.65f * float(cell.lanes) / float(trace::warp_size));
}

ImU32 bucket_colour(const TimelineBucket& bucket, std::size_t index) {
    constexpr double golden = 0.6180339887498949;
    double at = std::fmod(double(index) * golden, 1.0) * 255;
    for (std::size_t kind = 0; kind < cell_kinds; ++kind) {
        if (at < bucket.share[kind]) return kind_colour(CellKind(kind));
        at -= bucket.share[kind];
    }
    return 0;
}

void paint_row(const TimelineRow& row, std::size_t step_count, double begin, double per_step_px,
               std::span<ImU32> columns) {
    std::fill(columns.begin(), columns.end(), 0);
    if (per_step_px >= narrowest_cell_px)
        paint_cells(row, step_count, begin, per_step_px, columns);
    else if (!row.levels.empty())
        paint_folded(row, step_count, begin, per_step_px, columns);
}

}  // namespace lanescope::ui
