#include "ui/kit/origin_colour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "ui/kit/theme.h"

namespace lanescope::ui {

namespace {

struct Lab {
    float lightness, a, b;
};

float to_srgb(float linear) {
    linear = std::clamp(linear, 0.0f, 1.0f);
    return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

// OKLab: B. Ottosson, A perceptual color space for image processing, 2020.
std::array<float, 3> linear_of(const Lab& lab) {
    const auto cube = [](float x) { return x * x * x; };
    const float l = cube(lab.lightness + 0.3963377774f * lab.a + 0.2158037573f * lab.b);
    const float m = cube(lab.lightness - 0.1055613458f * lab.a - 0.0638541728f * lab.b);
    const float s = cube(lab.lightness - 0.0894841775f * lab.a - 1.2914855480f * lab.b);
    return {4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
            -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
            -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s};
}

ImU32 colour_of(const Lab& lab) {
    const std::array<float, 3> linear = linear_of(lab);
    return ImGui::ColorConvertFloat4ToU32({to_srgb(linear[0]), to_srgb(linear[1]), to_srgb(linear[2]), 1});
}

bool in_gamut(const Lab& lab) {
    for (const float each : linear_of(lab))
        if (each < -0.001f || each > 1.001f) return false;
    return true;
}

constexpr int hues = 129, brightnesses = 17;  // of a table: a frame has many thousand cells
using Table = std::array<ImU32, std::size_t{hues} * brightnesses>;

Table make_table(Brightness of) {
    constexpr float first_hue = 25, last_hue = 315;  // degrees, red to violet
    Table table{};
    for (int i = 0; i < hues * brightnesses; ++i) {
        const float column = static_cast<float>(i % hues) / (hues - 1);
        const float row = static_cast<float>(i / hues) / (brightnesses - 1);
        const float hue = (first_hue + (last_hue - first_hue) * column) * std::numbers::pi_v<float> / 180;
        const float lightness = of == Brightness::dark ? 0.36f + 0.18f * row : 0.90f - 0.14f * row;
        Lab lab{lightness, 0, 0};
        for (float chroma = 0.2f; chroma > 0; chroma -= 0.01f) {
            lab = {lightness, chroma * std::cos(hue), chroma * std::sin(hue)};
            if (in_gamut(lab)) break;
        }
        table[static_cast<std::size_t>(i)] = colour_of(lab);
    }
    return table;
}

}  // namespace

ImU32 origin_colour(float column, float row) {
    static const Table dark = make_table(Brightness::dark), light = make_table(Brightness::light);
    const auto nearest = [](float share, int count) {
        return static_cast<int>(std::lround(std::clamp(share, 0.0f, 1.0f) * static_cast<float>(count - 1)));
    };
    const int at = nearest(row, brightnesses) * hues + nearest(column, hues);
    return (brightness() == Brightness::dark ? dark : light)[static_cast<std::size_t>(at)];
}

}  // namespace lanescope::ui
