# `cmake --install`, and the packages: what app/INSTALL.md describes. Included from the root after all targets.
#
# The installed program finds its files relative to itself (app/base/folders.h); no path of the build is in it. The folders are therefore
# fixed, and only the prefix is free.
set(data_folder share/lanescope)
set(library_folder lib/lanescope)

# Programs of the build folder find the checkout and the toolkit by this file, wherever the folder lies; an installed program has none.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/build_tree.txt
  CONTENT "source=@CMAKE_SOURCE_DIR@\ncuda=@LANESCOPE_CUDA_ROOT@\n" @ONLY)

# --- What is made for the installation ----------------------------------------------------------------------------------------------------

# The manual page, the shells' completions and the compiled lessons come from the program itself. They are part of a build of all targets
# (10 s the first time); the installation makes what is missing.
set(made_folder ${CMAKE_BINARY_DIR}/installed)
set(make_data ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:lanescope> -D FOLDER=${made_folder} -P ${CMAKE_CURRENT_LIST_DIR}/install_data.cmake)
file(GLOB lesson_files CONFIGURE_DEPENDS kernels/*/*.cu kernels/*/lesson.toml assets/preview/*.cu)
add_custom_command(OUTPUT ${made_folder}/done.txt
  COMMAND ${make_data} COMMAND ${CMAKE_COMMAND} -E touch ${made_folder}/done.txt
  DEPENDS lanescope ${lesson_files} ${CMAKE_CURRENT_LIST_DIR}/install_data.cmake
  COMMENT "Compiling the lessons, writing the manual page and the completions" VERBATIM)
if(LANESCOPE_SANITIZE)
  set(made_by_default "")  # the program is for tests, and slow
else()
  set(made_by_default ALL)
endif()
add_custom_target(install_data ${made_by_default} DEPENDS ${made_folder}/done.txt)
list(JOIN make_data "\" \"" make_data_line)
install(CODE "execute_process(COMMAND \"${make_data_line}\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program)

# --- Files ------------------------------------------------------------------------------------------------------------------------------

# The libraries that the portable archive carries lie here; elsewhere the folder does not exist, and the system's are used.
set_target_properties(lanescope PROPERTIES INSTALL_RPATH "$ORIGIN/../${library_folder}")
install(TARGETS lanescope RUNTIME DESTINATION bin COMPONENT program)
if(TARGET lanescope-cudart)
  set_target_properties(lanescope-cudart lanescope-cudart12 PROPERTIES INSTALL_RPATH "$ORIGIN/..")
  set_target_properties(lanescope-watch PROPERTIES INSTALL_RPATH "$ORIGIN")
  install(TARGETS lanescope-cudart lanescope-cudart12 LIBRARY DESTINATION ${library_folder}/cudart COMPONENT program)
  install(TARGETS lanescope-watch LIBRARY DESTINATION ${library_folder} COMPONENT program)
  get_property(cuda_libraries GLOBAL PROPERTY lanescope_cuda_libraries)
  foreach(library ${cuda_libraries})
    set_target_properties(${library} PROPERTIES INSTALL_RPATH "$ORIGIN")
    install(TARGETS ${library} LIBRARY DESTINATION ${library_folder}/cudart COMPONENT program)
  endforeach()
endif()
if(TARGET lanescope-peers)
  install(TARGETS lanescope-peers LIBRARY DESTINATION ${library_folder} COMPONENT program)
endif()
install(DIRECTORY kernels DESTINATION ${data_folder} COMPONENT program FILES_MATCHING PATTERN "*.cu" PATTERN "lesson.toml"
  PATTERN "lesson.*.toml")
install(DIRECTORY shaders DESTINATION ${data_folder} COMPONENT program)
install(DIRECTORY assets DESTINATION ${data_folder} COMPONENT program
  PATTERN "readme" EXCLUDE PATTERN "desktop" EXCLUDE PATTERN "*.py" EXCLUDE)
# What app/web.sh built; without it the program says how to build it.
install(DIRECTORY build/web DESTINATION ${data_folder} COMPONENT program OPTIONAL)
install(DIRECTORY ${made_folder}/compiled DESTINATION ${data_folder} COMPONENT program)
install(FILES ${made_folder}/lanescope.1 DESTINATION share/man/man1 COMPONENT program)
install(FILES ${made_folder}/lanescope.bash DESTINATION share/bash-completion/completions RENAME lanescope COMPONENT program)
install(FILES ${made_folder}/_lanescope DESTINATION share/zsh/site-functions COMPONENT program)
install(FILES ${made_folder}/lanescope.fish DESTINATION share/fish/vendor_completions.d COMPONENT program)
install(FILES assets/desktop/lanescope.desktop DESTINATION share/applications COMPONENT program)
install(FILES assets/desktop/lanescope.svg DESTINATION share/icons/hicolor/scalable/apps COMPONENT program)
install(FILES assets/desktop/lanescope.xml DESTINATION share/mime/packages COMPONENT program)
install(FILES LICENSE DESTINATION share/doc/lanescope RENAME copyright COMPONENT program)

# --- The portable archive: libraries and fonts that a bare system lacks --------------------------------------------------------------------

find_program(PATCHELF patchelf)
find_program(DPKG_QUERY dpkg-query)
set(built_libraries "")
if(TARGET lanescope-cudart)
  set(built_libraries "$<TARGET_FILE:lanescope-cudart>;$<TARGET_FILE:lanescope-watch>")
endif()
install(CODE "set(built_program \"$<TARGET_FILE:lanescope>\")
set(built_libraries \"${built_libraries}\")
set(patchelf \"${PATCHELF}\")
set(dpkg_query \"${DPKG_QUERY}\")
set(data_folder \"${data_folder}\")
set(library_folder \"${library_folder}\")" COMPONENT libraries EXCLUDE_FROM_ALL)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_libraries.cmake COMPONENT libraries EXCLUDE_FROM_ALL)

# --- Packages ---------------------------------------------------------------------------------------------------------------------------

set(CPACK_PACKAGE_NAME lanescope)
set(CPACK_PACKAGE_VENDOR Lanescope)
set(CPACK_PACKAGE_CONTACT "Lanescope <lanescope@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "Lanescope runs a CUDA kernel on an exact model of 32-lane warps and shows each step, forwards and backwards.\nIt needs no GPU. A course of lessons comes with it; 'lanescope doctor --get-compiler' gets the compiler for files of your own.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_FILE_NAME lanescope-${PROJECT_VERSION}-linux-x86_64)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_COMPONENTS_ALL program)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/packages_for.cmake)

set(CPACK_GENERATOR "")
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(DPKG_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
else()
  message(STATUS "Packages: no .deb, because dpkg-shlibdeps is missing (Debian and Ubuntu: dpkg-dev)")
endif()
if(PATCHELF)
  list(APPEND CPACK_GENERATOR TXZ)
else()
  message(STATUS "Packages: no .tar.xz, because patchelf is missing")
endif()
if(NOT CPACK_GENERATOR)
  set(CPACK_GENERATOR TGZ)
endif()
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Opened at run time: OpenGL by GLFW and for pictures, and the fonts that the views are drawn with.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libegl1, libgl1, fonts-inter, fonts-jetbrains-mono")
# Also opened at run time: what --get-compiler downloads with.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libmicrohttpd12 | libmicrohttpd12t64")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libcurl4 | libcurl4t64 | libcurl3-gnutls, ca-certificates, libgl1-mesa-dri")
# Prints the slides of a topic as a PDF.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "chromium | chromium-browser | google-chrome-stable | microsoft-edge-stable")
include(CPack)
