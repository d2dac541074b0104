lanescope_package(CLI11)
add_executable(lanescope ${CMAKE_SOURCE_DIR}/app/main.cpp ${CMAKE_SOURCE_DIR}/app/time_command.cpp)
target_link_libraries(lanescope PRIVATE lanescope_ui lanescope_doctor CLI11::CLI11)
target_compile_definitions(lanescope PRIVATE LANESCOPE_VERSION="${PROJECT_VERSION}")
