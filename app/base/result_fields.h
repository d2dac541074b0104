// Diagnostics for ArchiveWriter and ArchiveReader.
#pragma once

#include "base/archive.h"
#include "base/result.h"

namespace lanescope {

template <class Archive>
void fields(Archive& archive, Diagnostic& diagnostic) {
    archive.choice(diagnostic.severity, static_cast<std::uint64_t>(Severity::error));
    archive.value(diagnostic.file);
    archive.value(diagnostic.line);
    archive.value(diagnostic.column);
    archive.value(diagnostic.message);
    archive.value(diagnostic.hint);
}

template <class Archive>
void fields(Archive& archive, Diagnostics& all) {
    archive.list(all, [](Archive& each, Diagnostic& diagnostic) { fields(each, diagnostic); });
}

}  // namespace lanescope
