#include "preview/model/filter_choice.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/files.h"

namespace lanescope::preview {

namespace {

constexpr FilterChoice::Kind all_kinds[] = {
    {"identity", "identity", false, false}, {"box", "box", true, false},
    {"gaussian", "Gaussian", true, true},   {"sharpen", "sharpen", false, false},
    {"unsharp", "unsharp", true, true},     {"motion", "motion", true, false},
    {"sobel_x", "Sobel x", false, false},   {"sobel_y", "Sobel y", false, false},
    {"sobel", "Sobel √", false, false},     {"laplacian", "Laplacian", false, false},
    {"emboss", "emboss", false, false}};

}  // namespace

std::span<const FilterChoice::Kind> FilterChoice::kinds() {
    return all_kinds;
}

const FilterChoice::Kind* FilterChoice::kind() const {
    const std::string name = filter_.name.substr(0, filter_.name.find(':'));
    const auto found = std::find_if(std::begin(all_kinds), std::end(all_kinds),
                                    [&](const Kind& kind) { return name == kind.name; });
    return found == std::end(all_kinds) ? nullptr : found;
}

bool FilterChoice::can_edit() const {
    return filter_.masks.size() == 1;
}

bool FilterChoice::can_resize() const {
    return kind() == nullptr || kind()->sized;
}

bool FilterChoice::can_normalise() const {
    const double sum = mask().sum();
    return can_edit() && std::abs(sum) > 1e-9 && std::abs(sum - 1) > 1e-9;
}

// The name contains it: "gaussian:5:1.4".
std::optional<double> FilterChoice::sigma() const {
    if (kind() == nullptr || !kind()->blurs) return {};
    const std::size_t first = filter_.name.find(':'),
                      second = first == std::string::npos ? first : filter_.name.find(':', first + 1);
    const double given =
        second == std::string::npos ? 0 : std::strtod(filter_.name.c_str() + second + 1, nullptr);
    return given > 0 ? given : default_sigma(mask().rows);
}

void FilterChoice::set_own(Mask mask) {
    filter_ = {"own", {std::move(mask)}};
}

void FilterChoice::set_by_name(const std::string& name) {
    if (Result<Filter> made = parse_filter(name); made) filter_ = std::move(*made);
}

void FilterChoice::choose(const Kind& kind) {
    const std::uint32_t side = std::max(mask().rows, 3u);
    set_by_name(kind.name + (kind.sized ? ":" + std::to_string(side) : std::string()));
}

void FilterChoice::make_own() {
    if (kind() != nullptr) set_own(mask());
}

void FilterChoice::resize(std::uint32_t side) {
    if (const Kind* known = kind())
        set_by_name(known->name + (":" + std::to_string(side)));
    else
        set_own(resized(mask(), side, side));
}

void FilterChoice::set_sigma(double sigma) {
    if (kind() == nullptr || !kind()->blurs) return;
    char wanted[32];
    std::snprintf(wanted, sizeof wanted, "%.2f", std::clamp(sigma, 0.1, 20.0));
    set_by_name(kind()->name + (":" + std::to_string(mask().rows)) + ":" + wanted);
}

void FilterChoice::set_cell(std::uint32_t row, std::uint32_t column, double value, bool symmetric) {
    Mask edited = mask();
    if (symmetric)
        set_symmetric(edited, row, column, value);
    else
        edited.at(row, column) = value;
    set_own(std::move(edited));
}

void FilterChoice::rotate() {
    set_own(rotated(mask()));
}

void FilterChoice::transpose() {
    set_own(transposed(mask()));
}

void FilterChoice::normalise() {
    if (Result<Mask> made = normalised(mask()); made) set_own(std::move(*made));
}

Result<void> FilterChoice::load(const std::filesystem::path& path) {
    const Result<std::string> text = read_text_file(path);
    if (!text) return text.diagnostics();
    Result<Mask> mask = parse_mask(*text, path.string());
    if (!mask) return mask.diagnostics();
    set_own(std::move(*mask));
    return {};
}

Result<void> FilterChoice::save(const std::filesystem::path& path) const {
    return write_file(path, to_text(mask()));
}

}  // namespace lanescope::preview
