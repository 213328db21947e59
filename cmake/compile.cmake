# How everything of ours is compiled: one set of warnings, all of them errors, and hardening.

add_library(applyguard_compile INTERFACE)
target_include_directories(applyguard_compile INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(applyguard_compile INTERFACE _GNU_SOURCE)
target_compile_options(applyguard_compile INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Werror
  -fstack-protector-strong -fstack-clash-protection -fcf-protection)
target_compile_definitions(applyguard_compile INTERFACE $<$<CONFIG:Release>:_FORTIFY_SOURCE=2>)
target_link_options(applyguard_compile INTERFACE -pie -Wl,-z,relro,-z,now,--as-needed)
