# Makes what only the program itself can say: FOLDER/compiled, the manual page, the completions. PROGRAM: the built program. What is
# there and right is not made again.
file(MAKE_DIRECTORY ${FOLDER})
foreach(made "lanescope.1;__manual" "lanescope.bash;__completions;bash" "_lanescope;__completions;zsh" "lanescope.fish;__completions;fish")
  list(POP_FRONT made file)
  execute_process(COMMAND ${PROGRAM} ${made} OUTPUT_FILE ${FOLDER}/${file} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(COMMAND ${PROGRAM} __compile-course ${FOLDER}/compiled COMMAND_ERROR_IS_FATAL ANY)
