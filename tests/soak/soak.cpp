// Simulates a person who presses, clicks, drags, types and opens files at random for a long time.
//
//     soak [--inputs N] [--seed S] [--pictures K]         10000 inputs; every K-th frame is also drawn (50)
//
// The program works on its own copy of the course, with its own folders for settings and data. It ends with
// exit status 1 if memory grows: with the first lesson open, the least memory in use during the last third of
// the inputs must not exceed that of the second third by more than the allowance. Single figures vary with
// what was opened before, such as an image or a second run. Other mistakes crash the program, above all under
// sanitizers. The last line of the output then names the input.
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "compile/compiler.h"
#include "render/framebuffer.h"
#include "render/headless.h"
#include "session/session.h"
#include "ui/actions/table.h"
#include "ui/window/app.h"

#if defined(__SANITIZE_ADDRESS__)
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#endif

namespace {

using namespace lanescope;
namespace fs = std::filesystem;

// Caches, histories and pictures fill up at first; a leak at every input grows beyond that.
constexpr std::uint64_t settled_after = 10'000;  // inputs
constexpr std::size_t growth_allowed = 48u << 20, growth_allowed_before = 160u << 20;

std::size_t bytes_in_use() {
#if defined(__SANITIZE_ADDRESS__)
    return __sanitizer_get_current_allocated_bytes();
#else
    return mallinfo2().uordblks + mallinfo2().hblkhd;
#endif
}

// Writes files that open, one of them without front matter, and files that do not open.
void write_files(const fs::path& folder) {
    const std::pair<const char*, const char*> files[] = {
        {"plain.cu", "__global__ void f(int* a, int n) { if (threadIdx.x < n) a[threadIdx.x] += 1; }\n"},
        {"broken.cu", "__global__ void f(int* a) { a[0] = ; }\n"},
        {"front.cu", "/*--- lanescope\n[params]\nn = { default = }\n---*/\n__global__ void f(int* a) {}\n"},
        {"empty.cu", ""},
        {"endless.cu", "__global__ void f(volatile int* a) { while (a[0] == 0) {} }\n"},
        {"outside.cu", "__global__ void f(int* a) { a[1 << 20] = threadIdx.x; }\n"},
        {"damaged.trace", "lanescope trace? no"},
        {"damaged.png", "\x89PNG\r\n\x1a\n and no more"},
    };
    for (const auto& [name, text] : files)
        if (!write_file(folder / name, text)) std::abort();
}

class Person {
  public:
    Person(std::uint64_t seed, fs::path folder) : random_(seed), folder_(std::move(folder)) {
        for (const auto& entry : fs::recursive_directory_iterator(folder_))
            if (entry.is_regular_file() && entry.path().extension() != ".toml")
                files_.push_back(entry.path());
        std::sort(files_.begin(), files_.end());
    }

    // Makes one input and returns its description.
    std::string act(ui::FrameInput& input, ui::SyntheticInput& hand, session::Session& session) {
        hand.typed.clear();
        hand.keys.clear();
        hand.wheel = 0;
        input.keys.clear();
        const std::uint64_t kind = below(100);
        if (kind < 30) {
            const std::vector<ui::Action>& all = ui::actions();
            const ui::Action& action = all[below(all.size())];
            if (action.keys.empty() || action.id == "window.quit") return "nothing";
            input.keys.push_back(action.keys[below(action.keys.size())]);
            return "key " + to_text(input.keys.back());
        }
        if (kind < 75) return mouse(input, hand);
        if (kind < 83) {
            hand.wheel = static_cast<float>(below(7)) - 3;
            return "wheel";
        }
        if (kind < 92) return type(hand);
        if (kind < 94) {
            static constexpr std::array<render::Extent, 6> sizes{
                {{1600, 1000}, {1280, 720}, {640, 480}, {333, 247}, {2560, 1440}, {1920, 300}}};
            input.pixels = sizes[below(sizes.size())];
            return "size " + std::to_string(input.pixels.width) + "x" + std::to_string(input.pixels.height);
        }
        if (kind < 97) {
            const fs::path& file = files_[below(files_.size())];
            session.apply(session::OpenFile{file});
            return "open " + file.filename().string();
        }
        if (kind < 98) {
            session.apply(session::EditSource{damaged(session.document().text())});
            return "edit";
        }
        return "nothing";
    }

  private:
    std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

    std::string mouse(const ui::FrameInput& input, ui::SyntheticInput& hand) {
        switch (below(5)) {
            case 0:
                hand.left = !hand.left;
                return hand.left ? "press" : "release";
            case 1:
                hand.right = !hand.right;
                return hand.right ? "right press" : "right release";
            case 2:  // a small distance, as in dragging
                hand.x += static_cast<float>(below(41)) - 20;
                hand.y += static_cast<float>(below(41)) - 20;
                return "drag";
            default:
                hand.x = static_cast<float>(below(static_cast<std::uint64_t>(input.pixels.width) + 20)) - 10;
                hand.y = static_cast<float>(below(static_cast<std::uint64_t>(input.pixels.height) + 20)) - 10;
                return "move";
        }
    }

    std::string type(ui::SyntheticInput& hand) {
        static constexpr ImGuiKey keys[] = {ImGuiKey_Enter,   ImGuiKey_Backspace, ImGuiKey_Delete,
                                            ImGuiKey_Tab,     ImGuiKey_LeftArrow, ImGuiKey_RightArrow,
                                            ImGuiKey_Home,    ImGuiKey_End,       ImGuiKey_Escape,
                                            ImGuiKey_UpArrow, ImGuiKey_DownArrow};
        static constexpr const char* words[] = {"0", "7",      "64",   "-1",  "99999999999999999999",
                                                "n", "t + ",   "s[t]", "/*",  "\"",
                                                "{", "}",      ";",    "ä",   "∑",
                                                " ", "stride", "%n",   "(((("};
        if (below(2) == 0)
            hand.keys.push_back(keys[below(std::size(keys))]);
        else
            hand.typed = words[below(std::size(words))];
        return "type " + hand.typed;
    }

    std::string damaged(std::string text) {
        for (std::uint64_t edits = 1 + below(3); edits > 0 && !text.empty(); --edits) {
            const std::size_t at = below(text.size());
            if (below(2) == 0)
                text.erase(at, below(20));
            else
                text.insert(at, text.substr(below(text.size()), below(20)));
        }
        return text;
    }

    std::mt19937_64 random_;
    fs::path folder_;
    std::vector<fs::path> files_;
};

// Returns the memory in use after a return to the same state, so that the figures can be compared.
std::size_t settled_bytes(session::Session& session, ui::App& app, ui::FrameInput input,
                          const fs::path& lesson) {
    input.keys.clear();
    input.hand = nullptr;
    input.pixels = {1600, 1000};  // pixels and zoom set the size of the fonts
    app.window().zoom = 1;
    app.window().lecture = false;
    session.apply(session::OpenFile{lesson});
    session.wait();
    for (int frame = 0; frame < 5; ++frame)
        app.frame(input);
    return bytes_in_use();
}

int play(std::uint64_t inputs, std::uint64_t seed, std::uint64_t pictures, const fs::path& folder) {
    auto context = render::HeadlessContext::create();
    auto target = context ? render::Framebuffer::create(2560, 1440)
                          : Result<render::Framebuffer>(context.diagnostics());
    if (!target) {
        std::fprintf(stderr, "%s\n", to_text(target.diagnostics()).c_str());
        return 2;
    }
    session::Session session(folder / "kernels");
    ui::App app(session, nullptr);
    app.skip_drawing(true);
    const fs::path lesson = folder / "kernels/reduction/modulo.cu";
    session.apply(session::OpenFile{lesson});
    Person person(seed, folder);
    ui::FrameInput input;
    ui::SyntheticInput hand;
    input.pixels = {1600, 1000};
    input.hand = &hand;
    std::vector<std::size_t> in_use;  // at regular intervals
    for (std::uint64_t number = 0; number < inputs; ++number) {
        if (number % std::max<std::uint64_t>(inputs / 12, 1) == 0) {
            in_use.push_back(settled_bytes(session, app, input, lesson));
            std::printf("%.1f MiB in use\n", static_cast<double>(in_use.back()) / (1 << 20));
        }
        const std::string what = person.act(input, hand, session);
        std::printf("%llu %s\n", static_cast<unsigned long long>(number), what.c_str());
        std::fflush(stdout);
        input.now_s += 1.0 / 60;
        app.skip_drawing(number % pictures != 0);
        target->bind();
        app.frame(input);
    }
    in_use.push_back(settled_bytes(session, app, input, lesson));
    const auto second = in_use.begin() + static_cast<std::ptrdiff_t>(in_use.size() / 3),
               last = in_use.begin() + static_cast<std::ptrdiff_t>(2 * in_use.size() / 3);
    const std::size_t before = *std::min_element(second, last), end = *std::min_element(last, in_use.end());
    std::printf(
        "%llu inputs; least memory in use: %.1f MiB in the second third, %.1f MiB in the last third\n",
        static_cast<unsigned long long>(inputs), static_cast<double>(before) / (1 << 20),
        static_cast<double>(end) / (1 << 20));
    return end > before + (inputs < settled_after ? growth_allowed_before : growth_allowed) ? 1 : 0;
}

int usage() {
    std::fprintf(stderr, "usage: soak [--inputs N] [--seed S] [--pictures K]\n");
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "__compile") return compile::compile_worker_main();
    std::uint64_t inputs = 10000, seed = 1, pictures = 50;
    if (argc % 2 == 0) return usage();
    for (int i = 1; i < argc; i += 2) {
        const std::string word = argv[i];
        std::uint64_t* into = word == "--inputs"     ? &inputs
                              : word == "--seed"     ? &seed
                              : word == "--pictures" ? &pictures
                                                     : nullptr;
        if (into == nullptr) return usage();
        *into = std::max(std::strtoull(argv[i + 1], nullptr, 10), 1ull);
    }
    const fs::path folder = fs::temp_directory_path() / ("lanescope-soak-" + std::to_string(getpid()));
    fs::create_directories(folder);
    fs::copy(fs::path(LANESCOPE_SOURCE_DIR) / "kernels", folder / "kernels", fs::copy_options::recursive);
    write_files(folder);
    for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
        setenv(name, (folder / "home").c_str(), 1);
    fs::create_directories(folder / "home");
    fs::current_path(folder);
    const int status = play(inputs, seed, pictures, folder);
    fs::current_path("/");
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return status;
}
