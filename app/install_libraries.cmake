# Copies the shared libraries that a bare system lacks into lib/lanescope, the fonts into share/lanescope/assets/fonts, and the licences of
# both. Not copied: the C and C++ runtimes and zlib, which every system has; OpenGL, EGL and their drivers, which belong to the machine; and
# libcurl, which must get the system's security updates. The last three are opened at run time, if they are there.
set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
set(folder "${prefix}/${library_folder}")
set(licences "${prefix}/share/doc/lanescope/licences")
# libX11 and what it needs stand in only where the system has none: the system's OpenGL driver is built for the system's own. The other
# libraries belong together: an older libelf of the system does not do for this libdw.
set(stand_ins "^(libX11|libxcb|libXau|libXdmcp|libbsd)\\.")
set(own_first "$ORIGIN:/usr/lib/x86_64-linux-gnu:/lib/x86_64-linux-gnu:/usr/lib64:/lib64:/usr/lib:/lib:$ORIGIN/x11")

function(copy_licence file)
  if(NOT dpkg_query)
    return()
  endif()
  file(REAL_PATH ${file} real)
  string(REGEX REPLACE "^/usr" "" unmerged ${real})
  foreach(path ${real} ${unmerged})
    execute_process(COMMAND ${dpkg_query} -S ${path} OUTPUT_VARIABLE owner ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed AND owner MATCHES "^([^:,]+)[:,]")
      file(INSTALL /usr/share/doc/${CMAKE_MATCH_1}/copyright DESTINATION ${licences} RENAME ${CMAKE_MATCH_1} FOLLOW_SYMLINK_CHAIN)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "no package owns ${file}, so that its licence is not known")
endfunction()

function(copy_library file to search)
  get_filename_component(name ${file} NAME)
  file(REAL_PATH ${file} real)
  file(MAKE_DIRECTORY ${to})
  file(COPY_FILE ${real} ${to}/${name})
  file(CHMOD ${to}/${name} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  execute_process(COMMAND ${patchelf} --set-rpath ${search} ${to}/${name} COMMAND_ERROR_IS_FATAL ANY)
  copy_licence(${file})
endfunction()

file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${built_program} LIBRARIES ${built_libraries} RESOLVED_DEPENDENCIES_VAR libraries
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|pthread|rt|gcc_s|stdc\\+\\+|z)\\.so")
foreach(library ${libraries})
  get_filename_component(name ${library} NAME)
  if(name MATCHES "${stand_ins}")
    copy_library(${library} ${folder}/x11 "$ORIGIN:$ORIGIN/..")
  else()
    copy_library(${library} ${folder} ${own_first})
  endif()
endforeach()

foreach(face Inter-Regular Inter-SemiBold JetBrainsMono-Regular)
  file(GLOB_RECURSE found /usr/share/fonts/${face}.otf /usr/share/fonts/${face}.ttf /usr/local/share/fonts/${face}.otf
    /usr/local/share/fonts/${face}.ttf)
  if(NOT found)
    message(FATAL_ERROR "the font ${face} is not installed (Debian and Ubuntu: fonts-inter, fonts-jetbrains-mono)")
  endif()
  list(GET found 0 font)
  file(INSTALL ${font} DESTINATION ${prefix}/${data_folder}/assets/fonts FOLLOW_SYMLINK_CHAIN)
  copy_licence(${font})
endforeach()
