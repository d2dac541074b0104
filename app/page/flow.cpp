#include "page/flow.h"

#include <nlohmann/json.hpp>

#include "scene/flow/flow_slots.h"
#include "scene/flow/flow_words.h"

namespace lanescope::page {
namespace {

using nlohmann::ordered_json;

constexpr std::uint64_t most_turns = 1'000'000;  // of a run whose values are followed for a page
constexpr std::uint32_t most_page_slots = 40;    // columns of a page; more fold
constexpr std::size_t most_stories = 2'000, most_page_rows = 200, most_page_edges = 20'000;

// Steps by turns, for clicks; null: not on the page.
class StepFinder {
  public:
    StepFinder(const session::Session& shown, StepRange range) : shown_(shown), range_(range) {}
    ordered_json of(std::uint64_t turn, std::uint32_t block) const {
        const std::vector<trace::Step>& steps = shown_.playhead().steps();
        if (turn == scene::FlowCell::never || block != shown_.playhead().block()) return nullptr;
        const std::size_t step = trace::step_at(steps, turn);
        if (step < range_.first || step > range_.last) return nullptr;
        return step;
    }

  private:
    const session::Session& shown_;
    StepRange range_;
};

class FlowWriter {
  public:
    FlowWriter(const scene::FlowFigure& figure, const trace::Trace& trace, const analysis::Flow& flow,
               const StepFinder& steps)
        : figure_(figure),
          slots_(figure, figure.matrices() ? ~0u : most_page_slots),
          trace_(trace),
          provenance_(trace, flow),
          steps_(steps) {
        rows_ = static_cast<std::uint32_t>(std::min(figure.rows.size(), most_page_rows));
    }

    ordered_json write() {
        ordered_json json{{"array", figure_.array.name},
                          {"work", scene::flow_work_words(figure_)},
                          {"note", figure_.note},
                          {"matrix", figure_.matrices()}};
        json["slots"] = ordered_json::array();
        const std::uint32_t own = std::min(figure_.first_own, rows_ == 0 ? 0 : rows_ - 1);
        if (!figure_.matrices())
            for (std::uint32_t i = 0; i < slots_.count(); ++i)
                json["slots"].push_back({slots_.slots()[i].count, rows_ == 0 ? 0 : slots_.column_in(own, i)});
        json["rows"] = ordered_json::array();
        for (std::uint32_t row = 0; row < rows_; ++row)
            json["rows"].push_back(row_json(row));
        json["links"] = links_json();
        if (rows_ < figure_.rows.size())
            json["note"] = "only the first " + std::to_string(rows_) + " of " +
                           std::to_string(figure_.rows.size()) + " rows";
        return json;
    }

  private:
    ordered_json row_json(std::uint32_t number) {
        const scene::FlowRow& row = figure_.rows[number];
        ordered_json json{{"title", row.title},
                          {"facts", row.facts},
                          {"conflict", row.conflict},
                          {"own", figure_.is_own(number)},
                          {"width", row.width}};
        json["step"] = row.end_turn == 0 || row.repeat != 0
                           ? ordered_json()
                           : steps_.of(row.first_turn, row.cells.front().block);
        json["cells"] = ordered_json::array();
        json["piles"] = ordered_json::array();
        for (const scene::FlowItem& item : slots_.items(number)) {
            if (slots_.slots()[item.slot].folded())
                json["piles"].push_back({item.slot, item.end_cell - item.first_cell});
            else
                json["cells"].push_back(cell_json(number, item.slot, row.cells[item.first_cell]));
        }
        return json;
    }

    // Where it stands, value, inputs, operator, whether something is made of it, step, name, story.
    ordered_json cell_json(std::uint32_t row, std::uint32_t slot, const scene::FlowCell& cell) {
        const bool copy = analysis::is_copy(cell.op) || cell.first_edge == cell.end_edge;
        const std::string label =
            cell.updates > 1 && cell.range == "–" ? std::to_string(cell.updates) + "×" : cell.range;
        const std::string story =
            stories_++ < most_stories ? scene::flow_story(cell, trace_, provenance_) : std::string();
        return {figure_.matrices() ? cell.column : slot, cell.text, label,
                copy ? "" : analysis::sign_of(cell.op),  cell.used, steps_.of(cell.turn, cell.block),
                figure_.name(row, cell.column),          story};
    }

    // From row and place, to row and place, whether it is a copy, how many edges.
    ordered_json links_json() const {
        ordered_json json = ordered_json::array();
        if (!figure_.matrices()) {
            for (const scene::FlowLink& link : slots_.links())
                if (link.to_row < rows_)
                    json.push_back(
                        {link.from_row, link.from_slot, link.to_row, link.to_slot, link.copy, link.edges});
            return json;
        }
        if (figure_.edges.size() > most_page_edges) return json;
        for (const scene::FlowEdge& edge : figure_.edges)
            if (edge.to_row < rows_)
                json.push_back({edge.from_row, edge.from_column, edge.to_row, edge.to_column, edge.copy, 1});
        return json;
    }

    const scene::FlowFigure& figure_;
    scene::FlowSlots slots_;
    const trace::Trace& trace_;
    analysis::Provenance provenance_;
    const StepFinder& steps_;
    std::uint32_t rows_ = 0;
    std::size_t stories_ = 0;
};

}  // namespace

ordered_json flow_json(const session::Session& shown, StepRange range, const std::atomic<bool>* cancel) {
    const execution::RunResult& run = *shown.run();
    if (!run.flow || !run.trace) return nullptr;
    if (run.trace->turns.size() > most_turns)
        return {{"note", "The run is too long for a figure of its flow."}, {"rows", ordered_json::array()}};
    const std::shared_ptr<const analysis::Flow> flow = run.flow->get(cancel);
    const trace::Step& step = shown.playhead().steps()[range.first];
    const auto figure = scene::make_flow_figure(
        run.trace, *flow,
        {step.launch, step.block, {}, true, execution::phase_lines(shown.lesson(), run.source)}, cancel);
    const StepFinder steps(shown, range);
    return FlowWriter(*figure, *run.trace, *flow, steps).write();
}

}  // namespace lanescope::page
