#include "log_line.h"

#include "box_names.h"

#include <libavutil/log.h>
#include <string.h>

static _Thread_local char last_line[512];
static _Thread_local unsigned complaints;
static _Thread_local unsigned codec_complaints;

static int is_codec(void *context) {
  const AVClass *class = context ? *(const AVClass **)context : 0;
  return class && !strcmp(class->class_name, "AVCodecContext");
}

static void keep(void *context, int level, const char *format, va_list arguments) {
  // The H.264 decoder reports a missing picture only as a debugging message.
  if (!strncmp(format, "Frame num gap", 13)) complaints++;
  if (level == AV_LOG_TRACE) cff_note_box(format, arguments);
  if (level > AV_LOG_ERROR) return;
  complaints++;
  if (is_codec(context)) codec_complaints++;
  int print_prefix = 0;
  av_log_format_line2(
      context, level, format, arguments, last_line, sizeof(last_line), &print_prefix);
  size_t length = strlen(last_line);
  while (length && (last_line[length - 1] == '\n' || last_line[length - 1] == '.'))
    last_line[--length] = 0;
}

void cff_log_capture(void) { av_log_set_callback(keep); }
void cff_log_clear(void) { last_line[0] = 0; }
const char *cff_log_last(void) { return last_line; }
unsigned cff_log_complaints(void) { return complaints; }
unsigned cff_log_codec_complaints(void) { return codec_complaints; }
