// Follows values that may be unset through a module, over calls and returns.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "ptx/cfg.h"
#include "ptx/module.h"
#include "simt/inspect/uninit_flow.h"

namespace lanescope::simt {

// One bit per place.
class PlaceSet {
  public:
    explicit PlaceSet(std::size_t places) : words_((places + 63) / 64) {}
    bool has(PlaceId place) const { return (words_[place / 64] >> (place % 64) & 1) != 0; }
    void set(PlaceId place, bool value) {
        const std::uint64_t bit = std::uint64_t{1} << (place % 64);
        words_[place / 64] = value ? words_[place / 64] | bit : words_[place / 64] & ~bit;
    }
    bool add(const PlaceSet& other);  // whether anything was new
    bool empty() const;

  private:
    std::vector<std::uint64_t> words_;
};

using PieceSet = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // item, offset

// One function with a body.
struct UninitFunction {
    UninitFunction(const ptx::Function& code);
    const ptx::Function& function;
    UninitPlaces places;
    ptx::Cfg cfg;
    std::vector<UninitEffect> effects;
    PlaceSet entry;                // registers that may be read before they are written
    std::vector<PlaceSet> before;  // per block
    PieceSet parameters, results;  // that may be unset
};

class UninitModule {
  public:
    explicit UninitModule(const ptx::Module& module);

    void solve();
    std::size_t count() const { return functions_.size(); }
    const UninitFunction* function(std::size_t index) const {
        return functions_[index].get();
    }  // null: no body

    // Calls visit(instruction, what may be unset before it) for every instruction that control can reach.
    using Visit = std::function<void(std::uint32_t, const PlaceSet&)>;
    void walk(const UninitFunction& function, const Visit& visit) const;

    struct Call {
        const ptx::Operand* results = nullptr;
        const ptx::Operand* callee = nullptr;
        const ptx::Operand* arguments = nullptr;
    };
    static Call parts(const ptx::Instruction& call);

  private:
    std::vector<std::uint32_t> callees(const ptx::Instruction& call) const;
    void apply(const UninitFunction& function, std::uint32_t index, PlaceSet& state) const;
    void apply_call(const UninitFunction& function, const ptx::Instruction& call, PlaceSet& state) const;
    bool interesting(const UninitFunction& function) const;
    void flow(UninitFunction& function);
    bool summarise(UninitFunction& function);
    bool pass_arguments(const UninitFunction& function, const ptx::Instruction& call, const PlaceSet& state);

    std::vector<std::unique_ptr<UninitFunction>> functions_;
    std::vector<std::uint32_t> addressable_;  // functions that an indirect call may reach
};

}  // namespace lanescope::simt
