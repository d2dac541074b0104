// The textures of a front matter, as the machine takes them.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/result.h"
#include "execution/run/engine.h"
#include "lesson/instance.h"
#include "simt/launch/launch.h"
#include "simt/texture/texture.h"

namespace lanescope::execution {

// The texture that an entry makes of its buffer, whose elements begin at `address`.
simt::Texture texture_of(const lesson::TextureEntry& entry, const lesson::BufferInstance& buffer,
                         simt::DeviceAddress address);

// Gives all textures of an instance to an engine and returns their handles by name. Error: the engine has
// none.
Result<std::map<std::string, std::uint64_t>> add_textures(
    Engine& engine, const lesson::Instance& instance,
    const std::function<simt::DeviceAddress(const std::string& buffer)>& address_of);

}  // namespace lanescope::execution
