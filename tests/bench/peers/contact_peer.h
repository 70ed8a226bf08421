// Another program's solvers of contact problems, as bench_contact_problems sees them.
#pragma once
#include <sarrus/contact.h>

/// A problem as the peer wants it: dense, in blocks of a contact's rows, or sparse. What is open holds on to the arrays
/// of `problem`, which has contacts only.
typedef struct contact_peer contact_peer;

enum { CONTACT_PEER_STORAGES = 3 };

/// NULL where the peer has no such storage.
contact_peer *contact_peer_open(const srs_contact_problem *problem, int storage);

/// Solver i for contacts with that many tangents; NULL: no more.
const char *contact_peer_method(int tangents, int i);

/// Chooses a solver and the tolerance on its own error.  @return false where it does not go with this storage
bool contact_peer_set(contact_peer *peer, int method, double tolerance);

/// Solves from zero.
void contact_peer_solve(contact_peer *peer, double *impulse, double *velocity);

/// The peer's own figure of how well impulses solve the problem.
double contact_peer_error(contact_peer *peer, const double *impulse);
