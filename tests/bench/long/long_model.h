// Mechanisms of many links, made with the builder alone: chains, trees that branch at random, chains with local loops.
#pragma once
#include <sarrus/sarrus.h>

typedef enum long_kind { LONG_CHAIN, LONG_TREE, LONG_ROWS, LONG_EMBEDDED } long_kind;

enum { LONG_SPAN = 12, LONG_SPACING = 100 }; // links that a loop spans; links from one loop to the next

extern const char *const long_titles[];

/// n links of 1 m. Chain: joints about y and z in turn. Tree: each link hangs on one of the 20 before it, drawn anew by
/// a fixed seed. With loops: the chain, where after every LONG_SPACING links two that lie LONG_SPAN apart are pinned to
/// each other where they are at long_state's q, held by rows or embedded. NULL when out of memory.
srs_model *long_model(long_kind kind, int n);

/// Angles within 0.4, the same in every run.  @param q  nq, out
void long_state(const srs_model *model, double *q);
