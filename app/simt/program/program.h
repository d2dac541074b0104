// A decoded module: dense instructions with function pointers and resolved operands, and where everything
// lies.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "ptx/cfg.h"
#include "ptx/module.h"
#include "simt/inspect/builtin.h"
#include "simt/inspect/local_objects.h"
#include "simt/inspect/matrix_layout.h"
#include "simt/inspect/uninit.h"
#include "simt/launch/launch.h"
#include "simt/memory/lanes.h"
#include "simt/memory/memory.h"
#include "simt/program/kernel_info.h"

namespace lanescope::simt {

struct Warp;
struct Decoded;
using Exec = void (*)(Warp&, const Decoded&, Mask);

// Where an operand's row lies: a byte offset from one of the warp's bases, whose number is in the low bits.
// A row is 32 lanes of 4 or 8 bytes, or (predicates) one mask of 4 bytes.
enum class Base : std::uint8_t {
    frame,      // registers and parameters of the running call frame
    constants,  // immediates, broadcast
    warp,       // special registers that differ between the warps of a block
    block,      // special registers that differ between blocks
    launch,     // special registers and shared addresses, equal for the whole launch
    count
};
constexpr std::uint32_t base_bits = 7;
using Ref = std::uint32_t;
constexpr Ref no_ref = ~Ref{0};  // an operand that is left out or written as _
constexpr std::uint32_t ref_base(Ref ref) {
    return ref & base_bits;
}
constexpr std::uint32_t ref_offset(Ref ref) {
    return ref & ~base_bits;
}
constexpr Ref make_ref(Base base, std::uint32_t offset) {
    return offset | static_cast<std::uint32_t>(base);
}

constexpr std::uint32_t row4_bytes = 4 * warp_size;
constexpr std::uint32_t row8_bytes = 8 * warp_size;

namespace decoded_flag {
constexpr std::uint8_t control = 1;     // sets the next pc itself or may end the turn
constexpr std::uint8_t step_after = 2;  // falling through may begin a new source step
constexpr std::uint8_t next_round = 4;  // falling through begins the next round of a loop
constexpr std::uint8_t back_edge = 8;   // branches backwards
constexpr std::uint8_t guarded = 16;
constexpr std::uint8_t bindings = 32;    // variables move when this instruction is reached (traced runs)
constexpr std::uint8_t watched = 64;     // writes a register in which a variable may live (traced runs)
constexpr std::uint8_t flow_only = 128;  // an unguarded mov, bra or ret: not work in a user's eyes
}  // namespace decoded_flag

// Decoded::mode of set and setp: how the comparison is combined with the predicate operand c.
namespace combine {
constexpr std::uint8_t none = 0, conjunction = 1, disjunction = 2, difference = 3, operation = 3;
constexpr std::uint8_t negated = 4;
}  // namespace combine

struct Decoded {
    Exec run = nullptr;
    Ref dst = no_ref, a = no_ref, b = no_ref, c = no_ref, e = no_ref, f = no_ref;
    std::int64_t imm = 0;  // address offset, including the window of the state space
    Ref guard = 0;         // mask row, all ones when unguarded
    Mask guard_flip = 0;
    std::uint32_t target = 0;     // branch target, call site or table
    std::uint32_t line = 0;       // source line that begins a step here; 0: none does
    std::uint32_t loop_line = 0;  // a backward branch within this line: each round is a step
    std::uint16_t length =
        1;  // instructions from here up to the next one that may end a turn, this one included
    std::uint8_t flags = 0;
    std::uint8_t mode = 0;         // meaning depends on the opcode
    std::uint8_t width = 0;        // bytes of a whole memory access
    std::uint8_t count = 1;        // elements of a vector access
    Window window = Window::none;  // none: generic addressing
    bool narrow_address = false;   // the address register has 4-byte lanes
    bool synchronises = false;     // atomic, volatile, relaxed, acquire: what a spin loop polls
    std::uint16_t object = 0;      // the variable that the address comes from: Program::local_objects, from 1
};
static_assert(sizeof(Decoded) <= 72);

// A parameter, result or argument: lane i's bytes are at ref + i × stride.
struct Slot {
    Ref ref = 0;
    std::uint32_t stride = 0;
    std::uint32_t size_bytes = 0;
};

struct CallSite {
    std::uint32_t callee = trace::none;  // none: indirect through `address`
    Ref address = 0;
    std::vector<Slot> arguments, results;
};

// A register in which named variables may live; a pair says that one variable may live in one register.
struct WatchedRegister {
    Ref ref = 0;
    enum class Kind : std::uint8_t { narrow, wide, predicate };
    Kind kind = Kind::narrow;
    std::uint32_t reg = 0;  // into ptx::Function::registers
    std::vector<std::uint32_t> pairs;
};
struct VariableHome {
    std::uint32_t slot = 0;
    std::uint32_t reg = 0;  // into DecodedFunction::watched
};

struct DecodedFunction {
    std::string symbol;
    std::string name;  // demangled, without parameters
    std::uint32_t first_pc = 0, end_pc = 0;
    bool entry = false;
    bool has_steps = false;  // has rows of the user's file
    bool supported = true;   // every instruction was decoded
    Builtin builtin = Builtin::none;
    std::uint32_t frame_bytes = 0;  // rows of registers, parameters
    // Parts of a new frame that must be zero: registers that may be read before they are written, and
    // parameters.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> zeroed;  // offset and size
    std::uint32_t local_bytes = 0;                                // of one lane, a multiple of 16
    std::vector<std::uint64_t>
        local_offsets;  // of ptx::Function::variables, from the frame's start; ~0: not local
    std::vector<Slot> parameters, results;  // of a .func
    std::uint32_t uninit_offset = 0;        // of the frame's masks of unset lanes
    UninitFrame uninit;
    // Parameters of a .func whose addresses are taken are copied to its local memory.
    struct ParameterCopy {
        std::uint32_t parameter = 0, offset = 0;
    };
    std::vector<ParameterCopy> copied;
    // Traced runs:
    std::vector<WatchedRegister> watched;
    std::vector<VariableHome> homes;                     // every pair
    std::vector<std::vector<std::uint32_t>> slot_homes;  // per slot: its pairs
};

// Operands that do not fit into Decoded; Decoded::target is an index into these tables.
struct AddressForm {
    Ref row = no_ref;
    std::int64_t offset = 0;  // as Decoded::imm
    Window window = Window::none;
    bool narrow = false;
};
struct CopyForm {  // asynchronous copies
    AddressForm to, from, barrier;
    Ref size = no_ref;    // bytes to read; no_ref: as many as are written
    Ref ignore = no_ref;  // predicate: nothing is read, zeros are written
    Mask ignore_flip = 0;
};
// tex, tld4, suld and sust. Coordinates beyond those of the shape are not there.
struct TextureForm {
    enum class Outside : std::uint8_t { trap, clamp, zero };  // of a surface
    Ref handle = no_ref;
    std::array<Ref, 3> at{no_ref, no_ref, no_ref};
    Ref layer = no_ref;
    Image::Shape shape = Image::Shape::plane;
    bool layered = false;
    bool by_element = false;        // integers count elements
    std::uint8_t component = 0xff;  // tld4: gathers this one of four elements
    bool floats = false;            // the result's type
    Ref resident = no_ref;          // a predicate
    Outside outside = Outside::trap;
    std::uint8_t element_bytes = 4;  // of a surface's values
    std::vector<Ref> values;         // results, or what a surface stores
};
struct SideTables {
    std::vector<TextureForm> textures;
    std::vector<CopyForm> copies;
    std::vector<std::vector<Ref>> operands;
    std::vector<MatrixForm> matrices;
    std::vector<Decoded> pieces;  // of instructions that are executed as several; `target` is their pc
};

// The uses of values that may never have been set; see uninit.h.
struct UninitTable {
    struct Watched {
        UninitUse use;
        Exec plain = nullptr, traced = nullptr;  // what the instruction does
        bool control = false;                    // it is executed for no lanes, too
    };
    std::vector<std::uint32_t> at;  // per pc: into `watched`; empty when there are none
    std::vector<Watched> watched;
    std::vector<std::string> names;
    const Watched* find(std::uint32_t pc) const {
        return pc < at.size() && at[pc] < watched.size() ? &watched[at[pc]] : nullptr;
    }
};

struct SharedSymbol {
    std::string name;              // mangled
    std::uint64_t size_bytes = 0;  // 0 for extern []
    std::uint32_t alignment = 1;
    bool dynamic = false;
    std::uint32_t launch_row = 0;  // offset of its address row among the launch rows
    trace::Symbol description;     // name, element, extents
};

struct Kernel {
    KernelInfo info;
    std::uint32_t function = 0;
    std::vector<std::uint32_t> parameter_offsets;
    std::uint32_t parameter_bytes = 0;
    struct Placed {
        std::uint32_t symbol = 0;  // into Program::shared
        std::uint32_t offset = 0;
    };
    std::vector<Placed> shared;
    std::uint32_t dynamic_offset = 0;       // where dynamic shared memory begins
    bool blocks_apart = false;              // see keeps_blocks_apart(), for all that it can call
    bool reads_workspace = false;           // asks for the whole grid as a group
    trace::Dim3 max_threads{0, 0, 0};       // .maxntid; zeros: none
    trace::Dim3 required_threads{0, 0, 0};  // .reqntid
    trace::Dim3 required_cluster{0, 0, 0};  // .reqnctapercluster
};

// Where an instruction stands among those of its function; see ptx::LoopNest.
struct CodePlace {
    std::uint32_t place = 0;                // in an order in which control goes forwards
    std::uint32_t loop = trace::none;       // the innermost loop around it, into Program::loops
    std::uint32_t header_of = trace::none;  // the loop whose rounds begin here
};

// A module-scope variable in global or constant memory, with its first contents.
struct ModuleVariable {
    std::string name;  // mangled
    Window window = Window::global;
    std::uint64_t address = 0;  // generic
    std::uint64_t size_bytes = 0;
    std::vector<std::byte> contents;  // empty: zeros
    trace::Symbol description;
    bool shown = true;  // in the trace
};

// The generic addresses at which the variables of a module begin: multiples of 256.
struct Placement {
    std::uint64_t global = window::global;
    std::uint64_t constant = window::constant;
};
inline Placement placement_behind(const DeviceMemory& memory) {
    return {memory.global.end(), memory.constant.end()};
}

struct Program {
    trace::Program description;  // what a trace says of the code; see Recorder::set_program
    std::vector<Decoded> code;   // untraced
    std::vector<Decoded> traced_code;
    // Per pc, for instructions with the flag: pairs that begin there, and watched registers that it writes.
    std::vector<std::vector<std::uint32_t>> bindings, writes;
    std::vector<ptx::Op> ops;                              // per pc, for messages
    std::vector<CodePlace> places;                         // per pc
    std::vector<std::uint32_t> loops;                      // per loop: the loop around it, or trace::none
    std::vector<bool> library;                             // per pc: comes from a header, inlined or not
    std::unordered_map<std::uint32_t, std::string> texts;  // per pc, of instructions that are not supported
    std::vector<DecodedFunction> functions;                // as in ptx::Module::functions
    std::vector<CallSite> calls;
    std::vector<Exec> adapted;  // conversions behind wide_conversion_exec()
    std::vector<std::vector<std::uint32_t>> branch_tables;
    SideTables tables;
    UninitTable uninit;
    std::vector<LocalObject> local_objects;
    std::vector<std::uint64_t> constants;  // rows of 4- and 8-byte lanes
    std::vector<SharedSymbol> shared;
    std::vector<ModuleVariable> variables;
    std::uint64_t error_strings = 0;  // address of error_strings(); 0: no kernel asks for them
    std::vector<Kernel> kernels;
    std::uint32_t launch_row_bytes = 0;

    const Kernel* find_kernel(std::string_view symbol) const;
    std::uint32_t function_of(std::uint32_t pc) const { return description.code_rows[pc].function; }
};

// Sets Decoded::length of everything, after flags have changed.
void mark_lengths(std::vector<Decoded>& code);

// Rows of special registers, 4 bytes a lane unless noted. Launch rows begin with these, shared addresses
// follow.
enum class WarpRow : std::uint8_t {
    tid_x,
    tid_y,
    tid_z,
    laneid,
    warpid,
    lanemask_eq,
    lanemask_le,
    lanemask_lt,
    lanemask_ge,
    lanemask_gt,
    count
};
enum class BlockRow : std::uint8_t {
    ctaid_x,
    ctaid_y,
    ctaid_z,
    smid,
    clusterid_x,
    clusterid_y,
    clusterid_z,
    cluster_ctaid_x,
    cluster_ctaid_y,
    cluster_ctaid_z,
    cluster_ctarank,
    count
};
enum class LaunchRow : std::uint8_t {
    ntid_x,
    ntid_y,
    ntid_z,
    nctaid_x,
    nctaid_y,
    nctaid_z,
    nwarpid,
    nsmid,
    dynamic_smem_size,
    total_smem_size,
    zero,
    one,
    warp_sz,
    workspace_high,
    workspace_low,
    nclusterid_x,
    nclusterid_y,
    nclusterid_z,
    cluster_nctaid_x,
    cluster_nctaid_y,
    cluster_nctaid_z,
    cluster_nctarank,
    is_explicit_cluster,  // a mask
    gridid /* 8 bytes a lane */,
    count = gridid + 2
};
constexpr Ref ref_of(WarpRow row) {
    return make_ref(Base::warp, static_cast<std::uint32_t>(row) * row4_bytes);
}
constexpr Ref ref_of(BlockRow row) {
    return make_ref(Base::block, static_cast<std::uint32_t>(row) * row4_bytes);
}
constexpr Ref ref_of(LaunchRow row) {
    return make_ref(Base::launch, static_cast<std::uint32_t>(row) * row4_bytes);
}

// The frame's first row (8-byte lanes) holds where its local memory begins, as a local-space address.
constexpr Ref local_base_ref = make_ref(Base::frame, 0);

}  // namespace lanescope::simt
