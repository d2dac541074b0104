// Diagnostics for ArchiveWriter and ArchiveReader.
#pragma once

#include "base/archive.h"
#include "base/result.h"

namespace lanescope {

template <class Archive>
void fields(Archive& archive, Diagnostic& diagnostic) {
    archive_all(archive, up_to(diagnostic.severity, Severity::error), diagnostic.file, diagnostic.line,
                diagnostic.column, diagnostic.message, diagnostic.hint);
}

}  // namespace lanescope
