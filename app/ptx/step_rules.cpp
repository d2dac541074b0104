// Decides where source steps start. The rules reproduce hand-written ground truth on -G code:
//  1. Every instruction has the row that is in force in text order (a back edge may enter a block that
//     executes no .loc of its own). Row 0 keeps the preceding row.
//  2. A step starts when the line changes within a frame.
//  3. Glue starts no step, because its row in text order is meaningless. Glue consists of blocks between
//     labels that have no .loc and contain only mov and bra.uni; the copies of merged values at the start of
//     a labelled block before its first .loc; and instructions under a .loc of line 0.
//  4. In a loop on one line the line does not change, so each branch back starts a step.
//  5. Functions without user rows belong to the caller's step, inlined ones too.
#include <algorithm>
#include <map>

#include "ptx/cfg.h"
#include "ptx/register_use.h"

namespace lanescope::ptx {
namespace {

struct Position {
    std::uint32_t file = 0, line = 0, column = 0;
    auto operator<=>(const Position&) const = default;
};

// The user's position for each row; line 0 if there is none.
class UserPositions {
  public:
    UserPositions(const std::vector<Row>& rows, std::uint32_t user_file) {
        positions_.reserve(rows.size());
        for (const Row& row : rows) {
            const Position own{row.file, row.line, row.column};
            const Position caller{row.inlined_file, row.inlined_line, row.inlined_column};
            const Position user = row.file == user_file ? own : inlined(caller, user_file);
            positions_.push_back(user);
            if (row.file != user_file) known_[own] = user;
        }
    }

    const Position& operator[](std::uint32_t row) const { return positions_[row]; }

  private:
    // An inlined_at in another file gives the position of an earlier .loc, whose user position is already
    // known.
    Position inlined(const Position& at, std::uint32_t user_file) const {
        if (at.file == user_file) return at;
        const auto found = known_.find(at);
        return found == known_.end() ? Position{} : found->second;
    }

    std::vector<Position> positions_;
    std::map<Position, Position> known_;
};

// The position of the innermost of the user's calls around each instruction; line 0 if there is none.
std::vector<Position> positions_of(std::span<const InlinedCall> calls, std::size_t instructions,
                                   std::uint32_t user_file) {
    std::vector<Position> made(instructions);
    for (const InlinedCall& call : calls) {
        const std::size_t end = std::min<std::size_t>(call.end, instructions);
        for (std::size_t i = call.begin; call.file == user_file && i < end; ++i)
            made[i] = {call.file, call.line, call.column};
    }
    return made;
}

// Sets the positions of the instructions in text order; the last user's row stays in force.
void place_rows(const Function& function, std::uint32_t user_file, std::span<const InlinedCall> calls,
                StepTable& table) {
    const UserPositions positions(function.rows, user_file);
    const std::vector<Position> callers = positions_of(calls, function.instructions.size(), user_file);
    Position current;
    bool placed = true;  // by the last row
    for (const Item& item : function.items) {
        if (item.kind == Item::Kind::row && function.rows[item.index].line != 0) {
            placed = positions[item.index].line != 0;
            if (placed) current = positions[item.index];
        }
        if (item.kind != Item::Kind::instruction) continue;
        if (!placed && callers[item.index].line != 0) current = callers[item.index];
        table.rows[item.index] = {current.file, current.line, current.column, false};
    }
}

bool only_moves(const Instruction& instruction) {
    return instruction.op == Op::mov || (instruction.op == Op::bra && instruction.guard == no_index);
}

bool ends_text_block(const Instruction& instruction) {
    return (info(instruction.op).flags & op_flag::ends) != 0 && instruction.guard == no_index;
}

// Returns the registers that several instructions write. A compiler in single assignment form does so only
// where values of several paths meet.
std::vector<bool> meeting_registers(const Function& function) {
    std::vector<bool> written(function.registers.size(), false), several(function.registers.size(), false);
    for (const Instruction& instruction : function.instructions) {
        for (const std::uint32_t reg : writes(instruction)) {
            several[reg] = written[reg];
            written[reg] = true;
        }
    }
    return several;
}

std::vector<bool> branch_targets(const Function& function) {
    std::vector<bool> targets(function.labels.size(), false);
    for (const Instruction& instruction : function.instructions)
        for (const Operand& operand : instruction.operands)
            if (operand.kind == Operand::Kind::label) targets[operand.label] = true;
    for (const BranchTargets& list : function.branch_targets)
        for (const std::uint32_t label : list.labels)
            targets[label] = true;
    return targets;
}

class GlueMarker {
  public:
    GlueMarker(const Function& function, StepTable& table)
        : function_(function),
          table_(table),
          targets_(branch_targets(function)),
          meeting_(meeting_registers(function)) {}

    // A text block extends from a branch target to the next one or to an instruction after which control
    // cannot go on.
    void mark() {
        for (const Item& item : function_.items) {
            if (item.kind == Item::Kind::label && targets_[item.index]) begin_block(true);
            if (item.kind == Item::Kind::row) row(function_.rows[item.index]);
            if (item.kind == Item::Kind::instruction) instruction(item.index);
        }
        begin_block(false);
    }

  private:
    void begin_block(bool labelled) {
        if (labelled_ && only_moves_)
            for (const std::uint32_t i : block_)
                table_.rows[i].glue = true;
        block_.clear();
        labelled_ = at_start_ = labelled;
        only_moves_ = true;
    }

    void row(const Row& row) {
        only_moves_ = at_start_ = false;
        without_line_ = row.line == 0;
    }

    void instruction(std::uint32_t index) {
        const Instruction& made = function_.instructions[index];
        block_.push_back(index);
        only_moves_ = only_moves_ && ptx::only_moves(made);
        at_start_ = at_start_ && copies_met_value(made);
        table_.rows[index].glue = at_start_ || without_line_;
        if (ends_text_block(made)) begin_block(false);
    }

    bool copies_met_value(const Instruction& made) const {
        if (made.op != Op::mov || made.operands[1].kind != Operand::Kind::reg) return false;
        return meeting_[made.operands[1].reg];
    }

    const Function& function_;
    StepTable& table_;
    std::vector<bool> targets_, meeting_;
    std::vector<std::uint32_t> block_;
    bool labelled_ = false;
    bool only_moves_ = true;     // and no .loc so far in the block
    bool at_start_ = false;      // only copies of merged values since the label
    bool without_line_ = false;  // under a .loc of line 0
};

// The number of line changes before each instruction with its own line, and the last line.
struct LineRuns {
    std::vector<std::uint32_t> changes;  // up to and including the instruction
    std::vector<std::uint32_t> line;     // of the last instruction with a line, up to and including this one
    std::vector<std::uint32_t> next;     // the next instruction with a line, from this one on

    explicit LineRuns(const std::vector<StepRow>& rows)
        : changes(rows.size()), line(rows.size()), next(rows.size()) {
        std::uint32_t seen_changes = 0, last = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (counts(rows[i]) && rows[i].line != last) {
                last = rows[i].line;
                ++seen_changes;
            }
            changes[i] = seen_changes;
            line[i] = last;
        }
        std::uint32_t following = no_index;
        for (std::size_t i = rows.size(); i-- > 0;) {
            if (counts(rows[i])) following = static_cast<std::uint32_t>(i);
            next[i] = following;
        }
    }

    static bool counts(const StepRow& row) { return row.line != 0 && !row.glue; }

    bool one_line(std::uint32_t first, std::uint32_t last) const {
        return next[first] <= last && changes[next[first]] == changes[last];
    }
};

void mark_line_loops(const Function& function, StepTable& table) {
    const LineRuns runs(table.rows);
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
        const Instruction& instruction = function.instructions[i];
        if (instruction.op != Op::bra) continue;
        const std::uint32_t target = function.labels[instruction.operands[0].label].instruction;
        if (target <= i && runs.one_line(target, i)) table.loop_line[i] = runs.line[i];
    }
}

}  // namespace

StepTable build_step_table(const Function& function, std::uint32_t user_file,
                           std::span<const InlinedCall> calls) {
    StepTable table;
    table.rows.resize(function.instructions.size());
    table.loop_line.resize(function.instructions.size());
    place_rows(function, user_file, calls, table);
    GlueMarker(function, table).mark();
    mark_line_loops(function, table);
    return table;
}

bool StepTable::starts_step(std::uint32_t line, std::uint32_t from, std::uint32_t to) const {
    if (to <= from && line != 0 && loop_line[from] == line) return true;
    const StepRow& row = rows[to];
    return row.line != 0 && !row.glue && row.line != line;
}

}  // namespace lanescope::ptx
