// The kernels of tests/corpus leave the same bytes in their buffers as on a GPU.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "base/files.h"
#include "compile/compiler.h"
#include "execution/run/run.h"
#include "recording.h"

namespace lanescope::parity {
namespace corpus_test {

// Buffers whose contents depend on more than the kernel, and why. The files' own expectations check them.
const std::map<std::string, std::string> undefined = {
    {"k19_math.cu f", "reverses the bits of results of approximate instructions"},
    {"k22_atomics.cu many32", "holds what the last of 32 exchanging lanes left"},
    {"k23_warpvotes.cu out", "holds clocks and the multiprocessor's number"},
    {"k27_matmul_assert.cu slots", "holds addresses"},
    {"k27_matmul_assert.cu times", "holds clocks"},
};

std::vector<std::filesystem::path> corpus() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(LANESCOPE_CORPUS))
        if (entry.path().extension() == ".cu") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

const std::map<std::string, Record>& records() {
    static const std::map<std::string, Record> loaded = [] {
        std::map<std::string, Record> made;
        if (auto recording = load_recording(LANESCOPE_CORPUS_RECORDING); recording.ok())
            for (Record& record : recording->records)
                made.emplace(record.code, record);
        return made;
    }();
    return loaded;
}

// Returns the position of the first byte that is set and differs; the recorded size if none differs.
std::size_t first_difference(const execution::BufferView& found, const std::vector<std::byte>& recorded) {
    for (std::size_t i = 0; i < recorded.size(); ++i)
        if (found.set[i] && found.contents[i] != recorded[i]) return i;
    return recorded.size();
}

void check(const execution::RunResult& result, const std::string& file, const std::string& source,
           bool debug) {
    for (const execution::BufferView& buffer : result.buffers) {
        if (undefined.contains(file + " " + buffer.name)) continue;
        const std::string name = corpus_record_name(file, debug, buffer.name);
        const auto record = records().find(name);
        ASSERT_NE(record, records().end()) << name << " has no recording";
        ASSERT_EQ(record->second.work_hash, file_hash(source))
            << name << ": the recording belongs to another text of the file; record it again";
        ASSERT_EQ(record->second.result.size(), buffer.contents.size()) << name;
        const std::size_t at = first_difference(buffer, record->second.result);
        EXPECT_EQ(at, record->second.result.size()) << name << " differs at byte " << at;
    }
}

class Corpus : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Corpus, leaves_what_the_gpu_left) {
    for (const bool debug : {true, false}) {
        auto source = read_file(GetParam());
        ASSERT_TRUE(source.ok());
        execution::RunRequest request;
        request.file = GetParam().string();
        request.source = *source;
        request.code = debug ? compile::Code::debug : compile::Code::optimized;
        request.traced = false;
        const auto result = execution::execute(request);
        ASSERT_TRUE(result.ok()) << to_text(result.diagnostics());
        check(*result, GetParam().filename().string(), *source, debug);
    }
}
TEST(ParityCorpus, leaves_out_buffers_that_exist) {
    for (const auto& [name, why] : undefined) {
        const std::size_t space = name.find(' ');
        EXPECT_TRUE(
            records().contains(corpus_record_name(name.substr(0, space), true, name.substr(space + 1))))
            << name << ", which " << why;
    }
}

INSTANTIATE_TEST_SUITE_P(Parity, Corpus, testing::ValuesIn(corpus()),
                         [](const auto& tested) { return tested.param.stem().string(); });

}  // namespace corpus_test
}  // namespace lanescope::parity
