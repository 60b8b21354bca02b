// The parts of Nettle that hash, as a Swift module.
#ifndef CNETTLE_H
#define CNETTLE_H

#include <nettle/hmac.h>
#include <nettle/sha2.h>

#endif
