# Checks that COVERAGE.md equals the output of parity_coverage.
execute_process(COMMAND ${COVERAGE} ${FOLDER} OUTPUT_FILE ${WORK}/COVERAGE.md RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "parity_coverage failed")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${WORK}/COVERAGE.md ${FOLDER}/COVERAGE.md RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "COVERAGE.md is out of date; run parity_coverage tests/parity > tests/parity/COVERAGE.md")
endif()
