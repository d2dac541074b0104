// The kernel's name, block, sizes and grid of a proposed launch: kernel_proposal.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lesson/proposal/host_launches.h"
#include "lesson/proposal/kernel_bounds.h"
#include "lesson/proposal/proposed_sizes.h"

namespace lanescope::lesson {

inline Expression plain(std::string text) {
    return {std::move(text), 0, 0};
}
Polynomial polynomial_of(const std::string& text);
// The polynomial with another one in the place of an atom.
Polynomial replaced(const Polynomial& polynomial, const std::string& atom, const Polynomial& by);

class LaunchChoice {
  public:
    LaunchChoice(const SourceModel& model, const KernelSignature& kernel, const std::vector<CppToken>& body,
                 const HostLaunch* launch, const std::string& file)
        : model_(model), kernel_(kernel), body_(body), launch_(launch), file_(file) {}

  protected:
    using Tokens = std::vector<CppToken>;

    // Error: a template whose arguments are not known.
    Result<void> choose();

    // --- Arrays of the module, dynamic shared memory ---
    struct ModuleArray {
        std::string name, type;
        std::int64_t count = 0;
        bool constant = false;
    };

    Diagnostic by_hand(const std::string& message) const;
    // A small size that fills whole blocks.
    std::int64_t usual_size() const;
    std::string free_name(std::string name) const;
    // --- Names ---
    bool taken(const std::string& name) const;
    TypeUse type_of(const KernelSignature::Param& parameter) const;
    // Whether the front matter can give the parameter as a whole number.
    bool is_whole(const KernelSignature::Param& parameter) const;
    std::size_t dimensions() const;
    std::string size_with_sense(NameSense sense) const;
    // An extent of a buffer over the sizes of the front matter.
    Polynomial over_grid(Polynomial polynomial) const;
    // __constant__ and __device__ arrays without an initialiser that the kernel uses.
    std::vector<ModuleArray> module_arrays() const;

    const SourceModel& model_;
    const KernelSignature& kernel_;
    const Tokens& body_;
    const HostLaunch* launch_;
    const std::string& file_;
    FrontMatter front_;
    LaunchSpec spec_;
    KernelShape shape_;
    KernelFacts facts_;
    std::optional<LaunchScope> scope_;
    std::map<std::string, std::string> names_;  // whole parameters → their names in the front matter
    std::vector<std::string> sizes_;            // of these, those that are sizes
    std::string own_size_, block_name_;
    bool shortened_ = false;  // the grid is smaller than host code's
    std::int64_t block_default_ = 64;

  private:
    // --- The kernel's name and its template arguments ---
    Result<void> name_kernel();
    std::optional<std::string> template_argument(const std::string& text, bool is_type) const;
    // A type that the launch leaves to the compiler: that of numbers.
    std::optional<std::string> deduced_type(const std::string& name) const;
    std::optional<std::string> usual_argument(const std::string& declared, const std::string& name) const;
    void name_scalars();
    // What stands for the host variables that become arguments.
    std::map<std::string, std::string> host_names() const;
    // --- The block ---
    void choose_block();
    void guess_block(std::size_t extents);
    // The constant T of "blockIdx.x * T + threadIdx.x".
    std::optional<std::int64_t> tile_of(char axis) const;
    // The elements of a shared array that each thread of the block has one of: s[threadIdx.x].
    std::optional<std::int64_t> shared_extent() const;
    // A template argument that is the size of the block.
    std::optional<std::int64_t> template_block() const;
    // --- Sizes ---
    void add_parameter(const std::string& name, std::int64_t value, std::optional<std::int64_t> min,
                       std::vector<std::int64_t> choices = {});
    bool is_size(const std::string& parameter) const;
    // Whether an index is multiplied by the parameter: y * width + x.
    bool is_stride(const std::string& parameter) const;
    std::optional<std::int64_t> extent_value(const std::string& text) const;
    // The value that host code passes, where it is constant.
    std::optional<std::int64_t> passed(std::size_t index) const;
    void add_sizes();
    // --- The grid ---
    // What host code says about the grid; nothing where some of it is not known.
    std::optional<std::vector<std::string>> launch_grid() const;
    // Whether host code launches a grid that does not follow from the arguments.
    bool fixed_grid() const;
    std::string blocks_of(const std::string& size, std::size_t d) const;
    // The threads of a dimension where nothing else says it.
    std::string usual_extent(std::size_t d) const;
    void choose_grid();
    // A grid of host code with constant sizes may have millions of threads.
    void shorten_grid();
    void fill_clusters();
};

}  // namespace lanescope::lesson
