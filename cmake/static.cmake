# -D APPLYGUARD_STATIC=ON (`cmake --preset static`): the commands that need neither a server nor a cluster, as one file that
# needs nothing of the machine it runs on.

# Rooms that need H2O, libcurl, TLS or zlib, and the commands that need those rooms.
set(left_out_rooms certs kube issuer audit commands/blame commands/migrate commands/replay webhook/http webhook/tls webhook/telemetry webhook/api webhook/review webhook/server)
set(left_out_libraries h2o openssl curl zlib zstd)
set(left_out_files "cli/(blame|certs|certs_[a-z]+|cluster|issue|migrate|pager|replay|replay_merge|serve|serve_certs|serve_flags)[.]")

add_compile_definitions(APPLYGUARD_STATIC)
# The linker leaves out functions that are not called.
add_compile_options(-ffunction-sections -fdata-sections)
add_link_options(-Wl,--gc-sections -s)
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)

# Debian has no libyyjson.a; cmake/yyjson-source fetches the source that its libyyjson0 is built from.
set(APPLYGUARD_YYJSON_SOURCE "" CACHE PATH "The folder of yyjson.c, where there is no libyyjson.a")
