// The names of the boxes that FFmpeg's demuxer finds in an MP4.
//
// The demuxer names only metadata that it knows, and skips the rest. But a `uuid` or a `free` box
// may hold anything. In its log, at the level "trace", it names every box and the box that it is
// in.
#ifndef CFFMPEG_BOX_NAMES_H
#define CFFMPEG_BOX_NAMES_H

#include <stdarg.h>
#include <stdbool.h>

// Starts again, or stops, collecting the boxes of files that are opened on this thread.
void cff_collect_boxes(bool collects);
// Returns the collected boxes: a line for each kind of box, `parent/name`. The suffix " (empty)"
// marks a box without contents, and " (again)" a second one at the top level of the file.
const char *cff_box_names(void);
// For log_line.c: collects the box if a message names one.
void cff_note_box(const char *format, va_list arguments);

#endif
