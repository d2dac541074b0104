// The arrows of the stage, compared with the exact flow of values over the whole course.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/files.h"
#include "execution/run/run.h"
#include "scene/stage/stage_arrows.h"
#include "scene/stage/step_scene.h"
#include "trace/steps.h"

namespace lanescope::execution {
namespace arrow_test {

namespace fs = std::filesystem;
using scene::CellRef;

#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t steps_of_a_lesson = 8, fewest_compared = 1'200;  // sanitizers are slow
#else
constexpr std::size_t steps_of_a_lesson = 60, fewest_compared = 10'000;  // spread over the run
#endif
constexpr std::size_t broadcast_lanes = 5;  // from this many readers on, a mark stands for the arrows

RunResult run_of_file(const fs::path& file) {
    RunRequest request;
    request.file = file.string();
    const Result<std::string> source = read_text_file(file);
    EXPECT_TRUE(source);
    request.source = source ? *source : "";
    request.traced = true;
    Result<RunResult> run = execute(request);
    EXPECT_TRUE(run) << to_text(run.diagnostics());
    return run ? std::move(*run) : RunResult{};
}

// What the stage shows of a step.
struct Shown {
    std::vector<scene::StageArray> arrays;
    scene::StepScene scene;
};

class Stage {
  public:
    explicit Stage(const RunResult& run)
        : trace_(*run.trace), flow_(run.flow->get()), replay_(run.trace), turns_(run.trace->program) {
        steps_ = trace::build_steps(trace_, 0, trace::Granularity::line);
    }

    const std::vector<trace::Step>& steps() const { return steps_; }
    const analysis::Flow& flow() const { return *flow_; }

    Shown at(const trace::Step& step) {
        Shown shown;
        std::vector<std::uint64_t> turns;
        for (std::uint64_t turn = trace_.launches[step.launch].first_turn;
             turn < trace_.launches[step.launch].end_turn; ++turn)
            if (trace_.turns[turn].block == step.block) turns.push_back(turn);
        shown.arrays = scene::stage_arrays(trace_, step.launch, turns);
        shown.scene = scene::make_scene(
            trace_, shown.arrays, replay_.details(step.first, step.end, step.block), turns_, flow_.get());
        return shown;
    }

    // From the graph, by itself: the shown cells that a written cell takes its data from.
    std::map<CellRef, std::set<CellRef>> edges(const trace::Step& step, const Shown& shown) const {
        std::map<CellRef, std::set<CellRef>> found;
        for (const analysis::FlowWrite& write : flow_->graph.writes()) {
            if (write.exchange || write.turn < step.first || write.turn >= step.end ||
                write.block != step.block)
                continue;
            const scene::CellSpan to =
                scene::cells_at(shown.arrays, write.space, write.offset, write.width_bytes);
            for (std::uint32_t i = 0; i < to.count; ++i) {
                std::set<CellRef>& from = found[{to.array, to.first + i}];
                from.merge(sources(write, to.count, i, shown));
            }
        }
        return found;
    }

  private:
    std::set<CellRef> sources(const analysis::FlowWrite& write, std::uint32_t parts, std::uint32_t part,
                              const Shown& shown) const {
        const analysis::FlowGraph& graph = flow_->graph;
        std::set<CellRef> found;
        std::set<analysis::ValueId> seen;
        std::vector<analysis::ValueId> open{graph.node(write.value).operands[0]};
        while (!open.empty()) {
            const analysis::ValueId id = open.back();
            open.pop_back();
            if (!graph.is_data(id) || !seen.insert(id).second) continue;
            scene::CellSpan span;
            if (graph.is_input(id)) {
                const analysis::FlowGraph::Input input = graph.input(id);
                const trace::Symbol& symbol = trace_.symbols[input.symbol];
                const std::uint32_t bytes = std::max(1u, trace_.program.types[symbol.element].size_bytes);
                span = scene::cells_at(shown.arrays, symbol.space, symbol.offset + input.cell * bytes, bytes);
            } else if (graph.is_node(id) && graph.op(id) == analysis::Operator::store) {
                const analysis::FlowWrite& from = graph.write_of(id);
                const bool same =
                    from.block == write.block && trace_.launch_of(from.turn) == trace_.launch_of(write.turn);
                if (from.space != trace::Space::shared || same)
                    span = scene::cells_at(shown.arrays, from.space, from.offset, from.width_bytes);
            } else if (graph.is_node(id)) {
                for (std::size_t i = 0; i < (analysis::is_copy(graph.op(id)) ? 1u : 3u); ++i)
                    open.push_back(graph.node(id).operands[i]);
            }
            // Parts of different size are joined at their first cells.
            if (span.count == 0 || (span.count != parts && part != 0)) continue;
            found.insert({span.array, span.first + part});
        }
        return found;
    }

    const trace::Trace& trace_;
    std::shared_ptr<const analysis::Flow> flow_;
    trace::Replay replay_;
    analysis::TurnFlow turns_;
    std::vector<trace::Step> steps_;
};

std::string words(const Shown& shown, const CellRef& cell) {
    return shown.arrays[cell.array].symbol->name + "[" + std::to_string(cell.index) + "]";
}

// Every link is an edge, and every edge is a link, a mark of many readers, or said to be left out.
std::size_t compare(const Shown& shown, const std::map<CellRef, std::set<CellRef>>& edges) {
    std::map<CellRef, std::set<CellRef>> drawn;
    for (const scene::Link& link : shown.scene.links) {
        drawn[link.to].insert(link.from);
        const auto to = edges.find(link.to);
        // A counter's only source is what it held before: it is joined to what chose its place.
        const bool counter =
            to == edges.end() || std::all_of(to->second.begin(), to->second.end(),
                                             [&](const CellRef& cell) { return cell == link.to; });
        EXPECT_TRUE(counter || to->second.contains(link.from))
            << words(shown, link.from) << " does not feed " << words(shown, link.to);
    }
    if (shown.scene.links_left_out) return 0;
    std::map<CellRef, std::size_t> readers;
    for (const auto& [to, from] : edges)
        for (const CellRef& cell : from)
            if (cell != to) ++readers[cell];
    std::size_t compared = 0;
    for (const auto& [to, from] : edges)
        for (const CellRef& cell : from) {
            if (cell == to || readers[cell] >= broadcast_lanes) continue;
            ++compared;
            EXPECT_TRUE(drawn[to].contains(cell))
                << words(shown, cell) << " feeds " << words(shown, to) << ", which has no arrow";
        }
    return compared;
}

bool inside(const scene::CellBox& box, std::uint64_t columns, const CellRef& cell) {
    return box.array == cell.array && cell.index / columns >= box.first_row &&
           cell.index / columns <= box.last_row && cell.index % columns >= box.first_column &&
           cell.index % columns <= box.last_column;
}

// Each arrow stands for links, and each link is under an arrow.
void compare_arrows(const Shown& shown) {
    std::vector<scene::RowShape> shapes;
    for (const scene::StageArray& array : shown.arrays)
        shapes.push_back({array.is_matrix() ? array.columns : 32, array.is_matrix()});
    const scene::ArrowSet set = scene::make_arrows(shown.scene.links, shapes);
    const auto under = [&](const scene::Arrow& arrow, const scene::Link& link) {
        return inside(arrow.from, shapes[link.from.array].columns, link.from) &&
               inside(arrow.to, shapes[link.to.array].columns, link.to);
    };
    for (const scene::Arrow& arrow : set.arrows) {
        const auto links = static_cast<std::size_t>(
            std::count_if(shown.scene.links.begin(), shown.scene.links.end(),
                          [&](const scene::Link& link) { return under(arrow, link); }));
        EXPECT_GE(links, arrow.count) << "an arrow without its links";
    }
    if (set.left_out) return;
    for (const scene::Link& link : shown.scene.links)
        EXPECT_TRUE(std::any_of(set.arrows.begin(), set.arrows.end(),
                                [&](const scene::Arrow& arrow) { return under(arrow, link); }))
            << words(shown, link.from) << " to " << words(shown, link.to) << " has no arrow";
}

TEST(Arrows, of_all_lessons_are_those_of_the_flow) {
    std::size_t lessons = 0, compared = 0;
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(fs::path(LANESCOPE_SOURCE_DIR) / "kernels")) {
        if (entry.path().extension() != ".cu" || entry.path().parent_path().filename() == "exercises")
            continue;
        SCOPED_TRACE(entry.path().filename().string());
        const RunResult run = run_of_file(entry.path());
        if (!run.trace || run.trace->turns.empty()) continue;
        Stage stage(run);
        const std::size_t count = stage.steps().size();
        for (std::size_t i = 0; i < std::min(count, steps_of_a_lesson); ++i) {
            const std::size_t step = count <= steps_of_a_lesson ? i : i * count / steps_of_a_lesson;
            SCOPED_TRACE("step " + std::to_string(step + 1));
            const Shown shown = stage.at(stage.steps()[step]);
            compared += compare(shown, stage.edges(stage.steps()[step], shown));
            compare_arrows(shown);
            if (HasFailure()) break;
        }
        ++lessons;
    }
    EXPECT_GE(lessons, 70u);
    EXPECT_GE(compared, fewest_compared);
}

TEST(Arrows, of_a_sequential_reduction_join_halves) {
    const RunResult run = run_of_file(fs::path(LANESCOPE_SOURCE_DIR) / "kernels/reduction/sequential.cu");
    Stage stage(run);
    const trace::Step& step = stage.steps()[8];  // stride 64
    const Shown shown = stage.at(step);
    std::set<std::pair<std::uint64_t, std::uint64_t>> rows;
    const scene::RowShape line{32, false};
    const std::vector<scene::RowShape> shapes(shown.arrays.size(), line);
    for (const scene::Link& link : shown.scene.links)
        EXPECT_EQ(link.from.index, link.to.index + 64);
    EXPECT_FALSE(shown.scene.links.empty());
    for (const scene::Arrow& arrow : scene::make_arrows(shown.scene.links, shapes).arrows)
        EXPECT_TRUE(arrow.from.first_row != arrow.from.last_row ||
                    arrow.from.first_row == arrow.to.first_row + 2)
            << "64 cells are two rows";
}

TEST(Arrows, of_an_own_saxpy_stay_in_their_column) {
    RunRequest request;
    request.file = "saxpy.cu";
    request.source =
        "__global__ void saxpy(int n, float a, const float* x, float* y) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n) y[i] = a * x[i] + y[i];\n}\n";
    request.traced = true;
    const Result<RunResult> run = execute(request);
    ASSERT_TRUE(run) << to_text(run.diagnostics());
    Stage stage(*run);
    std::size_t links = 0;
    for (const trace::Step& step : stage.steps())
        for (const scene::Link& link : stage.at(step).scene.links) {
            EXPECT_EQ(link.from.index, link.to.index);
            ++links;
        }
    EXPECT_GE(links, 32u);
}

}  // namespace arrow_test
}  // namespace lanescope::execution
