#include "compile/host_headers.h"

#include <array>

#include "base/cpp_lexer.h"

namespace lanescope::compile {

namespace {

// The types are the same as in cuda/std/cstdint under NVRTC, so that a file may include both.
constexpr std::string_view cstdint = R"(#pragma once
using int8_t = signed char; using int16_t = short; using int32_t = int; using int64_t = signed long long;
using uint8_t = unsigned char; using uint16_t = unsigned short; using uint32_t = unsigned int;
using uint64_t = unsigned long long;
using int_fast8_t = int8_t; using int_fast16_t = int16_t; using int_fast32_t = int32_t; using int_fast64_t = int64_t;
using uint_fast8_t = uint8_t; using uint_fast16_t = uint16_t; using uint_fast32_t = uint32_t;
using uint_fast64_t = uint64_t;
using int_least8_t = int8_t; using int_least16_t = int16_t; using int_least32_t = int32_t;
using int_least64_t = int64_t; using uint_least8_t = uint8_t; using uint_least16_t = uint16_t;
using uint_least32_t = uint32_t; using uint_least64_t = uint64_t;
using intptr_t = int64_t; using uintptr_t = uint64_t; using intmax_t = int64_t; using uintmax_t = uint64_t;
#ifndef INT8_MIN
#define INT8_MIN (-128)
#define INT16_MIN (-32767 - 1)
#define INT32_MIN (-2147483647 - 1)
#define INT64_MIN (-9223372036854775807LL - 1)
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807LL
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615ULL
#endif
#ifndef SIZE_MAX
#define SIZE_MAX 18446744073709551615UL
#endif
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t; using ::intmax_t; using ::uintmax_t;
}
)";

constexpr std::string_view cstddef = R"(#pragma once
#ifndef NULL
#define NULL 0
#endif
#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
namespace std {
using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype((char*)0 - (char*)0);
using nullptr_t = decltype(nullptr);
}
)";

constexpr std::string_view climits = R"(#pragma once
#ifndef CHAR_BIT
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32767 - 1)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MIN (-9223372036854775807L - 1)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#endif
)";

constexpr std::string_view cfloat = R"(#pragma once
#ifndef FLT_MAX
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define DBL_MANT_DIG 53
#define FLT_DIG 6
#define DBL_DIG 15
#define FLT_MIN 1.17549435082228750797e-38f
#define FLT_MAX 3.40282346638528859812e+38f
#define FLT_EPSILON 1.1920928955078125e-7f
#define DBL_MIN 2.22507385850720138309e-308
#define DBL_MAX 1.79769313486231570815e+308
#define DBL_EPSILON 2.22044604925031308085e-16
#endif
)";

// NVRTC declares the functions themselves in the global namespace.
constexpr std::string_view cmath = R"(#pragma once
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
#ifndef HUGE_VAL
#define HUGE_VAL __longlong_as_double(0x7ff0000000000000LL)
#define HUGE_VALF __int_as_float(0x7f800000)
#endif
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
namespace std {
using ::abs; using ::fabs; using ::fabsf; using ::sqrt; using ::sqrtf; using ::cbrt; using ::cbrtf; using ::pow;
using ::powf; using ::exp; using ::expf; using ::exp2; using ::exp2f; using ::expm1; using ::expm1f; using ::log;
using ::logf; using ::log2; using ::log2f; using ::log10; using ::log10f; using ::log1p; using ::log1pf; using ::sin;
using ::sinf; using ::cos; using ::cosf; using ::tan; using ::tanf; using ::asin; using ::asinf; using ::acos;
using ::acosf; using ::atan; using ::atanf; using ::atan2; using ::atan2f; using ::sinh; using ::sinhf; using ::cosh;
using ::coshf; using ::tanh; using ::tanhf; using ::asinh; using ::acosh; using ::atanh; using ::floor; using ::floorf;
using ::ceil; using ::ceilf; using ::round; using ::roundf; using ::trunc; using ::truncf; using ::rint; using ::rintf;
using ::nearbyint; using ::lround; using ::llround; using ::fmod; using ::fmodf; using ::remainder; using ::fma;
using ::fmaf; using ::fmin; using ::fminf; using ::fmax; using ::fmaxf; using ::fdim; using ::hypot; using ::hypotf;
using ::copysign; using ::ldexp; using ::frexp; using ::modf; using ::erf; using ::erff; using ::erfc; using ::tgamma;
using ::lgamma; using ::isnan; using ::isinf; using ::isfinite; using ::signbit;
}
)";

constexpr std::string_view cstring = R"(#pragma once
namespace std { using ::memcpy; using ::memset; }
)";

// Classes of host code in headers have members of this type.
constexpr std::string_view sys_time = R"(#pragma once
struct timeval { long tv_sec, tv_usec; };
)";

constexpr std::string_view type_traits = R"(#pragma once
namespace std {
template <class T, T v> struct integral_constant {
    static constexpr T value = v; using value_type = T; using type = integral_constant;
    __device__ constexpr operator T() const noexcept { return v; }
};
template <bool b> using bool_constant = integral_constant<bool, b>;
using true_type = bool_constant<true>; using false_type = bool_constant<false>;
template <bool b, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { using type = T; };
template <bool b, class T = void> using enable_if_t = typename enable_if<b, T>::type;
template <bool b, class T, class F> struct conditional { using type = T; };
template <class T, class F> struct conditional<false, T, F> { using type = F; };
template <bool b, class T, class F> using conditional_t = typename conditional<b, T, F>::type;
template <class...> using void_t = void;
template <class T> struct remove_const { using type = T; };
template <class T> struct remove_const<const T> { using type = T; };
template <class T> struct remove_volatile { using type = T; };
template <class T> struct remove_volatile<volatile T> { using type = T; };
template <class T> struct remove_cv : remove_const<typename remove_volatile<T>::type> {};
template <class T> struct remove_reference { using type = T; };
template <class T> struct remove_reference<T&> { using type = T; };
template <class T> struct remove_reference<T&&> { using type = T; };
template <class T> struct remove_pointer { using type = T; };
template <class T> struct remove_pointer<T*> { using type = T; };
template <class T> struct remove_pointer<T* const> { using type = T; };
template <class T> struct remove_extent { using type = T; };
template <class T> struct remove_extent<T[]> { using type = T; };
template <class T, decltype(sizeof(0)) n> struct remove_extent<T[n]> { using type = T; };
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> using remove_volatile_t = typename remove_volatile<T>::type;
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> using remove_extent_t = typename remove_extent<T>::type;
template <class A, class B> struct is_same : false_type {};
template <class A> struct is_same<A, A> : true_type {};
namespace lanescope_detail {
template <class T, class... L> struct one_of : bool_constant<(is_same<T, L>::value || ...)> {};
}
template <class T> struct is_void : is_same<void, remove_cv_t<T>> {};
template <class T> struct is_integral
    : lanescope_detail::one_of<remove_cv_t<T>, bool, char, signed char, unsigned char, wchar_t, char16_t, char32_t, short,
                               unsigned short, int, unsigned int, long, unsigned long, long long, unsigned long long> {};
template <class T> struct is_floating_point : lanescope_detail::one_of<remove_cv_t<T>, float, double, long double> {};
template <class T> struct is_arithmetic : bool_constant<is_integral<T>::value || is_floating_point<T>::value> {};
template <class T, bool = is_arithmetic<T>::value> struct is_signed : bool_constant<(T(-1) < T(0))> {};
template <class T> struct is_signed<T, false> : false_type {};
template <class T> struct is_unsigned : bool_constant<is_arithmetic<T>::value && !is_signed<T>::value> {};
template <class T> struct is_pointer : false_type {};
template <class T> struct is_pointer<T*> : true_type {};
template <class T> struct is_pointer<T* const> : true_type {};
template <class T> struct is_reference : false_type {};
template <class T> struct is_reference<T&> : true_type {};
template <class T> struct is_reference<T&&> : true_type {};
template <class T> struct is_array : false_type {};
template <class T> struct is_array<T[]> : true_type {};
template <class T, decltype(sizeof(0)) n> struct is_array<T[n]> : true_type {};
template <class T> struct is_const : false_type {};
template <class T> struct is_const<const T> : true_type {};
template <class T> struct is_enum : bool_constant<__is_enum(T)> {};
template <class T> struct is_class : bool_constant<__is_class(T)> {};
template <class B, class D> struct is_base_of : bool_constant<__is_base_of(B, D)> {};
template <class T> struct decay { using type = remove_cv_t<remove_reference_t<T>>; };
template <class T> using decay_t = typename decay<T>::type;
template <class T> inline constexpr bool is_void_v = is_void<T>::value;
template <class T> inline constexpr bool is_integral_v = is_integral<T>::value;
template <class T> inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T> inline constexpr bool is_arithmetic_v = is_arithmetic<T>::value;
template <class T> inline constexpr bool is_signed_v = is_signed<T>::value;
template <class T> inline constexpr bool is_unsigned_v = is_unsigned<T>::value;
template <class T> inline constexpr bool is_pointer_v = is_pointer<T>::value;
template <class T> inline constexpr bool is_array_v = is_array<T>::value;
template <class T> inline constexpr bool is_enum_v = is_enum<T>::value;
template <class T> inline constexpr bool is_class_v = is_class<T>::value;
template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
template <class B, class D> inline constexpr bool is_base_of_v = is_base_of<B, D>::value;
}
)";

constexpr std::string_view limits = R"(#pragma once
namespace std {
template <class T> struct numeric_limits { static constexpr bool is_specialized = false; };
#define LANESCOPE_INTEGER(T, LOW, HIGH, SIGNED, DIGITS) \
    template <> struct numeric_limits<T> { \
        static constexpr bool is_specialized = true, is_signed = SIGNED, is_integer = true, is_exact = true; \
        static constexpr bool has_infinity = false, has_quiet_NaN = false; static constexpr int digits = DIGITS; \
        __device__ static constexpr T min() noexcept { return LOW; } \
        __device__ static constexpr T max() noexcept { return HIGH; } \
        __device__ static constexpr T lowest() noexcept { return LOW; } };
LANESCOPE_INTEGER(bool, false, true, false, 1)
LANESCOPE_INTEGER(char, -128, 127, true, 7)
LANESCOPE_INTEGER(signed char, -128, 127, true, 7)
LANESCOPE_INTEGER(unsigned char, 0, 255, false, 8)
LANESCOPE_INTEGER(short, -32768, 32767, true, 15)
LANESCOPE_INTEGER(unsigned short, 0, 65535, false, 16)
LANESCOPE_INTEGER(int, -2147483647 - 1, 2147483647, true, 31)
LANESCOPE_INTEGER(unsigned int, 0, 4294967295U, false, 32)
LANESCOPE_INTEGER(long, -9223372036854775807L - 1, 9223372036854775807L, true, 63)
LANESCOPE_INTEGER(unsigned long, 0, 18446744073709551615UL, false, 64)
LANESCOPE_INTEGER(long long, -9223372036854775807LL - 1, 9223372036854775807LL, true, 63)
LANESCOPE_INTEGER(unsigned long long, 0, 18446744073709551615ULL, false, 64)
#undef LANESCOPE_INTEGER
#define LANESCOPE_REAL(T, LOW, HIGH, EPSILON, DENORMAL, INF, QNAN, DIGITS, DIGITS10) \
    template <> struct numeric_limits<T> { \
        static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false; \
        static constexpr bool has_infinity = true, has_quiet_NaN = true; \
        static constexpr int digits = DIGITS, digits10 = DIGITS10; \
        __device__ static constexpr T min() noexcept { return LOW; } \
        __device__ static constexpr T max() noexcept { return HIGH; } \
        __device__ static constexpr T lowest() noexcept { return -HIGH; } \
        __device__ static constexpr T epsilon() noexcept { return EPSILON; } \
        __device__ static constexpr T denorm_min() noexcept { return DENORMAL; } \
        __device__ static constexpr T infinity() noexcept { return INF; } \
        __device__ static constexpr T quiet_NaN() noexcept { return QNAN; } };
LANESCOPE_REAL(float, 1.17549435082228750797e-38f, 3.40282346638528859812e+38f, 1.1920928955078125e-7f,
               1.40129846432481707092e-45f, __builtin_bit_cast(float, 0x7f800000), __builtin_bit_cast(float, 0x7fc00000), 24, 6)
LANESCOPE_REAL(double, 2.22507385850720138309e-308, 1.79769313486231570815e+308, 2.22044604925031308085e-16,
               4.94065645841246544177e-324, __builtin_bit_cast(double, 0x7ff0000000000000LL), __builtin_bit_cast(double, 0x7ff8000000000000LL), 53, 15)
#undef LANESCOPE_REAL
}
)";

// <sys/types.h> has the first names. NVRTC itself declares size_t, printf, malloc and the functions of
// math.h.
constexpr std::string_view implicit = R"(#pragma once
#include <stdint.h>
#include <stddef.h>
#include <limits.h>
#include <math.h>
typedef unsigned char u_char; typedef unsigned short u_short; typedef unsigned int u_int; typedef unsigned long u_long;
typedef unsigned short ushort; typedef unsigned int uint; typedef unsigned long ulong;
typedef long ssize_t;
#ifndef RAND_MAX
#define RAND_MAX 2147483647
#endif
#ifndef EXIT_SUCCESS
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#endif
)";

// GCC's header of all standard headers.
constexpr std::string_view everything = R"(#pragma once
#include <cstdint>
#include <cstddef>
#include <climits>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
)";

constexpr std::string_view nothing = "#pragma once\n";

struct Named {
    std::string_view name;
    std::string_view text;
};

// The types of device code that NVIDIA's header brings along.
constexpr std::string_view cublas = R"(#pragma once
#if __has_include(<cuda_fp16.h>)
#include <cuda_fp16.h>
#endif
#if __has_include(<cuda_bf16.h>)
#include <cuda_bf16.h>
#endif
#if __has_include(<cuComplex.h>)
#include <cuComplex.h>
#endif
)";

constexpr Named with_content[] = {
    {"stdint.h", cstdint},        {"cstdint", cstdint},        {"inttypes.h", cstdint},
    {"cinttypes", cstdint},       {"stddef.h", cstddef},       {"cstddef", cstddef},
    {"limits.h", climits},        {"climits", climits},        {"float.h", cfloat},
    {"cfloat", cfloat},           {"math.h", cmath},           {"cmath", cmath},
    {"string.h", cstring},        {"cstring", cstring},        {"limits", limits},
    {"type_traits", type_traits}, {"values.h", cfloat},        {"bits/stdc++.h", everything},
    {"sys/time.h", sys_time},     {implicit_header, implicit}, {"cublas_v2.h", cublas},
    {"cublas.h", cublas},         {"cublasLt.h", cublas},      {"cublasXt.h", cublas},
};

// printf, assert, malloc and the CUDA types are built into NVRTC.
constexpr std::string_view without_content[] = {
    "assert.h",
    "cassert",
    "stdio.h",
    "cstdio",
    "stdlib.h",
    "cstdlib",
    "errno.h",
    "cerrno",
    "ctype.h",
    "cctype",
    "time.h",
    "ctime",
    "signal.h",
    "csignal",
    "stdarg.h",
    "cstdarg",
    "stdbool.h",
    "cstdbool",
    "locale.h",
    "clocale",
    "wchar.h",
    "cwchar",
    "alloca.h",
    "malloc.h",
    "memory.h",
    "unistd.h",
    "dirent.h",
    "fenv.h",
    "cfenv",
    "setjmp.h",
    "csetjmp",
    "wctype.h",
    "cwctype",
    "stdalign.h",
    "immintrin.h",
    "x86intrin.h",
    "getopt.h",
    "strings.h",
    "fcntl.h",
    "pthread.h",
    "dlfcn.h",
    "omp.h",
    "mpi.h",
    "windows.h",
    "iostream",
    "ostream",
    "istream",
    "fstream",
    "sstream",
    "iomanip",
    "ios",
    "iosfwd",
    "streambuf",
    "string",
    "string_view",
    "vector",
    "array",
    "deque",
    "list",
    "forward_list",
    "map",
    "set",
    "unordered_map",
    "unordered_set",
    "queue",
    "stack",
    "bitset",
    "tuple",
    "utility",
    "optional",
    "variant",
    "any",
    "memory",
    "new",
    "functional",
    "algorithm",
    "numeric",
    "numbers",
    "random",
    "chrono",
    "complex",
    "valarray",
    "iterator",
    "ranges",
    "span",
    "bit",
    "compare",
    "concepts",
    "initializer_list",
    "exception",
    "stdexcept",
    "system_error",
    "typeinfo",
    "typeindex",
    "ratio",
    "thread",
    "mutex",
    "shared_mutex",
    "condition_variable",
    "future",
    "atomic",
    "filesystem",
    "regex",
    "locale",
    "format",
    "barrier",
    "latch",
    "semaphore",
    "stop_token",
    "source_location",
    "coroutine",
    "charconv",
    "execution",
    "cuda_profiler_api.h",
    "nvToolsExt.h",
    "cufft.h",
    "cufftXt.h",
    "cufftw.h",
    "cusparse.h",
    "cusolverDn.h",
    "cudnn.h",
    "cuda_gl_interop.h",
    "nccl.h",
    "nvrtc.h",
    "cuda.h",
    "nvml.h",
    // of NVIDIA's samples
    "helper_cuda.h",
    "helper_functions.h",
    "helper_timer.h",
    "helper_string.h",
    "helper_image.h",
};

constexpr std::string_view runtime_headers[] = {"cuda_runtime.h", "cuda_runtime_api.h",
                                                "device_launch_parameters.h", "vector_types.h", "curand.h"};

}  // namespace

std::vector<NamedText> host_headers(bool with_runtime) {
    std::vector<NamedText> all;
    auto add = [&](std::string_view name, std::string_view text) {
        all.push_back({std::string(name), std::string(text), std::string(name)});
    };
    for (const Named& header : with_content)
        add(header.name, header.text);
    for (std::string_view name : without_content)
        add(name, nothing);
    if (with_runtime)
        for (std::string_view name : runtime_headers)
            add(name, nothing);
    return all;
}

bool is_implicit_name(std::string_view name) {
    for (const std::string_view text : {implicit, cstdint, cstddef, climits, cmath}) {
        CppLexer lexer(text);
        while (const auto token = lexer.next()) {
            if (token->is_identifier() && token->text == name) return true;
            if (token->kind != CppToken::Kind::directive || directive_name(*token) != "define") continue;
            const std::vector<CppToken> words = directive_tokens(*token);
            if (!words.empty() && words[0].text == name) return true;
        }
    }
    return false;
}

}  // namespace lanescope::compile
