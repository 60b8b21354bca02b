#ifndef CFFMPEG_H
#define CFFMPEG_H
#include <libavformat/avformat.h>
#endif
