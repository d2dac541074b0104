// Host code in a CUDA file, which NVRTC refuses: hidden from it without moving a line.
// The meaning kept is nvcc's: what is neither __device__ nor __global__ belongs to the host, and device code
// that uses it is wrong. A host function with a signature that the compiler can read becomes a deleted
// function, so that a call of it from device code is an error at the call; everything else of the host
// becomes blank. What is of the host is decided first by the marks, then by the compiler's own messages.
// Inaccuracy: an unmarked constexpr function is taken as device code also where nvcc wants
// --expt-relaxed-constexpr.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/declarations.h"
#include "compile/edited_text.h"

namespace lanescope::compile {

class HostCode {
  public:
    // `macros`: of the text itself and of what it includes.
    HostCode(std::string source, const MarkMacros& macros);

    // The text to compile, and the same with references to shared arrays.
    const EditedText& hidden() const { return hidden_; }
    EditedText aliased() const;

    // Hides more, as errors of the last attempt on hidden() ask for it (their positions are in the altered
    // text). False when none does.
    bool learn(const Diagnostics& errors);

    // Puts a diagnostic of the altered text at its place in the original and says what it means there.
    void translate(Diagnostic& diagnostic) const;

  private:
    enum class Treatment : std::uint8_t {
        keep,
        mark,
        refuse,
        blank
    };  // mark: a __device__ is added; refuse: deleted
    Treatment first_treatment(const Declaration& declaration) const;
    bool learn_from(const Diagnostic& error);
    int innermost(std::size_t offset) const;
    bool encloses_device_code(std::size_t index) const;
    bool refuses(std::string_view name) const;
    void rebuild();
    void apply(const Declaration& declaration, Treatment treatment);

    MarkMacros macros_;
    std::shared_ptr<const std::string> source_;  // stays where it is: the tokens look into it
    EditedText hidden_;
    std::vector<CppToken> tokens_;
    std::vector<Declaration> declarations_;
    std::vector<Treatment> treatments_;
    std::set<std::string, std::less<>> host_names_;  // identifiers that only hidden code declares
};

}  // namespace lanescope::compile
