#include "ui/preview/result_section.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "ui/actions/table.h"
#include "ui/kit/path_prompt.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

std::string number(double value, int digits) {
    char text[40];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

}  // namespace

void ResultSection::draw(SideColumn& column) {
    const Rect line = column.section("result");
    if (model_.runner().facts() != nullptr &&
        column.link("##save result",
                    with_keys(column.window().preview.editing ? "save as PNG … · {preview.save_result}"
                                                              : "save as PNG … · {preview.save}"),
                    line.right(), line))
        save_wanted_ = true;
    save_popup(column.window());
    loads(column);
    against_exact(column);
    histogram(column);
}

// Asks for a path and writes the filtered image.
void ResultSection::save_popup(const WindowState& window) {
    if (std::exchange(save_wanted_, false)) ImGui::OpenPopup("save result");
    PathPopup popup("save result", 360, window);
    if (!popup.open()) return;
    if (popup.appears()) {
        replacing_.forget();
        note_.clear();
        std::string name = model_.image_file().path().stem().string() + "_filtered.png";
        name.resize(std::min(name.size(), path_.size() - 1));
        if (path_[0] == '\0') std::copy(name.c_str(), name.c_str() + name.size() + 1, path_.data());
    }
    if (!popup.typed("##result path", note_.empty() ? "write the result to this PNG file:" : note_, path_))
        return;
    const std::filesystem::path path = whole_path(path_.data());
    note_ = replacing_.refusal({"saving the result", path, {FileKind::png}}, model_.inputs());
    if (note_.empty())
        if (const Result<void> started = model_.save_result(path); !started)
            note_ = started.diagnostics().front().message;
    popup.finish(note_.empty());
}

void ResultSection::loads(SideColumn& column) const {
    column.section("loads from global memory, counted");
    const preview::RunFacts* facts = model_.runner().facts();
    const auto value = [&](double of, int digits, const char* unit) {
        return facts ? number(of, digits) + unit : std::string("–");
    };
    column.fact("without tiles", value(facts ? facts->loads.without_tiles : 0, 1, " a pixel"));
    column.fact("by this kernel, of the image", value(facts ? facts->loads.counted.image : 0, 2, " a pixel"));
    if (facts && facts->loads.counted.mask > 0)
        column.fact("of the mask", value(facts->loads.counted.mask, 1, " a pixel"));
    column.fact("reduction", value(facts ? facts->loads.reduction : 0, 1, "×"));
    if (facts && facts->loads.formula) {
        const preview::Box& tile = facts->loads.counted.blocks.front().tile;
        const std::uint32_t side = model_.runner().run()->fit().mask_rows;
        column.fact("reduction, formula " + std::to_string(tile.width()) + "²·" + std::to_string(side) +
                        "² / " + std::to_string(tile.width() + side - 1) + "²",
                    value(*facts->loads.formula, 1, "×"));
    }
}

void ResultSection::against_exact(SideColumn& column) const {
    column.section("against the exact result");
    const preview::RunFacts* facts = model_.runner().facts();
    column.fact("largest difference", facts ? number(facts->difference.largest, 5) + " levels" : "–");
    if (facts && facts->allowed_levels > 1)
        column.fact("allowed: the mask is rounded to integers",
                    std::to_string(facts->allowed_levels) + " levels");
    const double psnr = facts ? facts->difference.psnr(model_.image()->max_level()) : 0;
    column.fact("PSNR", !facts ? "–" : std::isfinite(psnr) ? number(psnr, 1) + " dB" : "equal");
    if (!facts) return;
    if (facts->missing > 0) column.fact("pixels that were not written", grouped(facts->missing));
    for (const trace::Problem& problem : facts->problems) {
        const Rect line = column.row(24);
        draw_text_within(ImGui::GetWindowDrawList(), fonts().small,
                         ImVec2(line.x, centre_line(fonts().small, line.y, line.height)), theme().conflict,
                         "line " + std::to_string(problem.first.line) + ": " + problem.message, line.width);
    }
}

void ResultSection::histogram(SideColumn& column) {
    const WindowState& window = column.window();
    column.section("histogram: before (line), after (bars)");
    const std::array<std::uint32_t, preview::histogram_bins> none{};
    const preview::RunFacts* facts = model_.runner().facts();
    const auto &before = facts ? facts->levels_before : none, &after = facts ? facts->levels_after : none;
    const Rect box = column.row(54);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float max = static_cast<float>(std::max(*std::max_element(before.begin(), before.end()),
                                                  *std::max_element(after.begin(), after.end())));
    const float width = box.width / preview::histogram_bins;
    const auto height = [&](std::uint32_t count) {  // the square root keeps small counts visible
        return max > 0 ? std::sqrt(static_cast<float>(count) / max) * (box.height - window.px(6)) : 0.0f;
    };
    for (std::size_t i = 0; i < preview::histogram_bins; ++i) {
        const float x = box.x + width * static_cast<float>(i), bottom = box.bottom();
        draw->AddRectFilled(ImVec2(x, bottom - height(after[i])), ImVec2(x + width - 1, bottom),
                            theme().active);
        draw->AddLine(ImVec2(x, bottom - height(before[i])), ImVec2(x + width, bottom - height(before[i])),
                      theme().text_quiet, window.px(1.5f));
    }
    const Rect line = column.row(26);
    draw_text(draw, fonts().text, ImVec2(line.x, centre_line(fonts().text, line.y, line.height)),
              theme().text_quiet, "right half:");
    if (column.link("##difference", modes_.difference ? "show the result" : "show the difference × 4",
                    line.right(), line))
        modes_.difference = !modes_.difference;
}

}  // namespace lanescope::ui
