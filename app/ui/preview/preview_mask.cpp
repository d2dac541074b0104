// The mask's part of the preview's right column.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/files.h"
#include "ui/kit/widgets.h"
#include "ui/preview/preview_side.h"

namespace lanescope::ui {

namespace {

struct Kind {
    const char* name;
    const char* label;
    bool sized;
};
constexpr Kind kinds[] = {
    {"identity", "identity", false},   {"box", "box", true},          {"gaussian", "Gaussian", true},
    {"sharpen", "sharpen", false},     {"unsharp", "unsharp", true},  {"motion", "motion", true},
    {"sobel_x", "Sobel x", false},     {"sobel_y", "Sobel y", false}, {"sobel", "Sobel √", false},
    {"laplacian", "Laplacian", false}, {"emboss", "emboss", false}};

std::string kind_of(const preview::Filter& filter) {
    return filter.name.substr(0, filter.name.find(':'));
}

const Kind* find_kind(const std::string& name) {
    const auto found =
        std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind& kind) { return name == kind.name; });
    return found == std::end(kinds) ? nullptr : found;
}

bool has_sigma(const std::string& kind) {
    return kind == "gaussian" || kind == "unsharp";
}

// Of a blur, from its name: "gaussian:5:1.4".
double sigma_of(const preview::Filter& filter) {
    const std::size_t first = filter.name.find(':'),
                      second = first == std::string::npos ? first : filter.name.find(':', first + 1);
    const double given =
        second == std::string::npos ? 0 : std::strtod(filter.name.c_str() + second + 1, nullptr);
    return given > 0 ? given : preview::default_sigma(filter.masks.front().rows);
}

std::string short_number(double value, int digits) {
    char text[32];
    if (value == std::round(value) && std::abs(value) < 1000)
        std::snprintf(text, sizeof text, "%.0f", value);
    else
        std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

void draw_name(const Rect& line, const char* text) {
    draw_text(ImGui::GetWindowDrawList(), fonts().text,
              ImVec2(line.x, centre_line(fonts().text, line.y, line.height)), theme().text, text);
}

preview::Filter own(preview::Mask mask) {
    return {"own", {std::move(mask)}};
}

}  // namespace

void PreviewSide::mask_part(const WindowState& shared) {
    section("mask", shared);
    mask_chips(shared);
    mask_grid(shared);
    mask_words(shared);
    mask_sizes(shared);
}

void PreviewSide::mask_chips(const WindowState& shared) {
    const float pad = shared.px(theme().padding), gap = shared.px(6), left = at_.x + pad,
                right = at_.right() - pad;
    const std::string current = kind_of(model_.filter());
    float x = left;
    at_.y += shared.px(5);
    const auto add = [&](const char* id, const std::string& label, bool chosen) {
        if (x + chip_width(label, shared) > right) {
            x = left;
            at_.y += chip_height(shared) + gap;
        }
        const bool clicked =
            chip(id, ImVec2(x, at_.y), label, shared, {chosen ? theme().accent : theme().text, false, true});
        if (chosen)
            ImGui::GetWindowDrawList()->AddRect(
                ImVec2(x, at_.y), ImVec2(x + chip_width(label, shared), at_.y + chip_height(shared)),
                theme().accent, chip_height(shared) / 2);
        x += chip_width(label, shared) + gap;
        return clicked;
    };
    for (const Kind& kind : kinds)
        if (add(kind.name, kind.label, current == kind.name)) {
            const std::uint32_t side = std::max(model_.filter().masks.front().rows, 3u);
            model_.set_mask(kind.name + (kind.sized ? ":" + std::to_string(side) : std::string()));
        }
    const bool is_own = find_kind(current) == nullptr;
    if (add("own", is_own ? "own" : "own…", is_own) && !is_own)
        model_.set_filter(own(model_.filter().masks.front()));
    at_.y += chip_height(shared) + shared.px(8);
}

void PreviewSide::mask_grid(const WindowState& shared) {
    const preview::Mask& mask = model_.filter().masks.front();
    if (typing_.row() >= mask.rows || typing_.column() >= mask.columns || model_.filter().masks.size() > 1)
        typing_.end();
    const Rect box = row(shared, 140);
    const float width = std::min(box.width / static_cast<float>(mask.columns), shared.px(62));
    const float height = std::min(box.height / static_cast<float>(mask.rows), shared.px(30));
    double largest = 1e-12;
    for (const double value : mask.values)
        largest = std::max(largest, std::abs(value));
    const preview::Mask shown = mask;  // an edit replaces it while it is drawn
    for (std::uint32_t r = 0; r < shown.rows; ++r)
        for (std::uint32_t c = 0; c < shown.columns; ++c) {
            ImGui::PushID(static_cast<int>(r * shown.columns + c));
            mask_cell(r, c,
                      {box.x + width * static_cast<float>(c), box.y + height * static_cast<float>(r),
                       width - 2, height - 2},
                      largest, shared);
            ImGui::PopID();
        }
    at_.y = box.y + height * static_cast<float>(shown.rows) + shared.px(4);
}

void PreviewSide::set_cell(std::uint32_t r, std::uint32_t c, double value) {
    preview::Mask edited = model_.filter().masks.front();
    if (symmetric_)
        preview::set_symmetric(edited, r, c, value);
    else
        edited.at(r, c) = value;
    model_.set_filter(own(std::move(edited)));
}

void PreviewSide::type_in_cell(std::uint32_t r, std::uint32_t c, const Rect& box, const WindowState& shared) {
    const std::optional<MaskTyping::Outcome> outcome = typing_.draw(box, shared);
    if (!outcome) return;
    const preview::Mask& mask = model_.filter().masks.front();
    const std::uint32_t columns = mask.columns, rows = mask.rows;
    if (!outcome->problem.empty()) model_.tell(outcome->problem);
    if (outcome->value && *outcome->value != mask.at(r, c)) set_cell(r, c, *outcome->value);
    if (!outcome->next) return;
    const std::uint32_t next = (r * columns + c + 1) % (rows * columns);
    typing_.begin(next / columns, next % columns,
                  model_.filter().masks.front().at(next / columns, next % columns));
}

// A click: a value is typed. Dragged upwards it grows, downwards it falls.
void PreviewSide::mask_cell(std::uint32_t r, std::uint32_t c, const Rect& box, double largest,
                            const WindowState& shared) {
    const preview::Mask& mask = model_.filter().masks.front();
    if (r >= mask.rows || c >= mask.columns) return;
    const double value = mask.at(r, c);
    const bool single = model_.filter().masks.size() == 1 && !shared.still;
    if (single && typing_.at(r, c)) return type_in_cell(r, c, box, shared);
    click_area("cell", box);
    if (single && (ImGui::IsItemHovered() || ImGui::IsItemActive())) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
        if (!ImGui::IsItemActive())
            tooltip("a value of the mask", "click: type it, Tab for the next one\ndrag: up more, down less",
                    shared);
    }
    if (single && ImGui::IsItemActivated()) cell_dragged_ = false;
    if (single && ImGui::IsItemActive() && ImGui::IsMouseDragging(0, 2)) {
        cell_dragged_ = true;
        const double moved = static_cast<double>(-ImGui::GetIO().MouseDelta.y);
        const double to = std::clamp(value + moved * 0.01 * std::max(largest, 0.05), -1000.0, 1000.0);
        if (moved != 0) set_cell(r, c, to);
    }
    if (single && ImGui::IsItemDeactivated() && ImGui::IsItemHovered() && !cell_dragged_)
        typing_.begin(r, c, value);
    const auto share = static_cast<float>(std::abs(value) / largest);
    const ImU32 fill =
        blend(theme().cell, value < 0 ? theme().write_edge : theme().active_edge, 0.75f * share);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(box.min(), box.max(), fill, shared.px(2));
    draw->AddRect(box.min(), box.max(), theme().cell_edge, shared.px(2));
    const std::string text = short_number(value, 3);
    ImFont* const font =
        text_width(fonts().mono_small, text) <= box.width - 4 ? fonts().mono_small : fonts().mono_tiny;
    if (text_width(font, text) <= box.width && font_size(font) <= box.height)
        draw_text_centred(draw, font, box, theme().text_strong, text);
}

void PreviewSide::mask_words(const WindowState& shared) {
    const Rect line = row(shared, 24);
    const preview::Filter& filter = model_.filter();
    load_popup(shared);
    if (filter.masks.size() > 1) {
        draw_text(ImGui::GetWindowDrawList(), fonts().small,
                  ImVec2(line.x, centre_line(fonts().small, line.y, line.height)), theme().text_quiet,
                  "along x; the other one, along y, is its transpose");
        return;
    }
    float right = line.right();
    const auto word = [&](const char* id, const char* text) {
        const bool clicked = link(id, text, right, line, shared);
        right -= text_width(fonts().text, text) + shared.px(14);
        return clicked;
    };
    if (word("##load", "load")) ImGui::OpenPopup("load mask");
    if (word("##save", "save")) ImGui::OpenPopup("save mask");
    if (word("##rotate", "rotate")) model_.set_filter(own(preview::rotated(filter.masks.front())));
    if (word("##transpose", "transpose"))
        model_.set_filter(own(preview::transposed(model_.filter().masks.front())));
    if (word("##symmetric", symmetric_ ? "symmetric ✓" : "symmetric")) symmetric_ = !symmetric_;
    draw_text_within(ImGui::GetWindowDrawList(), fonts().small,
                     ImVec2(line.x, centre_line(fonts().small, line.y, line.height)), theme().text_quiet,
                     "type, drag", right - line.x);
    save_popup(shared);
}

void PreviewSide::save_popup(const WindowState& shared) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(shared.px(10), shared.px(10)));
    if (ImGui::BeginPopup("save mask")) {
        if (key_pressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
        ImGui::TextUnformatted(save_note_.empty() ? "write the mask to this file:" : save_note_.c_str());
        ImGui::SetNextItemWidth(shared.px(360));
        if (ImGui::IsWindowAppearing()) {
            replacing_.forget();
            ImGui::SetKeyboardFocusHere();
        }
        if (ImGui::InputText("##mask path", mask_path_.data(), mask_path_.size(),
                             ImGuiInputTextFlags_EnterReturnsTrue)) {
            const std::filesystem::path path = whole_path(mask_path_.data());
            save_note_ = replacing_.refusal(path);
            if (save_note_.empty())
                if (const Result<void> saved =
                        write_file(path, preview::to_text(model_.filter().masks.front()));
                    !saved)
                    save_note_ = to_text(saved.diagnostics().front());
            if (save_note_.empty())
                ImGui::CloseCurrentPopup();
            else
                ImGui::SetKeyboardFocusHere(-1);
        }
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

void PreviewSide::load_popup(const WindowState& shared) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(shared.px(10), shared.px(10)));
    if (ImGui::BeginPopup("load mask")) {
        if (key_pressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
        ImGui::TextUnformatted(load_note_.empty() ? "rows of numbers from this file:" : load_note_.c_str());
        ImGui::SetNextItemWidth(shared.px(360));
        if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
        if (ImGui::InputText("##mask to load", mask_path_.data(), mask_path_.size(),
                             ImGuiInputTextFlags_EnterReturnsTrue)) {
            load_note_ = load_mask(whole_path(mask_path_.data()));
            if (load_note_.empty())
                ImGui::CloseCurrentPopup();
            else
                ImGui::SetKeyboardFocusHere(-1);
        }
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

// Why it cannot be; empty: it is the mask now.
std::string PreviewSide::load_mask(const std::filesystem::path& path) {
    const Result<std::string> text = read_text_file(path);
    if (!text) return to_text(text.diagnostics().front());
    Result<preview::Mask> mask = preview::parse_mask(*text, path.string());
    if (!mask) return to_text(mask.diagnostics().front());
    symmetric_ = false;
    model_.set_filter(own(std::move(*mask)));
    return {};
}

void PreviewSide::mask_sizes(const WindowState& shared) {
    const std::string kind = kind_of(model_.filter());
    const Kind* known = find_kind(kind);
    const bool sized = known == nullptr || known->sized;
    if (sized || has_sigma(kind)) {
        const Rect line = row(shared, 28);
        const float half = (line.width - shared.px(24)) / 2;
        if (sized) mask_size({line.x, line.y, half, line.height}, shared);
        if (has_sigma(kind)) mask_sigma({line.right() - half, line.y, half, line.height}, shared);
    }
    const preview::Mask mask = model_.filter().masks.front();
    const Rect line = row(shared, 24);
    draw_name(line, "sum");
    float right = line.right();
    if (model_.filter().masks.size() == 1 && std::abs(mask.sum()) > 1e-9 && std::abs(mask.sum() - 1) > 1e-9) {
        if (link("##normalise", "normalise", right, line, shared))
            if (Result<preview::Mask> made = preview::normalised(mask); made)
                model_.set_filter(own(std::move(*made)));
        right -= text_width(fonts().text, "normalise") + shared.px(10);
    }
    const std::string sum = short_number(std::abs(mask.sum()) < 1e-12 ? 0 : mask.sum(), 3);
    draw_text(ImGui::GetWindowDrawList(), fonts().mono,
              ImVec2(right - text_width(fonts().mono, sum), centre_line(fonts().mono, line.y, line.height)),
              theme().text, sum);
}

void PreviewSide::mask_size(const Rect& line, const WindowState& shared) {
    const preview::Mask mask = model_.filter().masks.front();
    const std::string kind = kind_of(model_.filter());
    draw_name(line, "size");
    std::vector<std::string> sizes;
    for (std::uint32_t side = 1; side <= preview::max_mask_side; side += 2)
        sizes.push_back(std::to_string(side) + " × " + std::to_string(side));
    const float width = shared.px(96);
    const int chosen =
        choice("size", {line.right() - width, line.y + shared.px(2), width, shared.px(24)}, sizes,
               mask.rows == mask.columns ? static_cast<int>(mask.rows / 2) : -1, shared);
    const std::uint32_t side = 2 * static_cast<std::uint32_t>(std::max(chosen, 0)) + 1;
    if (chosen >= 0 && find_kind(kind) != nullptr)
        model_.set_mask(kind + ":" + std::to_string(side));
    else if (chosen >= 0)
        model_.set_filter(own(preview::resized(mask, side, side)));
}

void PreviewSide::mask_sigma(const Rect& line, const WindowState& shared) {
    draw_name(line, "σ (drag)");
    const double sigma = sigma_of(model_.filter());
    const Rect box{line.right() - shared.px(80), line.y + shared.px(2), shared.px(80), shared.px(24)};
    click_area("##sigma", box);
    if (!shared.still && (ImGui::IsItemHovered() || ImGui::IsItemActive()))
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    const float moved = ImGui::IsItemActive() ? ImGui::GetIO().MouseDelta.x : 0;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(box.min(), box.max(), theme().panel_raised, shared.px(theme().rounding));
    draw->AddRect(box.min(), box.max(), theme().line, shared.px(theme().rounding));
    const std::string text = short_number(sigma, 2);
    draw_text(draw, fonts().mono,
              ImVec2(box.right() - shared.px(8) - text_width(fonts().mono, text),
                     centre_line(fonts().mono, box.y, box.height)),
              theme().text, text);
    if (moved == 0) return;
    char wanted[32];
    std::snprintf(wanted, sizeof wanted, "%.2f",
                  std::clamp(sigma + 0.02 * static_cast<double>(moved), 0.1, 20.0));
    model_.set_mask(kind_of(model_.filter()) + ":" + std::to_string(model_.filter().masks.front().rows) +
                    ":" + wanted);
}

}  // namespace lanescope::ui
