# What `cmake --install` lays down: tools, libraries, headers and a package that
# another project finds with find_package(fusion).

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/fusion)

get_property(libraries GLOBAL PROPERTY FUSION_LIBRARIES)
install(TARGETS fusion_options ${libraries} EXPORT FusionTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(tool fusion-opt fusion-compile fusion-run fusion-translate
             fusion-lsp-server)
  if(TARGET ${tool})
    install(TARGETS ${tool} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()
if(TARGET fusion-plugin)
  install(TARGETS fusion-plugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

foreach(folder ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
  install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.h.inc" PATTERN "*.td"
    PATTERN CMakeFiles EXCLUDE)
endforeach()

install(EXPORT FusionTargets NAMESPACE fusion:: DESTINATION ${package})
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/fusionConfig.cmake.in
  ${PROJECT_BINARY_DIR}/fusionConfig.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fusionConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/fusionConfig.cmake
  ${PROJECT_BINARY_DIR}/fusionConfigVersion.cmake DESTINATION ${package})
