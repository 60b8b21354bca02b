#ifndef CLINUX_TEXT_H
#define CLINUX_TEXT_H

#include <stdint.h>
#include <wchar.h>

// Swift sees glibc without _XOPEN_SOURCE, which hides wcwidth. Returns a negative number for a
// character that the thread's locale does not know.
static inline int holdfast_cells(uint32_t scalar) {
  int wcwidth(wchar_t character);
  return wcwidth((wchar_t)scalar);
}

#endif
