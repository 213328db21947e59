# The toolchain of the released programs for amd64: as cmake/arm64.cmake, but the programs run here.

set(processor x86_64)
set(architecture amd64)
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
set(CMAKE_CROSSCOMPILING_EMULATOR env)
