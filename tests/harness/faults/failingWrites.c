/*
 * Loaded into a host before libc. While the file named by FAILING_WRITES_FILE holds an error's number, every write to a
 * file that is still being made (`*.tmp`) fails with it; any other write is done: threads wake each other by write too.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ENDING ".tmp"
#define ENDING_LENGTH (sizeof ENDING - 1)

static int is_being_made(int descriptor) {
  char link[64];
  char path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path);
  return length > (ssize_t)ENDING_LENGTH && memcmp(path + length - ENDING_LENGTH, ENDING, ENDING_LENGTH) == 0;
}

static int wanted_error(void) {
  const char *path = getenv("FAILING_WRITES_FILE");
  int control = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (control == -1) return 0;
  char number[16] = "";
  ssize_t length = read(control, number, sizeof number - 1);
  close(control);
  return length > 0 ? atoi(number) : 0;
}

/* Says that it happened: an empty file beside the one that asked for it. */
static void tell(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s.failed", getenv("FAILING_WRITES_FILE"));
  int told = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (told != -1) close(told);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  int error = is_being_made(descriptor) ? wanted_error() : 0;
  if (error == 0) return syscall(SYS_write, descriptor, bytes, count);
  tell();
  errno = error;
  return -1;
}
