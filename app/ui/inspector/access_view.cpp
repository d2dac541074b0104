#include "ui/inspector/access_view.h"

#include <algorithm>
#include <cmath>

#include "base/language.h"
#include "ui/kit/text_block.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

constexpr std::size_t listed_requests = 6;
constexpr std::size_t sectors_in_row = 8;
constexpr float request_px = 21, metric_px = 23, tight_metric_px = 18, bars_px = 46, tight_bars_px = 24;
constexpr float time_bar_px = 60;

ImU32 colour_of(const trace::Access& access) {
    return access.kind == trace::AccessKind::load ? theme().read_edge : theme().write_edge;
}

// Returns the warp that the panel shows: the pinned one if it ran in the step, otherwise the first one that
// ran.
std::uint32_t told_warp(const session::Session& session) {
    const session::StepState& step_state = *session.playhead().step_state();
    const auto& turns = session.trace()->turns;
    const std::uint32_t pinned = session.selection().warp;
    for (const trace::TurnDetail& detail : step_state.details)
        if (turns[detail.turn].warp == pinned) return pinned;
    return step_state.details.empty() ? pinned : turns[step_state.details.front().turn].warp;
}

std::optional<unsigned> bank_of_hovered_cell(const session::Session& session) {
    const session::Selection& selection = session.selection();
    const session::StepState& step_state = *session.playhead().step_state();
    if (selection.hovered_symbol.empty() || step_state.launch == nullptr) return {};
    for (const trace::Symbol& symbol : step_state.launch->shared) {
        if (symbol.name != selection.hovered_symbol) continue;
        const std::uint32_t bytes = std::max(1u, session.trace()->program.types[symbol.element].size_bytes);
        return static_cast<unsigned>((symbol.offset + selection.hovered_index * bytes) / 4 % 32);
    }
    return {};
}

// Words that an access touches in a bank, ascending.
std::vector<std::uint64_t> words_in_bank(const trace::Access& access, unsigned bank) {
    std::vector<std::uint64_t> words;
    for (unsigned lane = 0; lane < trace::warp_size; ++lane) {
        if ((access.mask >> lane & 1) == 0) continue;
        const std::uint64_t end = access.offset[lane] + std::max<unsigned>(1, access.width_bytes);
        for (std::uint64_t word = access.offset[lane] / 4; word * 4 < end; ++word)
            if (word % 32 == bank) words.push_back(word * 4);
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
}

}  // namespace

// The lines of the shown run are those of the samples only if the run is of the text in the document.
void AccessPanel::prepare_time(const session::Session& session) {
    time_ = {};
    const GpuTime& time = file_time_.of(session);
    const std::uint32_t line = session.playhead().step_state()->step.line;
    const bool same = session.run() && session.run()->text_of_lines() == session.document().text();
    if (!time.lines() || line == 0 || !same) return;
    const double share = time_share(time, line);
    time_.head = "Line " + std::to_string(line) + " on " + gpu_words(time);
    time_.share = share > 0 ? share_words(time, share) + " of the time" : "no sample";
    time_.estimated = time.estimated();
    time_.stalls = stalls_on_line(time, line);
    time_.explanation = gpu_time_text(time);
}

void AccessPanel::prepare(const session::Session& session) {
    prepare_time(session);
    const session::StepState& step_state = *session.playhead().step_state();
    const trace::Step& step = step_state.step;
    const bool counted = session.run() && session.run()->report_ready;
    if (session.runner().generation() == generation_ && counted == counted_ && step.first == first_turn_ &&
        step.end == end_turn_ && session.selection().warp == pinned_warp_ &&
        step_state.instruction == instruction_)
        return;
    instruction_ = step_state.instruction;
    generation_ = session.runner().generation();
    first_turn_ = step.first;
    end_turn_ = step.end;
    pinned_warp_ = session.selection().warp;

    const std::uint32_t warp = told_warp(session);
    details_.clear();
    for (const trace::TurnDetail& detail : step_state.details)
        if (session.trace()->turns[detail.turn].warp == warp) details_.push_back(detail);
    std::vector<const trace::TurnDetail*> pointers;
    for (const trace::TurnDetail& detail : details_)
        pointers.push_back(&detail);
    trace::Mask present = 0;
    for (unsigned lane = 0; warp < step_state.warps.size() && lane < trace::warp_size; ++lane)
        if (step_state.warps[warp][lane].status != trace::LaneStatus::absent) present |= 1u << lane;
    requests_ = describe_requests(*session.trace(), step.launch, present, pointers,
                                  session.run() ? session.run()->instructions.get() : nullptr);
    const auto worse = [](const Request& a, const Request& b) { return a.cost * b.ideal < b.cost * a.ideal; };
    const auto worst = std::max_element(requests_.begin(), requests_.end(), worse);
    chosen_ = static_cast<std::size_t>(worst - requests_.begin());

    place_ = step.line ? "line " + std::to_string(step.line) + " · warp " + std::to_string(warp)
                       : "warp " + std::to_string(warp);
    const auto& launches = session.run() ? session.run()->report.launches : std::vector<analysis::Metrics>{};
    metrics_ = metric_rows(step_state.metrics,
                           step.launch < launches.size() ? launches[step.launch] : analysis::Metrics{});
    counted_ = session.run() && session.run()->report_ready;
    whole_kernel_ = counted_ ? tr("whole kernel") : not_counted(session);
    if (!counted_)
        for (MetricRow& row : metrics_)
            row.kernel = "…";
    scroll_ = 0;
}

void AccessPanel::draw(const Rect& inside, const ViewContext& view) {
    bank_words_.clear();
    if (view.window.inspector.counters) {
        if (!view.window.cells.bank_words.empty())
            view.requests.set(&WindowState::cells, &CellChoices::bank_words, {});
        return counters_.draw(inside, view);
    }
    if (!view.session.playhead().step_state() || !view.session.trace()) {
        generation_ = ~0ull;
        return;
    }
    prepare(view.session);
    has_counters_ = counters_.has_figures(view.session);
    cell_bank_ = bank_of_hovered_cell(view.session);
    tight_ = view.px(roomy_height()) > inside.height;
    const float x = inside.x + view.px(theme().padding);
    float y = inside.y + view.px(tight_ ? 5 : 9) - scroll_;
    draw_text(ImGui::GetWindowDrawList(), fonts().strong, {x, y}, theme().text_strong, place_);
    y = draw_requests(inside, y, view.window);
    if (chosen_ < requests_.size()) {
        const trace::Access& access = *requests_[chosen_].access;
        y = requests_[chosen_].texture             ? draw_words(inside, y, texture_verdict, view.window)
            : requests_[chosen_].remote            ? draw_words(inside, y, remote_verdict, view.window)
            : access.space == trace::Space::shared ? draw_banks(inside, y, requests_[chosen_], view.window)
                                                   : draw_sectors(inside, y, access, view.window);
    }
    if (bank_words_ != view.window.cells.bank_words)
        view.requests.set(&WindowState::cells, &CellChoices::bank_words, bank_words_);
    // Beside the lines' times their reasons come first.
    const bool time_first = view.window.source.heat == HeatMetric::time;
    if (time_first) y = draw_time(inside, y, view.window);
    y = draw_metrics(inside, y + view.px(tight_ ? 1 : 8), view.window, view.requests);
    if (!time_first) y = draw_time(inside, y, view.window);
    scroll(inside, y + scroll_ - inside.y + view.px(tight_ ? 2 : 8), view.window);
}

// Returns the height of the panel's content if there is room for all of it.
float AccessPanel::roomy_height() const {
    const float small = 14, text = 17;
    float height = 17 + request_px + metric_px * float(metrics_.size() + 1) + 8;
    if (requests_.size() > 1) height += request_px * float(std::min(requests_.size(), listed_requests));
    if (requests_.size() > listed_requests) height += small;
    if (chosen_ >= requests_.size()) return height;
    const trace::Access& access = *requests_[chosen_].access;
    if (requests_[chosen_].texture || requests_[chosen_].remote) return height + 3 * text;
    if (access.space == trace::Space::shared) return height + bars_px + 2 * small + text + 26;
    const std::size_t rows = (touched_sectors(access).size() + sectors_in_row - 1) / sectors_in_row;
    return height + small + text + 17 + 18 * float(std::max<std::size_t>(rows, 1));
}

void AccessPanel::scroll(const Rect& inside, float height, const WindowState& window) {
    if (hovered(inside, window)) scroll_ -= ImGui::GetIO().MouseWheel * window.px(40);
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, height - inside.height));
    draw_scroll_mark(inside, scroll_, height, window);
}

// Draws a single request beside the place, and several requests below it, where the user can choose one.
float AccessPanel::draw_requests(const Rect& inside, float y, const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float x = inside.x + window.px(theme().padding),
                right = inside.right() - window.px(theme().padding);
    const float beside = x + text_width(fonts().strong, place_) + window.px(6);
    const float row = window.click_px(tight_ ? 18 : request_px);
    if (requests_.empty()) {
        draw_text_within(draw, fonts().text, {beside, y}, theme().text_quiet, tr("no memory access"),
                         right - beside);
        return y + row;
    }
    if (requests_.size() == 1) {
        draw_text_within(draw, fonts().text, {beside, y}, theme().text_quiet, requests_[0].text,
                         right - beside);
        return y + row;
    }
    y += row;
    const std::size_t first = chosen_ >= listed_requests ? chosen_ + 1 - listed_requests : 0;
    const std::size_t end = std::min(requests_.size(), first + listed_requests);
    for (std::size_t i = first; i < end; ++i) {
        const Rect area{x, y, right - x, row};
        ImGui::PushID(static_cast<int>(i));
        if (click_area("request", area, "request " + std::to_string(i + 1))) chosen_ = i;
        const bool hot = !window.still && ImGui::IsItemHovered();
        ImGui::PopID();
        const bool chosen = i == chosen_;
        if (chosen)
            draw_triangle(draw, Triangle::right, {x + window.px(4), y + row / 2}, window.px(7),
                          theme().accent);
        draw_text_within(draw, fonts().text, {x + window.px(14), centre_line(fonts().text, y, row)},
                         chosen || hot ? theme().text : theme().text_quiet, requests_[i].text,
                         right - x - window.px(14));
        y += row;
    }
    if (requests_.size() > listed_requests) {
        draw_text(draw, fonts().small, {x + window.px(14), y}, theme().text_faint,
                  std::to_string(requests_.size()) + " requests in this step");
        y += font_size(fonts().small);
    }
    return y;
}

float AccessPanel::draw_banks(const Rect& inside, float y, const Request& request,
                              const WindowState& window) {
    const trace::Access& access = *request.access;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float x = inside.x + window.px(theme().padding);
    const float pitch = (inside.width - window.px(2 * theme().padding)) / 32;
    const float gap = std::max(1.0f, std::floor(pitch / 6));
    draw_text(draw, fonts().small, {x, y + window.px(2)}, theme().text_quiet, tr("32 shared-memory banks"));
    const analysis::BankUse use = analysis::banks(access, request.addressing);
    const unsigned most = *std::max_element(use.words.begin(), use.words.end());
    const float room = window.px(tight_ ? tight_bars_px : bars_px),
                unit = std::min(window.px(18), room / static_cast<float>(std::max(1u, most)));
    const float number_height = font_size(fonts().mono_tiny);
    const float base = y + window.px(4) + font_size(fonts().small) + room + number_height;
    // In narrow columns only every second or fourth has its number.
    const float number_width = text_width(fonts().mono_tiny, "00") + window.px(2);
    const unsigned every = pitch >= number_width ? 1 : 2 * pitch >= number_width ? 2 : 4;
    for (unsigned bank = 0; bank < 32; ++bank) {
        const float left = std::round(x + static_cast<float>(bank) * pitch),
                    right = std::round(left + pitch - gap);
        draw->AddRectFilled({left, base}, {right, base + window.px(4)}, theme().line);
        const unsigned words = use.words[bank];
        const float height = static_cast<float>(words) * unit;
        const ImU32 colour = words > 1 ? theme().conflict : colour_of(access);
        if (words) draw->AddRectFilled({left, base - height}, {right, base + window.px(4)}, colour);
        // Lines separate the words: the number of pieces is the number of wavefronts.
        for (unsigned word = 1; word < words && unit >= 3; ++word)
            draw->AddLine({left, base - static_cast<float>(word) * unit},
                          {right, base - static_cast<float>(word) * unit}, theme().panel);
        if (words > 1)
            draw_text_centred(draw, fonts().mono_tiny,
                              {left, base - height - number_height, right - left, number_height},
                              theme().text, std::to_string(words));
        if (bank % every != 0) continue;
        draw_text_centred(draw, fonts().mono_tiny,
                          {left - 2, base + window.px(6), right - left + 4, number_height},
                          theme().text_faint, std::to_string(bank));
    }
    show_hovered_bank({x, base - room, 32 * pitch, room + window.px(10) + number_height}, access, window);
    const AccessVerdict verdict = bank_verdict(access, request.addressing);
    y = base + window.px(8) + number_height + window.px(2);
    draw_text_within(draw, fonts().text, {x, y}, verdict.good ? theme().good : theme().conflict, verdict.text,
                     inside.width - window.px(2 * theme().padding));
    return y + font_size(fonts().text) + window.px(4);
}

// The bank under the mouse shows its cells on the stage, and a cell under the mouse its bank here.
void AccessPanel::show_hovered_bank(const Rect& bars, const trace::Access& access,
                                    const WindowState& window) {
    std::optional<unsigned> bank = cell_bank_;
    if (!window.still && hovered(bars, window)) {
        const float column = (ImGui::GetIO().MousePos.x - bars.x) / bars.width * 32;
        bank = static_cast<unsigned>(std::clamp(column, 0.0f, 31.0f));
        bank_words_ = words_in_bank(access, *bank);
        const std::size_t words = bank_words_.size();
        tooltip("bank " + std::to_string(*bank) + ": " + std::to_string(words) +
                    (words == 1 ? " word" : " words") + " in this request",
                window);
    }
    if (!bank) return;
    const float pitch = bars.width / 32, left = bars.x + static_cast<float>(*bank) * pitch;
    ImGui::GetWindowDrawList()->AddRect({left - 1, bars.y - 1}, {left + pitch, bars.bottom()},
                                        theme().text_strong, 0, 0, window.px(1.5f));
}

float AccessPanel::draw_words(const Rect& inside, float y, const char* words, const WindowState& window) {
    const float x = inside.x + window.px(theme().padding);
    const float width = inside.width - window.px(2 * theme().padding);
    return y + window.px(2) +
           draw_text_block(fonts().text, {x, y + window.px(2), width, 0}, theme().text_quiet, words) +
           window.px(4);
}

float AccessPanel::draw_sectors(const Rect& inside, float y, const trace::Access& access,
                                const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float x = inside.x + window.px(theme().padding);
    const float width = inside.width - window.px(2 * theme().padding);
    draw_text(draw, fonts().small, {x, y + window.px(2)}, theme().text_quiet,
              tr("32-byte sectors and their requested bytes"));
    y += font_size(fonts().small) + window.px(10);
    const std::vector<Sector> sectors = touched_sectors(access);
    const float pitch = width / static_cast<float>(sectors_in_row), gap = window.px(5),
                height = window.px(13);
    for (std::size_t i = 0; i < sectors.size(); ++i) {
        const float left = x + static_cast<float>(i % sectors_in_row) * pitch;
        const float top = y + static_cast<float>(i / sectors_in_row) * (height + window.px(5));
        const float byte = (pitch - gap) / 32;
        draw->AddRectFilled({left, top}, {left + pitch - gap, top + height}, theme().line);
        for (unsigned first = 0; first < 32;) {
            unsigned end = first;
            while (end < 32 && (sectors[i].bytes >> end & 1))
                ++end;
            if (end > first)
                draw->AddRectFilled({left + static_cast<float>(first) * byte, top},
                                    {left + static_cast<float>(end) * byte, top + height}, colour_of(access));
            first = end + 1;
        }
    }
    const std::size_t rows = std::max<std::size_t>(1, (sectors.size() + sectors_in_row - 1) / sectors_in_row);
    y += static_cast<float>(rows) * (height + window.px(5)) + window.px(3);
    const AccessVerdict verdict = sector_verdict(access);
    draw_text_within(draw, fonts().text, {x, y}, verdict.good ? theme().good : theme().conflict, verdict.text,
                     width);
    return y + font_size(fonts().text) + window.px(4);
}

float AccessPanel::draw_metrics(const Rect& inside, float y, const WindowState& window, Requests& requests) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float x = inside.x + window.px(theme().padding),
                width = inside.width - window.px(2 * theme().padding);
    const float row = window.px(tight_ ? tight_metric_px : metric_px);
    float step_width = text_width(fonts().small, "this step"),
          kernel_width = text_width(fonts().small, whole_kernel_);
    for (const MetricRow& metric : metrics_) {
        step_width = std::max(step_width, text_width(fonts().mono, metric.step));
        kernel_width = std::max(kernel_width, text_width(fonts().mono, metric.kernel));
    }
    const float kernel_x = x + width - kernel_width, step_x = kernel_x - step_width - window.px(14);
    const float head = centre_line(fonts().small, y, row);
    draw_text(draw, fonts().small, {step_x, head}, theme().text_quiet, "this step");
    draw_text(draw, fonts().small, {kernel_x, head}, theme().text_quiet, whole_kernel_);
    if (has_counters_) {  // the way to the kernel's figures on a GPU
        const std::string words = "Measured on a GPU";
        const float mark = window.px(7), link = text_width(fonts().small, words) + mark + window.px(5);
        const Rect area{x, y, link, row};
        const bool clicked = click_area("counters", area, words);
        const bool hot = !window.still && ImGui::IsItemHovered();
        const ImU32 colour = hot ? theme().text_strong : theme().accent;
        draw_text(draw, fonts().small, {x, head}, colour, words);
        draw_triangle(draw, Triangle::right, {x + link - mark / 2, y + row / 2}, mark, colour);
        if (hot) tooltip("shows what was counted beside what a GPU measured", window);
        if (clicked) requests.set(&WindowState::inspector, &InspectorState::counters, true);
    }
    y += row;
    for (const MetricRow& metric : metrics_) {
        draw_text_within(draw, fonts().text, {x, centre_line(fonts().text, y, row)}, theme().text,
                         metric.name, step_x - x - window.px(6));
        draw_text(draw, fonts().mono, {step_x, centre_line(fonts().mono, y, row)}, theme().text, metric.step);
        draw_text(draw, fonts().mono, {kernel_x, centre_line(fonts().mono, y, row)}, theme().text,
                  metric.kernel);
        y += row;
    }
    return y;
}

// Draws where the time of the line goes on a GPU: a bar, a share and a reason in each row.
float AccessPanel::draw_time(const Rect& inside, float y, const WindowState& window) const {
    if (time_.head.empty()) return y;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float x = inside.x + window.px(theme().padding),
                width = inside.width - window.px(2 * theme().padding);
    const float row = window.px(tight_ ? tight_metric_px : metric_px);
    y += window.px(tight_ ? 3 : 8);
    const Rect head{x, y, width, row};
    const float share = text_width(fonts().strong, time_.share);
    draw_text(draw, fonts().strong, {x + width - share, centre_line(fonts().strong, y, row)},
              theme().text_strong, time_.share);
    draw_text_within(draw, fonts().small, {x, centre_line(fonts().small, y, row)}, theme().text_quiet,
                     time_.head, width - share - window.px(10));
    if (!window.still && hovered(head, window)) tooltip(time_.explanation, window);
    y += row;
    const float bar = window.px(time_bar_px), number = text_width(fonts().mono, "100 %") + window.px(8);
    for (const StallWords& stall : time_.stalls) {
        const float top = y + std::round(row / 3), bottom = y + std::round(2 * row / 3);
        draw->AddRectFilled({x, top}, {x + bar, bottom}, theme().line);
        draw->AddRectFilled({x, top}, {x + std::max(bar * float(stall.share), 1.0f), bottom}, theme().time);
        if (time_.estimated)
            draw_hatching(draw, {x, top, bar * float(stall.share), bottom - top}, theme().background,
                          window.px(5));
        const std::string percent = percent_words(stall.share);
        const float right = x + bar + number;
        draw_text(draw, fonts().mono,
                  {right - text_width(fonts().mono, percent), centre_line(fonts().mono, y, row)},
                  theme().text, percent);
        draw_text_within(draw, fonts().text, {right + window.px(10), centre_line(fonts().text, y, row)},
                         theme().text, stall.words, x + width - right - window.px(10));
        y += row;
    }
    return y;
}

}  // namespace lanescope::ui
