#include "page/page.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/folders.h"
#include "base/language.h"
#include "lesson/course/registry.h"
#include "page/facts.h"
#include "page/flow.h"
#include "page/html.h"
#include "page/recording.h"

namespace lanescope::page {
namespace {

using nlohmann::ordered_json;

constexpr std::uint64_t max_json_bytes = 400ull << 20;  // a browser unpacks this much within some seconds
// The page's scripts. Each uses only earlier ones.
constexpr std::array scripts = {"inflate.js", "trace.js", "text.js",     "source.js", "stage.js",
                                "flow.js",    "warps.js", "timeline.js", "page.js"};

// Compresses text as RFC 1950 says; assets/html/inflate.js reads it.
Result<std::string> deflated(const std::string& text) {
    uLongf size = compressBound(text.size());
    std::string bytes(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
                  text.size(), 9) != Z_OK)
        return error("the page does not fit in memory");
    bytes.resize(size);
    return bytes;
}

std::string dumped(const ordered_json& json) {
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Result<StepRange> range_of(const session::Session& shown, const PageOptions& options) {
    if (shown.playhead().steps().empty())
        return error("block " + std::to_string(shown.playhead().block()) + " has no steps");
    const std::size_t last = shown.playhead().steps().size() - 1;
    const bool open = options.last_step == std::numeric_limits<std::size_t>::max();
    if (options.first_step > last ||
        (!open && (options.last_step > last || options.last_step < options.first_step)))
        return error("steps " + std::to_string(options.first_step + 1) +
                         (open ? std::string(" on") : ".." + std::to_string(options.last_step + 1)) +
                         " do not exist",
                     "ask for steps 1 to " + std::to_string(last + 1));
    return StepRange{options.first_step, open ? last : options.last_step};
}

Result<void> show_block(session::Session& shown, std::uint32_t block) {
    const std::vector<trace::Launch>& launches = shown.trace()->launches;
    const bool recorded = std::any_of(launches.begin(), launches.end(),
                                      [&](const trace::Launch& launch) { return launch.records(block); });
    if (!recorded)
        return error("block " + std::to_string(block) + " is not recorded",
                     "--record-blocks chooses the blocks to record; --blocks chooses those of the page");
    shown.apply(session::FocusBlock{block});
    return {};
}

// Returns the error of a page that is too large as a whole. The hint estimates how many steps fit from their
// share.
Diagnostic too_large(std::uint64_t bytes, const PageOptions& options, const StepRange& range) {
    const std::size_t steps = range.last - range.first + 1;
    const auto fitting =
        static_cast<std::size_t>(double(steps) * 0.9 * double(options.max_bytes) / double(bytes));
    char size[64];
    std::snprintf(size, sizeof size, "%.1f MB; the limit is %.0f MB", double(bytes) / (1 << 20),
                  double(options.max_bytes) / (1 << 20));
    return error("the page would take " + std::string(size),
                 "ask for fewer steps: --steps " + std::to_string(range.first + 1) + ".." +
                     std::to_string(range.first + std::max<std::size_t>(fitting, 1)) +
                     (options.blocks.size() > 1 ? ", or for fewer blocks" : ""));
}

// The page's own words, by the English ones (assets/html/page.js).
struct PageWord {
    const char *word, *english;
};
constexpr PageWord page_words[] = {
    {"Memory", tr_later("Memory")},
    {"Flow", tr_later("Flow")},
    {"read", tr_later("read in this step")},
    {"written", tr_later("written in this step")},
    {"updated atomically", tr_later("updated atomically")},
    {"bank conflict", tr_later("bank conflict")},
    {"not set yet", tr_later("not set yet")},
    {"Source", tr_later("Source")},
    {"in every lane", tr_later("in every lane")},
    {"Play", tr_later("Play")},
    {"Stop", tr_later("Stop")},
    {"Output", tr_later("Output")},
    {"Problems", tr_later("Problems")},
    {"About", tr_later("About")},
    {"Afterwards you can:", tr_later("Afterwards you can:")},
    {"Look at", tr_later("Look here")},
    {"Answer", tr_later("Answer")},
    {"Questions", tr_later("Questions")},
    {"Counted in the whole run", tr_later("Counted in the whole run")},
    {"go to step {1}", tr_later("Go to step {1}")},
    {"after step {1} of {2}", tr_later("after step {1} of {2}")},
    {"line {1}", tr_later("line {1}")},
    {"Open in Lanescope", tr_later("Open in Lanescope")},
    {"result as expected", tr_later("result as expected")},
    {"no problem found", tr_later("no problem found")},
    {"← → step · ↑ ↓ barrier phase · space plays · Home End · F flow",
     tr_later("← → step · ↑ ↓ barrier phase · space plays · Home End · F flow")},
};

ordered_json words() {
    ordered_json words = ordered_json::object();
    if (language() != "en")
        for (const PageWord& each : page_words)
            words[each.word] = tr(each.english);
    return words;
}

struct Data {
    std::string json, title;
    StepRange range;  // of the last block
};

Result<Data> data_of(const execution::RunResult& run, const PageOptions& options,
                     const std::atomic<bool>* cancel, const std::function<void(float)>& progress) {
    if (!run.trace || run.trace->turns.empty()) return error("there are no steps: nothing was recorded");
    session::Session shown(std::make_shared<const lesson::Registry>(lesson::load_lessons()));
    if (options.clock) shown.apply(session::WantClock{});
    shown.set_run(run);
    if (options.clock) shown.wait();
    ordered_json facts = facts_of(shown, options.version);
    facts["link"] = options.link;
    facts["words"] = words();
    const std::vector<std::uint32_t> blocks =
        options.blocks.empty() ? std::vector{shown.playhead().block()} : options.blocks;
    Data data;
    data.title = facts["title"].get<std::string>();
    if (data.title.empty()) data.title = facts["file"].get<std::string>();
    Strings strings;
    std::string recordings;
    ordered_json flows = ordered_json::array();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (const Result<void> there = show_block(shown, blocks[i]); !there) return there.diagnostics();
        const Result<StepRange> range = range_of(shown, options);
        if (!range) return range.diagnostics();
        data.range = *range;
        const auto told = [&](float share) {
            if (progress) progress((float(i) + share) / float(blocks.size()));
        };
        const Result<std::string> block = record_block(
            shown, *range, strings,
            {cancel, told, max_json_bytes - std::min<std::uint64_t>(recordings.size(), max_json_bytes)});
        if (!block) return block.diagnostics();
        recordings += (i ? "," : "") + *block;
        flows.push_back(flow_json(shown, *range, cancel));
    }
    data.json = "{\"facts\":" + dumped(facts) + ",\"texts\":" + dumped(strings.texts()) +
                ",\"flows\":" + dumped(flows) + ",\"blocks\":[" + recordings + "]}";
    return data;
}

}  // namespace

Result<std::string> page_data(const execution::RunResult& run, const PageOptions& options,
                              const std::atomic<bool>* cancel, const std::function<void(float)>& progress) {
    Result<Data> data = data_of(run, options, cancel, progress);
    if (!data) return data.diagnostics();
    return std::move(data->json);
}

Result<std::string> make_page(const execution::RunResult& run, const PageOptions& options,
                              const std::atomic<bool>* cancel, const std::function<void(float)>& progress) {
    const std::filesystem::path folder = resource_folder() / "assets" / "html";
    Result<std::string> page = read_text_file(folder / "page.html");
    if (!page) return page.diagnostics();
    const Result<std::string> style = read_text_file(folder / "page.css");
    if (!style) return style.diagnostics();
    std::string program;
    for (const char* name : scripts) {
        const Result<std::string> part = read_text_file(folder / name);
        if (!part) return part.diagnostics();
        program += *part;
    }
    const Result<Data> data = data_of(run, options, cancel, progress);
    if (!data) return data.diagnostics();
    const Result<std::string> packed = deflated(data->json);
    if (!packed) return packed.diagnostics();
    replace_mark(*page, "{{language}}", language());
    replace_mark(*page, "{{title}}", escaped(data->title));
    replace_mark(*page, "{{file}}", escaped(public_name(run.file)));
    replace_mark(*page, "/*{{style}}*/", *style);
    replace_mark(*page, "/*{{program}}*/", program);
    replace_mark(*page, "{{trace}}", base64(*packed));
    if (page->size() > options.max_bytes) return too_large(page->size(), options, data->range);
    return page;
}

}  // namespace lanescope::page
