# -D APPLYGUARD_LIBRARY_SOURCES=FOLDER: builds libyaml, zlib and libzstd from the sources in the folder, which packaging/sources
# fetches, in the place of the system's. It leaves out the parts of zlib and libzstd that write.

set(APPLYGUARD_LIBRARY_SOURCES "" CACHE PATH "The folder of the sources of libyaml, zlib and libzstd")

if(NOT APPLYGUARD_LIBRARY_SOURCES)
  return()
endif()

function(library_from_source name headers)
  list(TRANSFORM ARGN PREPEND ${APPLYGUARD_LIBRARY_SOURCES}/)
  file(GLOB files ${ARGN})
  add_library(${name}-source STATIC ${files})
  target_include_directories(${name}-source SYSTEM PUBLIC ${APPLYGUARD_LIBRARY_SOURCES}/${headers})
  target_compile_options(${name}-source PRIVATE -w -ffile-prefix-map=${APPLYGUARD_LIBRARY_SOURCES}=.)
  set_target_properties(${name}-source PROPERTIES C_EXTENSIONS ON)
  add_library(PkgConfig::${name} ALIAS ${name}-source)
endfunction()

library_from_source(yaml libyaml/include libyaml/src/*.c)
target_compile_definitions(yaml-source PRIVATE
  YAML_VERSION_MAJOR=0 YAML_VERSION_MINOR=2 YAML_VERSION_PATCH=5 YAML_VERSION_STRING="0.2.5" YAML_DECLARE_STATIC)
library_from_source(zlib zlib
  zlib/adler32.c zlib/crc32.c zlib/inffast.c zlib/inflate.c zlib/inftrees.c zlib/zutil.c)
# Else zlib 1.2.13 takes macOS for the system of before 2001, which had no fdopen().
target_compile_definitions(zlib-source PRIVATE fdopen=fdopen)
library_from_source(zstd libzstd/lib libzstd/lib/common/*.c libzstd/lib/decompress/*.c)
target_compile_definitions(zstd-source PRIVATE ZSTD_DISABLE_ASM=1 INTERFACE APPLYGUARD_ZSTD)
