#include "execution/run/input_files.h"

#include "base/file_kind.h"
#include "base/files.h"
#include "compile/user_headers.h"
#include "lesson/front_matter.h"

namespace lanescope::execution {

namespace fs = std::filesystem;

std::vector<fs::path> input_files(const fs::path& file, const std::vector<fs::path>& include_folders) {
    std::vector<fs::path> inputs{file};
    const FileKind kind = kind_of(file);
    if (kind == FileKind::trace || is_image(kind)) return inputs;
    const Result<std::string> source = read_text_file(file);
    if (!source) return inputs;
    std::error_code failed;
    const fs::path folder = fs::absolute(file, failed).parent_path();
    if (kind != FileKind::ptx)
        for (const compile::NamedText& header :
             compile::find_user_headers(*source, folder, include_folders).headers)
            inputs.emplace_back(header.shown);
    Result<lesson::FrontMatter> front = lesson::parse_front_matter(*source, file.string());
    const fs::path beside = fs::path(file).replace_extension(".toml");
    if (kind == FileKind::ptx && front && !front->present && fs::is_regular_file(beside, failed)) {
        inputs.push_back(beside);
        if (const Result<std::string> toml = read_text_file(beside))
            front = lesson::parse_front_matter_file(*toml, beside.string());
    }
    if (!front) return inputs;
    for (const lesson::Buffer& buffer : front->buffers)
        for (const std::string& name : {buffer.image, buffer.file})
            if (!name.empty()) inputs.push_back(folder / name);
    return inputs;
}

}  // namespace lanescope::execution
