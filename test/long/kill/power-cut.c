/* Preloaded file layer: journals every write below one folder with the overwritten bytes, and every flush, to simulate power cuts. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Kinds: W a write, F a flush of a file or folder, R a rename. Little endian, as in memory. */
struct record {
  uint32_t kind;
  uint32_t name_length;
  uint32_t other_length;
  uint32_t old_length;
  uint64_t number;
  uint64_t offset;
  uint64_t length;
  uint64_t old_size;
  /* Identifies the file independently of its name: inode numbers are reused, but with a different birth time. */
  uint64_t inode;
  uint64_t born_ns;
};

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int journal = -1;
static const char *below;
static uint64_t count;

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("VITRINE_POWER_CUT_JOURNAL");
  below = getenv("VITRINE_POWER_CUT_BELOW");
  if (file && below)
    journal = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_below(const char *name) {
  size_t length = strlen(below);
  /* Files that are only shared memory do not survive a power cut. */
  size_t own = strlen(name);
  if (own > 4 && strcmp(name + own - 4, "-shm") == 0) return 0;
  return strncmp(name, below, length) == 0 && name[length] == '/';
}

static int name_of(int fd, char *name) {
  char link[64];
  if (journal < 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, name, PATH_MAX - 1);
  if (length <= 0) return 0;
  name[length] = 0;
  return is_below(name);
}

static void identify(int fd, struct record *record) {
  struct statx state;
  if (statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &state) != 0) return;
  record->inode = state.stx_ino;
  record->born_ns = state.stx_btime.tv_sec * 1000000000ull + state.stx_btime.tv_nsec;
}

static void put(struct record *record, const char *name, const char *other, const void *old) {
  record->name_length = strlen(name);
  record->other_length = other ? strlen(other) : 0;
  struct iovec parts[] = {
    {record, sizeof *record},
    {(void *)name, record->name_length},
    {(void *)other, record->other_length},
    {(void *)old, record->old_length},
  };
  syscall(SYS_writev, journal, parts, 4);
}

/* Journalled before the change: undoing a change that was not made has no effect. */
static void note_change(int fd, off_t offset, size_t length) {
  char name[PATH_MAX];
  struct stat state;
  if (length == 0 || !name_of(fd, name) || fstat(fd, &state) != 0 || !S_ISREG(state.st_mode)) return;
  size_t old_length = 0;
  if (offset < state.st_size) {
    old_length = state.st_size - offset;
    if (old_length > length) old_length = length;
  }
  char *old = old_length > 0 ? malloc(old_length) : NULL;
  if (old) {
    int reader = syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC, 0);
    ssize_t got = reader < 0 ? 0 : syscall(SYS_pread64, reader, old, old_length, offset);
    if (reader >= 0) syscall(SYS_close, reader);
    old_length = got > 0 ? got : 0;
  }
  pthread_mutex_lock(&turn);
  struct record record = {'W', 0, 0, old_length, ++count, offset, length, state.st_size, 0, 0};
  identify(fd, &record);
  put(&record, name, NULL, old);
  pthread_mutex_unlock(&turn);
  free(old);
}

static off_t place_of(int fd) {
  struct stat state;
  int flags = fcntl(fd, F_GETFL);
  if (flags >= 0 && (flags & O_APPEND) && fstat(fd, &state) == 0) return state.st_size;
  return lseek(fd, 0, SEEK_CUR);
}

static size_t sum(const struct iovec *parts, int many) {
  size_t length = 0;
  for (int part = 0; part < many; part += 1) length += parts[part].iov_len;
  return length;
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int is_ours(int fd) {
  char name[PATH_MAX];
  return journal >= 0 && fd != journal && name_of(fd, name);
}

ssize_t write(int fd, const void *bytes, size_t length) {
  REAL(write);
  if (is_ours(fd)) note_change(fd, place_of(fd), length);
  return real(fd, bytes, length);
}

ssize_t writev(int fd, const struct iovec *parts, int many) {
  REAL(writev);
  if (is_ours(fd)) note_change(fd, place_of(fd), sum(parts, many));
  return real(fd, parts, many);
}

#define AT(name) \
  ssize_t name(int fd, const void *bytes, size_t length, off_t offset) { \
    REAL(name); \
    if (is_ours(fd)) note_change(fd, offset, length); \
    return real(fd, bytes, length, offset); \
  }
AT(pwrite)
AT(pwrite64)

#define ALL_AT(name) \
  ssize_t name(int fd, const struct iovec *parts, int many, off_t offset) { \
    REAL(name); \
    if (is_ours(fd)) note_change(fd, offset, sum(parts, many)); \
    return real(fd, parts, many, offset); \
  }
ALL_AT(pwritev)
ALL_AT(pwritev64)

/* Truncated bytes existed before: they are journalled like overwritten ones. */
#define CUT(name) \
  int name(int fd, off_t length) { \
    REAL(name); \
    struct stat state; \
    if (is_ours(fd) && fstat(fd, &state) == 0 && state.st_size > length) \
      note_change(fd, length, state.st_size - length); \
    return real(fd, length); \
  }
CUT(ftruncate)
CUT(ftruncate64)

static void note_flush(int fd, const char *name, uint64_t from) {
  pthread_mutex_lock(&turn);
  struct record record = {'F', 0, 0, 0, from, 0, 0, 0, 0, 0};
  identify(fd, &record);
  put(&record, name, NULL, NULL);
  pthread_mutex_unlock(&turn);
}

/* Writes before its start are on disk when it has ended. */
#define FLUSH(name) \
  int name(int fd) { \
    REAL(name); \
    char file[PATH_MAX]; \
    int is_noted = name_of(fd, file); \
    uint64_t from = count; \
    int outcome = real(fd); \
    if (outcome == 0 && is_noted) note_flush(fd, file, from); \
    return outcome; \
  }
FLUSH(fsync)
FLUSH(fdatasync)

int rename(const char *from, const char *to) {
  REAL(rename);
  if (journal >= 0 && is_below(from) && is_below(to)) {
    pthread_mutex_lock(&turn);
    uint64_t number = ++count;
    struct stat state;
    if (stat(to, &state) == 0 && S_ISREG(state.st_mode)) {
      /* Keeps the replaced file, so that it can be restored. */
      char kept[PATH_MAX + 64];
      snprintf(kept, sizeof kept, "%s.%llu", getenv("VITRINE_POWER_CUT_JOURNAL"), (unsigned long long)number);
      syscall(SYS_linkat, AT_FDCWD, to, AT_FDCWD, kept, 0);
    }
    struct record record = {'R', 0, 0, 0, number, 0, 0, 0, 0, 0};
    put(&record, from, to, NULL);
    pthread_mutex_unlock(&turn);
  }
  return real(from, to);
}
