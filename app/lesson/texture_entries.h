// The entry [textures] of a front matter: buffers that kernels read through a texture object.
#pragma once

#include <functional>
#include <string>

#include "lesson/front_matter.h"
#include "lesson/toml_reader.h"

namespace lanescope::lesson {

// Reads the entry; `take_name` reports a name that cannot be one and returns false. Errors: an unknown
// buffer, rule or filter; a buffer whose elements a texture cannot have; a filter over integers; an address
// rule that needs normalized coordinates.
void read_textures(TomlReader& reader, const toml::table& root,
                   const std::function<bool(const toml::key&)>& take_name, FrontMatter& front);

bool is_texture(const FrontMatter& front, const std::string& name);

// The entry as TOML, without its name.
std::string text_of(const TextureEntry& entry);

}  // namespace lanescope::lesson
