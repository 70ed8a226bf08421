// Interrupting a run: the signal handler only sets a mark.
#include "engine/cli/run/interrupt.h"

#include <string.h>

static volatile sig_atomic_t interrupt_mark = 0;

static void mark_interrupt(int number)
{
  (void)number;
  interrupt_mark = 1;
}

void srs_interrupt_catch(srs_interrupt *before)
{
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = mark_interrupt;
  action.sa_flags = SA_RESTART | (int)SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  interrupt_mark = 0;
  sigaction(SIGINT, &action, &before->interrupt);
  sigaction(SIGTERM, &action, &before->terminate);
}

void srs_interrupt_release(const srs_interrupt *before)
{
  sigaction(SIGINT, &before->interrupt, NULL);
  sigaction(SIGTERM, &before->terminate, NULL);
}

bool srs_interrupt_came(void) { return interrupt_mark != 0; }
