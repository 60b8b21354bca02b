// An AVIOContext over an open file descriptor, with a position of its own (pread, pwrite), so that
// the same descriptor can be read and written at two places at once, as faststart does.
//
// In C because the write callback's type differs between FFmpeg 6 and 7.
#ifndef CFFMPEG_DESCRIPTOR_IO_H
#define CFFMPEG_DESCRIPTOR_IO_H

#include <libavformat/avformat.h>
#include <stdbool.h>

// A flag that one thread sets and others read.
typedef struct CFFFlag CFFFlag;
CFFFlag *cff_flag_new(void);
void cff_flag_set(CFFFlag *flag);
bool cff_flag_is_set(const CFFFlag *flag);
void cff_flag_free(CFFFlag *flag);

typedef struct CFFDescriptor {
  int descriptor;
  int64_t position;
  const CFFFlag *cancelled;
  int error;  // the errno of the first read or write that failed, or 0
} CFFDescriptor;

// `file` must outlive the context. Free with cff_io_free.
AVIOContext *cff_io_new(CFFDescriptor *file, bool writable);
void cff_io_free(AVIOContext **io);

// A demuxer may open nothing beside the file that it was given.
void cff_refuse_to_open(AVFormatContext *context);

// A muxer may open its own output again, to read it: faststart moves the media data that way.
// `file` must outlive the context.
void cff_open_output_only(AVFormatContext *context, CFFDescriptor *file);

#endif
