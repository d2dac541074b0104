# Third-party packages of the web preset, in the place of app/packages.cmake's: built along from their sources, which app/web.sh may name
# (FETCHCONTENT_SOURCE_DIR_…). Header-only packages of the system serve as they are, through a folder of links: no other header of the
# system may be found.
set(packages_folder ${CMAKE_BINARY_DIR}/packages)

# lanescope_web_headers(TARGET FOLDER): offers what the system has as /usr/include/FOLDER. Sets found.
function(lanescope_web_headers target folder)
  find_path(place_of_${folder} ${folder} PATHS /usr/include /usr/local/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  if(NOT place_of_${folder})
    set(found FALSE PARENT_SCOPE)
    return()
  endif()
  set(found TRUE PARENT_SCOPE)
  file(MAKE_DIRECTORY ${packages_folder})
  file(CREATE_LINK ${place_of_${folder}}/${folder} ${packages_folder}/${folder} SYMBOLIC)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE ${packages_folder})
endfunction()

function(lanescope_find_nlohmann_json)
  if(TARGET nlohmann_json::nlohmann_json)
    return()
  endif()
  lanescope_web_headers(nlohmann_json::nlohmann_json nlohmann)
  if(NOT found)
    lanescope_fetch(nlohmann_json https://github.com/nlohmann/json/archive/refs/tags/v3.11.3.tar.gz
      0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406)
  endif()
endfunction()

function(lanescope_find_tomlplusplus)
  if(TARGET tomlplusplus::tomlplusplus)
    return()
  endif()
  lanescope_web_headers(tomlplusplus::tomlplusplus toml++)
  if(NOT found)
    lanescope_fetch(tomlplusplus https://github.com/marzer/tomlplusplus/archive/refs/tags/v3.4.0.tar.gz
      8517f65938a4faae9ccf8ebb36631a38c1cadfb5efa85d9a72e15b9e97d25155)
  endif()
endfunction()

function(lanescope_find_CLI11)
  if(TARGET CLI11::CLI11)
    return()
  endif()
  lanescope_web_headers(CLI11::CLI11 CLI)
  if(NOT found)
    lanescope_fetch(CLI11 https://github.com/CLIUtils/CLI11/archive/v2.4.2.tar.gz
      f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a)
  endif()
endfunction()

# lanescope_web_library(NAME URL SHA256 FOLDER SOURCE…): the library lanescope_NAME from these files, without its own build.
function(lanescope_web_library name url sha256 folder)
  if(TARGET lanescope_${name})
    return()
  endif()
  FetchContent_Declare(${name} URL ${url} URL_HASH SHA256=${sha256} SOURCE_SUBDIR none)
  FetchContent_MakeAvailable(${name})
  set(sources "")
  foreach(pattern ${ARGN})
    file(GLOB found ${${name}_SOURCE_DIR}/${folder}/${pattern})
    list(APPEND sources ${found})
  endforeach()
  add_library(lanescope_${name} STATIC ${sources})
  target_include_directories(lanescope_${name} SYSTEM PUBLIC ${${name}_SOURCE_DIR}/${folder})
  target_compile_options(lanescope_${name} PRIVATE -w -fwasm-exceptions)
  set_target_properties(lanescope_${name} PROPERTIES UNITY_BUILD OFF)
  set(${name}_SOURCE_DIR ${${name}_SOURCE_DIR} PARENT_SCOPE)
endfunction()

function(lanescope_find_zlib)
  lanescope_web_library(zlib https://github.com/madler/zlib/releases/download/v1.3.1/zlib-1.3.1.tar.gz
    9a93b2b7dfdac77ceba5a558a580e74667dd6fede4585b91eefb60f03b72df23 .
    adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c)
endfunction()

function(lanescope_find_png)
  if(TARGET lanescope_png)
    return()
  endif()
  lanescope_find_zlib()
  lanescope_web_library(png https://downloads.sourceforge.net/libpng/libpng-1.6.48.tar.gz
    b17e99026055727e8cba99160c3a9a7f9af788e9f786daeadded5a42243f1dd0 .
    png.c pngerror.c pngget.c pngmem.c pngpread.c pngread.c pngrio.c pngrtran.c pngrutil.c pngset.c pngtrans.c pngwio.c pngwrite.c
    pngwtran.c pngwutil.c)
  configure_file(${png_SOURCE_DIR}/scripts/pnglibconf.h.prebuilt ${packages_folder}/png/pnglibconf.h COPYONLY)
  target_include_directories(lanescope_png SYSTEM PUBLIC ${packages_folder}/png)
  target_link_libraries(lanescope_png PUBLIC lanescope_zlib)
endfunction()

function(lanescope_find_gif)
  lanescope_web_library(gif https://downloads.sourceforge.net/giflib/giflib-5.2.2.tar.gz
    be7ffbd057cadebe2aa144542fd90c6838c6a083b5e8a9048b8ee3b66b29d5fb .
    dgif_lib.c egif_lib.c gif_err.c gif_hash.c gifalloc.c openbsd-reallocarray.c)
endfunction()

function(lanescope_find_md4c)
  lanescope_web_library(md4c https://github.com/mity/md4c/archive/refs/tags/release-0.5.2.tar.gz
    55d0111d48fb11883aaee91465e642b8b640775a4d6993c2d0e7a8092758ef21 src md4c.c)
endfunction()

# Without a backend for windows: app/web passes the browser's events on.
function(lanescope_find_imgui)
  lanescope_web_library(imgui https://github.com/ocornut/imgui/archive/refs/tags/v1.91.5.tar.gz
    2aa2d169c569368439e5d5667e0796d09ca5cc6432965ce082e516937d7db254 .
    imgui.cpp imgui_draw.cpp imgui_tables.cpp imgui_widgets.cpp misc/cpp/imgui_stdlib.cpp backends/imgui_impl_opengl3.cpp)
  target_include_directories(lanescope_imgui SYSTEM PUBLIC ${imgui_SOURCE_DIR}/backends ${imgui_SOURCE_DIR}/misc/cpp)
  target_compile_definitions(lanescope_imgui PUBLIC IMGUI_IMPL_OPENGL_ES3 "ImDrawIdx=unsigned int")  # ES 3 draws without vertex offsets
endfunction()

function(lanescope_find_GTest)
  lanescope_web_library(gtest https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
    8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7 googletest src/gtest-all.cc src/gtest_main.cc)
  target_include_directories(lanescope_gtest SYSTEM PUBLIC ${gtest_SOURCE_DIR}/googletest/include)
  target_compile_definitions(lanescope_gtest PUBLIC GTEST_HAS_PTHREAD=0)
  add_library(GTest::gtest ALIAS lanescope_gtest)
  add_library(GTest::gtest_main ALIAS lanescope_gtest)
endfunction()

# What rooms ask for that the browser has not or brings itself.
foreach(package benchmark curl dw egl glad glfw3 lz4 md minizip zstd)
  cmake_language(EVAL CODE "function(lanescope_find_${package})\nendfunction()")
endforeach()

function(lanescope_find_jpeg)
  add_library(lanescope_jpeg INTERFACE)
endfunction()
