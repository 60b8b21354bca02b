// The differences between FFmpeg 5.1 and 9.0, except for the write callback's type in
// descriptor_io.c. 5.1, 7.1 and 9.0 were run.
#ifndef CFFMPEG_VERSIONS_H
#define CFFMPEG_VERSIONS_H

#include <libavcodec/avcodec.h>
#include <libavcodec/version.h>
#include <libavfilter/buffersrc.h>
#include <libavfilter/version.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/mathematics.h>
#include <stdbool.h>
#include <string.h>

// Profiles: FF_PROFILE_* until 6.0, AV_PROFILE_* from 6.1, with the same values.
enum {
  cff_profile_h264_baseline = 66,
  cff_profile_h264_constrained_baseline = 66 | 512,
  cff_profile_h264_main = 77,
  cff_profile_h264_high = 100,
  cff_profile_hevc_main = 1,
  cff_profile_hevc_main_10 = 2,
  cff_profile_aac_low = 1,
  cff_profile_aac_he = 4,
  cff_profile_aac_he_v2 = 28,
};

// A stream's side data moved from AVStream to AVCodecParameters in 6.1.
#define CFF_SIDE_DATA_IN_PARAMETERS (LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100))

static inline const uint8_t *cff_stream_side_data(
    const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
#if CFF_SIDE_DATA_IN_PARAMETERS
  const AVPacketSideData *data = av_packet_side_data_get(
      stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
  *size = data ? data->size : 0;
  return data ? data->data : NULL;
#else
  return av_stream_get_side_data(stream, type, size);
#endif
}

static inline int cff_set_stream_side_data(
    AVStream *stream, enum AVPacketSideDataType type, const uint8_t *bytes, size_t size) {
#if CFF_SIDE_DATA_IN_PARAMETERS
  AVPacketSideData *data = av_packet_side_data_new(
      &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, type, size, 0);
  if (!data) return AVERROR(ENOMEM);
  memcpy(data->data, bytes, size);
#else
  uint8_t *data = av_stream_new_side_data(stream, type, size);
  if (!data) return AVERROR(ENOMEM);
  memcpy(data, bytes, size);
#endif
  return 0;
}

// From 6.1 on, copying parameters also copies the side data. Unwanted side data must be removed.
static inline void cff_clear_stream_side_data(AVStream *stream) {
#if CFF_SIDE_DATA_IN_PARAMETERS
  av_packet_side_data_free(
      &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data);
#endif
}

// AVFrame.pkt_duration became AVFrame.duration in 6.0.
static inline int64_t *cff_duration_of_frame(AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  return &frame->duration;
#else
  return &frame->pkt_duration;
#endif
}
static inline int64_t cff_frame_duration(AVFrame *frame) { return *cff_duration_of_frame(frame); }
static inline void cff_set_frame_duration(AVFrame *frame, int64_t duration) {
  *cff_duration_of_frame(frame) = duration;
}

// AVFrame.interlaced_frame became a flag in 6.1.
static inline bool cff_is_interlaced(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 29, 100)
  return frame->flags & AV_FRAME_FLAG_INTERLACED;
#else
  return frame->interlaced_frame;
#endif
}

// av_parser_init takes a number until 8, and the enum from 9 on.
static inline AVCodecParserContext *cff_parser_init(enum AVCodecID codec) {
  return av_parser_init(codec);
}

// Converts a frame's times to another clock. Until 6.0, filters with a clock of their own left the
// duration, which was the packet's then, on the previous clock.
static inline void cff_rescale_frame(AVFrame *frame, AVRational from, AVRational to) {
  if (frame->pts != AV_NOPTS_VALUE) frame->pts = av_rescale_q(frame->pts, from, to);
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  frame->duration = av_rescale_q(frame->duration, from, to);
#endif
}

// From 7.0 on, the source of a filter graph must be told its frames' colours beforehand. Older
// versions take them from the frames.
static inline int cff_describe_source(
    AVFilterContext *source, const AVFrame *frame, AVRational time_base) {
  AVBufferSrcParameters *parameters = av_buffersrc_parameters_alloc();
  if (!parameters) return AVERROR(ENOMEM);
  parameters->format = frame->format;
  parameters->time_base = time_base;
  parameters->width = frame->width;
  parameters->height = frame->height;
  parameters->sample_aspect_ratio = (AVRational){1, 1};
  parameters->sample_rate = frame->sample_rate;
#if LIBAVFILTER_VERSION_MAJOR >= 10
  parameters->color_space = frame->colorspace;
  parameters->color_range = frame->color_range;
#endif
  int result = av_channel_layout_copy(&parameters->ch_layout, &frame->ch_layout);
  if (result >= 0) result = av_buffersrc_parameters_set(source, parameters);
  av_channel_layout_uninit(&parameters->ch_layout);
  av_free(parameters);
  return result;
}

#endif
