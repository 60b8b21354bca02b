// libjpeg behind two functions: its longjmp must never cross Swift.
#ifndef CJPEG_H
#define CJPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Compresses planar 4:2:0 YCbCr (full range, BT.601, as JFIF has it), whose chroma planes are
// (width + 1) / 2 by (height + 1) / 2, with optimised Huffman tables and no marker but JFIF's,
// in one scan or, progressive, in several.
// On success returns 0, and *jpeg is *size bytes that the caller frees with free().
// On failure returns -1 and puts libjpeg's own words into message, 200 bytes long.
int cjpeg_compress_yuv420(
    const uint8_t *const planes[3], const int strides[3], int width, int height, int quality,
    bool progressive, uint8_t **jpeg, size_t *size, char message[200]);

// What a JPEG may hold beside its picture.
enum {
  // The segments APP0 to APP15 are the bits 0 to 15; JFIF's own, which every JPEG begins with and
  // which says nothing of anybody, does not count.
  cjpeg_comment = 1 << 16,
  // Bytes before, between or behind the parts of the picture.
  cjpeg_stray_bytes = 1 << 17,
};

// Reads a JPEG to its end and puts into *extras what it holds beside its picture, as the bits above.
// On failure returns -1 and puts libjpeg's own words into message, 200 bytes long.
int cjpeg_find_extras(
    const uint8_t *jpeg, size_t size, unsigned *extras, char message[200]);

// The name and version of the library that compresses.
const char *cjpeg_version(void);

#endif
