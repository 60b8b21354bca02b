// malloc_trim, which the module Glibc lacks.
#include <malloc.h>
