# Writes INPUT to OUTPUT as string literals for `#include`, a few kilobytes each
# because compilers limit the length of one.
file(READ ${INPUT} text)
set(result "")
string(LENGTH "${text}" length)
set(position 0)
while(position LESS length)
  string(SUBSTRING "${text}" ${position} 4096 part)
  string(APPEND result "R\"metal_stdlib(${part})metal_stdlib\"\n")
  math(EXPR position "${position} + 4096")
endwhile()
file(WRITE ${OUTPUT} "${result}")
