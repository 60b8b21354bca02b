// The attempts of a compromised decoder.
#ifndef CESCAPE_H
#define CESCAPE_H

// The names of all attempts, ended by NULL.
const char *const *escape_attempts_first(void);

// Makes an attempt. 0 when it succeeded, else the error number; -1 for an unknown name.
int escape_try(const char *name);

// Gives the process a name by which it can be found.
void escape_call_itself(const char *name);

// Accesses unmapped memory.
void escape_crash(void);

#endif
