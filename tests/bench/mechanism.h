// Which mechanisms are measured, and at which states?
#pragma once
#include "peers/peers.h"

/// A chain as the reference figures have it: joints about x, links of 1 m hanging along -z, a sphere of 1 kg at each
/// end. false when out of memory.
bool bench_chain(int n_links, bench_model *model);

/// A floating humanoid of 45 links with the tree of the reference's Talos (nv 50), its lengths and masses made up.
/// false when out of memory.
bool bench_humanoid(bench_model *model);

/// The mechanism in a URDF file; its fixed joints lumped, damping left out.  @param why  out: the reason of a failure
bool bench_load(const char *path, const char *name, bool floating, bench_model *model, char why[BENCH_WHY]);

void bench_model_free(bench_model *model);

/// 64 random states, the same in every run: angles within +-pi, travels within +-0.3 m, v, a and tau within +-1.
/// false when out of memory.
bool bench_random_states(const bench_model *model, bench_states *states);
void bench_states_free(bench_states *states);
