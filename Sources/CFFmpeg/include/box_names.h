// Which boxes an MP4 has, as FFmpeg's demuxer comes across them.
//
// It gives names only to metadata that it knows, and passes over the rest: a `uuid` or a `free` box
// may hold anything. But it says in its log, at the level "trace", of each box where it is.
#ifndef CFFMPEG_BOX_NAMES_H
#define CFFMPEG_BOX_NAMES_H

#include <stdarg.h>
#include <stdbool.h>

// Begins anew, or ends, to collect the boxes of files that are opened on this thread.
void cff_collect_boxes(bool collects);
// What was collected: a line for each kind of box, `parent/name`, followed by " (empty)" if it holds
// nothing and by " (again)" if the file itself has a second one.
const char *cff_box_names(void);
// For log_line.c: looks whether a message names a box.
void cff_note_box(const char *format, va_list arguments);

#endif
