lanescope_package(CLI11)
add_executable(lanescope)
foreach(part main command export_command info_commands preview_command render_command run_command run_options
             time_command view_options window_command)
  target_sources(lanescope PRIVATE ${CMAKE_SOURCE_DIR}/app/${part}.cpp)
endforeach()
target_link_libraries(lanescope PRIVATE lanescope_ui lanescope_page lanescope_preview lanescope_doctor CLI11::CLI11)
target_compile_definitions(lanescope PRIVATE LANESCOPE_VERSION="${PROJECT_VERSION}")
