// FFmpeg's last error message on this thread, kept instead of printed.
//
// In C because the callback takes a va_list and the line is thread-local.
#ifndef CFFMPEG_LOG_LINE_H
#define CFFMPEG_LOG_LINE_H

// Sends FFmpeg's messages to the lines below instead of standard error. Call once.
void cff_log_capture(void);
void cff_log_clear(void);
// The last error on this thread since cff_log_clear, or an empty string.
const char *cff_log_last(void);
// How often something was wrong on this thread so far.
unsigned cff_log_complaints(void);

#endif
