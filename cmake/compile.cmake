# How everything of ours is compiled and linked: one set of warnings, and hardening. The
# presets of developers and continuous integration make warnings errors; a user's newer compiler may know others.

include(CheckCCompilerFlag)

add_library(applyguard_compile INTERFACE)
target_include_directories(applyguard_compile INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(applyguard_compile INTERFACE _GNU_SOURCE)
target_compile_options(applyguard_compile INTERFACE -Wall -Wextra -Wpedantic -Wconversion)

# Not every processor has all of them.
foreach(flag IN ITEMS -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER "has${flag}" has_flag)
  check_c_compiler_flag(${flag} ${has_flag})
  if(${has_flag})
    target_compile_options(applyguard_compile INTERFACE ${flag})
  endif()
endforeach()

# Fortified functions need an optimising compiler, and see less than the sanitizers of a debug build.
target_compile_options(applyguard_compile INTERFACE
  $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
  $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)

set(CMAKE_POSITION_INDEPENDENT_CODE ON)
target_link_options(applyguard_compile INTERFACE
  $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie> -Wl,-z,relro,-z,now,-z,noexecstack,--as-needed)
