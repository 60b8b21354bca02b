// The least cost of a thumbnail with FFmpeg's libraries, for scripts/bench.
//
//   bench-limit [-i] FOLDER FILE…     writes FOLDER/0.jpg, FOLDER/1.jpg, … of the FILEs
//
// For each file: the keyframe at or before 1 s, decoded in full by one thread, scaled to a long
// side of 480 and compressed with quality 80. Nothing is checked, turned upright, tone-mapped or
// synced. With -i, avformat_find_stream_info is called as well, as most programs do.
//
//   libraries="libavformat libavcodec libswscale libavutil libjpeg"
//   cc -O2 bench-limit.c -o bench-limit $(pkg-config --cflags --libs $libraries)

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/imgutils.h>
#include <libswscale/swscale.h>

enum { long_side = 480, quality = 80, block = 16 };

// An unreadable file needs no message: the bench made it.
static void check(bool is_fine, const char *file, const char *step) {
  if (is_fine) return;
  fprintf(stderr, "%s: cannot %s\n", file, step);
  exit(1);
}

// The video stream, with all others discarded.
static AVStream *choose_video(AVFormatContext *demuxer, const char *file) {
  int index = av_find_best_stream(demuxer, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
  check(index >= 0, file, "find a picture");
  for (unsigned i = 0; i < demuxer->nb_streams; i++)
    if ((int)i != index) demuxer->streams[i]->discard = AVDISCARD_ALL;
  return demuxer->streams[index];
}

static AVCodecContext *open_decoder(const AVStream *stream, const char *file) {
  const AVCodec *codec = avcodec_find_decoder(stream->codecpar->codec_id);
  AVCodecContext *decoder = avcodec_alloc_context3(codec);
  check(codec && decoder, file, "find a decoder");
  avcodec_parameters_to_context(decoder, stream->codecpar);
  decoder->thread_count = 1;
  check(avcodec_open2(decoder, codec, NULL) >= 0, file, "open the decoder");
  return decoder;
}

// The keyframe at or before 1 s: one packet and the end, so the decoder waits for nothing.
static AVFrame *decode_keyframe(
    AVFormatContext *demuxer, AVStream *stream, AVCodecContext *decoder, const char *file) {
  int64_t start = stream->start_time == AV_NOPTS_VALUE ? 0 : stream->start_time;
  int64_t second = av_rescale_q(1, (AVRational){1, 1}, stream->time_base);
  check(
      av_seek_frame(demuxer, stream->index, start + second, AVSEEK_FLAG_BACKWARD) >= 0, file,
      "seek");
  AVPacket *packet = av_packet_alloc();
  AVFrame *frame = av_frame_alloc();
  check(packet && frame, file, "get memory");
  do {
    av_packet_unref(packet);
    check(av_read_frame(demuxer, packet) >= 0, file, "read a packet");
  } while (packet->stream_index != stream->index);
  check(avcodec_send_packet(decoder, packet) >= 0, file, "decode");
  avcodec_send_packet(decoder, NULL);
  check(avcodec_receive_frame(decoder, frame) >= 0, file, "decode");
  av_packet_free(&packet);
  return frame;
}

// The picture as JPEG has it, in memory that reaches to the end of the last block.
static AVFrame *scale(const AVFrame *frame, const char *file) {
  AVFrame *small = av_frame_alloc();
  check(small, file, "get memory");
  bool is_wide = frame->width >= frame->height;
  int longer = is_wide ? frame->width : frame->height;
  small->width = (frame->width * long_side / longer + 1) / 2 * 2;
  small->height = (frame->height * long_side / longer + 1) / 2 * 2;
  small->format = AV_PIX_FMT_YUVJ420P;
  check(
      av_image_alloc(
          small->data, small->linesize, FFALIGN(small->width, block),
          FFALIGN(small->height, block), small->format, 64) >= 0,
      file, "get memory");
  struct SwsContext *scaler = sws_getContext(
      frame->width, frame->height, frame->format, small->width, small->height, small->format,
      SWS_AREA, NULL, NULL, NULL);
  check(scaler, file, "scale");
  sws_scale(
      scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, small->data,
      small->linesize);
  sws_freeContext(scaler);
  return small;
}

static void write_jpeg(AVFrame *frame, const char *path) {
  FILE *output = fopen(path, "wb");
  check(output, path, "be written");
  struct jpeg_error_mgr errors;
  struct jpeg_compress_struct encoder = {.err = jpeg_std_error(&errors)};
  jpeg_create_compress(&encoder);
  jpeg_stdio_dest(&encoder, output);
  encoder.image_width = frame->width;
  encoder.image_height = frame->height;
  encoder.input_components = 3;
  encoder.in_color_space = JCS_YCbCr;
  jpeg_set_defaults(&encoder);
  jpeg_set_quality(&encoder, quality, TRUE);
  encoder.optimize_coding = TRUE;
  encoder.raw_data_in = TRUE;
  jpeg_start_compress(&encoder, TRUE);
  while (encoder.next_scanline < encoder.image_height) {
    JSAMPROW rows[3][block];
    JSAMPARRAY planes[] = {rows[0], rows[1], rows[2]};
    for (int plane = 0; plane < 3; plane++) {
      int first = plane ? encoder.next_scanline / 2 : encoder.next_scanline;
      for (int i = 0; i < (plane ? block / 2 : block); i++)
        rows[plane][i] = frame->data[plane] + (size_t)(first + i) * frame->linesize[plane];
    }
    jpeg_write_raw_data(&encoder, planes, block);
  }
  jpeg_finish_compress(&encoder);
  jpeg_destroy_compress(&encoder);
  check(fclose(output) == 0, path, "be written");
}

static void make_thumbnail(const char *file, const char *output, bool finds_stream_info) {
  AVFormatContext *demuxer = NULL;
  check(avformat_open_input(&demuxer, file, NULL, NULL) >= 0, file, "be opened");
  if (finds_stream_info)
    check(avformat_find_stream_info(demuxer, NULL) >= 0, file, "find out about its streams");
  AVStream *stream = choose_video(demuxer, file);
  AVCodecContext *decoder = open_decoder(stream, file);
  AVFrame *frame = decode_keyframe(demuxer, stream, decoder, file);
  AVFrame *small = scale(frame, file);
  write_jpeg(small, output);
  av_freep(&small->data[0]);
  av_frame_free(&small);
  av_frame_free(&frame);
  avcodec_free_context(&decoder);
  avformat_close_input(&demuxer);
}

int main(int count, char **arguments) {
  bool finds_stream_info = count > 1 && strcmp(arguments[1], "-i") == 0;
  int first = finds_stream_info ? 2 : 1;
  if (count < first + 2) {
    fprintf(stderr, "bench-limit [-i] FOLDER FILE...\n");
    return 64;
  }
  av_log_set_level(AV_LOG_ERROR);
  for (int i = first + 1; i < count; i++) {
    char output[4096];
    snprintf(output, sizeof output, "%s/%d.jpg", arguments[first], i - first - 1);
    make_thumbnail(arguments[i], output, finds_stream_info);
  }
}
