#include "preview/run/kernel_file.h"

#include <algorithm>

#include "base/files.h"
#include "lesson/expression.h"

namespace lanescope::preview {

namespace {

const lesson::Buffer* find_buffer(const lesson::FrontMatter& front, const std::string& name) {
    const auto found = std::find_if(front.buffers.begin(), front.buffers.end(),
                                    [&](const lesson::Buffer& buffer) { return buffer.name == name; });
    return found == front.buffers.end() ? nullptr : &*found;
}

bool is_read(const lesson::FrontMatter& front, const lesson::Buffer& buffer) {
    if (buffer.space != "global") return true;
    return std::any_of(front.launches.begin(), front.launches.end(), [&](const lesson::LaunchSpec& launch) {
        return std::any_of(launch.args.begin(), launch.args.end(),
                           [&](const lesson::Expression& argument) { return argument.text == buffer.name; });
    });
}

struct Statement {  // of one [[expect]]: out = convolve(image, mask)
    const lesson::Buffer *image, *mask, *out;
    int line;
};

std::vector<Statement> statements_of(const lesson::FrontMatter& front, const std::string& file) {
    std::vector<Statement> found;
    for (const lesson::Expectation& expectation : front.expectations) {
        if (expectation.equals.text.empty()) continue;
        const Result<lesson::Call> call = lesson::parse_call(expectation.equals, file);
        if (!call || call->name.text != "convolve" || call->arguments.size() != 2) continue;
        const Statement statement{find_buffer(front, call->arguments[0].text),
                                  find_buffer(front, call->arguments[1].text),
                                  find_buffer(front, expectation.buffer), expectation.line};
        if (statement.image != nullptr && statement.mask != nullptr && statement.out != nullptr)
            found.push_back(statement);
    }
    return found;
}

bool is_matrix(const lesson::Buffer& buffer) {
    return buffer.shape.size() == 2;
}

}  // namespace

Result<KernelFile> parse_kernel(std::string source, const std::string& file) {
    KernelFile kernel{file, std::move(source), {}, {}};
    Result<lesson::FrontMatter> front = lesson::parse_front_matter(kernel.source, file);
    if (!front) return front.diagnostics();
    kernel.front = std::move(*front);
    const std::string form = "[[expect]] buffer = \"out\", equals = \"convolve(in, mask)\"";
    if (!kernel.front.present)
        return error_at(file, 1, 0, "the file has no front matter that says what it convolves",
                        "write buffers with a shape, a launch, and " + form);
    const std::vector<Statement> statements = statements_of(kernel.front, file);
    for (const Statement& each : statements) {
        if (!is_matrix(*each.image) || !is_matrix(*each.out) || !is_matrix(*each.mask)) continue;
        Convolution made{each.image->name, each.mask->name, each.out->name, false, each.line};
        if (!is_read(kernel.front, *each.mask)) {
            const auto vector =
                std::find_if(statements.begin(), statements.end(), [&](const Statement& other) {
                    return other.image == each.image && !is_matrix(*other.mask) &&
                           is_read(kernel.front, *other.mask);
                });
            if (vector == statements.end()) continue;
            made.mask = vector->mask->name;
            made.separable = true;
        }
        kernel.convolutions.push_back(std::move(made));
    }
    if (!kernel.convolutions.empty()) return kernel;
    if (statements.empty())
        return error_at(file, kernel.front.first_line, 0,
                        "the front matter does not say what the file convolves", "add " + form);
    return error_at(file, statements.front().line, 0,
                    "this does not convolve an image: '" + statements.front().image->name + "', '" +
                        statements.front().mask->name + "' and '" + statements.front().out->name +
                        "' must be matrices",
                    "write shape = [\"rows\", \"cols\"]");
}

Result<KernelFile> read_kernel(const std::string& path) {
    Result<std::string> source = read_text_file(path);
    if (!source) return source.diagnostics();
    return parse_kernel(std::move(*source), path);
}

}  // namespace lanescope::preview
