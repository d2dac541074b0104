// Decoding of one function, in several files: decoder.cpp, decode_arithmetic.cpp, decode_memory.cpp,
// decode_control.cpp.
#pragma once

#include <vector>

#include "simt/decode/decoder.h"
#include "simt/decode/operands.h"

namespace lanescope::simt {

// The offset that makes an address of the space generic.
std::uint64_t generic_offset(Window window);
Window window_of_space(ptx::Space space);

class FunctionDecoder {
  public:
    FunctionDecoder(const DecodeContext& context, const ptx::Function& function, const ptx::StepTable& steps,
                    std::uint32_t first_pc)
        : context_(context),
          function_(function),
          steps_(steps),
          first_pc_(first_pc),
          frame_(function),
          operands_(context, function, frame_, code_) {}

    FunctionCode run();

  private:
    using Instruction = ptx::Instruction;
    using Operand = ptx::Operand;
    using Type = ptx::Type;

    void place_entry_parameters();
    void decode(std::uint32_t index);
    void set_guard(const Instruction& instruction, Decoded& decoded);
    void place(const Instruction& instruction, std::uint32_t index, Decoded& decoded);
    Exec decode_operation(const Instruction& instruction, Decoded& decoded);
    Exec executor(const Instruction& instruction);
    bool runs_off_the_end() const;
    void append_return();
    void find_places();

    // Arithmetic and moves
    Exec decode_logic_test(const Instruction& instruction, Decoded& decoded);
    Exec decode_arithmetic(const Instruction& instruction, Decoded& decoded);
    Exec decode_convert(const Instruction& instruction, Decoded& decoded);
    static std::uint8_t combine_mode(const Instruction& instruction);
    void destinations(const Operand& operand, Type first, Type second, Decoded& decoded);
    Exec decode_setp(const Instruction& instruction, Decoded& decoded);
    Exec decode_move(const Instruction& instruction, Decoded& decoded);
    Exec packed(const Instruction& instruction, const Operand& from, Decoded& decoded);
    Exec unpacked(const Instruction& instruction, const Operand& to, Decoded& decoded);
    Exec decode_cvta(const Instruction& instruction, Decoded& decoded);

    // Memory
    void place_elements(const Operand& operand, Type type, bool writes, Decoded& decoded, bool& wide);
    const Slot* place_address(const Operand& operand, ptx::Space space, Decoded& decoded);
    static Operand register_of(const Operand& address);
    void set_width(const Instruction& instruction, Decoded& decoded);
    bool fits_slot(const Decoded& decoded, const Slot& slot);
    Exec decode_load(const Instruction& instruction, Decoded& decoded);
    Exec decode_store(const Instruction& instruction, Decoded& decoded);
    Exec decode_atomic(const Instruction& instruction, Decoded& decoded);

    // Asynchronous copies, mbarrier objects
    AddressForm address_form(const Operand& operand, ptx::Space space);
    Exec decode_copy(const Instruction& instruction, Decoded& decoded);
    Exec decode_bulk_copy(const Instruction& instruction, Decoded& decoded);
    Exec decode_group_wait(const Instruction& instruction, Decoded& decoded);
    Exec decode_mbarrier(const Instruction& instruction, Decoded& decoded);
    Exec decode_copy_arrival(const Instruction& instruction, Decoded& decoded);
    Exec decode_pending_count(const Instruction& instruction, Decoded& decoded);

    // 128- and 256-bit accesses, vector atomics
    Ref half_of(const Operand& operand, unsigned half, bool writes);
    Exec decode_move_b128(const Operand& to, const Operand& from, Decoded& decoded);
    Exec decode_b128(const Instruction& instruction, const Operand& value, const Operand& address,
                     Decoded& decoded);
    Decoded half_access(const Instruction& instruction, const Operand& value, const Operand& address,
                        unsigned half);
    Exec decode_halves(const Instruction& instruction, const Operand& value, const Operand& address,
                       Decoded& decoded);
    Exec decode_bulk_store(const Instruction& instruction, Decoded& decoded);
    Exec decode_vector_atomic(const Instruction& instruction, Decoded& decoded);

    // Matrices
    std::vector<Ref> register_list(const Operand& operand, Type type, bool writes);
    Exec decode_mma(const Instruction& instruction, Decoded& decoded);
    Exec decode_fragment(const Instruction& instruction, Decoded& decoded);
    Exec decode_matrix_rows(const Instruction& instruction, Decoded& decoded);
    Exec decode_transpose(const Instruction& instruction, Decoded& decoded);

    // Textures and surfaces
    bool place_coordinates(const Operand& address, TextureForm& form);
    bool place_shape(const Instruction& instruction, TextureForm& form);
    bool place_sample(const Instruction& instruction, TextureForm& form);
    bool place_surface(const Instruction& instruction, TextureForm& form);
    Exec keep_texture(const Instruction& instruction, TextureForm form, Decoded& decoded);
    Exec decode_sample(const Instruction& instruction, Decoded& decoded);
    Exec decode_surface(const Instruction& instruction, Decoded& decoded);
    Exec decode_query(const Instruction& instruction, Decoded& decoded);
    Exec decode_unsupported(const Instruction& instruction, Decoded& decoded);

    // Clusters of one block, the stack
    Exec decode_cluster(const Instruction& instruction, Decoded& decoded);
    Exec decode_stack(const Instruction& instruction, Decoded& decoded);

    // Control flow, barriers, operations of warps
    std::uint32_t target_pc(std::uint32_t label) const;
    Exec decode_control(const Instruction& instruction, Decoded& decoded);
    Exec decode_branch(const Instruction& instruction, Decoded& decoded);
    Exec decode_branch_table(const Instruction& instruction, Decoded& decoded);
    std::vector<Slot> slots_of(const Operand& list);
    Exec decode_call(const Instruction& instruction, Decoded& decoded);
    Exec decode_barrier(const Instruction& instruction, Decoded& decoded);
    Exec decode_warp(const Instruction& instruction, Decoded& decoded);

    const DecodeContext& context_;
    const ptx::Function& function_;
    const ptx::StepTable& steps_;
    std::uint32_t first_pc_;
    std::uint32_t current_pc_ = 0;
    Exec traced_ = nullptr;  // runs the current instruction in recorded blocks, if not the same function does
    FrameLayout frame_;
    FunctionCode code_;
    OperandDecoder operands_;
};

}  // namespace lanescope::simt
