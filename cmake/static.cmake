# -D APPLYGUARD_STATIC=ON (`cmake --preset static`): all commands but `serve` and `certs`, as one file that needs nothing of the
# machine it runs on. The commands that read a cluster run kubectl.

# Rooms that need H2O, libcurl or TLS, and the commands that need those rooms.
set(left_out_rooms certs kube issuer webhook/http webhook/tls webhook/telemetry webhook/api webhook/review webhook/server)
set(left_out_libraries h2o openssl curl)
set(left_out_files "cli/(certs|certs_[a-z]+|issue|serve|serve_certs|serve_flags)[.]")

add_compile_definitions(APPLYGUARD_STATIC)
# The linker leaves out functions that are not called. Nothing unwinds the stack of a C program that has no symbols either: the tables
# for it would take a twentieth of the file.
add_compile_options(-ffunction-sections -fdata-sections -fno-unwind-tables -fno-asynchronous-unwind-tables)
add_link_options($<IF:$<PLATFORM_ID:Darwin>,-Wl$<COMMA>-dead_strip,-Wl$<COMMA>--gc-sections> -s)
# Nearly all addresses in its tables are relative to where it is loaded. Packed, they take a twentieth of the bytes. Linkers that
# cannot pack them only warn.
include(CheckLinkerFlag)
set(CMAKE_REQUIRED_LINK_OPTIONS -Wl,--fatal-warnings)
check_linker_flag(C -Wl,-z,pack-relative-relocs packs_relative_relocations)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
if(packs_relative_relocations)
  add_link_options(-Wl,-z,pack-relative-relocs)
endif()
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)

# Debian has no libyyjson.a; cmake/yyjson-source fetches the source that its libyyjson0 is built from.
set(APPLYGUARD_YYJSON_SOURCE "" CACHE PATH "The folder of yyjson.c, where there is no libyyjson.a")
