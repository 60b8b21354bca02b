#ifndef CSQLITE_H
#define CSQLITE_H

#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// sqlite3_db_config is variadic, and Swift cannot call variadic C functions.

/// Stops SQL from writing the schema table or the header behind SQLite's back, or allows it.
static inline int holdfast_sqlite_set_defensive(sqlite3 *database, int is_defensive) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, is_defensive, (int *)0);
}

/// Stops a schema that another program has changed from calling functions with side effects.
static inline int holdfast_sqlite_distrust_schema(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

/// Refuses texts, blobs and rows of more than this many bytes.
static inline void holdfast_sqlite_limit_length(sqlite3 *database, int length) {
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, length);
}

/// Returns the size of the path itself if it is a regular file and not a link to one, -1 if it is
/// something else, and -2 if it cannot be examined, as when it is missing. Foundation's attributes
/// of a file include its owner's name, for which it asks NSS.
static inline int64_t holdfast_size_of_regular_file(const char *path) {
  struct stat status;
  if (lstat(path, &status) < 0) return -2;
  return S_ISREG(status.st_mode) ? status.st_size : -1;
}

/// Returns whether a rollback journal names a super-journal: its last eight bytes are then the
/// magic number of a journal. SQLite would unlink any file that it names.
///
/// See https://sqlite.org/fileformat2.html#the_rollback_journal, and `readSuperJournal` in SQLite's
/// pager.c.
static inline int holdfast_names_super_journal(const char *path) {
  static const unsigned char magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
  unsigned char end[8];
  struct stat status;
  // Nearly always the journal is missing.
  if (lstat(path, &status) < 0) return 0;
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0) return 0;
  int names = fstat(file, &status) == 0 && status.st_size >= 16
      && pread(file, end, 8, status.st_size - 8) == 8 && memcmp(end, magic, 8) == 0;
  close(file);
  return names;
}

#endif
