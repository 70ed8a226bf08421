// Masses, centres of mass and moments.
//
// Link by link where both files have the links of a rigid body. Where links of a body are in one file only, or have
// mass there only, the whole bodies are compared, as the weld of all their links seen from a link that both have: a
// file that has lumped what fixed joints join moves as the other does. Moments are those about the centre of mass, and
// as far apart as the Frobenius norm of their difference over the larger norm.
#include "engine/cli/against/compare.h"
#include "topology/model/inertia.h"

#include <math.h>
#include <stdlib.h>

// Of each body of the first model, n_links + 1 with the world's.
typedef struct body_facts {
  int other;     // the body of the second model that has its common links; -1 none, -2 several
  int common;    // a link that both have
  int n_lone;    // links with mass, of either, that the other has not or has without mass
  int n_emptied; // of these, those that the other has without mass
  bool is_same_whole;
} body_facts;

// ---------------------------------------------------------------------------------------------------------------------
// Two bodies
// ---------------------------------------------------------------------------------------------------------------------

static double norm_of(sym3 s)
{
  return sqrt(s.xx * s.xx + s.yy * s.yy + s.zz * s.zz + 2 * (s.xy * s.xy + s.xz * s.xz + s.yz * s.yz));
}

static double inertia_apart(const srs_body *a, const srs_body *b)
{
  const sym3 x = a->inertia, y = b->inertia;
  const double most = fmax(norm_of(x), norm_of(y));
  const sym3 d = {x.xx - y.xx, x.yy - y.yy, x.zz - y.zz, x.xy - y.xy, x.xz - y.xz, x.yz - y.yz};
  return most > 0 ? norm_of(d) / most : 0;
}

static bool has_other_centre(const srs_differences *found, const srs_body *a, const srs_body *b)
{
  return a->mass > 0 && b->mass > 0 &&
         norm3(sub3(a->com, b->com)) > found->tolerance * fmax(1, fmax(norm3(a->com), norm3(b->com)));
}

static bool bodies_differ(const srs_differences *found, const srs_body *a, const srs_body *b)
{
  return !srs_is_alike(found, a->mass, b->mass, 0) || has_other_centre(found, a, b) ||
         inertia_apart(a, b) > found->tolerance;
}

static void tell_bodies(srs_differences *found, const srs_compared *of, const srs_body *a, const srs_body *b,
                        const char *with)
{
  char first[SRS_NUMBERS_SIZE], second[SRS_NUMBERS_SIZE];
  double x[6], y[6];
  if (!srs_is_alike(found, a->mass, b->mass, 0)) {
    srs_numbers_text(&a->mass, 1, first), srs_numbers_text(&b->mass, 1, second);
    srs_differ(found, of, SRS_DIFFERS_MASS, first, second, "mass%s (kg)", with);
  }
  if (has_other_centre(found, a, b)) {
    vec3_store(x, a->com), vec3_store(y, b->com);
    srs_numbers_text(x, 3, first), srs_numbers_text(y, 3, second);
    srs_differ(found, of, SRS_DIFFERS_CENTRE, first, second, "centre of mass%s %.4g mm away", with,
               1000 * norm3(sub3(a->com, b->com)));
  }
  if (inertia_apart(a, b) > found->tolerance) {
    sym3_store(x, a->inertia), sym3_store(y, b->inertia);
    srs_numbers_text(x, 6, first), srs_numbers_text(y, 6, second);
    srs_differ(found, of, SRS_DIFFERS_INERTIA, first, second,
               "inertia%s off by %.3g %% (xx yy zz xy xz yz about the centre of mass)", with,
               100 * inertia_apart(a, b));
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Which bodies are one
// ---------------------------------------------------------------------------------------------------------------------

static bool has_inertia(const srs_link_def *def) { return def->mass > 0 || norm_of(sym3_load(def->inertia)) > 0; }

static srs_body body_of(const srs_side *side, int link) { return srs_body_of(&side->source->links[link].def); }

// The links of a body welded, seen from a common link.
static srs_body whole(const srs_sides *sides, int which, int body, int common, srs_body *parts)
{
  const srs_side *side = &sides->side[which];
  int n = 0;
  for (int i = 0; i < side->source->n_links; i++) {
    if (side->body[i] != body || !has_inertia(&side->source->links[i].def)) continue;
    const srs_placed placed = srs_sides_seen(sides, which, common, i, srs_placed_identity);
    parts[n++] = srs_body_move(body_of(side, i), placed.at, placed.axes);
  }
  return n > 0 ? srs_body_weld(parts, n) : (srs_body){0};
}

static void find_bodies(const srs_sides *sides, body_facts *facts)
{
  const srs_side *a = &sides->side[0], *b = &sides->side[1];
  const int n = a->source->n_links;
  for (int i = 0; i <= n; i++) facts[i] = (body_facts){.other = -1, .common = -1};
  for (int i = 0; i < n; i++) {
    body_facts *body = &facts[a->body[i]];
    const int twin = a->twin[i];
    if (twin < 0) {
      body->n_lone += has_inertia(&a->source->links[i].def);
      continue;
    }
    if (body->other == -1) body->common = i;
    body->other = body->other == -1 || body->other == b->body[twin] ? b->body[twin] : -2;
    const bool is_emptied = has_inertia(&a->source->links[i].def) != has_inertia(&b->source->links[twin].def);
    body->n_lone += is_emptied, body->n_emptied += is_emptied;
  }
  for (int i = 0; i < b->source->n_links; i++) {
    const bool is_lone = b->twin[i] < 0 && has_inertia(&b->source->links[i].def);
    for (int k = 0; k <= n; k++) {
      if (facts[k].other != b->body[i]) continue;
      facts[k].n_lone += is_lone;
      if (b->twin[i] >= 0 && a->body[b->twin[i]] != k) facts[k].other = -2;
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Links of one file only
// ---------------------------------------------------------------------------------------------------------------------

static const body_facts *facts_of(const srs_sides *sides, const body_facts *facts, int which, int link)
{
  const int body = sides->side[which].body[link];
  if (which == 0) return facts[body].other >= 0 ? &facts[body] : NULL;
  for (int k = 0; k <= sides->side[0].source->n_links; k++)
    if (facts[k].other == body) return &facts[k];
  return NULL;
}

static void tell_lone_links(srs_sides *sides, const body_facts *facts, int which)
{
  const srs_side *side = &sides->side[which], *other = &sides->side[1 - which];
  for (int i = 0; i < side->source->n_links; i++) {
    const srs_builder_link *link = &side->source->links[i];
    const bool is_massive = has_inertia(&link->def);
    const int joint = side->joint_of[i];
    const bool is_welded = joint >= 0 && side->source->joints[joint].def.kind == SRS_JOINT_FIXED;
    if (side->twin[i] >= 0 || (!is_massive && !is_welded)) continue; // what is between joints is told with these
    const char *on = side->parent[i] >= 0 ? side->source->links[side->parent[i]].def.name : "the world";
    const srs_compared of = {"link", link->def.name, which == 0 ? link->place : srs_no_place(),
                             which == 1 ? link->place : srs_no_place()};
    const body_facts *body = facts_of(sides, facts, which, i);
    if (!is_massive && srs_names_find(&other->frames, link->def.name) >= 0) continue; // told with the frames
    if (is_welded && is_massive && body != NULL && body->is_same_whole)
      srs_differ_not(sides->found, &of, SRS_DIFFERS_LINK,
                     "in this file only (welded to '%s'): the other has its %.6g kg in other links of that body", on,
                     link->def.mass);
    else if (is_welded && !is_massive)
      srs_differ(sides->found, &of, SRS_DIFFERS_FRAME, NULL, NULL, "in this file only (welded to '%s', without mass)",
                 on);
    else
      srs_differ(sides->found, &of, SRS_DIFFERS_LINK, NULL, NULL, "in this file only (%.6g kg, %s '%s')",
                 link->def.mass, is_welded ? "welded to" : "moves on", on);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------------------------------------------------

static srs_compared compared_of(const srs_sides *sides, int link)
{
  const srs_builder_link *a = &sides->side[0].source->links[link];
  return (srs_compared){"link", a->def.name, a->place, sides->side[1].source->links[sides->side[0].twin[link]].place};
}

static void compare_body(srs_sides *sides, int body, body_facts *facts, srs_body *parts)
{
  if (facts->other < 0 || facts->common < 0 || facts->n_lone == 0) return;
  const srs_body x = whole(sides, 0, body, facts->common, parts);
  const srs_body y = whole(sides, 1, facts->other, facts->common, parts);
  const srs_compared of = compared_of(sides, facts->common);
  facts->is_same_whole = !bodies_differ(sides->found, &x, &y);
  if (facts->is_same_whole && facts->n_emptied > 0)
    srs_differ_not(sides->found, &of, SRS_DIFFERS_MASS,
                   "its mass and that of what is welded to it are spread otherwise over the links; the whole is the "
                   "same");
  else if (!facts->is_same_whole)
    tell_bodies(sides->found, &of, &x, &y, " of all that is welded to it");
}

void srs_compare_bodies(srs_sides *sides)
{
  const srs_side *a = &sides->side[0], *b = &sides->side[1];
  const int n = a->source->n_links, most = n > b->source->n_links ? n : b->source->n_links;
  body_facts *facts = malloc(((size_t)n + 1) * sizeof *facts);
  srs_body *parts = malloc(((size_t)most + 1) * sizeof *parts);
  if (facts == NULL || parts == NULL) {
    sides->found->failed = true;
  } else {
    find_bodies(sides, facts);
    for (int i = 0; i <= n; i++) compare_body(sides, i, &facts[i], parts);
    for (int i = 0; i < n; i++) {
      const body_facts *body = &facts[a->body[i]];
      const bool is_by_whole = body->other >= 0 && (body->is_same_whole || body->n_lone > 0);
      if (a->twin[i] < 0 || is_by_whole) continue;
      const srs_body x = body_of(a, i), y = body_of(b, a->twin[i]);
      const srs_compared of = compared_of(sides, i);
      tell_bodies(sides->found, &of, &x, &y, "");
    }
    tell_lone_links(sides, facts, 0);
    tell_lone_links(sides, facts, 1);
  }
  free(facts);
  free(parts);
}
