// Batches beside the loops over states of other engines.
#pragma once

/// Prints the table.  @param data  folder that has robots/
void bench_beside_peers(const char *data);
