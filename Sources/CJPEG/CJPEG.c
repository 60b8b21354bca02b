#include "CJPEG.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

// The values that must survive a longjmp. They are in memory here, and not in registers.
struct failure {
  struct jpeg_error_mgr manager;
  jmp_buf escape;
  char *message;
  unsigned char *jpeg;
  uint8_t *rows;
};

static void fail(j_common_ptr jpeg) {
  struct failure *failure = (struct failure *)jpeg->err;
  char text[JMSG_LENGTH_MAX];
  jpeg->err->format_message(jpeg, text);
  snprintf(failure->message, 200, "%s", text);
  longjmp(failure->escape, 1);
}

static void stay_silent(j_common_ptr jpeg) { (void)jpeg; }

// Copies a row and repeats its last pixel to the end of the last block.
static void pad_row(uint8_t *to, const uint8_t *from, int width, int padded) {
  memcpy(to, from, width);
  memset(to + width, from[width - 1], padded - width);
}

int cjpeg_compress_yuv420(
    const uint8_t *const planes[3], const int strides[3], int width, int height, int quality,
    bool progressive, uint8_t **jpeg, size_t *size, char message[200]) {
  struct jpeg_compress_struct encoder = {0};
  struct failure failure = {.message = message};
  unsigned long length = 0;

  message[0] = 0;
  encoder.err = jpeg_std_error(&failure.manager);
  failure.manager.error_exit = fail;
  failure.manager.output_message = stay_silent;
  if (setjmp(failure.escape)) {
    // The buffer may have grown: this stores the current one in failure.jpeg.
    if (encoder.dest) encoder.dest->term_destination(&encoder);
    jpeg_destroy_compress(&encoder);
    free(failure.rows);
    free(failure.jpeg);
    return -1;
  }
  jpeg_create_compress(&encoder);
  jpeg_mem_dest(&encoder, &failure.jpeg, &length);
  encoder.image_width = width;
  encoder.image_height = height;
  encoder.input_components = 3;
  encoder.in_color_space = JCS_YCbCr;
  jpeg_set_defaults(&encoder);
  jpeg_set_quality(&encoder, quality, TRUE);
  encoder.optimize_coding = TRUE;
  if (progressive) jpeg_simple_progression(&encoder);
  encoder.raw_data_in = TRUE;
  encoder.comp_info[0].h_samp_factor = 2;
  encoder.comp_info[0].v_samp_factor = 2;

  // libjpeg reads complete blocks of 16 × 16 pixels. Beyond the edge, columns and lines repeat it.
  int luma = (width + 15) / 16 * 16, chroma = luma / 2;
  int chroma_width = (width + 1) / 2, chroma_height = (height + 1) / 2;
  uint8_t *rows = failure.rows = malloc(16 * (size_t)luma + 2 * 8 * (size_t)chroma);
  if (!rows) {
    snprintf(message, 200, "out of memory");
    longjmp(failure.escape, 1);
  }
  JSAMPROW y[16], cb[8], cr[8];
  for (int i = 0; i < 16; i++) y[i] = rows + (size_t)i * luma;
  for (int i = 0; i < 8; i++) {
    cb[i] = rows + 16 * (size_t)luma + (size_t)i * chroma;
    cr[i] = cb[i] + 8 * (size_t)chroma;
  }
  JSAMPARRAY image[3] = {y, cb, cr};

  jpeg_start_compress(&encoder, TRUE);
  while (encoder.next_scanline < encoder.image_height) {
    int top = encoder.next_scanline;
    for (int i = 0; i < 16; i++) {
      int line = top + i < height ? top + i : height - 1;
      pad_row(y[i], planes[0] + (ptrdiff_t)line * strides[0], width, luma);
    }
    for (int i = 0; i < 8; i++) {
      int line = top / 2 + i < chroma_height ? top / 2 + i : chroma_height - 1;
      pad_row(cb[i], planes[1] + (ptrdiff_t)line * strides[1], chroma_width, chroma);
      pad_row(cr[i], planes[2] + (ptrdiff_t)line * strides[2], chroma_width, chroma);
    }
    jpeg_write_raw_data(&encoder, image, 16);
  }
  jpeg_finish_compress(&encoder);
  jpeg_destroy_compress(&encoder);
  free(failure.rows);
  *jpeg = failure.jpeg;
  *size = length;
  return 0;
}

int cjpeg_compress_rgb(
    const uint8_t *pixels, int stride, int width, int height, int quality, const uint8_t *profile,
    size_t profile_size, uint8_t **jpeg, size_t *size, char message[200]) {
  struct jpeg_compress_struct encoder = {0};
  struct failure failure = {.message = message};
  unsigned long length = 0;

  message[0] = 0;
  encoder.err = jpeg_std_error(&failure.manager);
  failure.manager.error_exit = fail;
  failure.manager.output_message = stay_silent;
  if (setjmp(failure.escape)) {
    if (encoder.dest) encoder.dest->term_destination(&encoder);
    jpeg_destroy_compress(&encoder);
    free(failure.jpeg);
    return -1;
  }
  jpeg_create_compress(&encoder);
  jpeg_mem_dest(&encoder, &failure.jpeg, &length);
  encoder.image_width = width;
  encoder.image_height = height;
  encoder.input_components = 3;
  encoder.in_color_space = JCS_RGB;
  jpeg_set_defaults(&encoder);
  jpeg_set_quality(&encoder, quality, TRUE);
  // The chroma keeps its resolution: a PNG is often text or a drawing.
  encoder.comp_info[0].h_samp_factor = 1;
  encoder.comp_info[0].v_samp_factor = 1;
  jpeg_start_compress(&encoder, TRUE);
  // The profile in parts, each with its number and how many there are (ICC.1, annex B.4).
  enum { most = 65519 };
  int parts = (int)((profile_size + most - 1) / most);
  for (int part = 0; part < parts && parts <= 255; part++) {
    size_t start = (size_t)part * most;
    size_t rest = profile_size - start, count = rest < most ? rest : most;
    jpeg_write_m_header(&encoder, JPEG_APP0 + 2, (unsigned)count + 14);
    for (const char *name = "ICC_PROFILE"; *name; name++) jpeg_write_m_byte(&encoder, *name);
    jpeg_write_m_byte(&encoder, 0);
    jpeg_write_m_byte(&encoder, part + 1);
    jpeg_write_m_byte(&encoder, parts);
    for (size_t i = 0; i < count; i++) jpeg_write_m_byte(&encoder, profile[start + i]);
  }
  while (encoder.next_scanline < encoder.image_height) {
    JSAMPROW row = (JSAMPROW)pixels + (ptrdiff_t)encoder.next_scanline * stride;
    jpeg_write_scanlines(&encoder, &row, 1);
  }
  jpeg_finish_compress(&encoder);
  jpeg_destroy_compress(&encoder);
  *jpeg = failure.jpeg;
  *size = length;
  return 0;
}

struct search {
  struct failure failure;
  bool has_stray_bytes;
};

static void note_stray_bytes(j_common_ptr jpeg, int level) {
  if (level < 0 && jpeg->err->msg_code == JWRN_EXTRANEOUS_DATA)
    ((struct search *)jpeg->err)->has_stray_bytes = true;
}

int cjpeg_check(const uint8_t *jpeg, size_t size, bool *has_stray_bytes, char message[200]) {
  struct jpeg_decompress_struct decoder = {0};
  struct search search = {.failure = {.message = message}};

  message[0] = 0;
  decoder.err = jpeg_std_error(&search.failure.manager);
  search.failure.manager.error_exit = fail;
  search.failure.manager.emit_message = note_stray_bytes;
  if (setjmp(search.failure.escape)) {
    jpeg_destroy_decompress(&decoder);
    free(search.failure.rows);
    return -1;
  }
  jpeg_create_decompress(&decoder);
  jpeg_mem_src(&decoder, jpeg, size);
  jpeg_read_header(&decoder, TRUE);
  // An eighth of each side takes little memory, and still reads all coded data.
  decoder.scale_num = 1;
  decoder.scale_denom = 8;
  jpeg_start_decompress(&decoder);
  uint8_t *rows = search.failure.rows =
      malloc((size_t)decoder.output_width * decoder.output_components);
  if (!rows) {
    snprintf(message, 200, "out of memory");
    longjmp(search.failure.escape, 1);
  }
  while (decoder.output_scanline < decoder.output_height) {
    JSAMPROW row = rows;
    jpeg_read_scanlines(&decoder, &row, 1);
  }
  jpeg_finish_decompress(&decoder);
  *has_stray_bytes = search.has_stray_bytes || decoder.src->bytes_in_buffer > 0;
  jpeg_destroy_decompress(&decoder);
  free(search.failure.rows);
  return 0;
}

int cjpeg_rewrite(
    const uint8_t *jpeg, size_t size, uint8_t **rewritten, size_t *rewritten_size,
    char message[200]) {
  struct jpeg_decompress_struct decoder = {0};
  struct jpeg_compress_struct encoder = {0};
  struct failure failure = {.message = message};
  unsigned long length = 0;

  message[0] = 0;
  decoder.err = encoder.err = jpeg_std_error(&failure.manager);
  failure.manager.error_exit = fail;
  failure.manager.output_message = stay_silent;
  if (setjmp(failure.escape)) {
    if (encoder.dest) encoder.dest->term_destination(&encoder);
    jpeg_destroy_compress(&encoder);
    jpeg_destroy_decompress(&decoder);
    free(failure.jpeg);
    return -1;
  }
  jpeg_create_decompress(&decoder);
  jpeg_create_compress(&encoder);
  jpeg_mem_src(&decoder, jpeg, size);
  for (int i = 1; i <= 2; i++) jpeg_save_markers(&decoder, JPEG_APP0 + i, 0xFFFF);
  jpeg_read_header(&decoder, TRUE);
  jvirt_barray_ptr *coefficients = jpeg_read_coefficients(&decoder);
  jpeg_copy_critical_parameters(&decoder, &encoder);
  encoder.optimize_coding = TRUE;
  jpeg_mem_dest(&encoder, &failure.jpeg, &length);
  jpeg_write_coefficients(&encoder, coefficients);
  for (jpeg_saved_marker_ptr marker = decoder.marker_list; marker; marker = marker->next)
    jpeg_write_marker(&encoder, marker->marker, marker->data, marker->data_length);
  jpeg_finish_compress(&encoder);
  jpeg_destroy_compress(&encoder);
  jpeg_destroy_decompress(&decoder);
  *rewritten = failure.jpeg;
  *rewritten_size = length;
  return 0;
}

// The most pixels of a picture that is searched, because libjpeg keeps all of it in memory.
enum { most_pixels = 100000000 };

// Whether this is JFIF's own segment, without the small picture that it may contain.
static bool is_plain_jfif(jpeg_saved_marker_ptr marker) {
  return marker->marker == JPEG_APP0 && marker->original_length == 14 &&
         marker->data_length == 14 && !memcmp(marker->data, "JFIF", 5);
}

int cjpeg_find_extras(
    const uint8_t *jpeg, size_t size, unsigned *extras, char message[200]) {
  struct jpeg_decompress_struct decoder = {0};
  struct search search = {.failure = {.message = message}};

  *extras = 0;
  message[0] = 0;
  decoder.err = jpeg_std_error(&search.failure.manager);
  search.failure.manager.error_exit = fail;
  search.failure.manager.emit_message = note_stray_bytes;
  if (setjmp(search.failure.escape)) {
    jpeg_destroy_decompress(&decoder);
    return -1;
  }
  jpeg_create_decompress(&decoder);
  jpeg_mem_src(&decoder, jpeg, size);
  for (int i = 0; i < 16; i++) jpeg_save_markers(&decoder, JPEG_APP0 + i, 0xFFFF);
  jpeg_save_markers(&decoder, JPEG_COM, 0xFFFF);
  jpeg_read_header(&decoder, TRUE);
  if ((uint64_t)decoder.image_width * decoder.image_height > most_pixels) {
    snprintf(message, 200, "larger than any thumbnail or photo");
    jpeg_destroy_decompress(&decoder);
    return -1;
  }
  // There may be segments after the first scan too, so this reads to the end.
  jpeg_read_coefficients(&decoder);
  bool has_jfif = false;
  for (jpeg_saved_marker_ptr marker = decoder.marker_list; marker; marker = marker->next) {
    if (!has_jfif && is_plain_jfif(marker)) has_jfif = true;
    else if (marker->marker == JPEG_COM) *extras |= cjpeg_comment;
    else *extras |= 1u << (marker->marker - JPEG_APP0);
  }
  if (search.has_stray_bytes || decoder.src->bytes_in_buffer > 0) *extras |= cjpeg_stray_bytes;
  jpeg_destroy_decompress(&decoder);
  return 0;
}

#define TEXT_OF(macro) TEXT(macro)
#define TEXT(word) #word

const char *cjpeg_version(void) {
#ifdef LIBJPEG_TURBO_VERSION
  return "libjpeg-turbo " TEXT_OF(LIBJPEG_TURBO_VERSION);
#else
  return TEXT_OF(JPEG_LIB_VERSION);
#endif
}
