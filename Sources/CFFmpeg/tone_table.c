#include "tone_table.h"

#include <libavutil/cpu.h>
#include <libavutil/error.h>
#include <libavutil/mem.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

// The chroma needs more nodes than the luma, because the tone curve follows the largest of red,
// green and blue, and so has an edge wherever another of the three becomes the largest.
enum {
  most = 1023,  // the largest sample
  luma_shift = 5,  // 2 to the power of this is the distance between two nodes
  chroma_shift = 4,
  luma_nodes = ((most + 1) >> luma_shift) + 1,
  chroma_nodes = ((most + 1) >> chroma_shift) + 1,
  nodes = luma_nodes * chroma_nodes * chroma_nodes,
  weight_shift = luma_shift + 2 * chroma_shift,  // the sum of a colour's weights
  sample_shift = 6,  // bits after the point of a converted sample
  white = 219 << sample_shift,  // the brightest red, green or blue
};

// What a node and the next brighter one become, as pairs of red, green and blue. The fourth pair is unused.
typedef struct Node {
  int16_t samples[8];
} Node;

// The light at which the transfer function gives way to a straight line, what it shows then, and how steep
// it is there.
static const float knee_light = 0.01f, knee_shown = 0.14678f, knee_slope = 6.1158f;
enum { knee = 2057 };  // the same, as a sample

struct CFFToneTable {
  Node nodes[nodes];
  int16_t dark[knee + 1];  // what the samples of the straight line show
};

// The nodes' order: by U, then by V, then by Y.
enum { next_v = luma_nodes, next_u = chroma_nodes * luma_nodes };

static int clamped(int value, int least, int greatest) {
  return value < least ? least : value > greatest ? greatest : value;
}

// MARK: Making a table

int cff_tone_grid(AVFrame *grid) {
  grid->format = AV_PIX_FMT_YUV444P10;
  grid->width = luma_nodes;
  grid->height = chroma_nodes * chroma_nodes;
  int code = av_frame_get_buffer(grid, 0);
  if (code < 0) return code;
  for (int row = 0; row < grid->height; row++) {
    uint16_t *planes[3];
    for (int plane = 0; plane < 3; plane++)
      planes[plane] = (uint16_t *)(grid->data[plane] + (ptrdiff_t)row * grid->linesize[plane]);
    for (int column = 0; column < luma_nodes; column++) {
      planes[0][column] = clamped(column << luma_shift, 0, most);
      planes[1][column] = clamped((row / chroma_nodes) << chroma_shift, 0, most);
      planes[2][column] = clamped((row % chroma_nodes) << chroma_shift, 0, most);
    }
  }
  return 0;
}

// The transfer function of a BT.709 screen, backwards (ITU-R BT.1886, annex 1).
static float shown(float light) { return light > 0 ? powf(light, 1 / 2.4f) : 0; }

// Returns what is kept of red, green or blue light. Close to no light, the transfer function is too steep, and ends
// too suddenly, to be interpolated between two nodes. A straight line takes its place there, and goes on where
// there is less than no light: in the colours that a BT.709 screen does not have.
static int16_t kept(float light) {
  float sample = light > knee_light
      ? shown(light)
      : knee_shown + (light - knee_light) * knee_slope;
  return (int16_t)lrintf(fminf(fmaxf(sample * white, INT16_MIN), INT16_MAX));
}

CFFToneTable *cff_tone_table_new(const AVFrame *converted) {
  if (converted->format != AV_PIX_FMT_GBRPF32 || converted->width != luma_nodes ||
      converted->height != chroma_nodes * chroma_nodes)
    return NULL;
  CFFToneTable *table = av_mallocz(sizeof(CFFToneTable));
  if (!table) return NULL;
  for (int row = 0; row < converted->height; row++) {
    const float *planes[3];
    for (int plane = 0; plane < 3; plane++)
      planes[plane] =
          (const float *)(converted->data[plane] + (ptrdiff_t)row * converted->linesize[plane]);
    Node *line = table->nodes + row * luma_nodes;
    for (int column = 0; column < luma_nodes; column++) {
      // Green, blue and red, as FFmpeg has them.
      const int order[3] = {2, 0, 1};
      for (int part = 0; part < 3; part++) {
        int16_t sample = kept(planes[order[part]][column]);
        line[column].samples[2 * part] = line[column].samples[2 * part + 1] = sample;
        if (column > 0) line[column - 1].samples[2 * part + 1] = sample;
      }
    }
  }
  for (int sample = 0; sample <= knee; sample++)
    table->dark[sample] = (int16_t)lrintf(
        white * shown(knee_light + ((float)sample / white - knee_shown) / knee_slope));
  // Above it, samples stay as they are.
  table->dark[knee] = knee;
  return table;
}

// MARK: Interpolation

// Code that is compiled both for every processor and for one with AVX2.
#define INLINE static inline __attribute__((always_inline))

// How many colours are converted at a time: what is kept of them stays in the first cache.
enum { block = 64 };

// Looks up a block of colours.
INLINE void look_up_block(
    const Node *table, const int16_t *restrict luma, const int16_t *restrict blue_difference,
    const int16_t *restrict red_difference, int16_t *restrict red, int16_t *restrict green,
    int16_t *restrict blue) {
  // The weights of four pairs of nodes, which differ in U and V. The two weights of a pair are the
  // halves of a number.
  uint32_t weights[4][block];
  uint32_t places[block];
  for (int x = 0; x < block; x++) {
    const uint32_t step = 1 << chroma_shift;
    uint32_t at_y = luma[x] & most, at_u = blue_difference[x] & most,
             at_v = red_difference[x] & most;
    uint32_t past_u = at_u & (step - 1), past_v = at_v & (step - 1);
    uint32_t past_y = at_y & ((1 << luma_shift) - 1);
    places[x] = (at_u >> chroma_shift) * next_u + (at_v >> chroma_shift) * next_v +
        (at_y >> luma_shift);
    uint32_t pair = ((1 << luma_shift) - past_y) | past_y << 16;
    weights[0][x] = pair * ((step - past_u) * (step - past_v));
    weights[1][x] = pair * ((step - past_u) * past_v);
    weights[2][x] = pair * (past_u * (step - past_v));
    weights[3][x] = pair * (past_u * past_v);
  }
  for (int x = 0; x < block; x += 2) {
#ifdef __SSE2__
    __m128i sums[2];
    for (int i = 0; i < 2; i++) {
      const __m128i *node = (const __m128i *)(table + places[x + i]);
      __m128i sum = _mm_set1_epi32(1 << (weight_shift - 1));
      for (int corner = 0; corner < 4; corner++)
        sum = _mm_add_epi32(
            sum, _mm_madd_epi16(
                     _mm_load_si128(node + (corner & 1) * next_v + (corner >> 1) * next_u),
                     _mm_set1_epi32((int)weights[corner][x + i])));
      sums[i] = _mm_srai_epi32(sum, weight_shift);
    }
    __m128i both = _mm_packs_epi32(
        _mm_unpacklo_epi32(sums[0], sums[1]), _mm_unpackhi_epi32(sums[0], sums[1]));
    _mm_storeu_si32(red + x, both);
    _mm_storeu_si32(green + x, _mm_shuffle_epi32(both, 1));
    _mm_storeu_si32(blue + x, _mm_shuffle_epi32(both, 2));
#else
    for (int i = x; i < x + 2; i++) {
      int32_t sums[3] = {0};
      for (int corner = 0; corner < 4; corner++) {
        const int16_t *samples =
            table[places[i] + (corner & 1) * next_v + (corner >> 1) * next_u].samples;
        for (int part = 0; part < 3; part++)
          sums[part] += samples[2 * part] * (int32_t)(weights[corner][i] & 0xFFFF) +
              samples[2 * part + 1] * (int32_t)(weights[corner][i] >> 16);
      }
      red[i] = (sums[0] + (1 << (weight_shift - 1))) >> weight_shift;
      green[i] = (sums[1] + (1 << (weight_shift - 1))) >> weight_shift;
      blue[i] = (sums[2] + (1 << (weight_shift - 1))) >> weight_shift;
    }
#endif
  }
}

// Returns a part of a colour. Of a weight, 32,768 is one: compilers know an instruction for that.
INLINE int16_t part_of(int16_t sample, int16_t weight) {
  return (int16_t)((sample * weight + (1 << 14)) >> 15);
}

// Returns a sample without what is less than no light. FFmpeg's filters leave what is brighter than white too.
INLINE int16_t lit(int16_t sample) {
  return sample < 0 ? 0 : sample > 2 * white ? 2 * white : sample;
}

// Brings the dark samples of a block back to the transfer function.
INLINE void darken_block(const int16_t dark[knee + 1], int16_t *restrict samples) {
  int16_t least = INT16_MAX;
  for (int x = 0; x < block; x++) least = samples[x] < least ? samples[x] : least;
  if (least >= knee) return;
  uint16_t places[block];
  for (int x = 0; x < block; x++) {
    places[x] = samples[x] < 0 ? 0 : samples[x] > knee ? knee : samples[x];
    samples[x] = samples[x] < knee ? 0 : samples[x] - knee;
  }
  for (int x = 0; x < block; x++) samples[x] += dark[places[x]];
}

// Converts a block of colours.
INLINE void convert_block(
    const CFFToneTable *table, const int16_t *restrict luma, const int16_t *restrict blue_difference,
    const int16_t *restrict red_difference, int16_t *restrict y, int16_t *restrict u,
    int16_t *restrict v) {
  int16_t red[block], green[block], blue[block];
  look_up_block(table->nodes, luma, blue_difference, red_difference, red, green, blue);
  darken_block(table->dark, red);
  darken_block(table->dark, green);
  darken_block(table->dark, blue);
  for (int x = 0; x < block; x++) {
    int16_t r = lit(red[x]), g = lit(green[x]), b = lit(blue[x]);
    // ITU-R BT.709-6, §3, with video's range: 219 steps of luma, and 224 of chroma.
    y[x] = (16 << sample_shift) + part_of(r, 6966) + part_of(g, 23436) + part_of(b, 2366);
    u[x] = (128 << sample_shift) + part_of(b, 16758) - part_of(r, 3840) - part_of(g, 12918);
    v[x] = (128 << sample_shift) + part_of(r, 16758) - part_of(g, 15221) - part_of(b, 1537);
  }
}

// MARK: Chroma

enum {
  filter_shift = 12,  // the sum of a filter's weights
  margin = 2,  // samples beyond both ends of a row
  spare_shift = 3,  // bits after the point between two filters
};

// zimg's bicubic filter (Catmull and Rom, 1974).
static int bicubic(double x) {
  x = fabs(x);
  double value = x < 1 ? (1.5 * x - 2.5) * x * x + 1
      : x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2
              : 0;
  return (int)lrint(value * (1 << filter_shift));
}

// What one thread works with: rows of chroma, with their margins.
typedef struct Rows {
  int16_t *narrow;  // a row between two of the source's, as wide as they
  int16_t *chroma[2];  // a row at full width
  int16_t *source;  // a row of luma
  int16_t *luma;  // the same, converted
  int16_t *converted[2][4];  // the last four rows of converted chroma
  int16_t *mixed;  // the mean of four of them
} Rows;

enum { row_count = 14 };

static ptrdiff_t row_size(int width) { return (width + block + 2 * margin + 31) & ~31; }

static int16_t *taken(int16_t **next, int width) {
  int16_t *row = *next + margin;
  *next += row_size(width);
  return row;
}

static Rows rows_in(int16_t *memory, int width) {
  Rows rows;
  rows.narrow = taken(&memory, width);
  rows.source = taken(&memory, width);
  rows.luma = taken(&memory, width);
  rows.mixed = taken(&memory, width);
  for (int plane = 0; plane < 2; plane++) {
    rows.chroma[plane] = taken(&memory, width);
    for (int row = 0; row < 4; row++) rows.converted[plane][row] = taken(&memory, width);
  }
  return rows;
}

// Interpolates the chroma of one row of luma. Its columns are where every other one of the luma is.
INLINE void widen(
    const AVFrame *picture, int plane, int row, int16_t *restrict narrow, int16_t *restrict wide) {
  int width = picture->width / 2, height = picture->height / 2;
  double place = row / 2.0 - (picture->chroma_location == AVCHROMA_LOC_TOPLEFT ? 0 : 0.25);
  int first = (int)floor(place) - 1;
  const int16_t *rows[4];
  int16_t weights[4];
  int rest = 1 << filter_shift;
  for (int i = 0; i < 4; i++) {
    rows[i] = (const int16_t *)(picture->data[plane] +
        (ptrdiff_t)clamped(first + i, 0, height - 1) * picture->linesize[plane]);
    rest -= weights[i] = bicubic(first + i - place);
  }
  weights[1] += rest;
  const int16_t *restrict a = rows[0], *restrict b = rows[1], *restrict c = rows[2],
                *restrict d = rows[3];
  int shift = filter_shift - spare_shift;
  for (int x = 0; x < width; x++)
    narrow[x] = (a[x] * weights[0] + b[x] * weights[1] + c[x] * weights[2] + d[x] * weights[3] +
                    (1 << (shift - 1))) >>
        shift;
  narrow[-1] = narrow[0];
  narrow[width] = narrow[width + 1] = narrow[width - 1];
  int16_t far = bicubic(1.5), near = (1 << (filter_shift - 1)) - far;
  shift = filter_shift + spare_shift;
  for (int x = 0; x < width; x++) {
    int between = narrow[x - 1] * far + narrow[x] * near + narrow[x + 1] * near +
        narrow[x + 2] * far;
    wide[2 * x] = clamped((narrow[x] + (1 << (spare_shift - 1))) >> spare_shift, 0, most);
    wide[2 * x + 1] = clamped((between + (1 << (shift - 1))) >> shift, 0, most);
  }
}

// Takes the mean of the chroma around each place where the output has it: zimg's bilinear filter.
INLINE void narrow(
    int16_t *const rows[4], int16_t *restrict mixed, uint8_t *restrict output, int width) {
  const int16_t *restrict a = rows[0], *restrict b = rows[1], *restrict c = rows[2],
                *restrict d = rows[3];
  for (int x = 0; x < width; x++) mixed[x] = (a[x] + 3 * (b[x] + c[x]) + d[x] + 4) >> 3;
  mixed[-1] = mixed[0];
  int shift = sample_shift + 2;
  for (int x = 0; x < width / 2; x++)
    output[x] = clamped(
        (mixed[2 * x - 1] + 2 * mixed[2 * x] + mixed[2 * x + 1] + (1 << (shift - 1))) >> shift, 0,
        UINT8_MAX);
}

// MARK: Pictures

bool cff_tone_table_takes(const AVFrame *picture) {
  return picture->width > 0 && picture->format == AV_PIX_FMT_YUV420P10 &&
      (picture->chroma_location == AVCHROMA_LOC_UNSPECIFIED ||
          picture->chroma_location == AVCHROMA_LOC_LEFT ||
          picture->chroma_location == AVCHROMA_LOC_TOPLEFT);
}

// Makes `output` a picture for what `picture` becomes.
static int describe_output(const AVFrame *picture, AVFrame *output) {
  int code = av_frame_copy_props(output, picture);
  if (code < 0) return code;
  av_frame_remove_side_data(output, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA);
  av_frame_remove_side_data(output, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL);
  output->color_primaries = AVCOL_PRI_BT709;
  output->color_trc = AVCOL_TRC_BT709;
  output->colorspace = AVCOL_SPC_BT709;
  output->color_range = AVCOL_RANGE_MPEG;
  output->chroma_location = AVCHROMA_LOC_LEFT;
  output->format = AV_PIX_FMT_YUV420P;
  output->width = picture->width;
  output->height = picture->height;
  return av_frame_get_buffer(output, 0);
}

// A part of a picture: rows of chroma, and twice as many rows of luma.
typedef struct Part {
  const CFFToneTable *table;
  const AVFrame *picture;
  AVFrame *output;
  int first, end;
  Rows rows;
} Part;

INLINE void convert_row(const Part *part, int row, bool keeps_luma) {
  const AVFrame *picture = part->picture;
  const Rows *rows = &part->rows;
  int width = picture->width;
  for (int plane = 0; plane < 2; plane++)
    widen(picture, plane + 1, row, rows->narrow, rows->chroma[plane]);
  int16_t *luma = rows->source;
  memcpy(
      luma, picture->data[0] + (ptrdiff_t)row * picture->linesize[0], width * sizeof(*luma));
  int16_t *u = rows->converted[0][row & 3], *v = rows->converted[1][row & 3];
  for (int x = 0; x < width; x += block)
    convert_block(
        part->table, luma + x, rows->chroma[0] + x, rows->chroma[1] + x, rows->luma + x, u + x,
        v + x);
  if (!keeps_luma) return;
  const int16_t *restrict from = rows->luma;
  uint8_t *restrict to = part->output->data[0] + (ptrdiff_t)row * part->output->linesize[0];
  // Video's range has room beyond white, which no picture uses.
  for (int x = 0; x < width; x++)
    to[x] = clamped((from[x] + (1 << (sample_shift - 1))) >> sample_shift, 16, 235);
}

INLINE void convert_rows(const Part *part) {
  int height = part->picture->height;
  // Each row of chroma needs the row of luma before its two, and the one after them.
  int row = clamped(2 * part->first - 1, 0, height - 1);
  for (int y = part->first; y < part->end; y++) {
    int last = clamped(2 * y + 2, 0, height - 1);
    for (; row <= last; row++) convert_row(part, row, row >= 2 * part->first && row < 2 * part->end);
    for (int plane = 0; plane < 2; plane++) {
      int16_t *around[4];
      for (int i = 0; i < 4; i++)
        around[i] = part->rows.converted[plane][clamped(2 * y - 1 + i, 0, height - 1) & 3];
      narrow(
          around, part->rows.mixed,
          part->output->data[plane + 1] + (ptrdiff_t)y * part->output->linesize[plane + 1],
          part->picture->width);
    }
  }
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void convert_rows_avx2(const Part *part) {
  convert_rows(part);
}
#endif

static void *convert_part(void *part) {
#ifdef __x86_64__
  if (av_get_cpu_flags() & AV_CPU_FLAG_AVX2) {
    convert_rows_avx2(part);
    return NULL;
  }
#endif
  convert_rows(part);
  return NULL;
}

int cff_tone_table_apply(
    const CFFToneTable *table, const AVFrame *picture, AVFrame *output, int threads) {
  if (!cff_tone_table_takes(picture) || picture->width % 2 || picture->height % 2)
    return AVERROR(EINVAL);
  int code = describe_output(picture, output);
  if (code < 0) return code;
  enum { most_parts = 16, least_rows = 32, stack = 1 << 18 };
  int height = picture->height / 2;
  int count = clamped(threads, 1, clamped(height / least_rows, 1, most_parts));
  ptrdiff_t size = row_size(picture->width) * row_count;
  int16_t *memory = av_calloc(count, size * sizeof(int16_t));
  if (!memory) return AVERROR(ENOMEM);
  Part parts[most_parts];
  pthread_t started[most_parts];
  bool is_started[most_parts] = {false};
  pthread_attr_t attributes;
  bool has_attributes = !pthread_attr_init(&attributes) &&
      !pthread_attr_setstacksize(&attributes, stack);
  for (int i = count - 1; i >= 0; i--) {
    parts[i] = (Part){
        table, picture, output, height * i / count, height * (i + 1) / count,
        rows_in(memory + size * i, picture->width)};
    // If the system has no room for another thread, this one does the work.
    if (i > 0 && has_attributes)
      is_started[i] = !pthread_create(&started[i], &attributes, convert_part, &parts[i]);
    if (!is_started[i]) convert_part(&parts[i]);
  }
  for (int i = 1; i < count; i++)
    if (is_started[i]) pthread_join(started[i], NULL);
  if (has_attributes) pthread_attr_destroy(&attributes);
  av_free(memory);
  return 0;
}
