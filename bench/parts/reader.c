/* The limit of a pty: runs a program in one and reads its output as fast as it comes. Prints MB/s. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <util.h>
#else
#include <pty.h>
#endif

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int count, char **words) {
  static char buffer[65536];
  struct winsize size = {24, 80, 0, 0};
  int master = -1;
  double began = seconds();
  double total = 0;
  if (count < 2) return 2;
  pid_t child = forkpty(&master, NULL, NULL, &size);
  if (child < 0) return 1;
  if (child == 0) {
    execvp(words[1], words + 1);
    _exit(127);
  }
  for (ssize_t got; (got = read(master, buffer, sizeof buffer)) > 0;) total += (double)got;
  printf("%f\n", total / 1e6 / (seconds() - began));
  return total > 0 ? 0 : 1;
}
