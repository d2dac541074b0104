#include "base/damaged_file.h"

namespace lanescope {

namespace fs = std::filesystem;

Result<std::string> keep_damaged(const fs::path& path) {
    std::error_code code;
    for (int number = 1; number < 100; ++number) {
        const fs::path copy = path.parent_path() / (path.stem().string() + ".damaged" +
                                                    std::to_string(number) + path.extension().string());
        if (fs::exists(copy, code)) continue;
        fs::copy_file(path, copy, code);
        if (code) return error_at(path.string(), 0, 0, "is damaged and cannot be copied: " + code.message());
        return copy.filename().string();
    }
    return error_at(path.string(), 0, 0, "is damaged, as 99 earlier ones beside it");
}

}  // namespace lanescope
