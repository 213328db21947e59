# How everything of ours is compiled and linked: one set of warnings, and hardening. The
# presets of developers and continuous integration make warnings errors; a user's newer compiler may know others.

include(CheckCCompilerFlag)

add_library(applyguard_compile INTERFACE)
target_include_directories(applyguard_compile INTERFACE ${PROJECT_SOURCE_DIR})
# OpenSSL's macros name the file that calls them, by the path that the compiler was given.
target_compile_definitions(applyguard_compile INTERFACE _GNU_SOURCE OPENSSL_NO_FILENAMES)
target_compile_options(applyguard_compile INTERFACE -Wall -Wextra -Wpedantic -Wconversion)

# Not every processor has all of them: -fcf-protection is x86's, -mbranch-protection arm64's. tests/binary looks for each in
# the program. clang only warns about a flag that it does not know.
set(CMAKE_REQUIRED_FLAGS -Werror)
foreach(flag IN ITEMS -fstack-protector-strong -fstack-clash-protection -fcf-protection -mbranch-protection=standard)
  string(MAKE_C_IDENTIFIER "takes${flag}" has_flag)
  check_c_compiler_flag(${flag} ${has_flag})
  if(${has_flag})
    target_compile_options(applyguard_compile INTERFACE ${flag})
  endif()
endforeach()
unset(CMAKE_REQUIRED_FLAGS)

# Fortified functions need an optimising compiler, and see less than the sanitizers of a debug build. Two builds give the same
# bytes in whichever directory the sources are; what reads a debug build wants to know where.
target_compile_options(applyguard_compile INTERFACE
  $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
  $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=3>
  $<$<NOT:$<CONFIG:Debug>>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>)

set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(APPLE) # whose linker does all of this without being asked
  return()
endif()
target_link_options(applyguard_compile INTERFACE
  $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:$<IF:$<BOOL:${APPLYGUARD_STATIC}>,-static-pie,-pie>> -Wl,-z,relro,-z,now,-z,noexecstack,--as-needed)
