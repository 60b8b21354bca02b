#ifndef CLINUX_CATALOG_H
#define CLINUX_CATALOG_H
#endif
