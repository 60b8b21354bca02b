#pragma once
#include <stddef.h>
#include <stdint.h>

// compiler-rt has the function, but no header declares it: lib/fuzzer/FuzzerInterface.h lists only
// the functions of a target. https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*feed)(const uint8_t *_Nullable bytes, size_t count));
