// libjpeg behind C functions, because its longjmp must never cross Swift.
#ifndef CJPEG_H
#define CJPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Compresses planar 4:2:0 YCbCr (full range, BT.601, as in JFIF). The width of the chroma planes is
// (width + 1) / 2, and their height is (height + 1) / 2. The JPEG has optimised Huffman tables and
// only JFIF's marker. It has one scan, or several if it is progressive.
//
// On success, returns 0, and *jpeg is *size bytes that the caller frees with free().
//
// On failure, returns -1 and copies libjpeg's own message to `message`, 200 bytes long.
int cjpeg_compress_yuv420(
    const uint8_t *const planes[3], const int strides[3], int width, int height, int quality,
    bool progressive, uint8_t **jpeg, size_t *size, char message[200]);

// Compresses rows of red, green and blue, `stride` bytes apart, with full chroma. The JPEG has
// JFIF's marker, and the colour profile unless profile_size is 0.
//
// On success, returns 0, and *jpeg is *size bytes that the caller frees with free().
//
// On failure, returns -1 and copies libjpeg's own message to `message`, 200 bytes long.
int cjpeg_compress_rgb(
    const uint8_t *pixels, int stride, int width, int height, int quality, const uint8_t *profile,
    size_t profile_size, uint8_t **jpeg, size_t *size, char message[200]);

// Decodes a JPEG to its end, and finds out whether there are bytes between or after the parts of
// its picture.
//
// On success, returns 0. On failure, returns -1 and copies libjpeg's own message to `message`, 200
// bytes long.
int cjpeg_check(const uint8_t *jpeg, size_t size, bool *has_stray_bytes, char message[200]);

// Writes a JPEG anew: the same coefficients, the segments APP1 and APP2, and nothing else.
//
// On success, returns 0, and *rewritten is *rewritten_size bytes that the caller frees with free().
//
// On failure, returns -1 and copies libjpeg's own message to `message`, 200 bytes long.
int cjpeg_rewrite(
    const uint8_t *jpeg, size_t size, uint8_t **rewritten, size_t *rewritten_size,
    char message[200]);

// Parts that a JPEG may hold beside its picture.
enum {
  // The bits 0 to 15 are the segments APP0 to APP15. JFIF's own segment does not count: every JPEG
  // begins with it, and it does not identify a person.
  cjpeg_comment = 1 << 16,
  // Bytes before, between or after the parts of the picture.
  cjpeg_stray_bytes = 1 << 17,
};

// Reads a JPEG to its end and stores in *extras the parts that it holds beside its picture, as the
// bits above.
//
// On success, returns 0. On failure, returns -1 and copies libjpeg's own message to `message`, 200
// bytes long.
int cjpeg_find_extras(
    const uint8_t *jpeg, size_t size, unsigned *extras, char message[200]);

// Returns the name and version of the library that compresses.
const char *cjpeg_version(void);

#endif
