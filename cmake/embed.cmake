# Writes files of ours into a C source, so that the program needs none of them where it runs.
#
#   cmake -D OUTPUT=FILE.c "-D FILES=..." -P cmake/embed.cmake
#
# C strings may not be this long: the bytes are written as numbers. The names are without folders.

set(rows "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND rows "    {\"${name}\", (const unsigned char[]){${bytes}}, sizeof((const unsigned char[]){${bytes}})},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"cli/embedded.h\"\n\nconst struct embedded_file embedded_files[] = {\n${rows}    {NULL, NULL, 0},\n};\n")
