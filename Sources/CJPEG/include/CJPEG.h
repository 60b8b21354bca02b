// libjpeg's encoder behind one function: its longjmp must never cross Swift.
#ifndef CJPEG_H
#define CJPEG_H

#include <stddef.h>
#include <stdint.h>

// Compresses planar 4:2:0 YCbCr (full range, BT.601, as JFIF has it), whose chroma planes are
// (width + 1) / 2 by (height + 1) / 2, with optimised Huffman tables and no marker but JFIF's.
// On success returns 0, and *jpeg is *size bytes that the caller frees with free().
// On failure returns -1 and puts libjpeg's own words into message, 200 bytes long.
int cjpeg_compress_yuv420(
    const uint8_t *const planes[3], const int strides[3], int width, int height, int quality,
    uint8_t **jpeg, size_t *size, char message[200]);

// The name and version of the library that compresses.
const char *cjpeg_version(void);

#endif
