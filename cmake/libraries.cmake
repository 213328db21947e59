# The libraries, found with pkg-config as imported targets PkgConfig::NAME, whose headers count as the system's:
# our warnings are for our code. A missing one is an error that names the Debian package it is in.

find_package(PkgConfig QUIET)
if(NOT PKG_CONFIG_FOUND)
  message(FATAL_ERROR "pkg-config was not found. It is in the Debian package pkg-config: run ./dev setup, or "
    "apt-get install pkg-config.")
endif()
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

function(require_library name module package)
  pkg_check_modules(${name} QUIET IMPORTED_TARGET GLOBAL ${module})
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "${module} was not found. It is in the Debian package ${package}: run ./dev setup, or "
      "apt-get install ${package}.")
  endif()
  if(APPLYGUARD_STATIC AND NOT "${${name}_LINK_LIBRARIES}" MATCHES "\\.a(;|$)")
    message(FATAL_ERROR "There is no static library of ${module}. ./dev static builds that of yyjson, from a source that "
      "APPLYGUARD_YYJSON_SOURCE names.")
  endif()
endfunction()

if(APPLYGUARD_YYJSON_SOURCE)
  add_library(yyjson STATIC ${APPLYGUARD_YYJSON_SOURCE}/yyjson.c)
  target_compile_options(yyjson PRIVATE -ffile-prefix-map=${APPLYGUARD_YYJSON_SOURCE}=.)
  target_include_directories(yyjson SYSTEM INTERFACE ${APPLYGUARD_YYJSON_SOURCE})
  add_library(PkgConfig::yyjson ALIAS yyjson)
else()
  require_library(yyjson yyjson>=0.10 libyyjson-dev)
endif()
include(cmake/library_sources.cmake)
if(NOT APPLYGUARD_LIBRARY_SOURCES)
  require_library(yaml yaml-0.1 libyaml-dev)
  require_library(zlib zlib zlib1g-dev)
  # Audit logs may be packed with it. Without it the program says so of such a log.
  pkg_check_modules(zstd QUIET IMPORTED_TARGET GLOBAL libzstd)
  if(zstd_FOUND AND (NOT APPLYGUARD_STATIC OR "${zstd_LINK_LIBRARIES}" MATCHES "\\.a(;|$)"))
    target_compile_definitions(PkgConfig::zstd INTERFACE APPLYGUARD_ZSTD)
  else()
    message(STATUS "libzstd was not found, so audit logs packed with zstd cannot be read. It is in libzstd-dev.")
    set(left_out_libraries ${left_out_libraries} zstd)
  endif()
endif()
if(NOT APPLYGUARD_STATIC)
  require_library(h2o libh2o-evloop libh2o-evloop-dev)
  require_library(openssl openssl>=3.0 libssl-dev)
  require_library(curl libcurl>=7.87 libcurl4-openssl-dev)
  # libh2o-evloop is built for epoll, and its headers must be read for it too.
  target_compile_definitions(PkgConfig::h2o INTERFACE H2O_USE_EPOLL=1)
endif()
if(BUILD_TESTING)
  require_library(cmocka cmocka libcmocka-dev)
endif()
