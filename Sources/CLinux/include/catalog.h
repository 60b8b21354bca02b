#ifndef CLINUX_CATALOG_H
#define CLINUX_CATALOG_H

#include <sqlite3.h>
#include <stdint.h>
#include <sys/stat.h>

// sqlite3_db_config is variadic, and Swift cannot call variadic C functions.

/// No SQL may write the schema table or the header behind SQLite's back.
static inline int clinux_sqlite3_enable_defensive(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

/// A schema that someone tampered with may not call functions with side effects.
static inline int clinux_sqlite3_distrust_schema(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

/// The pages of the main database, in memory that sqlite3_free takes back; NULL when there is none.
/// Here, so that nobody needs SQLite's own module for it.
static inline unsigned char *clinux_sqlite3_serialize(sqlite3 *database, int64_t *size) {
  sqlite3_int64 count = 0;
  unsigned char *bytes = sqlite3_serialize(database, "main", &count, 0);
  *size = count;
  return bytes;
}

/// Opens the pages at `bytes` in place of an empty database in memory, for reading only. The bytes are
/// neither copied nor freed: they must outlive the connection.
static inline int clinux_sqlite3_deserialize(sqlite3 *database, unsigned char *bytes, int64_t size) {
  return sqlite3_deserialize(database, "main", bytes, size, size, SQLITE_DESERIALIZE_READONLY);
}

/// Whether a regular file stands at the path itself, and not behind a link: 1, 0, or negative where
/// nothing stands. Foundation's attributes of a file include its owner's name, and ask NSS for it.
static inline int clinux_is_regular_file(const char *path) {
  struct stat status;
  return lstat(path, &status) < 0 ? -1 : S_ISREG(status.st_mode);
}

#endif
