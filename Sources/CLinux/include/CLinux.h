#ifndef CLINUX_H
#define CLINUX_H

#include "files.h"
#include "process.h"
#include "sandbox.h"
#include "sockets.h"
#include "text.h"

#endif
