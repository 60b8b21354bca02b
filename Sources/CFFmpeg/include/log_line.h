// FFmpeg's last error message on this thread, which is kept and not printed.
//
// It is in C because the callback takes a va_list and the line is thread-local.
#ifndef CFFMPEG_LOG_LINE_H
#define CFFMPEG_LOG_LINE_H

// Passes FFmpeg's messages to the functions below, not to standard error. Call it once.
void cff_log_capture(void);
void cff_log_clear(void);
// Returns the last error on this thread since cff_log_clear, or an empty string.
const char *cff_log_last(void);
// Returns how many complaints FFmpeg has logged on this thread so far.
unsigned cff_log_complaints(void);
// Returns how many of them came from a decoder, an encoder or a parser.
unsigned cff_log_codec_complaints(void);

#endif
