#include "scene/timeline/timeline_model.h"

#include <algorithm>
#include <bit>

#include "analysis/metrics.h"
#include "scene/timeline/phase_names.h"
#include "trace/replay.h"

namespace lanescope::scene {
namespace {

bool stopped(const std::atomic<bool>* cancelled) {
    return cancelled && cancelled->load(std::memory_order_relaxed);
}

bool writes(const trace::Trace& trace, std::uint64_t turn, trace::TurnDetail& scratch) {
    trace::decode(trace, turn, scratch);
    return std::any_of(scratch.accesses.begin(), scratch.accesses.end(), [](const trace::Access& access) {
        return access.kind != trace::AccessKind::load && access.space != trace::Space::local;
    });
}

// Counts how many steps of each bucket a row's cells fill, by kind; a waiting or finished warp also fills
// what follows.
class Filler {
  public:
    explicit Filler(std::size_t step_count)
        : steps_(std::uint32_t(step_count)),
          filled_((step_count + TimelineModel::first_fold - 1) / TimelineModel::first_fold) {}

    void fill(CellKind kind, std::uint32_t first, std::uint32_t end) {
        end = std::min(end, steps_);
        while (first < end) {
            const std::uint32_t bucket = first / TimelineModel::first_fold;
            const std::uint32_t until = std::min(end, (bucket + 1) * TimelineModel::first_fold);
            filled_[bucket][std::size_t(kind)] =
                std::uint8_t(filled_[bucket][std::size_t(kind)] + (until - first));
            first = until;
        }
    }

    std::vector<TimelineBucket> buckets() const {
        std::vector<TimelineBucket> result(filled_.size());
        for (std::size_t i = 0; i < filled_.size(); ++i)
            for (std::size_t kind = 0; kind < cell_kinds; ++kind)
                result[i].share[kind] = std::uint8_t(filled_[i][kind] * 255u / TimelineModel::first_fold);
        return result;
    }

  private:
    std::uint32_t steps_;
    std::vector<std::array<std::uint8_t, cell_kinds>> filled_;
};

std::vector<TimelineBucket> fold(const std::vector<TimelineBucket>& fine) {
    constexpr std::size_t factor = TimelineModel::fold_factor;
    std::vector<TimelineBucket> coarse((fine.size() + factor - 1) / factor);
    for (std::size_t i = 0; i < coarse.size(); ++i)
        for (std::size_t kind = 0; kind < cell_kinds; ++kind) {
            unsigned sum = 0;
            for (std::size_t j = i * factor; j < std::min((i + 1) * factor, fine.size()); ++j)
                sum += fine[j].share[kind];
            coarse[i].share[kind] = std::uint8_t(sum / factor);
        }
    return coarse;
}

// A launch by a kernel is called "child (from parent, block 2)".
unsigned level_of(const std::vector<trace::Launch>& launches, std::uint32_t launch) {
    unsigned level = 0;
    for (std::uint32_t at = launch; level < 24; ++level) {
        const std::string& name = launches[at].kernel;
        const std::size_t from = name.find(" (from ");
        if (from == std::string::npos) break;
        const std::string parent = name.substr(from + 7, name.rfind(", block ") - from - 7);
        std::uint32_t before = at;
        while (before > 0 && !launches[before - 1].kernel.starts_with(parent))
            --before;
        if (before == 0) return level + 1;
        at = before - 1;
    }
    return level;
}

void add(TimelineModel::Range& whole, const TimelineModel::Range& part) {
    whole.least = std::min(whole.least, part.least);
    whole.greatest = std::max(whole.greatest, part.greatest);
    whole.sum += part.sum;
}

}  // namespace

std::size_t TimelineRow::first_cell(std::uint32_t step) const {
    const auto found =
        std::lower_bound(cells.begin(), cells.end(), step,
                         [](const TimelineCell& cell, std::uint32_t wanted) { return cell.step < wanted; });
    return std::size_t(found - cells.begin());
}

std::shared_ptr<const TimelineModel> TimelineModel::build(const trace::Trace& trace, std::uint32_t block,
                                                          trace::Granularity granularity,
                                                          const std::atomic<bool>* cancelled,
                                                          const execution::TurnLog* log,
                                                          std::span<const execution::PhaseLine> named) {
    auto model = std::make_shared<TimelineModel>();
    const bool by_turn = granularity == trace::Granularity::turn;
    model->steps_ =
        execution::steps_of(trace, log, block, by_turn ? trace::Granularity::turn : trace::Granularity::line);
    if (stopped(cancelled) || !model->collect_cells(trace, cancelled)) return nullptr;
    model->mark_finished();
    model->fold_rows();
    const std::vector<float> lanes = analysis::lanes_on(trace, model->steps_);
    model->lanes_.emplace_back();
    for (const float share : lanes)
        model->lanes_.front().push_back({share, share, share});
    model->fold_lanes();
    model->collect_marks(trace, block);
    model->name_phases(trace, cancelled, named);
    return stopped(cancelled) ? nullptr : model;
}

bool TimelineModel::collect_cells(const trace::Trace& trace, const std::atomic<bool>* cancelled) {
    std::size_t warps = 0;
    for (const trace::Launch& launch : trace.launches)
        warps = std::max<std::size_t>(warps, launch.warps_per_block());
    rows_.resize(warps);
    trace::TurnDetail scratch;
    std::vector<trace::Mask> lanes(warps);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const trace::Step& step = steps_[i];
        if (i % 1024 == 0 && stopped(cancelled)) return false;
        for (std::uint64_t turn = step.first; turn < std::min<std::uint64_t>(step.end, trace.turns.size());
             ++turn) {
            const trace::Turn& each = trace.turns[turn];
            if (each.block != step.block || each.warp >= warps) continue;
            std::vector<TimelineCell>& cells = rows_[each.warp].cells;
            if (cells.empty() || cells.back().step != i) {
                cells.push_back({std::uint32_t(i), CellKind::run, 0, false, false});
                lanes[each.warp] = 0;
            }
            TimelineCell& cell = cells.back();
            lanes[each.warp] |= each.mask;
            cell.lanes = std::uint8_t(std::popcount(lanes[each.warp]));
            cell.waits = each.end == trace::TurnEnd::barrier;
            cell.finished = each.end == trace::TurnEnd::exited;
            if (cell.waits)
                cell.kind = CellKind::barrier;
            else if (cell.kind == CellKind::run && writes(trace, turn, scratch))
                cell.kind = CellKind::write;
        }
    }
    return true;
}

// A warp is finished when it has no further cell in the launch.
void TimelineModel::mark_finished() {
    for (TimelineRow& row : rows_)
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            TimelineCell& cell = row.cells[i];
            const bool last =
                i + 1 == row.cells.size() || steps_[row.cells[i + 1].step].launch != steps_[cell.step].launch;
            cell.finished = cell.finished && last;
        }
}

void TimelineModel::fold_rows() {
    for (TimelineRow& row : rows_) {
        Filler filler(steps_.size());
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const TimelineCell& cell = row.cells[i];
            const std::uint32_t next =
                i + 1 < row.cells.size() ? row.cells[i + 1].step : std::uint32_t(steps_.size());
            filler.fill(cell.kind, cell.step, cell.step + 1);
            if (cell.waits)
                filler.fill(CellKind::barrier, cell.step + 1, next);
            else if (cell.finished)
                filler.fill(CellKind::finished, cell.step + 1, next);
        }
        row.levels.push_back(filler.buckets());
        while (row.levels.back().size() > 1)
            row.levels.push_back(fold(row.levels.back()));
    }
}

void TimelineModel::fold_lanes() {
    while (lanes_.back().size() > 1) {
        const std::vector<Range>& fine = lanes_.back();
        std::vector<Range> coarse((fine.size() + fold_factor - 1) / fold_factor, Range{1, 0, 0});
        for (std::size_t i = 0; i < fine.size(); ++i) {
            add(coarse[i / fold_factor], fine[i]);
        }
        lanes_.push_back(std::move(coarse));
    }
}

TimelineModel::Range TimelineModel::lanes_on(std::uint32_t first, std::uint32_t end) const {
    Range range{1, 0, 0};
    std::size_t level = 0;
    std::uint64_t size = 1, at = first;
    end = std::min(end, std::uint32_t(lanes_.front().size()));
    while (at < end) {
        while (level + 1 < lanes_.size() && at % (size * fold_factor) == 0 && at + size * fold_factor <= end)
            ++level, size *= fold_factor;
        while (at + size > end)
            --level, size /= fold_factor;
        add(range, lanes_[level][at / size]);
        at += size;
    }
    return range;
}

void TimelineModel::collect_marks(const trace::Trace& trace, std::uint32_t block) {
    std::size_t phase = 0;
    std::uint32_t launch = trace::none;
    std::size_t release = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        if (steps_[i].launch != launch) {
            launch = steps_[i].launch;
            phase = 0;
            const std::string number = trace.launches.size() > 1 ? std::to_string(launch + 1) + ": " : "";
            marks_.push_back({std::uint32_t(i), true, number + trace.launches[launch].kernel,
                              level_of(trace.launches, launch)});
        }
        for (; release < trace.releases.size() && trace.releases[release].turn <= steps_[i].first;
             ++release) {
            const trace::BarrierRelease& opened = trace.releases[release];
            const bool same_launch = opened.turn > trace.launches[launch].first_turn;
            const std::uint32_t shown = block < trace.launches[launch].grid.count() ? block : 0;
            if (opened.block != shown || !same_launch) continue;
            marks_.push_back({std::uint32_t(i), false, "phase " + std::to_string(++phase), 0});
        }
    }
}

// A phase goes from its mark to the next one; the first warp that ran in it gives it its name.
void TimelineModel::name_phases(const trace::Trace& trace, const std::atomic<bool>* cancelled,
                                std::span<const execution::PhaseLine> named) {
    std::vector<PhaseSpan> spans;
    std::vector<std::size_t> marks;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        if (marks_[i].launch) continue;
        const auto end = std::uint32_t(i + 1 < marks_.size() ? marks_[i + 1].step : steps_.size());
        for (const TimelineRow& row : rows_) {
            const std::size_t first = row.first_cell(marks_[i].step), last = row.first_cell(end);
            if (first == last) continue;
            // A write tells the round of a loop; the ends of the phase may belong to the rounds before and
            // after.
            std::size_t telling = first;
            while (telling < last && row.cells[telling].kind != CellKind::write)
                ++telling;
            if (telling == last) telling = (first + last - 1) / 2;
            const trace::Step& middle = steps_[row.cells[telling].step];
            const auto warp = std::uint16_t(&row - rows_.data());
            std::uint64_t turn = middle.first;
            while (turn + 1 < middle.end &&
                   (trace.turns[turn].block != middle.block || trace.turns[turn].warp != warp))
                ++turn;
            spans.push_back({middle.launch, middle.block, turn});
            marks.push_back(i);
            break;
        }
    }
    const std::vector<std::string> names = phase_names(trace, spans, cancelled);
    for (std::size_t i = 0; i < marks.size(); ++i)
        if (!names[i].empty()) marks_[marks[i]].label = names[i];
    if (named.empty()) return;
    std::vector<bool> numbered(marks_.size(), true);  // the label is "phase 3"
    for (std::size_t i = 0; i < marks.size(); ++i)
        numbered[marks[i]] = names[i].empty();
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        if (marks_[i].launch) continue;
        const auto end = std::uint32_t(i + 1 < marks_.size() ? marks_[i + 1].step : steps_.size());
        const std::string* name = name_within(marks_[i].step, end, named);
        if (name != nullptr) marks_[i].label = numbered[i] ? *name : *name + ", " + marks_[i].label;
    }
}

// The name whose line runs first in the steps [first, end); null: none of them runs.
const std::string* TimelineModel::name_within(std::uint32_t first, std::uint32_t end,
                                              std::span<const execution::PhaseLine> named) const {
    for (std::uint32_t i = first; i < end; ++i)
        for (const execution::PhaseLine& each : named)
            if (each.line == steps_[i].line) return &each.name;
    return nullptr;
}

}  // namespace lanescope::scene
