// The front matter as a form: every entry as the text of a field, and each mistake at its field.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "lesson/front_matter.h"

namespace lanescope::scene {

enum class FormSection : std::uint8_t { parameters, buffers, launches, expectations };
constexpr std::size_t form_sections = 4;

struct FormColumn {
    const char* key;   // in the file
    const char* hint;  // what an empty field means, or an example
    float share;       // of the form's width
};
const std::vector<FormColumn>& columns_of(FormSection section);

struct FormRow {
    std::vector<std::string> fields;  // as columns_of() lists them
    int origin = -1;                  // the entry of `front` that has what the form does not show
    std::string error;                // of field `wrong`
    std::size_t wrong = 0;
};

struct FormModel {
    lesson::FrontMatter front;  // as read
    std::string title;
    std::array<std::vector<FormRow>, form_sections> rows;
    std::string error;  // that belongs to no row

    std::vector<FormRow>& of(FormSection section) { return rows[std::size_t(section)]; }
};

FormModel form_of(const lesson::FrontMatter& front);
// Returns the source with the form in its front matter. Nothing when a field is wrong; `form` then says which
// one, and why. The check computes all sizes and contents and reads images, which may take a while.
std::optional<std::string> source_with(FormModel& form, const std::string& source, const std::string& file);

}  // namespace lanescope::scene
