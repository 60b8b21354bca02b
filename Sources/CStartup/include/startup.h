// The limits that Holdfast's programs check before anything else runs.
#ifndef CSTARTUP_STARTUP_H
#define CSTARTUP_STARTUP_H

// The fewest open files that an import of one file needs, and some to spare.
enum { holdfast_least_files = 64 };
// The smallest stack, in bytes. Each thread gets one of this size.
enum { holdfast_least_stack = 1 << 20 };

#endif
