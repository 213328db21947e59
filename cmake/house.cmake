# Builds the rooms of cmake/rooms.cmake: each is a library that is compiled and linked with what its row allows.
#
# Two checks keep the walls. Before a room is compiled, its #includes are held against its row. And as a static library
# alone would not show what it uses, each is also linked by itself, with nothing left undefined.

set(libraries yyjson yaml h2o openssl curl zlib zstd threads)

function(room name)
  cmake_parse_arguments(room "" "" "USES" ${ARGN})
  set_property(GLOBAL APPEND PROPERTY rooms ${name})
  set_property(GLOBAL PROPERTY uses_of_${name} ${room_USES})
endfunction()

# The target of a room or library: of policy/fieldset it is policy-fieldset, of yyjson PkgConfig::yyjson.
function(target_of name variable)
  string(REPLACE "/" "-" target ${name})
  if(name STREQUAL "cli")
    set(target applyguard) # the program
  elseif(name STREQUAL "threads")
    set(target Threads::Threads)
  elseif(name IN_LIST libraries)
    set(target PkgConfig::${name})
  endif()
  set(${variable} ${target} PARENT_SCOPE)
endfunction()

# The files of a room, without the files of rooms inside it. A new file needs no line anywhere. A room without a folder is a
# header and a source.
function(files_of name variable)
  set(patterns ${name}.c ${name}.h)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${name})
    set(patterns ${name}/*.c ${name}/*.h ${name}/*.def)
  endif()
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${patterns})
  get_property(rooms GLOBAL PROPERTY rooms)
  foreach(other IN LISTS rooms)
    if(other MATCHES "^${name}/" AND IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${other})
      list(FILTER files EXCLUDE REGEX "^${other}/")
    elseif(other MATCHES "^${name}/")
      list(FILTER files EXCLUDE REGEX "^${other}\\.")
    endif()
  endforeach()
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

function(check_includes name target files)
  set(stamp ${CMAKE_CURRENT_BINARY_DIR}/rooms/${target})
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${CMAKE_COMMAND} -D ROOM=${name} "-D FILES=${files}" -P cmake/check_includes.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    DEPENDS ${files} cmake/check_includes.cmake cmake/rooms.cmake
    COMMENT "Checking what ${name} includes" VERBATIM)
  add_custom_target(${target}-includes DEPENDS ${stamp})
  add_dependencies(${target} ${target}-includes)
endfunction()

function(build_room name)
  target_of(${name} target)
  files_of(${name} files)
  get_property(uses GLOBAL PROPERTY uses_of_${name})
  list(REMOVE_ITEM uses ${left_out_rooms} ${left_out_libraries})
  if(left_out_files)
    list(FILTER files EXCLUDE REGEX "^${left_out_files}")
  endif()
  set(used "")
  foreach(each IN LISTS uses)
    target_of(${each} each)
    list(APPEND used ${each})
  endforeach()
  if(name STREQUAL "cli")
    add_executable(${target} ${files})
  else()
    add_library(${target} STATIC ${files})
  endif()
  target_link_libraries(${target} PUBLIC applyguard_compile ${used})
  check_includes(${name} ${target} "${files}")

  # clang leaves its sanitizers' functions undefined in all but programs; gcc links them.
  if(BUILD_TESTING AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT name STREQUAL "cli")
    add_library(${target}-alone MODULE $<TARGET_OBJECTS:${target}>)
    target_link_libraries(${target}-alone PRIVATE applyguard_compile ${used})
    target_link_options(${target}-alone PRIVATE -Wl,--no-undefined)
  endif()
endfunction()

include(cmake/rooms.cmake)
get_property(rooms GLOBAL PROPERTY rooms)
list(REMOVE_ITEM rooms ${left_out_rooms})
foreach(name IN LISTS rooms)
  build_room(${name})
endforeach()
