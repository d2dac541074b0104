// Result<T> is a value, or the diagnostics that say why there is none. A Diagnostic is one located message.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lanescope {

enum class Severity { note, warning, error };

// Lines and columns count from 1; 0 means "no position known".
struct Diagnostic {
    Severity severity = Severity::error;
    std::string file;
    int line = 0;
    int column = 0;
    std::string message;
    std::string hint;  // what is accepted or how to correct the error; may be empty
};

using Diagnostics = std::vector<Diagnostic>;

// "file:line:column: error: message (hint)" without the parts that are not known.
std::string to_text(const Diagnostic& diagnostic);
std::string to_text(const Diagnostics& diagnostics);  // one per line

Diagnostic error(std::string message, std::string hint = {});
Diagnostic error_at(std::string file, int line, int column, std::string message, std::string hint = {});

template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Diagnostic diagnostic) : state_(std::in_place_index<1>, Diagnostics{std::move(diagnostic)}) {}
    Result(Diagnostics diagnostics) : state_(std::in_place_index<1>, std::move(diagnostics)) {}

    bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }
    T& value() & { return std::get<0>(state_); }
    const T& value() const& { return std::get<0>(state_); }
    T&& value() && { return std::get<0>(std::move(state_)); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    const Diagnostics& diagnostics() const { return std::get<1>(state_); }

  private:
    std::variant<T, Diagnostics> state_;
};

template <>
class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Diagnostic diagnostic) : failed_(true), diagnostics_{std::move(diagnostic)} {}
    Result(Diagnostics diagnostics) : failed_(true), diagnostics_(std::move(diagnostics)) {}

    bool ok() const { return !failed_; }
    explicit operator bool() const { return ok(); }
    const Diagnostics& diagnostics() const { return diagnostics_; }

  private:
    bool failed_ = false;
    Diagnostics diagnostics_;
};

}  // namespace lanescope
