# cmake -D ROOM=policy/fieldset -D "FILES=a.c;a.h" -P cmake/check_includes.cmake: fails where a file includes what the
# room's row of cmake/rooms.cmake does not allow.

cmake_minimum_required(VERSION 3.25)

function(room name)
  cmake_parse_arguments(room "" "" "USES" ${ARGN})
  list(APPEND rooms ${name})
  set(rooms ${rooms} PARENT_SCOPE)
  if(name STREQUAL ROOM)
    set(allowed ${ROOM} ${room_USES} PARENT_SCOPE)
  endif()
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/rooms.cmake)

# The room of one of our headers, or the library of another's; empty for what everybody may include.
function(owner_of header variable)
  set(owner "")
  if(header MATCHES "^(yyjson|yaml|h2o|openssl|curl|zlib|zstd)[/.]")
    set(owner ${CMAKE_MATCH_1})
  endif()
  get_filename_component(folder ${header} DIRECTORY)
  string(REGEX REPLACE "\\.[a-z]+$" "" stem ${header})
  foreach(room IN LISTS rooms)
    string(LENGTH "${room}" length)
    string(LENGTH "${owner}" longest)
    if(length GREATER longest AND ("${folder}/" MATCHES "^${room}/" OR
        (stem STREQUAL room AND NOT IS_DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/../${room})))
      set(owner ${room})
    endif()
  endforeach()
  set(${variable} "${owner}" PARENT_SCOPE)
endfunction()

foreach(file IN LISTS FILES)
  file(STRINGS ${file} lines REGEX "^[ \t]*#[ \t]*include")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^[^<\"]*[<\"]([^>\"]*).*" "\\1" header "${line}")
    owner_of(${header} owner)
    if(owner AND NOT owner IN_LIST allowed)
      message(SEND_ERROR "${file}: ${ROOM} may not include ${header}, which is ${owner}'s: see cmake/rooms.cmake")
    endif()
  endforeach()
endforeach()
