#pragma once
#include <stddef.h>
#include <stdint.h>

// compiler-rt has the function, and no header that declares it: lib/fuzzer/FuzzerInterface.h lists
// only what a target defines. https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*feed)(const uint8_t *_Nullable bytes, size_t count));
