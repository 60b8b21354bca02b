// Measures the brightness of a picture. It loops over samples, which would take many times as long
// in an unoptimised Swift build.
#ifndef CFFMPEG_LUMA_H
#define CFFMPEG_LUMA_H

#include <stdint.h>
#include <stdlib.h>

typedef struct CFFLuma {
  double mean;
  double variance;
  // The larger of the steps to the right and downwards. 99 of 100 pixels do not exceed it.
  int gradient;
} CFFLuma;

static inline CFFLuma cff_luma(const uint8_t *plane, int stride, int width, int height) {
  CFFLuma luma = {0};
  uint64_t sum = 0, squares = 0, steps[256] = {0};
  for (int y = 0; y < height; y++) {
    const uint8_t *row = plane + (ptrdiff_t)y * stride;
    const uint8_t *below = y + 1 < height ? row + stride : row;
    for (int x = 0; x < width; x++) {
      int value = row[x];
      int right = x + 1 < width ? abs(row[x + 1] - value) : 0, down = abs(below[x] - value);
      sum += value;
      squares += value * value;
      steps[right > down ? right : down]++;
    }
  }
  double count = (double)width * height;
  if (count <= 0) return luma;
  luma.mean = sum / count;
  luma.variance = squares / count - luma.mean * luma.mean;
  uint64_t seen = 0;
  while (luma.gradient < 255 && (seen += steps[luma.gradient]) < 0.99 * count) luma.gradient++;
  return luma;
}

#endif
