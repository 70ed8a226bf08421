// How do the links hang together? One line a link, depth first, with the branches drawn:
//
//   base  4 kg
//   |- shoulder (revolute 0 0 1) -> upper_arm  8.4 kg
//   |  `- wrist (fixed) -> tool
#include "engine/cli/check/tree.h"
#include "topology/builder/source.h"
#include "topology/model/joint_kind.h"
#include "topology/model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 40 }; // branches drawn; deeper ones are indented no further

static void print_joint(const srs_joint_def *def)
{
  if (def->name != NULL) printf("%s ", def->name);
  printf("(%s", srs_joint_kind_name(def->kind));
  if (srs_joint_kind_has_axis(def->kind)) printf(" %.3g %.3g %.3g", def->axis[0], def->axis[1], def->axis[2]);
  const bool has_range = srs_joint_kind_nv(def->kind) == 1 && isfinite(def->lower[0]) && isfinite(def->upper[0]);
  if (has_range) printf(", %.3g to %.3g", def->lower[0], def->upper[0]);
  printf(") -> ");
}

// Branches of the ancestors of part i, then its own.
static void print_branches(const srs_model *model, const bool *is_last, int i)
{
  int line[DEEPEST], n = 0;
  for (int at = i; at >= 0 && n < DEEPEST; at = model->part_parent[at]) line[n++] = at;
  printf("  ");
  for (int k = n - 2; k >= 0; k--) // the root has no branch
    fputs(k == 0 ? (is_last[line[k]] ? "`- " : "|- ") : (is_last[line[k]] ? "   " : "|  "), stdout);
}

bool srs_tree_print(const srs_model *model)
{
  const srs_builder *source = srs_source_of(model);
  const size_t n = (size_t)model->n_parts;
  bool *is_last = calloc(n + 1, sizeof *is_last), *has_child = calloc(n + 1, sizeof *has_child);
  srs_names links = {0}, carried = {0};
  bool is_held = is_last != NULL && has_child != NULL;
  for (int i = 0; i < source->n_links && is_held; i++) {
    is_held = srs_names_reserve(&links) && srs_names_reserve(&carried);
    if (is_held) srs_names_add(&links, source->links[i].def.name, i);
    if (is_held && i < source->n_joints) srs_names_add(&carried, source->joints[i].def.child, i);
  }
  for (int i = model->n_parts - 1; i >= 0 && is_held; i--) { // the last of its siblings comes first
    const int parent = model->part_parent[i];
    is_last[i] = parent < 0 || !has_child[parent];
    if (parent >= 0) has_child[parent] = true;
  }
  for (int i = 0; i < model->n_parts && is_held; i++) {
    const char *name = model->frames[i].name;
    const int link = srs_names_find(&links, name), joint = srs_names_find(&carried, name);
    print_branches(model, is_last, i);
    const bool is_plain_root = model->part_parent[i] < 0 && source->joints[joint].def.kind == SRS_JOINT_FIXED;
    if (joint >= 0 && !is_plain_root) print_joint(&source->joints[joint].def);
    fputs(name, stdout);
    if (link >= 0 && source->links[link].def.mass > 0) printf("  %.4g kg", source->links[link].def.mass);
    putchar('\n');
  }
  srs_names_release(&links);
  srs_names_release(&carried);
  free(is_last);
  free(has_child);
  return is_held;
}
