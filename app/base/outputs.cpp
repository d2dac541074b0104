#include "base/outputs.h"

#include <algorithm>

namespace lanescope {

namespace fs = std::filesystem;

namespace {

bool same_file(const fs::path& a, const fs::path& b) {
    if (a.empty() || b.empty()) return false;
    std::error_code failed;
    if (fs::equivalent(a, b, failed)) return true;
    const auto whole = [&](const fs::path& path) {
        return fs::weakly_canonical(fs::absolute(path, failed), failed);
    };
    const fs::path first = whole(a), second = whole(b);
    return !failed && first == second;
}

bool has_kind(const Output& output, const fs::path& file) {
    return std::find(output.kinds.begin(), output.kinds.end(), kind_of(file)) != output.kinds.end();
}

Result<void> check_output(const Output& output, const std::vector<fs::path>& inputs) {
    const std::string file = output.file.string();
    std::error_code failed;
    const fs::file_status status = fs::status(output.file, failed);
    if (fs::is_other(status)) return {};
    const bool folder = fs::is_directory(status);
    if (folder && output.also_folder) return {};
    for (const fs::path& input : inputs)
        if (same_file(output.file, input))
            return error_at(file, 0, 0, output.name + " would replace this file, which is read",
                            "choose another name");
    if (folder) return error_at(file, 0, 0, output.name + " needs the name of a file, but this is a folder");
    if (!has_kind(output, output.file) && !(output.also_folder && kind_of(output.file) == FileKind::other))
        return error_at(file, 0, 0, output.name + " cannot write this kind of file",
                        "use a name that ends in " + endings_of(output.kinds));
    const fs::path real = fs::weakly_canonical(output.file, failed);
    if (!failed && fs::exists(status) && !has_kind(output, real))
        return error_at(file, 0, 0,
                        "it is a link to " + real.filename().string() + ", a file that " + output.name +
                            " must not replace",
                        "choose another name");
    const fs::path parent = output.file.parent_path();
    if (!output.makes_folders && !parent.empty() && !fs::is_directory(parent, failed))
        return error_at(file, 0, 0, "there is no folder " + parent.string(), "make it first");
    return {};
}

}  // namespace

Result<void> check_outputs(const std::vector<Output>& outputs, const std::vector<fs::path>& inputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Output& output = outputs[i];
        if (output.file.empty()) continue;
        if (Result<void> fine = check_output(output, inputs); !fine) return fine;
        std::error_code failed;
        if (fs::is_other(output.file, failed)) continue;
        for (std::size_t k = 0; k < i; ++k)
            if (!outputs[k].file.empty() && same_file(outputs[k].file, output.file))
                return error_at(output.file.string(), 0, 0,
                                outputs[k].name + " and " + output.name + " name the same file",
                                "give each its own name");
    }
    return {};
}

}  // namespace lanescope
