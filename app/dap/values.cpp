#include "dap/values.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "execution/lanes/lane_scope.h"
#include "scene/inspector/variable_rows.h"
#include "scene/stage/step_sentence.h"
#include "scene/words/block_words.h"
#include "session/lane_explanation.h"

namespace lanescope::dap {

using execution::LaneObject;

namespace {

constexpr std::size_t most_nodes = 200'000;
constexpr std::int64_t most_children = 10'000, preview_parts = 8;
constexpr const char* no_value = "not set";

execution::LaneScope scope_of(const session::Session& session, const LanePick& pick) {
    const session::StepState& now = *session.playhead().step_state();
    const std::uint32_t pc = now.warps[pick.warp][pick.lane].pc;
    return {*session.trace(),
            *session.playhead().replay(),
            {now.step.launch, now.step.block, pick.warp, pick.lane, pc},
            &now.details};
}

bool exists(const session::Session& session, const LanePick& pick) {
    const session::StepState* now = session.playhead().step_state();
    return now && pick.warp < now->warps.size() && pick.lane < trace::warp_size &&
           now->warps[pick.warp][pick.lane].status != trace::LaneStatus::absent;
}

const TypeTable& types_of(const session::Session& session) {
    return session.trace()->program.types;
}

std::string type_name(const session::Session& session, const LaneObject& object) {
    std::string name = types_of(session)[object.type].name;
    for (const std::uint64_t extent : object.extents)
        name += "[" + std::to_string(extent) + "]";
    return name;
}

std::string hexadecimal(std::span<const std::byte> bytes) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data(), std::min<std::size_t>(bytes.size(), sizeof bits));
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(bits));
    return text;
}

// The text of a symbol's cell, for breakpoints on its writes.
std::string cell_at(const session::Session& session, const LaneObject& object) {
    if (!object.in_memory || object.space == trace::Space::local || !object.extents.empty()) return {};
    const std::uint32_t launch = session.playhead().step_state()->step.launch;
    const trace::Resolved found = trace::resolve(*session.trace(), launch, object.space, object.offset);
    return found.symbol && found.byte == 0 ? found.text : std::string();
}

// What a pointer points into, as the array that begins there; nothing: it is not in an array of the run.
std::optional<LaneObject> pointed_to(const session::Session& session, const std::string& expression,
                                     const LanePick& pick) {
    const Result<execution::LaneExpression> target =
        execution::LaneExpression::parse("*(" + expression + ")");
    if (!target) return std::nullopt;
    const execution::LaneScope scope = scope_of(session, pick);
    const execution::LaneOutcome outcome = target->evaluate(scope);
    const LaneObject* first = std::get_if<LaneObject>(&outcome);
    if (!first || !first->in_memory || !first->extents.empty()) return std::nullopt;
    const std::uint32_t size = types_of(session)[first->type].size_bytes;
    const trace::Resolved found = trace::resolve(
        *session.trace(), session.playhead().step_state()->step.launch, first->space, first->offset);
    if (!found.symbol || size == 0) return std::nullopt;
    LaneObject array = *first;
    const std::uint64_t end = found.symbol->offset + found.symbol->size_bytes;
    array.extents = {(end - first->offset) / size};
    return array;
}

}  // namespace

std::uint32_t thread_of(const LanePick& pick) {
    return pick.warp * trace::warp_size + pick.lane;
}

std::string thread_name(const session::Session& session, const LanePick& pick) {
    const std::uint32_t thread = thread_of(pick);
    const trace::Dim3 block = session.playhead().step_state()->launch->block;
    std::string name = "t" + std::to_string(thread);
    if (block.y == 1 && block.z == 1) return name;
    name += " (" + std::to_string(thread % block.x) + ", " + std::to_string(thread / block.x % block.y);
    if (block.z > 1) name += ", " + std::to_string(thread / block.x / block.y);
    return name + ")";
}

std::int64_t Values::reference(Node node) {
    if (nodes_.size() >= most_nodes) return 0;
    nodes_.push_back(std::move(node));
    return static_cast<std::int64_t>(nodes_.size());
}

// --- Data --------------------------------------------------------------------------------------------------

std::string Values::leaf(const LaneObject& object, bool hex) const {
    const ValueType& type = types_of(session_)[object.type];
    std::vector<std::byte> bytes = object.bytes;
    if (object.in_memory) {
        const execution::LaneScope scope = scope_of(session_, {});
        const auto read = scope.read(object, type.size_bytes);
        if (!read) return no_value;
        bytes = *read;
    }
    if (bytes.size() < type.size_bytes || bytes.empty()) return no_value;
    const bool whole = type.kind == ValueType::Kind::scalar && !is_real(type.scalar);
    return hex && whole ? hexadecimal(bytes) : format_value(types_of(session_), object.type, bytes);
}

std::int64_t Values::part_count(const LaneObject& object) const {
    if (!object.extents.empty()) return static_cast<std::int64_t>(object.extents.front());
    const ValueType& type = types_of(session_)[object.type];
    if (type.kind == ValueType::Kind::array) return static_cast<std::int64_t>(type.count);
    return type.kind == ValueType::Kind::structure ? static_cast<std::int64_t>(type.members.size()) : 0;
}

Values::Part Values::part(const LaneObject& object, std::int64_t index) const {
    const TypeTable& types = types_of(session_);
    Part part{object, "[" + std::to_string(index) + "]", true};
    std::uint64_t offset = 0, size = 0;
    if (!object.extents.empty()) {
        part.object.extents.erase(part.object.extents.begin());
        size = types[object.type].size_bytes;
        for (const std::uint64_t extent : part.object.extents)
            size *= extent;
        offset = static_cast<std::uint64_t>(index) * size;
    } else if (types[object.type].kind == ValueType::Kind::array) {
        part.object.type = types[object.type].element;
        size = types[part.object.type].size_bytes;
        offset = static_cast<std::uint64_t>(index) * size;
    } else {
        const TypeMember& member = types[object.type].members[static_cast<std::size_t>(index)];
        part = {object, member.name, false};
        part.object.type = member.type;
        offset = member.offset_bytes;
        size = types[member.type].size_bytes;
    }
    if (object.in_memory) {
        part.object.offset += offset;
    } else {
        const std::size_t first = std::min<std::size_t>(offset, object.bytes.size());
        const std::size_t count = std::min<std::size_t>(size, object.bytes.size() - first);
        part.object.bytes.assign(object.bytes.begin() + static_cast<std::ptrdiff_t>(first),
                                 object.bytes.begin() + static_cast<std::ptrdiff_t>(first + count));
    }
    return part;
}

// "{1, 2, {3, 4}, …}"
std::string Values::preview(const LaneObject& object, bool hex, int depth) const {
    const std::int64_t count = part_count(object);
    if (count == 0) return leaf(object, hex);
    if (depth > 1) return "{…}";
    std::string text = "{";
    for (std::int64_t i = 0; i < std::min(count, preview_parts); ++i) {
        const Part each = part(object, i);
        text += (i == 0 ? "" : ", ") + (each.indexed ? "" : each.name + ": ") +
                preview(each.object, hex, depth + 1);
    }
    return text + (count > preview_parts ? ", …}" : "}");
}

Values::Shown Values::show(const LaneObject& object, const std::string& expression, const LanePick& pick,
                           bool hex) {
    Shown shown;
    const std::int64_t count = part_count(object);
    if (count > 0) {
        shown.text = preview(object, hex, 0);
        shown.reference = reference(Data{object, expression, pick});
        const bool indexed = part(object, 0).indexed;
        (indexed ? shown.indexed : shown.named) = count;
        return shown;
    }
    shown.text = leaf(object, hex);
    if (types_of(session_)[object.type].kind != ValueType::Kind::pointer || expression.empty()) return shown;
    if (const std::optional<LaneObject> array = pointed_to(session_, expression, pick)) {
        const std::string place = cell_at(session_, part(*array, 0).object);
        if (!place.empty()) shown.text += " → " + place;
        shown.reference = reference(Data{*array, expression, pick});
        shown.indexed = part_count(*array);
    }
    return shown;
}

Json Values::variable(const std::string& name, const std::string& type, const Shown& shown,
                      const std::string& expression) const {
    Json made = {{"name", name},
                 {"value", shown.text},
                 {"type", type},
                 {"variablesReference", shown.reference},
                 {"presentationHint", {{"attributes", {"readOnly"}}}}};
    if (shown.indexed > 0) made["indexedVariables"] = shown.indexed;
    if (shown.named > 0) made["namedVariables"] = shown.named;
    if (!expression.empty()) made["evaluateName"] = expression;
    return made;
}

Json Values::list(const Data& node, const Range& range) {
    Json children = Json::array();
    for (std::int64_t i = range.first; i < std::min(range.end, part_count(node.object)); ++i) {
        const Part each = part(node.object, i);
        std::string expression = node.expression;
        if (!expression.empty()) expression += each.indexed ? each.name : "." + each.name;
        children.push_back(variable(each.name, type_name(session_, each.object),
                                    show(each.object, expression, node.pick, range.hex), expression));
    }
    return children;
}

// --- Scopes ------------------------------------------------------------------------------------------------

Json Values::scopes(const LanePick& pick) {
    Json made = Json::array();
    if (!exists(session_, pick)) return made;
    const auto add = [&](const std::string& name, const char* hint, Node node, bool expensive) {
        Json scope = {
            {"name", name}, {"variablesReference", reference(std::move(node))}, {"expensive", expensive}};
        if (hint) scope["presentationHint"] = hint;
        made.push_back(std::move(scope));
    };
    add("Lane " + std::to_string(pick.lane) + " (" + thread_name(session_, pick) + ")", "locals",
        Locals{pick}, false);
    if (pick.frame > 0) return made;
    add("All lanes of warp " + std::to_string(pick.warp), nullptr, AllLanes{pick}, false);
    if (!session_.playhead().step_state()->launch->shared.empty())
        add("Shared memory", nullptr, Arrays{true}, false);
    add("Global memory", "globals", Arrays{false}, false);
    add("Step", nullptr, Place{pick}, false);
    return made;
}

Json Values::list(const Locals& node, const Range& range) {
    Json children = Json::array();
    const LanePick& pick = node.pick;
    const auto frames = scene::variable_frames(*session_.trace(), *session_.playhead().replay(),
                                               *session_.playhead().step_state(), pick.warp, pick.lane);
    if (pick.rows < 0 || pick.rows >= static_cast<int>(frames.size())) return children;
    const execution::LaneScope scope = scope_of(session_, pick);
    for (const scene::VariableRow& row : frames[static_cast<std::size_t>(pick.rows)].rows) {
        Shown shown{row.value.empty() ? no_value : row.value};
        std::string expression;
        // Names mean those of the innermost frame; outer frames show text.
        const Result<execution::LaneExpression> name =
            pick.rows == 0 ? execution::LaneExpression::parse(row.name) : error("outer frame");
        if (name) {
            const execution::LaneOutcome outcome = name->evaluate(scope);
            if (const LaneObject* object = std::get_if<LaneObject>(&outcome)) {
                shown = show(*object, row.name, pick, range.hex);
                expression = row.name;
            }
        }
        Json made = variable(row.name, row.type, shown, expression);
        if (row.changed && !session_.playhead().stands_before())
            made["presentationHint"]["attributes"].push_back("hasSideEffects");
        children.push_back(std::move(made));
    }
    return children;
}

Json Values::list(const AllLanes& node, const Range&) {
    Json children = Json::array();
    const LanePick& pick = node.pick;
    std::vector<session::NamedVariable> variables = session_.values().variables(pick.warp, pick.lane);
    for (const std::string& watch : session_.marks().watches())
        variables.push_back({watch, "", true});
    for (const session::NamedVariable& each : variables) {
        std::vector<std::string> texts;
        std::vector<double> numbers;
        for (std::uint32_t lane = 0; lane < trace::warp_size; ++lane) {
            const session::LaneValue value = session_.values().value(each.name, pick.warp, lane);
            if (!value.set) continue;
            texts.push_back(value.text);
            numbers.push_back(value.number);
        }
        Shown shown{texts.empty() ? no_value : scene::summarise_lanes(texts, numbers)};
        shown.reference = reference(LanesOf{each.name, pick.warp});
        shown.indexed = trace::warp_size;
        children.push_back(variable(each.name, each.type, shown, each.name));
    }
    return children;
}

Json Values::list(const LanesOf& node, const Range& range) {
    Json children = Json::array();
    for (std::int64_t i = range.first; i < std::min<std::int64_t>(range.end, trace::warp_size); ++i) {
        const LanePick pick{node.warp, static_cast<std::uint32_t>(i), 0};
        if (!exists(session_, pick)) continue;
        const session::LaneValue value = session_.values().value(node.expression, pick.warp, pick.lane);
        Shown shown{value.set ? value.text : value.failure.empty() ? no_value : value.failure};
        if (value.changed) shown.text += value.before.empty() ? " (changed)" : " (was " + value.before + ")";
        Json made = variable("[" + std::to_string(i) + "] " + thread_name(session_, pick), "", shown, "");
        children.push_back(std::move(made));
    }
    return children;
}

std::vector<LaneObject> Values::arrays(bool shared, std::vector<std::string>& names) const {
    std::vector<LaneObject> found;
    const trace::Step& step = session_.playhead().step_state()->step;
    const auto& symbols =
        shared ? session_.playhead().step_state()->launch->shared : session_.trace()->symbols;
    for (const trace::Symbol& symbol : symbols) {
        if (symbol.name.empty()) continue;
        LaneObject object;
        object.type = symbol.element;
        object.extents = symbol.extents;
        if (object.extents.size() == 1 && object.extents.front() == 1 && !symbol.buffer)
            object.extents.clear();
        object.in_memory = true;
        object.space = symbol.space;
        object.instance = shared ? step.block : 0;
        object.offset = symbol.offset;
        found.push_back(std::move(object));
        names.push_back(symbol.name);
    }
    return found;
}

Json Values::list(const Arrays& node, const Range& range) {
    Json children = Json::array();
    std::vector<std::string> names;
    const std::vector<LaneObject> objects = arrays(node.shared, names);
    for (std::size_t i = 0; i < objects.size(); ++i)
        children.push_back(variable(names[i], type_name(session_, objects[i]),
                                    show(objects[i], names[i], {}, range.hex), names[i]));
    return children;
}

Json Values::list(const Place& node, const Range&) {
    Json children = Json::array();
    const session::StepState& now = *session_.playhead().step_state();
    const auto add = [&](const char* name, const std::string& text) {
        if (!text.empty()) children.push_back(variable(name, "", {text}, ""));
    };
    add("step", std::to_string(now.index + 1) + " of " + std::to_string(session_.playhead().steps().size()));
    add("does", scene::step_sentence(session_));
    add("launch", now.launch->kernel + ", " + trace::size_text(now.launch->grid) + " blocks of " +
                      trace::size_text(now.launch->block));
    add("block", scene::block_name(now.launch->grid, now.step.block));
    add("phase", std::to_string(now.step.phase));
    add("lane", session::lane_explanation(session_, node.pick.warp, node.pick.lane));
    add("warp", session::warp_words(session_, node.pick.warp));
    return children;
}

// --- Requests ----------------------------------------------------------------------------------------------

Result<Json> Values::children(std::int64_t reference, std::int64_t start, std::int64_t count, bool hex) {
    if (reference < 1 || reference > static_cast<std::int64_t>(nodes_.size()))
        return error("these variables belong to an earlier position", "the editor has to ask for the scopes");
    start = std::max<std::int64_t>(start, 0);
    const std::int64_t most = count <= 0 ? most_children : std::min(count, most_children);
    const Node node = nodes_[static_cast<std::size_t>(reference - 1)];  // the list may grow
    const Range range{start, start > INT64_MAX - most ? INT64_MAX : start + most, hex};
    return std::visit([&](const auto& each) { return list(each, range); }, node);
}

Result<Json> Values::evaluate(const std::string& expression, const LanePick& pick, bool hex) {
    if (!exists(session_, pick)) return error("the thread does not exist at this step");
    if (const Diagnostics wrong = session_.values().problems(expression); !wrong.empty())
        return error(wrong.front().message + " (column " + std::to_string(wrong.front().column) + ")",
                     wrong.front().hint);
    const Result<execution::LaneExpression> parsed = execution::LaneExpression::parse(expression);
    if (!parsed) return parsed.diagnostics();
    const execution::LaneScope scope = scope_of(session_, pick);
    const execution::LaneOutcome outcome = parsed->evaluate(scope);
    if (const auto* failure = std::get_if<execution::LaneFailure>(&outcome)) {
        using Kind = execution::LaneFailure::Kind;
        if (failure->kind == Kind::unset) return Json{{"result", no_value}, {"variablesReference", 0}};
        return error(failure->kind == Kind::hidden
                         ? thread_name(session_, pick) + " does not see '" + expression + "' at this step"
                         : failure->message);
    }
    Shown shown;
    std::string type;
    if (const LaneObject* object = std::get_if<LaneObject>(&outcome)) {
        shown = show(*object, expression, pick, hex);
        type = type_name(session_, *object);
    } else {
        shown.text = std::get<execution::Number>(outcome).text();
    }
    if (shown.reference == 0) {
        shown.reference = reference(LanesOf{expression, pick.warp});
        shown.indexed = trace::warp_size;
    }
    Json made = {{"result", shown.text}, {"type", type}, {"variablesReference", shown.reference}};
    if (shown.indexed > 0) made["indexedVariables"] = shown.indexed;
    if (shown.named > 0) made["namedVariables"] = shown.named;
    return made;
}

std::string Values::cell(const std::string& expression, const LanePick& pick) const {
    return exists(session_, pick) ? session_.values().cell(expression, pick.warp, pick.lane) : std::string();
}

std::string Values::cell_of_child(std::int64_t reference, const std::string& name) const {
    if (reference < 1 || reference > static_cast<std::int64_t>(nodes_.size())) return {};
    const Node& node = nodes_[static_cast<std::size_t>(reference - 1)];
    if (const Data* data = std::get_if<Data>(&node)) {
        for (std::int64_t i = 0; i < std::min(part_count(data->object), most_children); ++i)
            if (const Part each = part(data->object, i); each.name == name)
                return cell_at(session_, each.object);
        return {};
    }
    if (const Arrays* of = std::get_if<Arrays>(&node)) {
        std::vector<std::string> names;
        const std::vector<LaneObject> objects = arrays(of->shared, names);
        for (std::size_t i = 0; i < names.size(); ++i)
            if (names[i] == name) return cell_at(session_, objects[i]);
    }
    if (const Locals* locals = std::get_if<Locals>(&node)) return cell(name, locals->pick);
    return {};
}

}  // namespace lanescope::dap
