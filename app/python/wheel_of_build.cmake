# Installs what LANESCOPE_BUILD has built, as the portable archive holds it, into the wheel that scikit-build-core makes.
add_custom_target(lanescope)
add_custom_target(install_data)
foreach(component program libraries)
  install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" --install \"${LANESCOPE_BUILD}\" --prefix \"\${CMAKE_INSTALL_PREFIX}\"
    --component ${component} --strip OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)" COMPONENT ${component})
endforeach()
