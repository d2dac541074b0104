#include "compile/host_code.h"

#include <algorithm>

#include "compile/alias.h"

namespace lanescope::compile {

namespace {

// Returns whether the message is one of NVRTC's for "this is host code".
bool says_host(std::string_view message) {
    return message.find("is considered a host function") != std::string_view::npos ||
           message.find("is considered a host variable") != std::string_view::npos ||
           message.find("explicitly marked as a __host__ function") != std::string_view::npos ||
           message.find("closure class members was inferred to be __host__") != std::string_view::npos;
}

// Returns "f" of: function "ns::f(int)" …; empty if nothing is quoted.
std::string_view quoted_function(std::string_view message) {
    const std::size_t open = message.find('"');
    if (open == std::string_view::npos) return {};
    std::string_view name = message.substr(open + 1);
    name = name.substr(0, name.find_first_of("\"(<"));
    const std::size_t scope = name.rfind("::");
    return scope == std::string_view::npos ? name : name.substr(scope + 2);
}

}  // namespace

HostCode::HostCode(std::string source, const MarkMacros& macros)
    : macros_(macros), source_(std::make_shared<const std::string>(std::move(source))), hidden_(*source_) {
    tokens_ = tokenize_cpp(*source_);
    declarations_ = find_declarations(tokens_, macros_);
    for (const Declaration& d : declarations_)
        treatments_.push_back(first_treatment(d));
    rebuild();
}

HostCode::Treatment HostCode::first_treatment(const Declaration& d) const {
    if (d.kind != Declaration::Kind::function || d.device) return Treatment::keep;
    if (d.is_constexpr && !d.host_words && !d.qualified) return Treatment::mark;
    const bool simple = !d.host_words && !d.qualified && !d.is_friend && d.name != "main";
    return simple ? Treatment::refuse : Treatment::blank;
}

void HostCode::rebuild() {
    hidden_ = EditedText(*source_);
    for (const CppToken& token : tokens_)
        if (token.kind == CppToken::Kind::directive) hidden_.keep(token.begin, token.end);
    separate_marks();
    for (std::size_t i = 0; i < declarations_.size(); ++i) {
        const int parent = declarations_[i].parent;
        if (parent >= 0 && treatments_[static_cast<std::size_t>(parent)] == Treatment::blank)
            treatments_[i] = Treatment::blank;
        apply(declarations_[i], treatments_[i]);
    }
    host_names_.clear();
    for (std::size_t i = 0; i < declarations_.size(); ++i)
        if (treatments_[i] == Treatment::blank && !declarations_[i].name.empty())
            host_names_.insert(declarations_[i].name);
}

// In `extern "C"__global__` the mark would be the suffix of a literal.
void HostCode::separate_marks() {
    for (std::size_t i = 1; i < tokens_.size(); ++i)
        if (tokens_[i - 1].kind == CppToken::Kind::string && tokens_[i - 1].end == tokens_[i].begin &&
            tokens_[i].is_identifier() && tokens_[i].text.starts_with("__"))
            hidden_.insert(tokens_[i].begin, " ");
}

void HostCode::apply(const Declaration& d, Treatment treatment) {
    switch (treatment) {
        case Treatment::keep:
            return;
        case Treatment::mark:
            hidden_.insert(d.begin, "__device__ ");
            return;
        case Treatment::refuse:
            hidden_.insert(d.begin, "__device__ ");
            hidden_.insert(d.body_begin, " = delete;");
            hidden_.blank(d.body_begin, d.end);
            return;
        case Treatment::blank:
            hidden_.blank(d.whole_begin, d.end);
            return;
    }
}

EditedText HostCode::aliased() const {
    EditedText altered = hidden_;
    for (AliasInsertion& insertion : shared_aliases(tokens_, declarations_, macros_))
        altered.insert(insertion.at, std::move(insertion.words));
    return altered;
}

int HostCode::innermost(std::size_t offset) const {
    int found = -1;
    for (std::size_t i = 0; i < declarations_.size(); ++i) {
        const Declaration& d = declarations_[i];
        if (d.whole_begin > offset || offset >= d.end) continue;
        if (found < 0 ||
            d.end - d.whole_begin < declarations_[static_cast<std::size_t>(found)].end -
                                        declarations_[static_cast<std::size_t>(found)].whole_begin)
            found = static_cast<int>(i);
    }
    return found;
}

bool HostCode::encloses_device_code(std::size_t index) const {
    return std::any_of(declarations_.begin(), declarations_.end(), [&](const Declaration& d) {
        return d.device && d.begin >= declarations_[index].begin && d.end <= declarations_[index].end;
    });
}

// Whether the text ends within the declaration, as it does while a user types. A macro that makes a whole
// declaration needs no semicolon.
bool HostCode::breaks_off(const Declaration& d) const {
    const std::string_view text = std::string_view(*source_).substr(d.begin, d.end - d.begin);
    return d.kind == Declaration::Kind::other && text.find_first_of(";})") == text.npos;
}

bool HostCode::learn_from(const Diagnostic& error) {
    const int found = innermost(hidden_.original_offset(error.line, error.column));
    if (found < 0) return false;
    std::size_t index = static_cast<std::size_t>(found);
    const Treatment before = treatments_[index];
    const Declaration& d = declarations_[index];
    if (before == Treatment::blank || breaks_off(d)) return false;
    if (d.kind == Declaration::Kind::function && !d.device) {
        treatments_[index] = before == Treatment::mark && !d.is_friend ? Treatment::refuse : Treatment::blank;
        return true;
    }
    if (says_host(error.message) && !d.device && d.kind != Declaration::Kind::class_type) {
        treatments_[index] = Treatment::blank;
        return true;
    }
    // A member that uses host names makes its class a host class unless the class has device code.
    if (d.host_words && !d.device && d.parent >= 0) index = static_cast<std::size_t>(d.parent);
    const Declaration& whole = declarations_[index];
    if (!whole.host_words || whole.device || encloses_device_code(index)) return false;
    treatments_[index] = Treatment::blank;
    return true;
}

bool HostCode::refuses(std::string_view name) const {
    for (std::size_t i = 0; i < declarations_.size(); ++i)
        if (treatments_[i] == Treatment::refuse && declarations_[i].name == name) return true;
    return false;
}

bool HostCode::learn(const Diagnostics& errors) {
    bool learnt = false;
    for (const Diagnostic& error : errors)
        if (error.severity == Severity::error && error.line > 0) learnt = learn_from(error) || learnt;
    if (learnt) rebuild();
    return learnt;
}

void HostCode::translate(Diagnostic& diagnostic) const {
    diagnostic.column = hidden_.original_column(diagnostic.line, diagnostic.column);
    const std::string name(quoted_function(diagnostic.message));
    if (const std::size_t deleted =
            diagnostic.message.find(" cannot be referenced -- it is a deleted function");
        deleted != std::string::npos && refuses(name)) {
        diagnostic.message.resize(std::min(deleted, diagnostic.message.find(" (declared at")));
        diagnostic.message += " is host code: device code cannot use it";
        diagnostic.hint = "mark it __device__, or __host__ __device__ when the host uses it too";
    }
    const bool undefined = diagnostic.message.ends_with("is undefined") ||
                           diagnostic.message.find("has no member") != std::string::npos;
    if (undefined && host_names_.contains(name))
        diagnostic.hint = "it is declared for the host only: mark it __device__";
    if (diagnostic.message.find("namespace \"std\" has no member") != std::string::npos)
        diagnostic.hint = "it exists in host code only; the device has cuda::std:: from <cuda/std/…>";
    if (says_host(diagnostic.message)) {
        diagnostic.message.resize(
            std::min(diagnostic.message.find(". Consider using"), diagnostic.message.size()));
        diagnostic.hint = "mark it __device__, or put it between #ifndef __CUDACC_RTC__ and #endif";
    }
}

}  // namespace lanescope::compile
