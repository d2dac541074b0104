# Third-party packages, each sought when a folder asks for it: lanescope_package(NAME), then link its target.
# The system's package is taken first; else a pinned release, checked against its SHA-256, is built along.
#
#   CLI11 → CLI11::CLI11                      nlohmann_json → nlohmann_json::nlohmann_json
#   GTest → GTest::gtest, GTest::gtest_main   tomlplusplus → tomlplusplus::tomlplusplus
#   benchmark → benchmark::benchmark          png → lanescope_png (libpng), jpeg → lanescope_jpeg (libjpeg-turbo)
#   egl → EGL_INCLUDE_DIRS (no library)       imgui → lanescope_imgui (with its GLFW and OpenGL 3 backends)
#   glfw3 → glfw                              zlib → lanescope_zlib
#   gif → lanescope_gif (giflib)               minizip → lanescope_minizip, md → lanescope_md (libmd)
#   lz4 → lanescope_lz4, zstd → lanescope_zstd (compressed device code in programs)
#   dw → lanescope_dw (libdw: the lines of a program's host code)
#   md4c → lanescope_md4c (Markdown)
#   curl → CURL_INCLUDE_DIRS (no library: it is opened at run time)
#   microhttpd → MICROHTTPD_INCLUDE_DIRS (the same)
#   glad → lanescope_glad (OpenGL 4.5 core, generated)
#   cuda: no target; LANESCOPE_CUDA_ROOT/include holds nvrtc.h and the headers that CUDA sources include
include(FetchContent)
find_package(PkgConfig REQUIRED)

function(lanescope_package name)
  if(NOT COMMAND lanescope_find_${name})
    message(FATAL_ERROR "app/packages.cmake knows no package ${name}")
  endif()
  cmake_language(CALL lanescope_find_${name})
endfunction()

# Leaves out the libraries' tests, examples and installation.
set(CLI11_BUILD_TESTS OFF)
set(CLI11_BUILD_EXAMPLES OFF)
set(GLFW_BUILD_DOCS OFF)
set(GLFW_BUILD_TESTS OFF)
set(GLFW_BUILD_EXAMPLES OFF)
set(GLFW_INSTALL OFF)
set(JSON_BuildTests OFF)
set(JSON_Install OFF)
set(BUILD_GMOCK OFF)
set(INSTALL_GTEST OFF)
set(BENCHMARK_ENABLE_TESTING OFF)
set(BENCHMARK_ENABLE_INSTALL OFF)
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)  # the plain variables above win over the libraries' option()

# Libraries that come with a CMake package: FetchContent asks find_package first.
# GLOBAL: folders that link a library see the packages that it found.
macro(lanescope_fetch name url sha256)
  FetchContent_Declare(${name} URL ${url} URL_HASH SHA256=${sha256} SYSTEM FIND_PACKAGE_ARGS ${ARGN} GLOBAL)
  FetchContent_MakeAvailable(${name})
endmacro()

function(lanescope_find_CLI11)
  lanescope_fetch(CLI11 https://github.com/CLIUtils/CLI11/archive/v2.4.2.tar.gz
    f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a 2.1 CONFIG)
endfunction()

function(lanescope_find_nlohmann_json)
  lanescope_fetch(nlohmann_json https://github.com/nlohmann/json/archive/refs/tags/v3.11.3.tar.gz
    0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406 3.10 CONFIG)
endfunction()

function(lanescope_find_tomlplusplus)
  lanescope_fetch(tomlplusplus https://github.com/marzer/tomlplusplus/archive/refs/tags/v3.4.0.tar.gz
    8517f65938a4faae9ccf8ebb36631a38c1cadfb5efa85d9a72e15b9e97d25155 3.3 CONFIG)
endfunction()

function(lanescope_find_glfw3)
  pkg_check_modules(WAYLAND QUIET wayland-client wayland-cursor wayland-egl xkbcommon)
  if(NOT WAYLAND_FOUND)
    set(GLFW_BUILD_WAYLAND OFF)  # a GLFW that is built here then has X11 only
  endif()
  lanescope_fetch(glfw3 https://github.com/glfw/glfw/archive/refs/tags/3.4.tar.gz
    c038d34200234d071fae9345bc455e4a8f2f544ab60150765d7704e08f3dac01 3.3 CONFIG)
endfunction()

function(lanescope_find_GTest)
  lanescope_fetch(GTest https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
    8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7)
endfunction()

function(lanescope_find_benchmark)
  lanescope_fetch(benchmark https://github.com/google/benchmark/archive/refs/tags/v1.7.1.tar.gz
    6430e4092653380d9dc4ccb45a1e2dc9259d581f4866dc0759713126056bc1d7 CONFIG)
endfunction()

function(lanescope_find_zlib)
  if(TARGET lanescope_zlib)
    return()
  endif()
  add_library(lanescope_zlib INTERFACE)
  find_package(ZLIB QUIET)
  if(ZLIB_FOUND)
    target_include_directories(lanescope_zlib SYSTEM INTERFACE ${ZLIB_INCLUDE_DIRS})
    target_link_libraries(lanescope_zlib INTERFACE ${ZLIB_LIBRARIES})
    return()
  endif()
  FetchContent_Declare(zlib
    URL https://github.com/madler/zlib/releases/download/v1.3.1/zlib-1.3.1.tar.gz
    URL_HASH SHA256=9a93b2b7dfdac77ceba5a558a580e74667dd6fede4585b91eefb60f03b72df23)
  FetchContent_MakeAvailable(zlib)
  target_include_directories(lanescope_zlib SYSTEM INTERFACE ${zlib_SOURCE_DIR} ${zlib_BINARY_DIR})
  target_link_libraries(lanescope_zlib INTERFACE zlibstatic)
endfunction()

# It has no CMake build of its own; its files are compiled along where the system has no package.
function(lanescope_find_gif)
  if(TARGET lanescope_gif)
    return()
  endif()
  find_package(GIF 5 QUIET)
  if(GIF_FOUND)
    add_library(lanescope_gif INTERFACE)
    target_include_directories(lanescope_gif SYSTEM INTERFACE ${GIF_INCLUDE_DIRS})
    target_link_libraries(lanescope_gif INTERFACE ${GIF_LIBRARIES})
    return()
  endif()
  FetchContent_Declare(giflib
    URL https://downloads.sourceforge.net/giflib/giflib-5.1.4.tar.gz
    URL_HASH SHA256=34a7377ba834397db019e8eb122e551a49c98f49df75ec3fcc92b9a794a4f6d1)
  FetchContent_MakeAvailable(giflib)
  set(folder ${giflib_SOURCE_DIR}/lib)
  add_library(lanescope_gif STATIC ${folder}/dgif_lib.c ${folder}/egif_lib.c ${folder}/gif_err.c ${folder}/gif_hash.c
    ${folder}/gifalloc.c ${folder}/openbsd-reallocarray.c)
  target_include_directories(lanescope_gif SYSTEM PUBLIC ${folder})
  target_compile_options(lanescope_gif PRIVATE -w)
endfunction()

# Only the parser: its own build makes a writer of HTML, too.
function(lanescope_find_md4c)
  if(TARGET lanescope_md4c)
    return()
  endif()
  pkg_check_modules(MD4C QUIET IMPORTED_TARGET GLOBAL md4c)
  if(MD4C_FOUND)
    add_library(lanescope_md4c INTERFACE)
    target_link_libraries(lanescope_md4c INTERFACE PkgConfig::MD4C)
    return()
  endif()
  FetchContent_Declare(md4c
    URL https://github.com/mity/md4c/archive/refs/tags/release-0.4.8.tar.gz
    URL_HASH SHA256=4a457df853425b6bb6e3457aa1d1a13bccec587a04c38c622b1013a0da41439f
    SOURCE_SUBDIR none)  # without its own build
  FetchContent_MakeAvailable(md4c)
  add_library(lanescope_md4c STATIC ${md4c_SOURCE_DIR}/src/md4c.c)
  target_include_directories(lanescope_md4c SYSTEM PUBLIC ${md4c_SOURCE_DIR}/src)
  target_compile_options(lanescope_md4c PRIVATE -w)
endfunction()

function(lanescope_find_lz4)
  lanescope_find_by_pkg_config(lz4 liblz4 "LZ4 (Debian: liblz4-dev, Fedora: lz4-devel, Arch: lz4)")
endfunction()

function(lanescope_find_dw)
  lanescope_find_by_pkg_config(dw libdw "libdw of elfutils (Debian: libdw-dev, Fedora: elfutils-devel, Arch: libelf)")
endfunction()

function(lanescope_find_zstd)
  lanescope_find_by_pkg_config(zstd libzstd "Zstandard (Debian: libzstd-dev, Fedora: libzstd-devel, Arch: zstd)")
endfunction()

# The graphics stack's own library cannot be built along; the program opens it at run time, so that its headers are enough.
function(lanescope_find_egl)
  pkg_check_modules(EGL REQUIRED egl)
endfunction()

# Every distribution has these two libraries and keeps them safe against hostile files, so that they are not built here.
function(lanescope_find_png)
  lanescope_find_system_library(png PNG "libpng (Debian: libpng-dev, Fedora: libpng-devel, Arch: libpng)")
endfunction()

function(lanescope_find_jpeg)
  lanescope_find_system_library(jpeg JPEG
    "libjpeg-turbo (Debian and Ubuntu: libjpeg-dev, Fedora: libjpeg-turbo-devel, Arch: libjpeg-turbo)")
endfunction()

function(lanescope_find_system_library name package where)
  if(TARGET lanescope_${name})
    return()
  endif()
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "no ${package} library found: install ${where}, then configure again")
  endif()
  add_library(lanescope_${name} INTERFACE)
  target_include_directories(lanescope_${name} SYSTEM INTERFACE ${${package}_INCLUDE_DIRS})
  target_link_libraries(lanescope_${name} INTERFACE ${${package}_LIBRARIES})
endfunction()

# Libraries that read archives or use the network come from the system for the same reason.
function(lanescope_find_curl)
  pkg_check_modules(CURL QUIET libcurl)
  if(NOT CURL_FOUND)
    message(FATAL_ERROR "no libcurl found: install its headers (Debian and Ubuntu: libcurl4-openssl-dev, Fedora: libcurl-devel, Arch: curl), then configure again")
  endif()
endfunction()

function(lanescope_find_microhttpd)
  pkg_check_modules(MICROHTTPD QUIET libmicrohttpd>=0.9.73)
  if(NOT MICROHTTPD_FOUND)
    message(FATAL_ERROR "no libmicrohttpd found: install its headers (Debian and Ubuntu: libmicrohttpd-dev, Fedora: libmicrohttpd-devel, Arch: libmicrohttpd), then configure again")
  endif()
endfunction()

function(lanescope_find_minizip)
  lanescope_find_by_pkg_config(minizip minizip "minizip (Debian and Ubuntu: libminizip-dev, Fedora: minizip-compat-devel, Arch: minizip)")
endfunction()

function(lanescope_find_md)
  lanescope_find_by_pkg_config(md libmd "libmd (Debian and Ubuntu: libmd-dev, Fedora: libmd-devel, Arch: libmd)")
endfunction()

function(lanescope_find_by_pkg_config name module where)
  if(TARGET lanescope_${name})
    return()
  endif()
  pkg_check_modules(lanescope_${name}_module QUIET IMPORTED_TARGET GLOBAL ${module})
  if(NOT lanescope_${name}_module_FOUND)
    message(FATAL_ERROR "no ${module} library found: install ${where}, then configure again")
  endif()
  add_library(lanescope_${name} INTERFACE)
  target_link_libraries(lanescope_${name} INTERFACE PkgConfig::lanescope_${name}_module)
endfunction()

function(lanescope_find_imgui)
  if(TARGET lanescope_imgui)
    return()
  endif()
  lanescope_package(glfw3)
  pkg_check_modules(IMGUI IMPORTED_TARGET GLOBAL imgui>=1.86)
  if(IMGUI_FOUND)
    add_library(lanescope_imgui INTERFACE)
    # By its file: CMake orders targets, but not the plain archive of pkg-config, whose backend calls GLFW.
    target_link_libraries(PkgConfig::IMGUI INTERFACE $<TARGET_LINKER_FILE:glfw>)
    target_link_libraries(lanescope_imgui INTERFACE PkgConfig::IMGUI glfw ${CMAKE_DL_LIBS})
    pkg_get_variable(folder imgui includedir)
    target_include_directories(lanescope_imgui SYSTEM INTERFACE ${folder} ${folder}/backends)
    return()
  endif()
  FetchContent_Declare(imgui
    URL https://github.com/ocornut/imgui/archive/refs/tags/v1.91.5.tar.gz
    URL_HASH SHA256=2aa2d169c569368439e5d5667e0796d09ca5cc6432965ce082e516937d7db254)
  FetchContent_MakeAvailable(imgui)
  add_library(lanescope_imgui STATIC
    ${imgui_SOURCE_DIR}/imgui.cpp ${imgui_SOURCE_DIR}/imgui_draw.cpp ${imgui_SOURCE_DIR}/imgui_tables.cpp
    ${imgui_SOURCE_DIR}/imgui_widgets.cpp ${imgui_SOURCE_DIR}/misc/cpp/imgui_stdlib.cpp
    ${imgui_SOURCE_DIR}/backends/imgui_impl_glfw.cpp ${imgui_SOURCE_DIR}/backends/imgui_impl_opengl3.cpp)
  target_include_directories(lanescope_imgui SYSTEM PUBLIC ${imgui_SOURCE_DIR} ${imgui_SOURCE_DIR}/backends
    ${imgui_SOURCE_DIR}/misc/cpp)
  target_link_libraries(lanescope_imgui PUBLIC glfw ${CMAKE_DL_LIBS})
endfunction()

# The generator is a Python program: the system's, else the published package with what it needs.
function(lanescope_find_glad)
  if(TARGET lanescope_glad)
    return()
  endif()
  find_program(GLAD glad)
  set(generator ${GLAD})
  if(NOT GLAD)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    set(python_folder ${CMAKE_BINARY_DIR}/_deps/glad2)
    if(NOT EXISTS ${python_folder}/glad)
      execute_process(
        COMMAND ${Python3_EXECUTABLE} -m pip install --quiet --no-input --no-deps --target ${python_folder}
                glad2==2.0.8 Jinja2==3.1.6 MarkupSafe==3.0.2
        COMMAND_ERROR_IS_FATAL ANY)
    endif()
    set(generator ${CMAKE_COMMAND} -E env PYTHONPATH=${python_folder} ${Python3_EXECUTABLE} -m glad)
  endif()
  set(folder ${CMAKE_BINARY_DIR}/glad)
  add_custom_command(
    OUTPUT ${folder}/src/gl.c ${folder}/include/glad/gl.h
    COMMAND ${generator} --quiet --reproducible --api gl:core=4.5 --extensions "" --out-path ${folder} c --loader
    COMMENT "Generating the OpenGL 4.5 loader"
    VERBATIM)
  add_library(lanescope_glad STATIC ${folder}/src/gl.c)
  target_include_directories(lanescope_glad SYSTEM PUBLIC ${folder}/include)
  target_compile_options(lanescope_glad PRIVATE -w)
  target_link_libraries(lanescope_glad PRIVATE ${CMAKE_DL_LIBS})
endfunction()

# A toolkit that is installed, or NVIDIA's Python wheels, which app/run.sh puts into build/cuda-wheels.
function(lanescope_find_cuda)
  if(LANESCOPE_CUDA_ROOT AND EXISTS ${LANESCOPE_CUDA_ROOT}/include/nvrtc.h)
    return()
  endif()
  file(GLOB versions LIST_DIRECTORIES true /usr/local/cuda-*)
  list(SORT versions COMPARE NATURAL ORDER DESCENDING)
  list(TRANSFORM CMAKE_PREFIX_PATH APPEND /nvidia/cu13 OUTPUT_VARIABLE build_wheels)  # what pip installed to build a wheel
  foreach(folder ${build_wheels} $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda ${versions} /opt/cuda /usr
                 ${CMAKE_SOURCE_DIR}/build/cuda-wheels/nvidia/cu13)
    if(EXISTS ${folder}/include/nvrtc.h)
      set(LANESCOPE_CUDA_ROOT ${folder} CACHE PATH "CUDA Toolkit: include/nvrtc.h and libnvrtc" FORCE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "no CUDA Toolkit found: start app/run.sh, which gets NVRTC, or set LANESCOPE_CUDA_ROOT")
endfunction()
