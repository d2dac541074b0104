// What Emscripten's C++ library (libc++ 19) lacks of C++20, for a program of one thread. Included before
// every file.
#pragma once

#ifdef __cplusplus
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>

namespace std {

// The text of a number as strtod reads it, without its blanks, its plus and its hexadecimal digits.
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
    const size_t sign = first != last && *first == '-' ? 1 : 0;
    const string text(first, last);
    const bool hexadecimal = text.size() > sign + 1 && text[sign] == '0' && (text[sign + 1] | 32) == 'x';
    if (hexadecimal) {
        value = sign != 0 ? -0.0 : 0.0;
        return {first + sign + 1, errc()};
    }
    if (text.size() == sign || text[sign] == '+' || text[sign] == '-' || text[sign] <= ' ')
        return {first, errc::invalid_argument};
    char* end = nullptr;
    const double read = strtod(text.c_str(), &end);
    if (end == text.c_str()) return {first, errc::invalid_argument};
    const bool infinite = read - read != 0 && text.find_first_of("iInN") != 0 + sign;
    const ptrdiff_t length = end - text.c_str();
    if (infinite) return {first + length, errc::result_out_of_range};
    value = read;
    return {first + length, errc()};
}

inline from_chars_result from_chars(const char* first, const char* last, float& value) {
    const string text(first, last);
    double wide = 0;
    const from_chars_result result = from_chars(first, last, wide);
    if (result.ec != errc()) return result;
    value = strtof(text.c_str(), nullptr);
    return result;
}

// One thread needs no atomic accesses.
template <class T>
class atomic_ref {
  public:
    explicit atomic_ref(T& cell) : cell_(&cell) {}
    T load(memory_order = memory_order_seq_cst) const { return *cell_; }
    void store(T value, memory_order = memory_order_seq_cst) const { *cell_ = value; }
    bool compare_exchange_weak(T& seen, T next, memory_order = memory_order_seq_cst) const {
        if (*cell_ != seen) {
            seen = *cell_;
            return false;
        }
        *cell_ = next;
        return true;
    }
    T fetch_or(T bits, memory_order = memory_order_seq_cst) const { return exchange(*cell_, *cell_ | bits); }
    T fetch_and(T bits, memory_order = memory_order_seq_cst) const { return exchange(*cell_, *cell_ & bits); }
    T fetch_add(T value, memory_order = memory_order_seq_cst) const {
        return exchange(*cell_, *cell_ + value);
    }

  private:
    T* cell_;
};

// Runs its function at once, on the only thread.
class jthread {
  public:
    jthread() = default;
    template <class Function, class... Arguments>
    explicit jthread(Function&& function, Arguments&&... arguments) {
        function(arguments...);
    }
    void join() {}
    bool joinable() const { return false; }
};

}  // namespace std
#endif
