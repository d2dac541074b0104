#include "session/launches/launches.h"

#include <algorithm>

#include "base/temporary_folder.h"

namespace lanescope::session {

namespace fs = std::filesystem;

void Launches::open(OpenedProgram program) {
    jobs_.cancel(record_tag);
    program_ = std::make_shared<const OpenedProgram>(std::move(program));
    ++generation_;
    shown_.reset();
    problems_ = program_->problems;
    recorded_.clear();
    finished_.reset();
    if (program_->trace.empty()) return;
    recorded_ = {{program_->trace, program_->launch}};
    finished_ = program_->trace;
}

void Launches::follow(const fs::path& file) {
    if (program_ == nullptr || program_->file == file) return;
    close();
}

void Launches::close() {
    if (program_ == nullptr) return;
    jobs_.cancel(record_tag);
    finished_.reset();
    program_.reset();
    ++generation_;
    recorded_.clear();
    shown_.reset();
    problems_.clear();
}

void Launches::record(std::uint64_t number) {
    if (program_ == nullptr || shown_ == number) return;
    jobs_.cancel(record_tag);
    problems_.clear();
    const fs::path trace = program_->trace_of(number);
    if (recorded_.contains(trace)) {
        finished_ = trace;
        return;
    }
    Result<TemporaryFolder> made = TemporaryFolder::create();
    if (!made) {
        problems_ = made.diagnostics();
        return;
    }
    const auto folder = std::make_shared<const TemporaryFolder>(std::move(*made));
    recording_ = number;
    journal_ = folder->path() / program::journal_name;
    jobs_.start(record_tag,
                [this, program = program_, number, folder](JobContext& context) -> Jobs::Completion {
                    auto recorded = std::make_shared<Result<fs::path>>(
                        record_launch(*program, number, folder->path(), &context.cancel_flag()));
                    return [this, number, recorded] {
                        if (!*recorded) {
                            problems_ = recorded->diagnostics();
                            return;
                        }
                        recorded_[**recorded] = number;
                        finished_ = **recorded;
                    };
                });
}

float Launches::progress() const {
    if (program_ == nullptr || program_->run.journal_bytes == 0) return 0;
    std::error_code failed;
    const std::uintmax_t bytes = fs::file_size(journal_, failed);
    if (failed) return 0;
    return std::min(1.0f, static_cast<float>(bytes) / static_cast<float>(program_->run.journal_bytes));
}

void Launches::wait() {
    jobs_.wait(record_tag);
    jobs_.poll();
}

}  // namespace lanescope::session
