// Identifies the work of a recording: its code, launches and inputs.
#pragma once

#include <string>

#include "lesson/instance.h"
#include "recording.h"

namespace lanescope::parity {

// Returns the hash of a kernel file's code, launches and buffers. Titles and expectations do not count.
inline std::uint64_t work_hash(const std::string& source, const lesson::Instance& instance) {
    const std::size_t end = source.find("---*/");
    std::string text = end == std::string::npos ? source : source.substr(end);
    for (const lesson::LaunchInstance& launch : instance.launches) {
        text += launch.kernel + ' ' + std::to_string(launch.shared_bytes);
        for (const auto& sizes : {launch.grid, launch.block})
            for (const std::uint32_t size : sizes)
                text += ' ' + std::to_string(size);
        for (const lesson::Argument& argument : launch.arguments) {
            text += ' ' + argument.address.buffer + std::to_string(argument.integer) +
                    std::to_string(argument.real);
            if (argument.address.offset_bytes > 0)
                text += '+' + std::to_string(argument.address.offset_bytes);
        }
    }
    for (const lesson::BufferInstance& buffer : instance.buffers) {
        text += buffer.name + ' ' + buffer.type + ' ' + std::to_string(buffer.count);
        text.append(reinterpret_cast<const char*>(buffer.contents.data()), buffer.contents.size());
    }
    return text_hash(text);
}

}  // namespace lanescope::parity
