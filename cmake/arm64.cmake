# The toolchain of the preset arm64, and of the released programs for arm64. The programs run under qemu's user emulation.

set(processor aarch64)
set(architecture arm64)
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${CMAKE_SYSROOT})
