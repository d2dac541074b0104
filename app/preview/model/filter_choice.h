// The filter as a person chooses and edits it: one of the kinds that have a name, or a mask of the person's
// own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "preview/filter/mask.h"

namespace lanescope::preview {

class FilterChoice {
  public:
    struct Kind {
        const char* name;   // "gaussian"
        const char* label;  // "Gaussian"
        bool sized;         // comes in several sizes
        bool blurs;         // has a sigma
    };
    static std::span<const Kind> kinds();

    explicit FilterChoice(Filter filter) : filter_(std::move(filter)) {}

    const Filter& filter() const { return filter_; }
    const Mask& mask() const { return filter_.masks.front(); }
    const Kind* kind() const;             // null: the mask is the person's own, or a file's
    bool can_edit() const;                // there is only one mask
    bool can_resize() const;              // the person's own, or of a kind that comes in several sizes
    bool can_normalise() const;           // its sum is neither 0 nor 1
    std::optional<double> sigma() const;  // empty: the kind has none

    void set(Filter filter) { filter_ = std::move(filter); }
    void choose(const Kind& kind);  // as large as the mask is now
    void make_own();                // from then on it has no kind
    void resize(std::uint32_t side);
    void set_sigma(double sigma);  // 0.1 … 20
    // `symmetric`: also in the cells that mirror this one.
    void set_cell(std::uint32_t row, std::uint32_t column, double value, bool symmetric);
    void rotate();
    void transpose();
    void normalise();
    // Errors: the file's; text that is not a mask. After an error the mask is unchanged.
    Result<void> load(const std::filesystem::path& path);
    Result<void> save(const std::filesystem::path& path) const;  // errors: the file's

  private:
    void set_own(Mask mask);
    void set_by_name(const std::string& name);

    Filter filter_;
};

}  // namespace lanescope::preview
