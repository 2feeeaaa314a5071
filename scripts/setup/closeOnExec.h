/*
 * Included before node-pty's own source where that is compiled. Its pseudo-terminals are open in every program that is
 * started later: those keep it alive when the host is gone, and could read it and type into it. With this they are not.
 */
#pragma once
#include <fcntl.h>
#include <pty.h>

static inline int forkpty_closed_on_exec(int *main_side, char *name, const struct termios *modes, const struct winsize *size) {
  int pid = forkpty(main_side, name, modes, size);
  if (pid > 0) fcntl(*main_side, F_SETFD, FD_CLOEXEC);
  return pid;
}
#define forkpty forkpty_closed_on_exec
