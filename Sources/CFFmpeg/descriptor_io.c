#include "descriptor_io.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Large enough to read a clip in few calls, and small enough for many files to fit in memory.
enum { buffer_size = 256 * 1024 };

struct CFFCall {
  atomic_bool cancelled;
  atomic_uint_fast64_t steps;
};

CFFCall *cff_call_new(void) { return calloc(1, sizeof(CFFCall)); }
void cff_call_cancel(CFFCall *call) { atomic_store(&call->cancelled, true); }
bool cff_call_is_cancelled(const CFFCall *call) { return atomic_load(&call->cancelled); }
void cff_call_step(CFFCall *call) {
  atomic_fetch_add_explicit(&call->steps, 1, memory_order_relaxed);
}
uint64_t cff_call_steps(const CFFCall *call) {
  return atomic_load_explicit(&call->steps, memory_order_relaxed);
}
void cff_call_free(CFFCall *call) { free(call); }

static int failed(CFFDescriptor *file) {
  int error = errno;
  if (!file->error) file->error = error;
  return AVERROR(error);
}

static int read_at_position(void *opaque, uint8_t *buffer, int size) {
  CFFDescriptor *file = opaque;
  if (cff_call_is_cancelled(file->call)) return AVERROR_EXIT;
  ssize_t count;
  if (file->skimmed) {
    int64_t rest = file->skimmed - file->position;
    count = rest < 0 ? 0 : rest < size ? rest : size;
    memset(buffer, 0, count);
  } else {
    do count = pread(file->descriptor, buffer, size, file->position);
    while (count < 0 && errno == EINTR);
  }
  if (count < 0) return failed(file);
  if (count == 0) return AVERROR_EOF;
  file->position += count;
  if (file->position > file->furthest) {
    file->furthest = file->position;
    cff_call_step(file->call);
  }
  return count;
}

#if LIBAVFORMAT_VERSION_MAJOR >= 61
static int write_at_position(void *opaque, const uint8_t *buffer, int size) {
#else
static int write_at_position(void *opaque, uint8_t *buffer, int size) {
#endif
  CFFDescriptor *file = opaque;
  if (cff_call_is_cancelled(file->call)) return AVERROR_EXIT;
  for (int done = 0; done < size;) {
    ssize_t count = pwrite(file->descriptor, buffer + done, size - done, file->position);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed(file);
    done += count;
    file->position += count;
    cff_call_step(file->call);
  }
  return size;
}

static int64_t seek_to(void *opaque, int64_t offset, int whence) {
  CFFDescriptor *file = opaque;
  struct stat status;
  switch (whence & ~AVSEEK_FORCE) {
    case SEEK_SET: break;
    case SEEK_CUR: offset += file->position; break;
    case SEEK_END:
    case AVSEEK_SIZE:
      if (fstat(file->descriptor, &status) < 0) return failed(file);
      if ((whence & ~AVSEEK_FORCE) == AVSEEK_SIZE) return status.st_size;
      offset += status.st_size;
      break;
    default: return AVERROR(EINVAL);
  }
  if (offset < 0) return AVERROR(EINVAL);
  return file->position = offset;
}

AVIOContext *cff_io_new(CFFDescriptor *file, bool writable) {
  uint8_t *buffer = av_malloc(buffer_size);
  if (!buffer) return NULL;
  AVIOContext *io = avio_alloc_context(
      buffer, buffer_size, writable, file, writable ? NULL : read_at_position,
      writable ? write_at_position : NULL, seek_to);
  if (!io) av_free(buffer);
  return io;
}

void cff_io_skim(AVIOContext *io, int64_t size) {
  ((CFFDescriptor *)io->opaque)->skimmed = size;
  io->direct = 1;  // zeros need not be copied through a buffer
}

void cff_io_free(AVIOContext **io) {
  if (!*io) return;
  av_freep(&(*io)->buffer);
  avio_context_free(io);
}

static int refuse(
    AVFormatContext *context, AVIOContext **io, const char *url, int flags,
    AVDictionary **options) {
  return AVERROR(EPERM);
}

void cff_refuse_to_open(AVFormatContext *context) { context->io_open = refuse; }

static int open_output(
    AVFormatContext *context, AVIOContext **io, const char *url, int flags,
    AVDictionary **options) {
  if (flags & AVIO_FLAG_WRITE) return AVERROR(EPERM);
  const CFFDescriptor *output = context->opaque;
  CFFDescriptor *file = av_malloc(sizeof(*file));
  if (!file) return AVERROR(ENOMEM);
  *file = (CFFDescriptor){.descriptor = output->descriptor, .call = output->call};
  *io = cff_io_new(file, false);
  if (*io) return 0;
  av_free(file);
  return AVERROR(ENOMEM);
}

static int close_output(AVFormatContext *context, AVIOContext *io) {
  if (!io) return 0;
  av_free(io->opaque);
  cff_io_free(&io);
  return 0;
}

void cff_open_output_only(AVFormatContext *context, CFFDescriptor *file) {
  context->opaque = file;
  context->io_open = open_output;
  context->io_close2 = close_output;
}
