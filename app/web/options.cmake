# How all rooms are compiled for WebAssembly: 32-bit addresses, one thread, exceptions of the browser's own. shims.h: what this C++ library
# lacks.
target_compile_options(lanescope_options INTERFACE -fwasm-exceptions -Wno-unknown-pragmas
  $<$<COMPILE_LANGUAGE:CXX>:-include> $<$<COMPILE_LANGUAGE:CXX>:${CMAKE_CURRENT_LIST_DIR}/shims.h>)
target_link_options(lanescope_options INTERFACE -fwasm-exceptions)
