// Runs a fuzz target without libFuzzer: first the seeds from files and folders, then mutations of them. The
// mutations depend only on the seeds and on --seed.
//   fuzz_NAME [--runs N] [--seed N] [--keep FILE] SEED_FILE_OR_FOLDER…
// An input that crashes the process or exceeds the time limit is written to --keep (fuzz-input by default).
// "--runs 0 FILE" runs that input again.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "base/files.h"
#include "mutate.h"

// A sanitizer report raises a signal, whose handler keeps the input.
extern "C" const char* __asan_default_options() {
    return "abort_on_error=1";
}
extern "C" const char* __ubsan_default_options() {
    return "abort_on_error=1:print_stacktrace=1";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr unsigned hang_s = 20;

std::string current_input;
std::string keep_name = "fuzz-input";

// Calls only functions that are safe in a signal handler.
void keep_input() {
    const int file = open(keep_name.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) return;
    if (write(file, current_input.data(), current_input.size()) < 0) {
    }
    close(file);
}

void on_signal(int number) {
    keep_input();
    signal(number, SIG_DFL);
    raise(number);
}

void run(std::string input) {
    current_input = std::move(input);
    alarm(hang_s);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(current_input.data()), current_input.size());
    alarm(0);
}

void read_seeds(const std::filesystem::path& path, std::vector<std::string>& corpus) {
    std::vector<std::filesystem::path> files;
    if (std::filesystem::is_directory(path)) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
            if (entry.is_regular_file()) files.push_back(entry.path());
        std::sort(files.begin(), files.end());
    } else {
        files.push_back(path);
    }
    for (const auto& file : files)
        if (auto bytes = lanescope::read_file(file)) corpus.push_back(std::move(*bytes));
}

void watch_for_crashes() {
    for (const int number : {SIGALRM, SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS})
        signal(number, on_signal);
}

}  // namespace

int main(int argc, char** argv) {
    std::uint64_t runs = 1000, seed = 1;
    std::vector<std::string> corpus;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
        if (word == "--runs")
            std::from_chars(value.data(), value.data() + value.size(), runs), ++i;
        else if (word == "--seed")
            std::from_chars(value.data(), value.data() + value.size(), seed), ++i;
        else if (word == "--keep")
            keep_name = value, ++i;
        else
            read_seeds(word, corpus);
    }
    if (corpus.empty()) {
        std::fprintf(stderr, "there are no seeds; name files or folders that hold some\n");
        return 2;
    }
    watch_for_crashes();
    for (const auto& text : corpus)
        run(text);
    lanescope::fuzz::Mutator mutator(seed);
    std::mt19937_64 random(seed);
    const auto any = [&]() -> const std::string& { return corpus[random() % corpus.size()]; };
    for (std::uint64_t done = 0; done < runs; ++done) {
        std::string input = any();
        mutator.change(input, any());
        run(std::move(input));
    }
    std::printf("%zu seeds, %llu mutations\n", corpus.size(), static_cast<unsigned long long>(runs));
    return 0;
}
