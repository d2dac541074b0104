// Finds registers that may hold a value which was never set, and what instructions do with it.
//
// Compilers read registers before they are set and throw the value away. Only a value that reaches memory, an
// address or a branch is a defect. Which registers can hold such a value, and where, is found when the
// program is loaded; only instructions that touch these get an executor that also keeps, per register, a mask
// of the lanes whose value was never set.
//
// Inaccuracies: a lane's value is unset as a whole, not bit by bit, but "and" with 0, "or" with ones and
// selection are exact; a pair of registers that becomes one counts as its low half; memory that such a value
// is stored to counts as set, since the store was reported; parameters of functions that are written and read
// in pieces of different sizes count as set.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ptx/debug_info.h"
#include "ptx/module.h"

namespace lanescope::simt {

// A piece of a call's argument or result: its number and the bytes from its start.
struct UninitPiece {
    std::uint32_t item = 0;
    std::uint32_t offset = 0;
    std::uint32_t row = 0;  // of its mask among the masks of the frame
};

// The masks of a function's frame: those for which all lanes begin unset, then those that begin set.
struct UninitFrame {
    std::uint32_t uninit_at_entry = 0;
    std::uint32_t masks = 0;
    std::vector<UninitPiece> parameters, results;
};

// What one instruction does with masks; they are named by their rows.
struct UninitUse {
    static constexpr std::uint32_t nothing = ~0u;
    enum class Rule : std::uint8_t {
        combine,      // a result is unset where any of its sources is
        conjunction,  // but not where a source that is set is 0
        disjunction,  // but not where a source that is set is all ones
        selection,    // a or b, as the predicate c says
        comparison,   // setp with a predicate c that may decide alone
        shuffle,
        vote,
        collective,  // every lane sees every lane
        call,
        ret,
    };
    struct Flow {
        std::uint32_t target = 0;
        std::vector<std::uint32_t> sources;
    };
    enum class Harm : std::uint8_t {
        store,
        address,
        atomic,
        branch,
        access,
        barrier,
        reduction,
        call,
        argument
    };
    struct Check {
        std::uint32_t row = 0;
        Harm harm{};
        bool guard = false;            // the guard: also of lanes that it turns off
        std::uint32_t name = nothing;  // of a variable, into UnsetProgram::names
        bool own_name = false;         // it lives in that register; otherwise the value comes from it
    };
    Rule rule = Rule::combine;
    std::uint8_t width = 0;                                  // bytes of an operand, 0: a predicate
    std::uint32_t operand[3] = {nothing, nothing, nothing};  // the first three sources in operand order
    std::uint32_t guard = nothing;                           // it flows into the results
    std::vector<Flow> flows;
    std::vector<Check> checks;
    std::vector<UninitPiece> arguments, results;  // of a call
    bool guarded() const { return guard != nothing || (!checks.empty() && checks.front().guard); }
};

struct FunctionUninit {
    UninitFrame frame;
    std::vector<std::pair<std::uint32_t, UninitUse>> uses;  // ascending instructions
};

struct UninitProgram {
    std::vector<FunctionUninit> functions;  // as in ptx::Module::functions
    std::vector<std::string> names;
};

UninitProgram find_uninit(const ptx::Module& module, const ptx::DebugInfo& debug);

}  // namespace lanescope::simt
