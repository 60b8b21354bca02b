#include "box_names.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char more[] = "and more\n";
// One name per line. The first line is empty, so that each name can be found with a line's end on
// both sides.
static _Thread_local char names[8192] = "\n";
static _Thread_local bool is_collecting;

void cff_collect_boxes(bool collects) {
  if (collects) strcpy(names, "\n");
  is_collecting = collects;
}

const char *cff_box_names(void) { return names; }

static void add(const char *name) {
  if (strstr(names, name)) return;
  size_t length = strlen(names), room = sizeof(names) - length - sizeof(more);
  // Leave out the line's end that the name begins with, because the line before ends with one.
  if (strlen(name) - 1 < room) strcpy(names + length, name + 1);
  else if (!strstr(names, more)) strcpy(names + length, more);
}

void cff_note_box(const char *format, va_list arguments) {
  // libavformat/mov.c, mov_read_default: two names, with odd bytes made readable, and a size.
  static const char opening[] = "type:'%s' parent:'%s' sz: ";
  if (!is_collecting || strncmp(format, opening, sizeof(opening) - 1)) return;
  const char *type = va_arg(arguments, const char *);
  const char *parent = va_arg(arguments, const char *);
  int64_t size = va_arg(arguments, int64_t);
  char name[100];
  const char *state = size == 8 ? " (empty)" : "";
  snprintf(name, sizeof(name), "\n%s/%s%s\n", parent, type, state);
  // FFmpeg reads only the name of a second `moov`.
  if (!strcmp(parent, "root") && strstr(names, name))
    snprintf(name, sizeof(name), "\n%s/%s%s (again)\n", parent, type, state);
  add(name);
}
