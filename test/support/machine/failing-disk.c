/* Preloaded file layer that simulates a failing disk: while a switch is on, reads, writes or flushes of files below one folder fail with EIO. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *below;
static const char *switches;

__attribute__((constructor)) static void begin(void) {
  below = getenv("VITRINE_FAILING_BELOW");
  switches = getenv("VITRINE_FAILING_SWITCHES");
}

/* A switch is on while a file of this name exists in the folder of the switches. */
static int is_on(const char *name) {
  char file[PATH_MAX];
  snprintf(file, sizeof file, "%s/%s", switches, name);
  return syscall(SYS_faccessat, AT_FDCWD, file, F_OK) == 0;
}

static int is_ours(int fd) {
  char link[64], name[PATH_MAX];
  if (!below || !switches) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, name, sizeof name - 1);
  if (length <= 0) return 0;
  name[length] = 0;
  size_t own = strlen(below);
  return strncmp(name, below, own) == 0 && name[own] == '/';
}

static int fails_with(int number) {
  errno = number;
  return -1;
}

/* "read-late" allows the first read of a file, at offset 0. */
static int fails_to_read(int fd, off_t offset) {
  if (!is_ours(fd)) return 0;
  return is_on("read") || (offset > 0 && is_on("read-late"));
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define READING(name, type) \
  ssize_t name(int fd, void *bytes, size_t length, type offset) { \
    REAL(name); \
    return fails_to_read(fd, offset) ? fails_with(EIO) : real(fd, bytes, length, offset); \
  }

READING(pread, off_t)
READING(pread64, off64_t)

ssize_t read(int fd, void *bytes, size_t length) {
  REAL(read);
  if (fails_to_read(fd, lseek(fd, 0, SEEK_CUR))) return fails_with(EIO);
  return real(fd, bytes, length);
}

#define WRITING(name, type) \
  ssize_t name(int fd, const void *bytes, size_t length, type offset) { \
    REAL(name); \
    return is_ours(fd) && is_on("write") ? fails_with(EIO) : real(fd, bytes, length, offset); \
  }

WRITING(pwrite, off_t)
WRITING(pwrite64, off64_t)

ssize_t write(int fd, const void *bytes, size_t length) {
  REAL(write);
  return is_ours(fd) && is_on("write") ? fails_with(EIO) : real(fd, bytes, length);
}

#define FLUSHING(name) \
  int name(int fd) { \
    REAL(name); \
    return is_ours(fd) && is_on("flush") ? fails_with(EIO) : real(fd); \
  }

FLUSHING(fsync)
FLUSHING(fdatasync)
