// Preloaded into a command as if its library lay on a disk whose locks are not shared: `flock`
// always succeeds, and excludes no process.
//
//   gcc -shared -fPIC -o no-locks.so no-locks.c
//   LD_PRELOAD=no-locks.so holdfast …
int flock(int descriptor, int operation) {
  (void)descriptor;
  (void)operation;
  return 0;
}
