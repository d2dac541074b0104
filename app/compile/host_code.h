// Hides the host code of a CUDA file from NVRTC, which refuses it, without moving a line. The meaning is
// nvcc's: declarations that are neither __device__ nor __global__ belong to the host, and device code must
// not use them. A host function whose signature the compiler can read becomes a deleted function, so that a
// call from device code is an error at the call. All other host code becomes blank. First the marks and then
// the compiler's own messages decide what is host code. Inaccuracy: an unmarked constexpr function counts as
// device code even where nvcc requires --expt-relaxed-constexpr.
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
    // `macros` are those of the text itself and of the headers that it includes.
    HostCode(std::string source, const MarkMacros& macros);

    // These return the text to compile, without and with references to shared arrays.
    const EditedText& hidden() const { return hidden_; }
    EditedText aliased() const;

    // Hides more code if errors of the last attempt on hidden() require it; their positions are in the
    // altered text. Returns false if none does.
    bool learn(const Diagnostics& errors);

    // Moves a diagnostic of the altered text to its place in the original and adapts its message.
    void translate(Diagnostic& diagnostic) const;

  private:
    enum class Treatment : std::uint8_t {
        keep,
        mark,
        refuse,
        blank
    };  // mark: adds __device__; refuse: deletes the function
    Treatment first_treatment(const Declaration& declaration) const;
    bool breaks_off(const Declaration& declaration) const;
    bool learn_from(const Diagnostic& error);
    int innermost(std::size_t offset) const;
    bool encloses_device_code(std::size_t index) const;
    bool refuses(std::string_view name) const;
    void rebuild();
    void separate_marks();
    void apply(const Declaration& declaration, Treatment treatment);

    MarkMacros macros_;
    std::shared_ptr<const std::string> source_;  // must not move, because the tokens point into it
    EditedText hidden_;
    std::vector<CppToken> tokens_;
    std::vector<Declaration> declarations_;
    std::vector<Treatment> treatments_;
    std::set<std::string, std::less<>> host_names_;  // identifiers that only hidden code declares
};

}  // namespace lanescope::compile
