// An AVIOContext over an open file descriptor. It has a position of its own (pread, pwrite), so
// that the same descriptor can be read and written at two places at once, as faststart does.
//
// It is in C because the write callback's type differs between FFmpeg 6 and 7.
#ifndef CFFMPEG_DESCRIPTOR_IO_H
#define CFFMPEG_DESCRIPTOR_IO_H

#include <libavformat/avformat.h>
#include <stdbool.h>

// The state that a running call shares with its caller: a flag that any thread can set, and a count
// of steps.
typedef struct CFFCall CFFCall;
CFFCall *cff_call_new(void);
void cff_call_cancel(CFFCall *call);
bool cff_call_is_cancelled(const CFFCall *call);
void cff_call_step(CFFCall *call);
uint64_t cff_call_steps(const CFFCall *call);
void cff_call_free(CFFCall *call);

typedef struct CFFDescriptor {
  int descriptor;
  int64_t position;
  int64_t furthest;  // the end of what was read; reading the same again does not advance it
  CFFCall *call;
  int64_t skimmed;  // the file's size since cff_io_skim was called; 0 before
  int error;  // the errno of the first read or write that failed, or 0
} CFFDescriptor;

// `file` must outlive the context. Free with cff_io_free.
AVIOContext *cff_io_new(CFFDescriptor *file, bool writable);
void cff_io_free(AVIOContext **io);

// From now on, reads give zeros for a file of `size` bytes, because only the places of its packets
// are needed.
void cff_io_skim(AVIOContext *io, int64_t size);

// Stops a demuxer from opening anything but the file that it was given.
void cff_refuse_to_open(AVFormatContext *context);

// Lets a muxer open its own output again, but only to read it: faststart moves the media data that
// way. `file` must outlive the context.
void cff_open_output_only(AVFormatContext *context, CFFDescriptor *file);

#endif
