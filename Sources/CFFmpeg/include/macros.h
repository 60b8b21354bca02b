// Macros with casts or arguments, and unions, which Swift does not import.
#ifndef CFFMPEG_MACROS_H
#define CFFMPEG_MACROS_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavutil/avutil.h>
#include <libavutil/intreadwrite.h>
#include <math.h>

// AV_NOPTS_VALUE casts.
static const int64_t cff_no_pts = AV_NOPTS_VALUE;
// AVERROR_* are built by FFERRTAG, AVERROR() by negation.
static const int cff_error_eof = AVERROR_EOF;
static const int cff_error_again = AVERROR(EAGAIN);
static const int cff_error_exit = AVERROR_EXIT;
static const int cff_error_no_memory = AVERROR(ENOMEM);

// The skip-samples side data is bytes with a layout: samples to skip at the start, then at the end.
static inline uint32_t cff_skip_at_start(const uint8_t *side_data) { return AV_RL32(side_data); }
static inline uint32_t cff_skip_at_end(const uint8_t *side_data) { return AV_RL32(side_data + 4); }

// MKTAG shifts its arguments.
static inline uint32_t cff_tag(char a, char b, char c, char d) { return MKTAG(a, b, c, d); }

// AVPacket's side data is read through a size_t out-parameter; only its address matters here.
static inline const uint8_t *cff_packet_side_data(
    const AVPacket *packet, enum AVPacketSideDataType type, size_t *size) {
  return av_packet_get_side_data(packet, type, size);
}

// A loop over samples, which an unoptimised Swift build would take seconds for.
static inline float cff_peak(const float *samples, int count) {
  float peak = 0;
  for (int i = 0; i < count; i++) {
    float level = fabsf(samples[i]);
    if (level > peak) peak = level;
  }
  return peak;
}

#endif
