// The entries of a front matter as keys and values in TOML, in the order in which they are written.
#pragma once

#include <string>
#include <vector>

#include "lesson/front_matter.h"

namespace lanescope::lesson {

struct Field {
    std::string key, value;
};
using Fields = std::vector<Field>;

std::string toml_string(const std::string& text);  // that cannot end the comment it stands in
// What has its default value is left out.
Fields fields_of(const Parameter& parameter);
Fields fields_of(const Buffer& buffer);
Fields fields_of(const LaunchSpec& launch);
Fields fields_of(const Expectation& expectation);

std::string inline_table(const Fields& fields);  // "{ type = "int", count = "n" }"
std::string lines_of(const Fields& fields);      // a line each

}  // namespace lanescope::lesson
