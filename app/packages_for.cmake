# Read by cpack for each kind of package: the portable archive carries libraries, a .deb depends on the system's.
if(CPACK_GENERATOR STREQUAL "TXZ")
  set(CPACK_COMPONENTS_ALL program libraries)
endif()
