// The entries of a front matter as TOML keys and values in writing order.
#pragma once

#include <string>
#include <vector>

#include "lesson/front_matter.h"

namespace lanescope::lesson {

struct Field {
    std::string key, value;
};
using Fields = std::vector<Field>;

std::string toml_string(const std::string& text);  // cannot end the surrounding comment
// These leave out fields with default values.
Fields fields_of(const Parameter& parameter);
Fields fields_of(const Buffer& buffer);
Fields fields_of(const LaunchSpec& launch);
Fields fields_of(const Expectation& expectation);

std::string inline_table(const Fields& fields);  // "{ type = "int", count = "n" }"
std::string lines_of(const Fields& fields);      // a line for each field

}  // namespace lanescope::lesson
