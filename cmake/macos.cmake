# The toolchain for macOS: zig, with the processor in APPLYGUARD_PROCESSOR (x86_64 or arm64). packaging/build has the rest.

set(CMAKE_SYSTEM_NAME Darwin)
set(APPLYGUARD_PROCESSOR $ENV{APPLYGUARD_PROCESSOR})
set(CMAKE_SYSTEM_PROCESSOR ${APPLYGUARD_PROCESSOR})
set(CMAKE_OSX_ARCHITECTURES "" CACHE STRING "zig's target names the processor" FORCE)
set(CMAKE_OSX_DEPLOYMENT_TARGET "" CACHE STRING "zig's target names the version" FORCE)
set(CMAKE_OSX_SYSROOT "" CACHE STRING "zig has the headers of macOS" FORCE)

set(target ${APPLYGUARD_PROCESSOR}-macos.13.0)
string(REPLACE arm64- aarch64- target ${target})
set(CMAKE_C_COMPILER $ENV{APPLYGUARD_ZIG} cc -target ${target})
set(CMAKE_C_COMPILER_TARGET "")
# zig's own archiver knows the objects of macOS, and puts no times into an archive.
foreach(tool IN ITEMS ar ranlib)
  string(TOUPPER ${tool} variable)
  set(CMAKE_${variable} $ENV{APPLYGUARD_ZIG_TOOLS}/${tool})
  set(CMAKE_C_COMPILER_${variable} $ENV{APPLYGUARD_ZIG_TOOLS}/${tool})
endforeach()
set(CMAKE_INSTALL_NAME_TOOL true)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
