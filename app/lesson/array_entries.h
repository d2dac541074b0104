// The entries that say how the stage draws a run: [arrays] and lane_label in a front matter, [lesson.arrays]
// and lane_label in a lesson.toml.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lesson/expression.h"
#include "lesson/instance.h"
#include "lesson/toml_reader.h"

namespace lanescope::lesson {

struct ArrayRules {
    std::function<Expression(Expression)> check;                        // reports errors of an expression
    std::function<std::string(const std::string& name)> why_not_array;  // empty: the code has such a name
};

// Reads `arrays` and `lane_label` of the table.
void read_drawing(TomlReader& reader, const toml::table& table, const ArrayRules& rules, Drawing& drawing);

// Errors: an expression that does not evaluate, a negative extent, labels(0). `file`: of the drawing.
Result<std::vector<ShapeInstance>> shapes_of(const Drawing& drawing, const Names& names,
                                             const std::string& file);

}  // namespace lanescope::lesson
