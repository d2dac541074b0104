#include "session/playhead/named_cell.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "expression/parser.h"
#include "trace/cells.h"

namespace lanescope::session {

namespace {

using expression::Node;
using expression::SyntaxTree;

// "s[3]" as a name and its indices, the first index first.
struct Spelling {
    std::string name;
    std::vector<std::uint64_t> indices;
    int column = 1;
};

Diagnostic wrong_at(int column, std::string message) {
    return error_at({}, 0, column, std::move(message));
}

Result<Spelling> spelling_of(const SyntaxTree& tree) {
    Spelling spelling;
    std::uint32_t at = tree.root;
    while (tree[at].op == Node::Op::index) {
        const Node& index = tree[tree[at].parts[1]];
        if (index.op != Node::Op::number || index.literal.is_real)
            return wrong_at(index.column, "the index of a cell must be a whole number");
        spelling.indices.insert(spelling.indices.begin(), index.literal.whole);
        at = tree[at].parts[0];
    }
    if (tree[at].op != Node::Op::name)
        return wrong_at(tree[at].column,
                        "a cell must be written like s[3]: the name of an array, then the index");
    spelling.name = tree[at].text;
    spelling.column = tree[at].column;
    return spelling;
}

// The number of the cell in the array. One index counts all cells, as in "tile[37]" of a matrix.
Result<std::uint64_t> number_of(const Spelling& spelling, const trace::Symbol& symbol, std::uint64_t cells) {
    const auto outside = [&](const std::string& why) { return wrong_at(spelling.column, why); };
    if (spelling.indices.empty()) {
        if (cells == 1) return std::uint64_t{0};
        return outside("'" + spelling.name + "' has " + std::to_string(cells) + " cells: write " +
                       spelling.name + "[0] for the first");
    }
    std::uint64_t number = 0;
    if (spelling.indices.size() == 1) {
        number = spelling.indices[0];
    } else {
        if (spelling.indices.size() != symbol.extents.size())
            return outside("'" + spelling.name + "' has " + std::to_string(symbol.extents.size()) +
                           (symbol.extents.size() == 1 ? " index" : " indices"));
        for (std::size_t i = 0; i < spelling.indices.size(); ++i) {
            if (spelling.indices[i] >= symbol.extents[i])
                return outside("index " + std::to_string(spelling.indices[i]) + " is outside of '" +
                               spelling.name + "'");
            number = number * symbol.extents[i] + spelling.indices[i];
        }
    }
    if (number < cells) return number;
    return outside("'" + spelling.name + "' has cells 0 to " + std::to_string(cells - 1));
}

}  // namespace

trace::Mask NamedCell::writers(const trace::Access& access, std::uint32_t launch) const {
    if (access.kind == trace::AccessKind::load) return 0;
    trace::Mask lanes = 0;
    for (const Part& part : parts) {
        if (part.space != access.space || (part.launch != trace::none && part.launch != launch)) continue;
        for (trace::Mask rest = access.mask; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            const std::uint64_t at = access.offset[lane];
            if (at < part.offset + part.bytes && part.offset < at + access.width_bytes)
                lanes |= trace::Mask{1} << lane;
        }
    }
    return lanes;
}

Result<NamedCell> cell_named(const trace::Trace& trace, std::string_view text) {
    const Result<SyntaxTree> tree = expression::parse(text);
    if (!tree) return tree.diagnostics();
    const Result<Spelling> spelling = spelling_of(*tree);
    if (!spelling) return spelling.diagnostics();
    NamedCell cell;
    Diagnostics wrong;
    const auto add = [&](const trace::Symbol& symbol, std::uint32_t launch) {
        if (symbol.name != spelling->name) return;
        const std::uint32_t bytes = trace::cell_shape(trace, symbol).cell_bytes;
        const Result<std::uint64_t> number = number_of(*spelling, symbol, symbol.size_bytes / bytes);
        if (!number)
            wrong = number.diagnostics();
        else
            cell.parts.push_back(
                {symbol.space, launch, symbol.offset + *number * bytes, bytes, symbol.element});
    };
    for (const trace::Symbol& symbol : trace.symbols)
        add(symbol, trace::none);
    for (std::uint32_t launch = 0; launch < trace.launches.size(); ++launch)
        for (const trace::Symbol& symbol : trace.launches[launch].shared)
            add(symbol, launch);
    if (!cell.parts.empty()) return cell;
    if (!wrong.empty()) return wrong;
    return wrong_at(spelling->column, "this run has no array '" + spelling->name + "'");
}

}  // namespace lanescope::session
