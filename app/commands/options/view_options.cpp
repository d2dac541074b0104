#include "commands/options/view_options.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <set>

#include "session/playhead/named_cell.h"
#include "session/session.h"
#include "ui/state/inspector_tabs.h"
#include "ui/window/picture.h"

namespace lanescope {

namespace {

Result<void> check(const session::Session& shown, const std::string& option, const std::string& expression) {
    const Diagnostics problems = shown.values().problems(expression);
    if (problems.empty()) return {};
    const std::string where = " (column " + std::to_string(problems.front().column) + ")";
    return error(option + " " + expression + ": " + problems.front().message + where);
}

// A name is that of an array in global memory or in the shared memory of a launch.
Result<void> check_array(const session::Session& shown, const std::string& array) {
    if (array.empty() || !shown.trace()) return {};
    std::set<std::string> known;
    const auto add = [&](const std::vector<trace::Symbol>& symbols) {
        for (const trace::Symbol& symbol : symbols)
            if (!symbol.name.empty()) known.insert(symbol.name);
    };
    add(shown.trace()->symbols);
    for (const trace::Launch& launch : shown.trace()->launches)
        add(launch.shared);
    if (known.contains(array)) return {};
    std::string names;
    for (const std::string& name : known)
        names += (names.empty() ? "" : ", ") + name;
    return error("--array " + array + ": there is no such array",
                 names.empty() ? "the run has no arrays" : "there are: " + names);
}

// "10" or "10:t == 5"
Result<session::Breakpoint> breakpoint_of(const session::Session& shown, const std::string& text) {
    session::Breakpoint made;
    const std::size_t colon = std::min(text.find(':'), text.size());
    const auto read = std::from_chars(text.data(), text.data() + colon, made.line);
    if (read.ec != std::errc() || read.ptr != text.data() + colon || made.line == 0)
        return error("--break " + text + " must begin with a line number",
                     "use --break 10, or --break '10:t == 5'");
    const std::uint32_t code = shown.trace() ? session::line_with_code(*shown.trace(), made.line) : 0;
    if (code == 0)
        return error("--break " + text + ": there is no code on line " + std::to_string(made.line) +
                     " or after it");
    made.line = code;
    if (colon < text.size()) made.condition = text.substr(colon + 1);
    if (made.condition.empty()) return made;
    const Result<void> good = check(shown, "--break", made.condition);
    if (!good) return good.diagnostics();
    return made;
}

// "s[3]"
Result<session::Breakpoint> cell_breakpoint_of(const session::Session& shown, const std::string& cell) {
    if (!shown.trace()) return error("--break-write " + cell + ": nothing was recorded");
    const Result<session::NamedCell> found = session::cell_named(*shown.trace(), cell);
    if (!found)
        return error("--break-write " + cell + ": " + found.diagnostics().front().message + " (column " +
                     std::to_string(found.diagnostics().front().column) + ")");
    return session::Breakpoint{0, {}, true, cell};
}

Result<void> set_marks(session::Session& shown, const ViewOptions& options) {
    for (const std::string& watch : options.watches)
        if (const Result<void> good = check(shown, "--watch", watch); !good) return good;
    shown.apply(session::SetWatches{options.watches});
    for (const std::string& text : options.breakpoints) {
        const Result<session::Breakpoint> made = breakpoint_of(shown, text);
        if (!made) return made.diagnostics();
        shown.apply(session::SetBreakpoint{*made});
    }
    for (const std::string& cell : options.written_cells) {
        const Result<session::Breakpoint> made = cell_breakpoint_of(shown, cell);
        if (!made) return made.diagnostics();
        shown.apply(session::SetBreakpoint{*made});
    }
    if (options.breakpoints.empty() && options.written_cells.empty()) return {};
    shown.apply(session::Continue{});
    shown.wait();
    return shown.search().hit() ? Result<void>() : error("--break: " + shown.search().note());
}

std::vector<std::string> tab_names() {
    std::vector<std::string> names;
    for (const ui::InspectorTabRow& row : ui::inspector_tabs) {
        names.emplace_back(row.name);
        if (row.part) names.emplace_back(row.part);
    }
    return names;
}

}  // namespace

void ViewOptions::add_to(CLI::App& app) {
    app.add_option("--tab", tab, "the tab below the source")->check(CLI::IsMember(tab_names()));
    app.add_option("--watch", watches, "show an expression in every lane: 's[t] + 1'; may be repeated")
        ->allow_extra_args(false);
    app.add_option("--break", breakpoints,
                   "LINE or 'LINE:CONDITION': run on from the step until a lane runs the line, or\n"
                   "runs it while the condition is true; may be repeated")
        ->allow_extra_args(false);
    app.add_option("--break-write", written_cells,
                   "run on from the step until a lane writes this cell: 's[3]'; may be repeated")
        ->allow_extra_args(false);
    app.add_flag("--ptx", ptx, "show the PTX beside the source");
    app.add_option("--instruction", instruction,
                   "make one PTX instruction the step: this one of the step's first turn, from 0")
        ->check(CLI::NonNegativeNumber);
    app.add_option(
           "--heat", heat,
           "what the bars beside the source measure; time: of all warps on a GPU, as it was measured;\n"
           "registers: that are in use at each line, by NVIDIA's assembler")
        ->check(CLI::IsMember({"executions", "lanes-off", "conflicts", "sectors", "time", "registers"}))
        ->capture_default_str();
    app.add_option("--reals", reals, "how cells write real numbers")
        ->check(CLI::IsMember({"decimal", "scientific", "hex"}))
        ->capture_default_str();
    app.add_option("--cell-colour", cell_colour,
                   "what the colour of a cell means: what the step does with it, or which input its value\n"
                   "came from; automatic: as the lesson says, else origin if the kernels only move data")
        ->check(CLI::IsMember({"automatic", "state", "origin"}))
        ->capture_default_str();
    app.add_option("--array", array, "view layout: the array (default: the one that the step uses)");
    app.add_option("--layout", layout, "view layout: the picture (default: what the step shows best)")
        ->check(CLI::IsMember({"automatic", "tile", "banks", "fragments", "owners"}))
        ->capture_default_str();
    app.add_option("--label", label, "the variable or expression that the lanes of the warps show");
    app.add_option("--lane-colour", lane_colour,
                   "the variable or expression that colours the lanes of the warps");
}

Result<void> ViewOptions::apply_to(ui::PictureRequest& picture) const {
    for (const ui::InspectorTabRow& row : ui::inspector_tabs)
        if (tab == row.name || (row.part && tab == row.part)) picture.tab = row.tab;
    picture.roofline = tab == "roofline";
    picture.counters = tab == "counters";
    if (tab.empty() && !watches.empty()) picture.tab = ui::InspectorTab::variables;
    const std::pair<const char*, ui::HeatMetric> heats[] = {{"executions", ui::HeatMetric::executions},
                                                            {"lanes-off", ui::HeatMetric::divergence},
                                                            {"conflicts", ui::HeatMetric::conflicts},
                                                            {"sectors", ui::HeatMetric::sectors},
                                                            {"time", ui::HeatMetric::time},
                                                            {"registers", ui::HeatMetric::registers}};
    for (const auto& [name, metric] : heats)
        if (heat == name) picture.heat = metric;
    picture.reals = reals == "hex"          ? ui::RealFormat::hexadecimal
                    : reals == "scientific" ? ui::RealFormat::scientific
                                            : ui::RealFormat::decimal;
    picture.cell_colour = cell_colour == "origin"  ? ui::CellColour::origin
                          : cell_colour == "state" ? ui::CellColour::state
                                                   : ui::CellColour::automatic;
    picture.ptx = ptx || instruction >= 0;
    picture.lane_colour = lane_colour;
    picture.layout.array = array;
    picture.layout.part = layout == "tile"        ? ui::LayoutPart::tile
                          : layout == "banks"     ? ui::LayoutPart::banks
                          : layout == "fragments" ? ui::LayoutPart::fragments
                          : layout == "owners"    ? ui::LayoutPart::owners
                                                  : ui::LayoutPart::automatic;
    return {};
}

Result<void> ViewOptions::apply_to(session::Session& shown) const {
    if (const Result<void> marked = set_marks(shown, *this); !marked) return marked;
    if (const Result<void> good = check_array(shown, array); !good) return good;
    for (const auto& [option, expression] :
         {std::pair{"--label", &label}, std::pair{"--lane-colour", &lane_colour}})
        if (!expression->empty())
            if (const Result<void> good = check(shown, option, *expression); !good) return good;
    if (!label.empty()) shown.apply(session::LabelVariable{label});
    if (instruction < 0) return {};
    shown.apply(session::StepInstructions{true});
    const std::size_t count = shown.playhead().step_state() ? shown.playhead().step_state()->pcs.size() : 0;
    if (std::size_t(instruction) >= count)
        return error("--instruction " + std::to_string(instruction) + " does not exist",
                     "the turn has instructions 0 to " + std::to_string(count == 0 ? 0 : count - 1));
    if (instruction > 0) shown.apply(session::StepBy{instruction});
    return {};
}

}  // namespace lanescope
