#include "session/launches/host_code.h"

#include <algorithm>
#include <utility>

#include "base/file_kind.h"
#include "program/build.h"

namespace lanescope::session {

namespace fs = std::filesystem;

void HostCode::follow(const fs::path& file, std::string_view text, bool of_course, bool edited) {
    if (file != file_) {
        jobs_.cancel(run_tag);
        finished_.reset();
        cancelled_ = false;
        declined_.erase(file);  // a file that is opened again is offered again
    }
    file_ = file;
    is_program_ = has_program(file, text) && !(of_course && edited);
    of_course_ = of_course;
    if (!is_program_) return;
    const Result<fs::path> nvcc = program::find_nvcc();
    missing_ = nvcc ? Diagnostics() : nvcc.diagnostics();
}

HostCode::Stand HostCode::stand() const {
    if (!is_program_) return Stand::no_program;
    if (forbidden_) return Stand::forbidden;
    if (declined_.contains(file_)) return Stand::declined;
    if (!missing_.empty()) return Stand::no_compiler;
    return agreed_.contains(file_) ? Stand::agreed : Stand::offered;
}

ProgramRequest HostCode::request() const {
    const auto known = agreed_.find(file_);
    if (known != agreed_.end()) return known->second;
    ProgramRequest fresh;
    fresh.file = file_;
    return fresh;
}

void HostCode::agree(ProgramRequest request) {
    declined_.erase(request.file);
    const fs::path file = request.file;
    agreed_.insert_or_assign(file, std::move(request));
}

void HostCode::start() {
    cancelled_ = false;
    finished_.reset();
    jobs_.start(run_tag, [this, wanted = request()](JobContext& context) -> Jobs::Completion {
        Unattended unattended;
        unattended.cancel = &context.cancel_flag();
        unattended.tell = [&context](ProgramPhase phase) { context.report(0, static_cast<int>(phase)); };
        auto opened = std::make_shared<Result<OpenedProgram>>(open_program(wanted, &unattended));
        return [this, opened] { finished_ = std::move(*opened); };
    });
}

void HostCode::cancel() {
    cancelled_ = cancelled_ || running();
    jobs_.cancel(run_tag);
}

void HostCode::wait() {
    jobs_.wait(run_tag);
    jobs_.poll();
}

Result<std::vector<std::string>> words_of(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    bool in_word = false;
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quote == 0 && (c == ' ' || c == '\t')) {
            if (in_word) words.push_back(std::exchange(word, {}));
            in_word = false;
            continue;
        }
        in_word = true;
        if (c == quote) {
            quote = 0;
        } else if (quote == 0 && (c == '\'' || c == '"')) {
            quote = c;
        } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
            word += line[++i];
        } else {
            word += c;
        }
    }
    if (quote != 0)
        return error(std::string("the arguments have a ") + quote + " that is not closed",
                     std::string("add the second ") + quote + ", or write \\" + quote);
    if (in_word) words.push_back(std::move(word));
    return words;
}

std::string line_of(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) {
        if (!line.empty()) line += ' ';
        const bool plain = !word.empty() && word.find_first_of(" \t'\"\\") == std::string::npos;
        if (plain) {
            line += word;
            continue;
        }
        line += '\'';
        for (const char c : word)
            line += c == '\'' ? std::string("'\\''") : std::string(1, c);
        line += '\'';
    }
    return line;
}

}  // namespace lanescope::session
