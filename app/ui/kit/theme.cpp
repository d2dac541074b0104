#include "ui/kit/theme.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/folders.h"
#include "scene/words/problem_words.h"

namespace lanescope::ui {
namespace {

namespace fs = std::filesystem;

constexpr ImU32 rgb(unsigned value) {
    return IM_COL32(value >> 16 & 255, value >> 8 & 255, value & 255, 255);
}

constexpr Theme dark = {
    .background = rgb(0x14171C),
    .panel = rgb(0x1B1F26),
    .panel_raised = rgb(0x222731),
    .line = rgb(0x2D3440),
    .heading = rgb(0x98A1B0),
    .selected = rgb(0x223047),
    .text_strong = rgb(0xFFFFFF),
    .text = rgb(0xD9DEE7),
    .text_quiet = rgb(0xA3ABB8),
    .text_faint = rgb(0x959DAB),
    .accent = rgb(0x5AA5F0),
    .active = rgb(0x2B64A0),
    .active_edge = rgb(0x4C9BE8),
    .off = rgb(0x262C36),
    .off_edge = rgb(0x333B47),
    .barrier = rgb(0xF0C24A),
    .read = rgb(0x173A34),
    .read_edge = rgb(0x35D0A5),
    .write = rgb(0x4A2F1D),
    .write_edge = rgb(0xF0924A),
    .conflict = rgb(0xF0605A),
    .race = rgb(0xE45CC4),
    .good = rgb(0x9BDCC5),
    .cell = rgb(0x1F2530),
    .cell_edge = rgb(0x2D3440),
    .cell_unset = rgb(0x959DAB),
    .current_line = rgb(0x25334A),
    .run = rgb(0x4F7FB8),
    .finished = rgb(0x3A414D),
    .scale = {rgb(0x482878), rgb(0x3E6A8E), rgb(0x24948B), rgb(0x6CCB5F), rgb(0xFDE725)},
    .library = rgb(0xB79BE8),
    .time = rgb(0x5FB3C9),
    .keyword = rgb(0x7CB7F0),
    .type_name = rgb(0x7CB7F0),
    .builtin = rgb(0xC79BD8),
    .number = rgb(0xE0B67C),
    .string = rgb(0x9CCB8F),
    .comment = rgb(0x959DAB),
    .heading_height = 33,
    .row_height = 28,
    .cell_size = 26,
    .gap = 8,
    .padding = 12,
    .rounding = 4,
};

constexpr Theme light = {
    .background = rgb(0xF4F6F9),
    .panel = rgb(0xFFFFFF),
    .panel_raised = rgb(0xEDF0F5),
    .line = rgb(0xD3D9E2),
    .heading = rgb(0x5A6473),
    .selected = rgb(0xDCE9FA),
    .text_strong = rgb(0x0B0F16),
    .text = rgb(0x242B36),
    .text_quiet = rgb(0x495363),
    .text_faint = rgb(0x5A6472),
    .accent = rgb(0x1A5FB4),
    .active = rgb(0xA9CDF7),
    .active_edge = rgb(0x2C6FD6),
    .off = rgb(0xE6EAF0),
    .off_edge = rgb(0xCFD6E0),
    .barrier = rgb(0xB48800),
    .read = rgb(0xCDEDE5),
    .read_edge = rgb(0x109C7A),
    .write = rgb(0xFBDFCB),
    .write_edge = rgb(0xB94E08),
    .conflict = rgb(0x900A1C),
    .race = rgb(0xA60F8C),
    .good = rgb(0x0B6B4F),
    .cell = rgb(0xFFFFFF),
    .cell_edge = rgb(0xCBD2DC),
    .cell_unset = rgb(0x5A6472),
    .current_line = rgb(0xDAE8FA),
    .run = rgb(0x6FA3DC),
    .finished = rgb(0xB9C1CC),
    .scale = {rgb(0x482878), rgb(0x3E6A8E), rgb(0x24948B), rgb(0x6CCB5F), rgb(0xFDE725)},
    .library = rgb(0x6F45B8),
    .time = rgb(0x1F7A94),
    .keyword = rgb(0x1A5FB4),
    .type_name = rgb(0x1A5FB4),
    .builtin = rgb(0x7C2F96),
    .number = rgb(0x8A5200),
    .string = rgb(0x2E6B1F),
    .comment = rgb(0x5A6371),
    .heading_height = 33,
    .row_height = 28,
    .cell_size = 26,
    .gap = 8,
    .padding = 12,
    .rounding = 4,
};

const Theme* shown = &dark;

Fonts loaded;

// A font: its file's name, and the height of its line box in ems. (ImGui takes the height of that box, but
// the design's sizes are ems.)
struct Face {
    const char* file_name;
    float line_box_em;
};

constexpr Face inter = {"Inter-Regular", 1.21f};
constexpr Face inter_strong = {"Inter-SemiBold", 1.21f};
constexpr Face jetbrains = {"JetBrainsMono-Regular", 1.32f};

// Returns the folders of fonts: those of the portable archive, of Linux distributions, then of the user.
std::vector<fs::path> font_folders() {
    std::vector<fs::path> folders = {resource_folder() / "assets/fonts",
                                     "/usr/share/fonts/opentype/inter",
                                     "/usr/share/fonts/truetype/inter",
                                     "/usr/share/fonts/truetype/jetbrains-mono",
                                     "/usr/share/fonts",
                                     "/usr/local/share/fonts"};
    if (const char* home = std::getenv("HOME")) {
        folders.push_back(fs::path(home) / ".local/share/fonts");
        folders.push_back(fs::path(home) / ".fonts");
    }
    return folders;
}

fs::path find_in(const fs::path& folder, std::string_view name) {
    std::error_code failed;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, failed),
        end;
    for (; !failed && entry != end; entry.increment(failed)) {
        const fs::path& path = entry->path();
        if (path.stem() == name && (path.extension() == ".otf" || path.extension() == ".ttf")) return path;
    }
    return {};
}

fs::path find_face(const Face& face) {
    for (const fs::path& folder : font_folders())
        if (fs::path found = find_in(folder, face.file_name); !found.empty()) return found;
    return {};
}

// Latin, Greek, Cyrillic, and the signs that the views use.
constexpr ImWchar glyphs[] = {0x0020, 0x017F, 0x0370, 0x03FF, 0x0400, 0x045F, 0x2010, 0x2027, 0x202F,
                              0x203A, 0x2070, 0x209C, 0x20AC, 0x20AC, 0x2190, 0x2199, 0x21D0, 0x21D4,
                              0x2200, 0x222B, 0x2248, 0x2265, 0x25A0, 0x25CF, 0x2713, 0x2717, 0};
// Small triangles, which Inter lacks and JetBrains Mono has.
constexpr ImWchar borrowed_glyphs[] = {0x25B4, 0x25B5, 0x25B8, 0x25B9, 0x25BE, 0x25BF, 0x25C2, 0x25C3, 0};

class FontLoader {
  public:
    FontLoader(ImFontAtlas& atlas, float scale)
        : atlas_(atlas),
          scale_(scale),
          mono_(find_face(jetbrains)),
          text_(find_face(inter)),
          strong_(find_face(inter_strong)) {}

    ImFont* text(float size_em) { return proportional(text_, size_em); }
    ImFont* strong(float size_em) { return proportional(strong_, size_em); }

    ImFont* mono(float size_em) {
        if (mono_.empty()) return fallback(size_em);
        ImFontConfig config;
        config.OversampleH = 1;
        config.PixelSnapH = true;  // columns of digits line up
        return atlas_.AddFontFromFileTTF(mono_.c_str(), pixels(size_em, jetbrains), &config, glyphs);
    }

    std::string note() const {
        std::string missing;
        if (text_.empty() || strong_.empty()) missing = "Inter (fonts-inter)";
        if (mono_.empty())
            missing += std::string(missing.empty() ? "" : " and ") + "JetBrains Mono (fonts-jetbrains-mono)";
        return missing.empty() ? missing : "font not found: " + missing + "; a built-in font is used";
    }

  private:
    float pixels(float size_em, const Face& face) const {
        return std::round(size_em * face.line_box_em * scale_);
    }

    ImFont* fallback(float size_em) {
        ImFontConfig config;
        config.SizePixels = std::round(size_em * scale_);
        return atlas_.AddFontDefault(&config);
    }

    ImFont* proportional(const fs::path& file, float size_em) {
        if (file.empty()) return fallback(size_em);
        ImFontConfig config;
        config.OversampleH = 2;
        ImFont* font = atlas_.AddFontFromFileTTF(file.c_str(), pixels(size_em, inter), &config, glyphs);
        if (mono_.empty()) return font;
        ImFontConfig merged;
        merged.MergeMode = true;
        constexpr float enlarged = 1.5f;  // the monospaced font's triangles are small beside Inter's letters
        merged.GlyphOffset.y = std::round(pixels(size_em, inter) * 0.1f);
        atlas_.AddFontFromFileTTF(mono_.c_str(), pixels(size_em * enlarged, inter), &merged, borrowed_glyphs);
        return font;
    }

    ImFontAtlas& atlas_;
    float scale_;
    fs::path mono_, text_, strong_;
};

ImVec4 as_vector(ImU32 colour) {
    return ImGui::ColorConvertU32ToFloat4(colour);
}

void set_colours(ImGuiStyle& style) {
    const auto set = [&](ImGuiCol which, ImU32 colour) { style.Colors[which] = as_vector(colour); };
    set(ImGuiCol_Text, shown->text);
    set(ImGuiCol_TextDisabled, shown->text_faint);
    set(ImGuiCol_WindowBg, shown->panel);
    set(ImGuiCol_ChildBg, 0);
    set(ImGuiCol_PopupBg, shown->panel_raised);
    set(ImGuiCol_Border, shown->line);
    set(ImGuiCol_FrameBg, shown->panel_raised);
    set(ImGuiCol_FrameBgHovered, shown->line);
    set(ImGuiCol_FrameBgActive, shown->line);
    set(ImGuiCol_Button, shown->panel_raised);
    set(ImGuiCol_ButtonHovered, shown->line);
    set(ImGuiCol_ButtonActive, shown->active);
    set(ImGuiCol_Header, shown->selected);
    set(ImGuiCol_HeaderHovered, shown->line);
    set(ImGuiCol_HeaderActive, shown->selected);
    set(ImGuiCol_ScrollbarBg, 0);
    set(ImGuiCol_ScrollbarGrab, shown->line);
    set(ImGuiCol_ScrollbarGrabHovered, shown->text_faint);
    set(ImGuiCol_ScrollbarGrabActive, shown->text_faint);
    set(ImGuiCol_TextSelectedBg, faded(shown->active_edge, 0.4f));
    set(ImGuiCol_NavHighlight, shown->accent);
}

}  // namespace

const Theme& theme() {
    return *shown;
}
Brightness brightness() {
    return shown == &light ? Brightness::light : Brightness::dark;
}

void set_theme(Brightness wanted) {
    shown = wanted == Brightness::light ? &light : &dark;
    if (ImGui::GetCurrentContext()) set_colours(ImGui::GetStyle());
}

const Fonts& fonts() {
    return loaded;
}
void use_fonts(const Fonts& those) {
    loaded = those;
}

Typeface typeface_of(const ImFont* font) {
    const Fonts& all = fonts();
    const bool strong = font == all.strong || font == all.heading || font == all.title || font == all.caption;
    const bool mono = font == all.mono || font == all.mono_small || font == all.mono_tiny ||
                      font == all.mono_medium || font == all.mono_large;
    const Face& face = mono ? jetbrains : strong ? inter_strong : inter;
    const fs::path file = find_face(face);
    if (file.empty()) return {"monospace", 400, 1, {}, true};
    return {mono ? "JetBrains Mono" : "Inter", strong ? 600 : 400, face.line_box_em, file, mono};
}

LargeType::LargeType(bool on) : usual_(loaded) {
    if (!on) return;
    loaded.small = usual_.text;
    loaded.heading = usual_.strong;
}

LargeType::~LargeType() {
    loaded = usual_;
}

float code_size_px() {
#if IMGUI_VERSION_NUM >= 19200
    return loaded.mono->LegacySize / jetbrains.line_box_em;
#else
    return loaded.mono->FontSize / jetbrains.line_box_em;
#endif
}

ImU32 colour_of(scene::Meaning meaning) {
    switch (meaning) {
        case scene::Meaning::good:
            return theme().good;
        case scene::Meaning::note:
            return theme().text_quiet;
        case scene::Meaning::race:
            return theme().race;
        case scene::Meaning::fault:
            break;
    }
    return theme().conflict;
}

float contrast(ImU32 a, ImU32 b) {
    const auto luminance = [](ImU32 colour) {
        const ImVec4 c = as_vector(colour);
        const auto linear = [](float v) {
            return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
        };
        return 0.2126f * linear(c.x) + 0.7152f * linear(c.y) + 0.0722f * linear(c.z);
    };
    const float of_a = luminance(a), of_b = luminance(b);
    return (std::max(of_a, of_b) + 0.05f) / (std::min(of_a, of_b) + 0.05f);
}

ImU32 legible(ImU32 text, ImU32 surface) {
    if (contrast(text, surface) >= least_contrast) return text;
    const ImU32 end = contrast(IM_COL32_WHITE, surface) > contrast(IM_COL32_BLACK, surface) ? IM_COL32_WHITE
                                                                                            : IM_COL32_BLACK;
    for (const float share : {0.2f, 0.4f, 0.6f, 0.8f})
        if (const ImU32 mixed = blend(text, end, share); contrast(mixed, surface) >= least_contrast)
            return mixed;
    return end;
}

ImU32 faded(ImU32 colour, float share) {
    const float alpha = float(colour >> IM_COL32_A_SHIFT & 255) * share;
    return (colour & ~IM_COL32_A_MASK) | ImU32(std::lround(alpha)) << IM_COL32_A_SHIFT;
}

ImU32 blend(ImU32 a, ImU32 b, float share) {
    ImU32 mixed = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        const float from = float(a >> shift & 255), to = float(b >> shift & 255);
        mixed |= ImU32(std::lround(from + (to - from) * share)) << shift;
    }
    return mixed;
}

ImU32 over(ImU32 top, ImU32 below) {
    return blend(below, top | IM_COL32_A_MASK, float(top >> IM_COL32_A_SHIFT & 255) / 255) | IM_COL32_A_MASK;
}

std::string load_theme(float scale) {
    ImGuiStyle& style = ImGui::GetStyle();
    style = ImGuiStyle();
    set_colours(style);
    style.WindowBorderSize = 0;
    style.WindowPadding = ImVec2(0, 0);
    style.PopupBorderSize = 1;
    style.PopupRounding = style.FrameRounding = shown->rounding;
    style.ScrollbarSize = 9;
    style.ScrollbarRounding = shown->rounding;
    style.FrameBorderSize = 1;
    style.FramePadding = ImVec2(8, 4);
    style.ItemSpacing = ImVec2(8, 6);
    style.AntiAliasedLinesUseTex = true;
    style.ScaleAllSizes(scale);

    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    FontLoader loader(atlas, scale);
    loaded.text = loader.text(14);
    loaded.small = loader.text(11.5f);
    loaded.strong = loader.strong(14);
    loaded.heading = loader.strong(11.5f);
    loaded.title = loader.strong(16);
    loaded.caption = loader.strong(19);
    loaded.mono = loader.mono(13);
    loaded.mono_small = loader.mono(11);
    loaded.mono_tiny = loader.mono(9);
    loaded.mono_medium = loader.mono(18);
    loaded.mono_large = loader.mono(27);
    ImGui::GetIO().FontDefault = loaded.text;
    return loader.note();
}

}  // namespace lanescope::ui
