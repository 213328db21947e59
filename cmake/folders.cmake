# The folder law: a folder is a library that uses the libraries listed for it and no others.
#
# A static library alone would not show a breach, because the program it ends up in links everything. So each
# folder is also linked by itself, with nothing left undefined: what it may not use, it does not find.

function(add_folder name)
  cmake_parse_arguments(folder "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${folder_SOURCES})
  target_link_libraries(${name} PUBLIC applyguard_compile ${folder_PUBLIC} PRIVATE ${folder_PRIVATE})

  # clang leaves its sanitizers' functions undefined in all but programs; gcc links them.
  if(BUILD_TESTING AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    add_library(${name}_alone MODULE $<TARGET_OBJECTS:${name}>)
    target_link_libraries(${name}_alone PRIVATE applyguard_compile ${folder_PUBLIC} ${folder_PRIVATE})
    target_link_options(${name}_alone PRIVATE -Wl,--no-undefined)
  endif()
endfunction()
