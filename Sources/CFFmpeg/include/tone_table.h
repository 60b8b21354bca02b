// A conversion of colours as a table: what each 10-bit YUV colour of a grid becomes. Colours
// between the grid's are interpolated.
//
// It is in C because it loops over samples.
#ifndef CFFMPEG_TONE_TABLE_H
#define CFFMPEG_TONE_TABLE_H

#include <libavutil/frame.h>
#include <stdbool.h>

typedef struct CFFToneTable CFFToneTable;

// Makes a picture of the grid's colours: 4:4:4, 10 bits. Returns 0 or an AVERROR.
int cff_tone_grid(AVFrame *grid);
// Makes a table of what the grid's colours became: linear RGB with the primaries of BT.709, in 32-bit
// floating point. Returns NULL if the picture is another, or if there is no memory. Free with av_free.
CFFToneTable *cff_tone_table_new(const AVFrame *converted);
// Whether cff_tone_table_apply takes such pictures, if their sides are even: 4:2:0, 10 bits, and
// chroma where MPEG-2 or BT.2020 have it.
bool cff_tone_table_takes(const AVFrame *picture);
// Converts a picture into BT.709 of limited range: 4:2:0, 8 bits. `output` must be empty. Returns 0
// or an AVERROR.
int cff_tone_table_apply(
    const CFFToneTable *table, const AVFrame *picture, AVFrame *output, int threads);

#endif
