// Predict, then reveal: the person types the value of a cell that the step writes.
#include <algorithm>

#include "analysis/flow/provenance.h"
#include "ui/stage/stage_draw.h"
#include "ui/stage/stage_view.h"

namespace lanescope::ui {

session::HiddenPlace StageView::place_of(const CellRef& cell) const {
    return {analysis::cell_name(*model_.arrays()[cell.array].symbol, cell.index)};
}

// Only what the step writes is hidden; the old value is an operand.
bool StageView::can_predict(const CellRef& cell, const session::Session& session) const {
    const CellMark* mark = model_.scene().mark(cell);
    return session.playhead().results().concealed && mark && mark->written();
}

void StageView::predict(const CellRef& cell, const session::Session& session) {
    prediction_.open(session, place_of(cell));
    predicted_ = cell;
}

// Opens the input of the cell after (or before) `after` in the order of arrays and cells. Without `after`: of
// the first cell for which nothing was typed.
void StageView::predict_next(const CellRef* after, int direction, const session::Session& session) {
    std::vector<CellRef> cells;
    for (const CellMark& mark : model_.scene().marks)
        if (mark.written() && model_.layout().plans[mark.cell.array].shows(mark.cell.index))
            cells.push_back(mark.cell);
    if (cells.empty()) return;
    if (!after) {
        const auto open = std::find_if(cells.begin(), cells.end(), [&](const CellRef& cell) {
            return session.predictions().of(place_of(cell)) == nullptr;
        });
        return predict(open == cells.end() ? cells.front() : *open, session);
    }
    const auto at = std::find(cells.begin(), cells.end(), *after);
    const bool end = direction > 0 ? at == cells.end() || at + 1 == cells.end() : at == cells.begin();
    if (!end) predict(*(at + direction), session);
}

void StageView::predictions(const StagePicture& picture, const session::Session& session,
                            Requests& requests) {
    const bool concealed = session.playhead().results().concealed;
    if (!concealed && session.predictions().of_step().empty()) return prediction_.close();
    const auto rect = [&](const CellRef& cell) {
        return picture.cell_rect(model_.layout().plans[cell.array], cell.index);
    };
    for (const CellMark& mark : model_.scene().marks) {
        if (!mark.written() || !model_.layout().plans[mark.cell.array].shows(mark.cell.index)) continue;
        if (const session::Prediction* typed = session.predictions().of(place_of(mark.cell)))
            draw_prediction(picture.draw, rect(mark.cell), *typed, picture.window);
    }
    if (!concealed) return prediction_.close();
    if (picture.window.signals.predict && !prediction_.place()) predict_next(nullptr, 1, session);
    if (!prediction_.place() || !predicted_) return;
    if (!can_predict(*predicted_, session)) return prediction_.close();
    const PredictionInput::Move move =
        prediction_.draw(rect(*predicted_), {session, picture.window, requests});
    if (move == PredictionInput::Move::stay) return;
    const CellRef here = *predicted_;
    predict_next(&here, move == PredictionInput::Move::next ? 1 : -1, session);
    requests.next_frame = true;
}

}  // namespace lanescope::ui
