# Read by cpack for each kind of package. A portable archive is one folder, which also holds the libraries; a .deb depends on the system's
# libraries and installs below /usr.
if(CPACK_GENERATOR STREQUAL "TXZ")
  set(CPACK_COMPONENTS_ALL program libraries)
endif()
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY OFF)
endif()
