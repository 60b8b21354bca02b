#ifndef CLINUX_FILES_H
#define CLINUX_FILES_H
#endif
