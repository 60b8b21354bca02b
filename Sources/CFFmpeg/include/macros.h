// The parts that Swift does not import: macros with casts or arguments, and unions.
#ifndef CFFMPEG_MACROS_H
#define CFFMPEG_MACROS_H

#include <dlfcn.h>
#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavutil/avutil.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/mastering_display_metadata.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

// AV_NOPTS_VALUE contains a cast.
static const int64_t cff_no_pts = AV_NOPTS_VALUE;
// The macro FFERRTAG builds AVERROR_*, and AVERROR() negates its argument.
static const int cff_error_eof = AVERROR_EOF;
static const int cff_error_again = AVERROR(EAGAIN);
static const int cff_error_exit = AVERROR_EXIT;
static const int cff_error_no_memory = AVERROR(ENOMEM);

// The side data of skipped samples is bytes: how many to skip at the start, then how many at the
// end.
static inline uint32_t cff_skip_at_start(const uint8_t *side_data) { return AV_RL32(side_data); }
static inline uint32_t cff_skip_at_end(const uint8_t *side_data) { return AV_RL32(side_data + 4); }

// libavfilter loads zimg, and does not say its version. Nothing else of zimg is called, so its
// headers are not needed. Returns false if FFmpeg was built without it.
static inline bool cff_zimg_version(unsigned *major, unsigned *minor, unsigned *micro) {
  void *program = dlopen(NULL, RTLD_LAZY);
  void (*version)(unsigned *, unsigned *, unsigned *) =
    program ? dlsym(program, "zimg_get_version_info") : NULL;
  if (version) version(major, minor, micro);
  return version;
}

// MKTAG shifts its arguments.
static inline uint32_t cff_tag(char a, char b, char c, char d) { return MKTAG(a, b, c, d); }

// The tag of HEVC whose parameter sets are only in the header.
static const uint32_t cff_hvc1 = MKTAG('h', 'v', 'c', '1');

// Side data of a picture in high dynamic range, as the whole numbers of ITU-T H.265 (D.2.28,
// D.2.35). FFmpeg has rationals in nested arrays, which Swift imports as tuples. `display` has ten
// figures, `light` two.
static inline uint32_t cff_figure(AVRational value, int unit) {
  double figure = value.den ? (double)value.num * unit / value.den : 0;
  return figure > 0 && figure < UINT32_MAX ? (uint32_t)(figure + 0.5) : 0;
}
static inline bool cff_read_mastering(const uint8_t *data, size_t size, uint32_t display[10]) {
  AVMasteringDisplayMetadata value;
  if (!data || size < sizeof(value)) return false;
  memcpy(&value, data, sizeof(value));
  if (!value.has_primaries || !value.has_luminance) return false;
  for (int i = 0; i < 6; i++)
    display[i] = cff_figure(value.display_primaries[i / 2][i % 2], 50000);
  for (int i = 0; i < 2; i++) display[6 + i] = cff_figure(value.white_point[i], 50000);
  display[8] = cff_figure(value.min_luminance, 10000);
  display[9] = cff_figure(value.max_luminance, 10000);
  return true;
}
static inline bool cff_read_light(const uint8_t *data, size_t size, uint32_t light[2]) {
  AVContentLightMetadata value;
  if (!data || size < sizeof(value)) return false;
  memcpy(&value, data, sizeof(value));
  light[0] = value.MaxCLL;
  light[1] = value.MaxFALL;
  return true;
}
static inline AVMasteringDisplayMetadata cff_mastering(const uint32_t display[10]) {
  AVMasteringDisplayMetadata value = {.has_primaries = 1, .has_luminance = 1};
  for (int i = 0; i < 6; i++)
    value.display_primaries[i / 2][i % 2] = (AVRational){(int)display[i], 50000};
  for (int i = 0; i < 2; i++) value.white_point[i] = (AVRational){(int)display[6 + i], 50000};
  value.min_luminance = (AVRational){(int)display[8], 10000};
  value.max_luminance = (AVRational){(int)display[9], 10000};
  return value;
}

// The peak functions loop over samples, which would take seconds in an unoptimised Swift build.
static inline float cff_peak(const float *samples, int count) {
  float peak = 0;
  for (int i = 0; i < count; i++) {
    float level = fabsf(samples[i]);
    if (level > peak) peak = level;
  }
  return peak;
}

static inline double cff_peak_double(const double *samples, int count) {
  double peak = 0;
  for (int i = 0; i < count; i++) {
    double level = fabs(samples[i]);
    if (level > peak) peak = level;
  }
  return peak;
}

static inline float cff_peak_16(const int16_t *samples, int count) {
  int peak = 0;
  for (int i = 0; i < count; i++) {
    int level = abs(samples[i]);
    if (level > peak) peak = level;
  }
  return peak / 32768.0f;
}

static inline float cff_peak_32(const int32_t *samples, int count) {
  int64_t peak = 0;
  for (int i = 0; i < count; i++) {
    int64_t level = llabs(samples[i]);
    if (level > peak) peak = level;
  }
  return peak / 2147483648.0f;
}

// Silences samples in floating point that are not numbers, or louder than any sound. Encoders
// refuse them, and filters spread them. Returns how many there were, or an AVERROR.
static inline int cff_silence_non_numbers(AVFrame *frame) {
  const double loudest = 1e10;
  enum AVSampleFormat packed = av_get_packed_sample_fmt((enum AVSampleFormat)frame->format);
  if (packed != AV_SAMPLE_FMT_FLT && packed != AV_SAMPLE_FMT_DBL) return 0;
  int isPlanar = av_sample_fmt_is_planar((enum AVSampleFormat)frame->format);
  int channels = frame->ch_layout.nb_channels, found = 0;
  for (int plane = 0; plane < (isPlanar ? channels : 1); plane++) {
    for (int i = 0; i < frame->nb_samples * (isPlanar ? 1 : channels); i++) {
      void *samples = frame->extended_data[plane];
      int isFloat = packed == AV_SAMPLE_FMT_FLT;
      double level = fabs(isFloat ? ((float *)samples)[i] : ((double *)samples)[i]);
      if (level < loudest) continue;
      if (!found++) {
        int code = av_frame_make_writable(frame);
        if (code < 0) return code;
        samples = frame->extended_data[plane];
      }
      if (isFloat) ((float *)samples)[i] = 0;
      else ((double *)samples)[i] = 0;
    }
  }
  return found;
}

// Rounds samples to their upper 24 bits.
static inline void cff_round_24(int32_t *samples, int count) {
  for (int i = 0; i < count; i++)
    samples[i] = samples[i] > INT32_MAX - 0x80
      ? INT32_MAX & ~0xFF : (int32_t)((uint32_t)samples[i] + 0x80) & ~0xFF;
}

#endif
