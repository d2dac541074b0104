#include "ui/threads/threads_view.h"

#include <algorithm>
#include <cmath>

#include "scene/words/block_words.h"
#include "ui/kit/stage_tabs.h"
#include "ui/kit/widgets.h"
#include "ui/stage/stage_draw.h"
#include "ui/threads/threads_legend.h"

namespace lanescope::ui {
namespace {

constexpr std::uint64_t built_at_once = 100'000;  // up to so many turns are prepared without a job
constexpr std::uint64_t max_record_bytes = 512u << 20;
constexpr float label_width = 74, margin = 14;
constexpr float largest_cell = 26;

std::string line_words(const ThreadsModel& model, std::uint32_t pc) {
    if (pc >= model.code.size() || model.code[pc].line_rank >= model.lines.size()) return "line unknown";
    const MapLine& line = model.lines[model.code[pc].line_rank];
    return "line " + std::to_string(line.line) + (line.text.empty() ? "" : ": " + line.text);
}

}  // namespace

// --- Heading -----------------------------------------------------------------------------------------------

void ThreadsView::tools(Heading& heading, const ViewContext& view) {
    stage_tabs(heading, view.window, view.requests);
    if (heading.word_right("Fit")) zoom_ = 1, pan_x_ = pan_y_ = 0;
    if (menu_word_right(heading, "colour: " + view.window.map_colour, view.window))
        ImGui::OpenPopup("map colour");
    std::vector<std::string> names = {"state", "line"};
    if (model_)
        for (const MapVariable& variable : model_->variables)
            names.push_back(variable.name);
    const auto at = std::find(names.begin(), names.end(), view.window.map_colour);
    const int chosen = choice_popup("map colour", names, int(at - names.begin()), view.window);
    if (chosen >= 0) view.requests.set(&WindowState::map_colour, names[std::size_t(chosen)]);
    const session::StepState* step_state = view.session.playhead().step_state();
    if (!step_state || !step_state->launch) return;
    const std::string words = std::string(in_place_ ? "drawn from the kernel's own records · " : "") +
                              step_state->launch->kernel + " · " + grouped(step_state->launch->grid.count()) +
                              (step_state->launch->grid.count() == 1 ? " block of " : " blocks of ") +
                              grouped(step_state->launch->block.count()) + " threads";
    heading.words({words});
}

// --- Content -----------------------------------------------------------------------------------------------

void ThreadsView::prepare(const session::Session& session, const WindowState& window) {
    jobs_.poll();
    const session::StepState* step_state = session.playhead().step_state();
    if (!step_state || !session.run() || !session.run()->trace) {
        model_.reset();
        generation_ = ~0ull;
        return;
    }
    const std::shared_ptr<const trace::Trace> trace = session.run()->trace;
    const std::shared_ptr<const analysis::Code> code = session.run()->instructions;
    const std::uint32_t launch = step_state->step.launch, focus = step_state->step.block;
    const auto on_gpu =
        std::find_if(window.gpu.streams.begin(), window.gpu.streams.end(),
                     [&](const auto& each) { return each->trace == trace && each->launch == launch; });
    const std::shared_ptr<const GpuStreams> in_place = on_gpu == window.gpu.streams.end() ? nullptr : *on_gpu;
    const bool window_left = model_ && !model_->note.empty() && focus != focus_ && !slot_of(focus, 0);
    if (generation_ == session.runner().generation() && launch == launch_ && in_place == in_place_ &&
        !window_left)
        return;
    generation_ = session.runner().generation(), launch_ = launch, focus_ = focus;
    model_.reset();
    in_place_.reset();
    problem_.clear();
    jobs_.cancel("threads");
    if (in_place) return take(in_place);
    const std::uint64_t limit = std::min(render::largest_buffer_bytes(), max_record_bytes);
    jobs_.start(
        "threads", [this, trace, code, launch, focus, limit](JobContext& context) -> Jobs::Completion {
            auto model = build_threads_model(*trace, *code, launch, focus, limit, &context.cancel_flag());
            return [this, model] { take(model); };
        });
    if (window.still || trace->turns.size() < built_at_once) jobs_.wait("threads");
    jobs_.poll();
}

// Uploads the records to the GPU and drops the host's copy.
void ThreadsView::take(std::shared_ptr<ThreadsModel> model) {
    model_ = std::move(model);
    if (!model_ || !set_tables({})) return;
    trace::RecordStreams& made = model_->streams;
    uploaded_ = {};  // two launches' records need not fit into memory
    Result<render::StreamBuffer> uploaded =
        render::StreamBuffer::upload({std::uint32_t(made.blocks.size()), made.block_threads, made.capacity},
                                     std::as_bytes(std::span(made.records)), made.counts);
    if (!uploaded) return fail(uploaded.diagnostics());
    uploaded_ = std::move(*uploaded);
    made.records = {};
}

// Uses records that are already on the GPU.
void ThreadsView::take(std::shared_ptr<const GpuStreams> streams) {
    in_place_ = std::move(streams);
    uploaded_ = {};
    model_ = build_threads_tables(*in_place_->trace, *in_place_->instructions, launch_);
    model_->streams.blocks = in_place_->blocks;
    model_->streams.block_threads = in_place_->buffer.shape().block_threads;
    model_->variables = in_place_->variables;
    set_tables(in_place_->clock_offsets);
}

bool ThreadsView::set_tables(std::span<const std::uint64_t> clock_offsets) {
    watched_ = "state", time_ = ~0ull, shown_ = {}, range_ = {};
    if (!map_) {
        Result<render::ThreadMap> map = render::ThreadMap::create();
        if (!map) return fail(map.diagnostics()), false;
        map_ = std::move(*map);
    }
    for (const Result<void>& set :
         {map_->set_code(model_->code), map_->set_clock_offsets(clock_offsets), map_->set_watched({})})
        if (!set) return fail(set.diagnostics()), false;
    return true;
}

render::ColourBy ThreadsView::colour_by(const WindowState& window) const {
    return window.map_colour == "state"  ? render::ColourBy::state
           : window.map_colour == "line" ? render::ColourBy::line
                                         : render::ColourBy::value;
}

// Tells the shaders which variable is watched.
void ThreadsView::choose_colour(const WindowState& window, Requests& requests) {
    if (window.map_colour == watched_) return;
    const auto at = std::find_if(model_->variables.begin(), model_->variables.end(),
                                 [&](const MapVariable& each) { return each.name == window.map_colour; });
    const bool none = at == model_->variables.end();
    if (none && colour_by(window) == render::ColourBy::value) {
        requests.problem =
            "no variable '" + window.map_colour +
            "' holds a number in a register of this launch; use state, line or a variable that does";
        requests.set(&WindowState::map_colour, std::string("state"));
    }
    const std::vector<std::vector<render::WatchedRegister>> nothing;
    if (const Result<void> set = map_->set_watched(none ? nothing : at->by_function); !set)
        return fail(set.diagnostics());
    range_ = map_->range(streams());
    watched_ = window.map_colour;
    time_ = ~0ull;
}

void ThreadsView::update_states(const session::Session& session, const WindowState& window) {
    const trace::Launch& launch = session.trace()->launches[launch_];
    const trace::Step& step = session.playhead().step_state()->step;
    const bool hidden = session.playhead().stands_before() && colour_by(window) == render::ColourBy::value;
    const std::uint64_t end = std::min(hidden ? step.first : step.end, launch.end_turn);
    std::uint64_t time = end > launch.first_turn ? end - launch.first_turn - 1 : 0;
    if (in_place_) time = time < in_place_->time_of_turn.size() ? in_place_->time_of_turn[time] : 0;
    if (time == time_) return;
    if (const Result<void> updated = map_->update(streams(), time); !updated)
        return fail(updated.diagnostics());
    time_ = time;
    tally_ = map_->tally();
}

// --- Layout ------------------------------------------------------------------------------------------------

void ThreadsView::arrange(const Rect& map, const WindowState& window) {
    const render::StreamShape& shape = streams().shape();
    layout_ = fit_map(shape.blocks, shape.block_threads, map.width, map.height, window.px(largest_cell));
    layout_.cell *= zoom_;
    const float spare_x = map.width - layout_.width(), spare_y = map.height - layout_.height();
    pan_x_ = std::clamp(pan_x_, std::min(spare_x, 0.0f), 0.0f);
    pan_y_ = std::clamp(pan_y_, std::min(spare_y, 0.0f), 0.0f);
    layout_.x = std::round(pan_x_), layout_.y = std::round(pan_y_);
}

void ThreadsView::navigate(const Rect& map, const WindowState& window) {
    if (window.still || !hovered(map, window)) return;
    const ImGuiIO& io = ImGui::GetIO();
    if (io.MouseWheel != 0) {
        const float least = std::min(1.0f, 1.0f / std::max(layout_.cell / zoom_, 0.01f));
        const float wanted = std::clamp(zoom_ * std::pow(1.25f, io.MouseWheel), least, 400.0f);
        const float factor = wanted / zoom_, x = io.MousePos.x - map.x, y = io.MousePos.y - map.y;
        pan_x_ = x - (x - pan_x_) * factor;
        pan_y_ = y - (y - pan_y_) * factor;
        zoom_ = wanted;
    }
    if (ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4) ||
        ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 0)) {
        pan_x_ += io.MouseDelta.x;
        pan_y_ += io.MouseDelta.y;
        dragged_ = true;
    }
}

// --- Drawing -----------------------------------------------------------------------------------------------

void ThreadsView::paint(const Rect& map, const WindowState& window) {
    const Shown wanted{time_,        window.map_colour, layout_.x,      layout_.y,
                       layout_.cell, int(map.width),    int(map.height)};
    if (!(wanted == shown_)) {
        if (wanted.width != target_.width() || wanted.height != target_.height()) {
            Result<render::Framebuffer> made = render::Framebuffer::create(wanted.width, wanted.height);
            if (!made) return fail(made.diagnostics());
            target_ = std::move(*made);
        }
        render::MapPicture picture;
        picture.width = wanted.width, picture.height = wanted.height;
        picture.origin_x = layout_.x, picture.origin_y = layout_.y;
        picture.cell = layout_.cell, picture.gap = layout_.gap(), picture.columns = layout_.columns;
        picture.colour_by = colour_by(window);
        picture.range = range_;
        for (std::size_t state = 0; state < render::thread_states; ++state)
            picture.state_colours[state] = state_colour(render::ThreadState(state));
        picture.scale_colours = theme().scale;
        picture.unset_colour = theme().off_edge;
        const render::Framebuffer::Bound into(target_);
        map_->draw(streams(), picture);
        if (const Result<void> drawn = render::check_gl("drawing the map of threads"); !drawn)
            return fail(drawn.diagnostics());
        shown_ = wanted;
    }
    ImGui::GetWindowDrawList()->AddImage(imgui_texture(target_.texture()), map.min(),
                                         {map.x + float(target_.width()), map.y + float(target_.height())},
                                         {0, 1}, {1, 0});
}

// Draws the number of the first block of each row of blocks at the left.
void ThreadsView::draw_block_numbers(const Rect& map, const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float line = font_size(fonts().small);
    float free_y = map.y - line;
    for (std::uint32_t row = 0; row < layout_.rows(); ++row) {
        const std::uint32_t number = row * layout_.columns;
        const Rect block = layout_.block_rect(number);
        const float y = map.y + block.y + std::max(0.0f, std::min(layout_.cell, block.height) - line) / 2;
        if (y > map.bottom() - line) break;
        if (y < free_y || y < map.y - line / 2) continue;
        draw_text(draw, fonts().small, {map.x - window.px(label_width), y}, theme().text_quiet,
                  "block " + grouped(model_->streams.blocks[number]));
        free_y = y + line * 1.5f;
    }
}

std::optional<std::uint32_t> ThreadsView::slot_of(std::uint32_t block, std::uint32_t thread) const {
    if (!model_ || thread >= model_->streams.block_threads) return std::nullopt;
    const std::vector<std::uint32_t>& blocks = model_->streams.blocks;
    const auto at = std::lower_bound(blocks.begin(), blocks.end(), block);
    if (at == blocks.end() || *at != block) return std::nullopt;
    return std::uint32_t(at - blocks.begin()) * model_->streams.block_threads + thread;
}

void ThreadsView::draw_marks(const Rect& map, const session::Session& session,
                             const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const session::Selection& selection = session.selection();
    const auto frame = [&](const Rect& box, ImU32 colour, float thickness) {
        const float out = thickness;
        draw->AddRect({map.x + box.x - out, map.y + box.y - out},
                      {map.x + box.right() + out, map.y + box.bottom() + out}, colour, 0, 0, thickness);
    };
    const std::uint32_t block = session.playhead().step_state()->step.block;
    if (const auto first = slot_of(block, 0); first && layout_.blocks > 1)
        frame(layout_.block_rect(*first / layout_.block_threads), theme().accent, window.px(1));
    if (const auto slot = slot_of(block, selection.warp * trace::warp_size + selection.lane))
        frame(layout_.cell_of(*slot), theme().text_strong, window.px(1.5f));
    if (!selection.lane_hovered) return;
    if (const auto slot = slot_of(block, selection.hovered_warp * trace::warp_size + selection.hovered_lane))
        frame(layout_.cell_of(*slot), theme().text, window.px(1));
}

// --- The mouse ---------------------------------------------------------------------------------------------

std::string ThreadsView::story(std::uint32_t slot, const session::Session& session) const {
    const render::ThreadNow now = map_->thread(slot);  // reads sixteen bytes from the GPU
    const std::uint32_t thread = slot % layout_.block_threads;
    const trace::Launch& launch = session.trace()->launches[launch_];
    std::string text = "block " +
                       block_name(launch.grid, model_->streams.blocks[slot / layout_.block_threads]) +
                       " · warp " + std::to_string(thread / trace::warp_size) + " · lane " +
                       std::to_string(thread % trace::warp_size) + "\n" + state_words(now.state);
    if (now.state != render::ThreadState::not_started) text += "\n" + line_words(*model_, now.pc);
    if (watched_ != "state" && watched_ != "line")
        text += "\n" + watched_ + (now.has_value ? " = " + value_text(now.type, now.bits) : " is not set");
    return text;
}

void ThreadsView::interact(const Rect& map, const ViewContext& view) {
    std::optional<std::uint32_t> slot;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!view.window.still && hovered(map, view.window))
        slot = layout_.slot_at(mouse.x - map.x, mouse.y - map.y);
    if (!slot) {
        if (hovering_) view.requests.commands.push_back(session::ClearHover{});
        hovering_ = false;
        return;
    }
    const std::uint32_t block = model_->streams.blocks[*slot / layout_.block_threads];
    const std::uint32_t thread = *slot % layout_.block_threads;
    const std::uint32_t warp = thread / trace::warp_size, lane = thread % trace::warp_size;
    const bool focused = block == view.session.playhead().step_state()->step.block;
    if (focused) view.requests.commands.push_back(session::HoverLane{warp, lane});
    if (!focused && hovering_) view.requests.commands.push_back(session::ClearHover{});
    hovering_ = focused;
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !dragged_) {
        if (!focused) view.requests.commands.push_back(session::FocusBlock{block});
        view.requests.commands.push_back(session::PinLane{warp, lane});
    }
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) tooltip(story(*slot, view.session), view.window);
}

void ThreadsView::content(const Rect& inside, const ViewContext& view) {
    prepare(view.session, view.window);
    const bool ready = model_ && problem_.empty() && view.session.playhead().step_state() &&
                       view.session.playhead().step_state()->step.launch == launch_;
    if (!ready) {
        const std::string text = !problem_.empty()       ? problem_
                                 : jobs_.busy("threads") ? "preparing the map of threads …"
                                                         : "no run yet";
        if (!problem_.empty()) view.requests.problem = problem_;
        draw_text_centred(ImGui::GetWindowDrawList(), fonts().text, inside, theme().text_faint, text);
        return;
    }
    choose_colour(view.window, view.requests);
    const float legend = map_legend_height(view.window), top = view.px(margin);
    const Rect map{std::round(inside.x + view.px(label_width + margin)), std::round(inside.y + top),
                   std::floor(inside.width - view.px(label_width + 2 * margin)),
                   std::floor(inside.height - legend - top)};
    if (map.width < 8 || map.height < 8) return;
    arrange(map, view.window);
    navigate(map, view.window);
    arrange(map, view.window);
    update_states(view.session, view.window);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw_block_numbers(map, view.window);
    draw->PushClipRect({map.x - 3, map.y - 3}, {map.right() + 3, map.bottom() + 3}, true);
    paint(map, view.window);
    draw_marks(map, view.session, view.window);
    draw->PopClipRect();
    interact(map, view);
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) dragged_ = false;
    draw_map_legend({map.x, inside.bottom() - legend, inside.right() - map.x, legend},
                    {*model_, tally_, range_, colour_by(view.window), view.window.map_colour}, view.window);
}

}  // namespace lanescope::ui
