/* Writes a file again and again at a steady rate: pacer <file> <bytes a second> <seconds> <folder>. Falls behind rather
   than bursts when its reader is slow; a file in the folder, named by the process, says how many bytes it wrote. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { TURNS_A_SECOND = 50 };

int main(int count, char **words) {
  if (count < 5) return 2;
  FILE *file = fopen(words[1], "rb");
  if (!file) return 1;
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  char *content = malloc(size);
  if (!content || fread(content, 1, size, file) != size) return 1;
  size_t piece = (size_t)atol(words[2]) / TURNS_A_SECOND;
  long turns = atol(words[3]) * TURNS_A_SECOND;
  struct timespec pause = {0, 1000000000L / TURNS_A_SECOND};
  char path[4096];
  snprintf(path, sizeof path, "%s/%ld", words[4], (long)getpid());
  int counter = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (counter < 0) return 1;
  size_t at = 0;
  size_t total = 0;
  for (long turn = 0; turn < turns; turn++) {
    for (size_t left = piece; left > 0;) {
      size_t part = size - at < left ? size - at : left;
      ssize_t wrote = write(1, content + at, part);
      if (wrote <= 0) return 1;
      at = (at + (size_t)wrote) % size;
      left -= (size_t)wrote;
      total += (size_t)wrote;
    }
    char said[32];
    int length = snprintf(said, sizeof said, "%020zu", total);
    if (pwrite(counter, said, (size_t)length, 0) != length) return 1;
    nanosleep(&pause, NULL);
  }
  return 0;
}
