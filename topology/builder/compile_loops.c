// Closures and couplings become parts of a model: their frames and coordinates are found by name, and leaders are put
// before followers.
//
// Couplings form chains: each coordinate follows at most one other. Going up from follower to leader more often than
// there are couplings means a cycle.
#include "topology/builder/compile_loops.h"
#include "topology/base/nearest_word.h"
#include "topology/model/closure_kind.h"
#include "topology/model/joint_kind.h"
#include "topology/model/prescribed_motion.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Closures of the whole
// ---------------------------------------------------------------------------------------------------------------------

static srs_status no_memory(srs_error *error)
{
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory while building");
}

// Both ends' frames, -1 for the world.
static srs_status find_ends(const srs_model *m, const srs_builder_closure *closure, int frame[2], srs_error *error)
{
  const srs_closure_def *def = &closure->def;
  const char *const names[2] = {def->frame_a, def->frame_b};
  for (int i = 0; i < 2; i++) {
    frame[i] = names[i] != NULL ? srs_model_find_frame(m, names[i]) : -1;
    if (names[i] != NULL && frame[i] < 0)
      return srs_fail_at(error, SRS_ERROR_NAME, closure->place, names[i],
                         "closure '%s': no link or frame is named '%s'", def->name, names[i]);
  }
  const bool is_still[2] = {frame[0] < 0 || m->frame_is_static[frame[0]], frame[1] < 0 || m->frame_is_static[frame[1]]};
  const char *const titles[2] = {frame[0] < 0 ? "the world" : names[0], frame[1] < 0 ? "the world" : names[1]};
  if (is_still[0] && is_still[1])
    return srs_fail_at(error, SRS_ERROR_MODEL, closure->place, def->name,
                       "closure '%s' holds %s to %s, but neither moves; leave it out", def->name, titles[0], titles[1]);
  if (!is_still[0] && !is_still[1] && m->frame_body[frame[0]] == m->frame_body[frame[1]])
    return srs_fail_at(error, SRS_ERROR_MODEL, closure->place, def->name,
                       "closure '%s' holds %s to %s, which are one body; name two that can move apart", def->name,
                       titles[0], titles[1]);
  return SRS_OK;
}

static mat3 turned_for(const srs_closure_def *def, int end)
{
  if (!srs_closure_table[def->kind].has_axis) return mat3_identity;
  if (def->kind != SRS_CLOSURE_UNIVERSAL) return srs_turned_axes(vec3_load(def->axis));
  if (end == 1) return srs_turned_axes(vec3_load(def->axis2));
  const mat3 turned = srs_turned_axes(vec3_load(def->axis));
  return (mat3){turned.y, turned.z, turned.x};
}

static void place_end(const srs_model *m, const srs_closure_def *def, int end, int frame, srs_closure *closure,
                      srs_closure_ends *ends)
{
  const srs_pose *own = end == 0 ? &def->pose_a : &def->pose_b;
  const srs_pose identity = srs_identity_pose(), *outer = frame >= 0 ? &m->frames[frame].pose : &identity;
  const mat3 r = mat3_from_rows(outer->rotation);
  const vec3 offset = add3(vec3_load(outer->position), rotate(r, vec3_load(own->position)));
  const mat3 axes = mul3(r, mul3(mat3_from_rows(own->rotation), turned_for(def, end)));
  const int link = frame >= 0 ? m->frames[frame].link : -1;
  closure->link[end] = link;
  ends->part[end] = frame >= 0 ? m->part_of_frame[frame] : -1;
  vec3_store(closure->pose[end].position, offset);
  mat3_to_rows(closure->pose[end].rotation, axes);
  const mat3 back = link >= 0 ? m->link_axes[link] : mat3_identity;
  ends->offset[end] = rotate(back, offset);
  ends->axes[end] = mul3(back, axes);
}

// ", did you mean …?" for an unknown name of a joint or coordinate.
static const char *hint_of(const srs_model *m, const char *name, bool takes_joints, char text[192])
{
  srs_nearest nearest = srs_nearest_to(name);
  for (int i = 0; i < m->nv; i++) srs_nearest_offer(&nearest, m->v_names[i]);
  for (int k = 0; k < m->n_links && takes_joints; k++) srs_nearest_offer(&nearest, m->joints[k].name);
  return srs_nearest_hint(&nearest, text);
}

// The coordinates of v that a name means: from … end - 1.
static srs_status find_independent(const srs_model *m, const srs_builder_closure *from, const srs_closure *closure,
                                   const char *name, int *first, int *end, srs_error *error)
{
  const int v = srs_model_find_v(m, name), joint = v < 0 ? srs_model_find_joint(m, name) : m->link_of_v[v];
  char hint[192];
  if (joint < 0)
    return srs_fail_at(error, SRS_ERROR_NAME, from->place, name, "closure '%s': no joint or coordinate is named '%s'%s",
                       from->def.name, name, hint_of(m, name, true, hint));
  if (!srs_is_on_loop(m, closure, joint))
    return srs_fail_at(error, SRS_ERROR_MODEL, from->place, name,
                       "closure '%s': '%s' is not on the loop; name a joint between its two ends as "
                       "independent",
                       from->def.name, name);
  *first = v < 0 ? m->v_index[joint] : v;
  *end = v < 0 ? m->v_index[joint + 1] : v + 1;
  return SRS_OK;
}

static srs_status compile_embedding(const srs_model *m, const srs_builder_closure *from, srs_arena *arena,
                                    srs_closure *closure, srs_error *error)
{
  closure->is_embedded = from->def.embed;
  const size_t most = (size_t)from->def.n_independent * SRS_MAX_JOINT_NV;
  int *independent = srs_arena_take(arena, most, sizeof *independent);
  if (independent == NULL) return no_memory(error);
  closure->independent = independent;
  for (int i = 0; i < from->def.n_independent; i++) {
    int first = 0, end = 0;
    const srs_status status = find_independent(m, from, closure, from->def.independent[i], &first, &end, error);
    if (status != SRS_OK) return status;
    for (int v = first; v < end; v++) {
      for (int j = 0; j < closure->n_independent; j++)
        if (independent[j] == v)
          return srs_fail_at(error, SRS_ERROR_MODEL, from->place, from->def.independent[i],
                             "closure '%s': '%s' is named twice as independent; leave one out", from->def.name,
                             from->def.independent[i]);
      independent[closure->n_independent++] = v;
    }
  }
  return SRS_OK;
}

// Reports why a name is not a coordinate.
static srs_status refuse_coordinate(const srs_builder *builder, const srs_model *m, const char *title, srs_place place,
                                    const char *name, srs_error *error)
{
  const int joint = srs_names_find(&builder->joint_names, name);
  const char *why = "no joint or coordinate is named so";
  char hint[192] = "";
  if (joint < 0)
    hint_of(m, name, false, hint);
  else if (builder->joints[joint].def.kind == SRS_JOINT_FIXED)
    why = "a fixed joint has no coordinate";
  else
    why = "that joint has several coordinates, name one as <joint>.<coordinate>";
  return srs_fail_at(error, SRS_ERROR_NAME, place, name, "%s: '%s': %s%s", title, name, why, hint);
}

// A coordinate whose rate is that of its q: indices of q and v.  @param title  of what names it, for messages
static srs_status find_coordinate(const srs_builder *builder, const srs_model *m, const char *title, srs_place place,
                                  const char *name, int *q, int *v, srs_error *error)
{
  *q = srs_model_find_q(m, name);
  if (*q < 0) return refuse_coordinate(builder, m, title, place, name, error);
  const int k = srs_link_of_q(m, *q), entry = *q - m->q_index[k];
  const int quaternion = srs_joint_kind_quaternion((srs_joint_kind)m->kind[k]);
  if (quaternion >= 0 && entry >= quaternion)
    return srs_fail_at(error, SRS_ERROR_MODEL, place, name,
                       "%s: '%s' is part of a quaternion, which neither leads nor follows", title, name);
  *v = m->v_index[k] + entry;
  return SRS_OK;
}

static srs_status compile_tendon(const srs_builder *builder, const srs_model *m, const srs_builder_closure *from,
                                 srs_arena *arena, srs_closure *closure, srs_error *error)
{
  const srs_tendon_def *def = &from->def.tendon;
  srs_tendon *tendon = srs_arena_take(arena, 1, sizeof *tendon);
  if (tendon == NULL) return no_memory(error);
  *tendon = (srs_tendon){.n_terms = def->n_terms, .n_leaders = def->n_leaders, .is_held = def->is_held};
  closure->tendon = tendon;
  closure->link[0] = closure->link[1] = -1;
  closure->pose[0] = closure->pose[1] = srs_identity_pose();
  if (def->is_held) memcpy(tendon->polynomial, def->polynomial, sizeof tendon->polynomial);
  char title[180];
  srs_print(title, sizeof title, "tendon '%.140s'", from->def.name);
  for (int i = 0; i < def->n_terms + def->n_leaders; i++) {
    const srs_tendon_term *term = i < def->n_terms ? &def->terms[i] : &def->leaders[i - def->n_terms];
    const srs_status status =
        find_coordinate(builder, m, title, from->place, term->coordinate, &tendon->q[i], &tendon->v[i], error);
    if (status != SRS_OK) return status;
    tendon->coefficients[i] = term->coefficient;
    for (int j = 0; j < i; j++)
      if (tendon->q[j] == tendon->q[i])
        return srs_fail_at(error, SRS_ERROR_MODEL, from->place, from->def.name,
                           "%s goes over '%s' twice; add the coefficients", title, term->coordinate);
  }
  tendon->is_angle = srs_model_q_unit(m, tendon->q[0])[0] == 'r';
  return SRS_OK;
}

static srs_status compile_ends(const srs_builder *builder, const srs_model *m, const srs_builder_closure *from,
                               srs_arena *arena, srs_closure *closure, srs_closure_ends *ends, srs_error *error)
{
  int frame[2];
  *ends = (srs_closure_ends){.part = {-1, -1}, .axes = {mat3_identity, mat3_identity}};
  if (from->def.kind == SRS_CLOSURE_TENDON) return compile_tendon(builder, m, from, arena, closure, error);
  const srs_status status = find_ends(m, from, frame, error);
  for (int end = 0; end < 2 && status == SRS_OK; end++) place_end(m, &from->def, end, frame[end], closure, ends);
  return status;
}

static srs_status compile_closures(const srs_builder *builder, srs_model *m, srs_arena *arena, srs_error *error)
{
  m->n_closures = builder->n_closures;
  m->most_row_sides = 4;
  srs_closure *closures = srs_arena_take(arena, (size_t)m->n_closures, sizeof *closures);
  srs_closure_ends *ends = srs_arena_take(arena, (size_t)m->n_closures, sizeof *ends);
  if (arena->failed) return no_memory(error);
  for (int i = 0; i < m->n_closures; i++) {
    const srs_closure_def *def = &builder->closures[i].def;
    closures[i] = (srs_closure){.name = srs_arena_copy(arena, def->name),
                                .kind = def->kind,
                                .rows = srs_closure_row_mask(def),
                                .n_rows = srs_closure_row_count(def),
                                .length = def->kind == SRS_CLOSURE_ROD ? def->length : 0,
                                .motion = srs_motion_copy(arena, &def->motion),
                                .motion_row = def->motion_row,
                                .joint = def->joint,
                                .file = srs_arena_copy_or_null(arena, builder->closures[i].place.file),
                                .line = builder->closures[i].place.line,
                                .column = builder->closures[i].place.column};
    const srs_status status = compile_ends(builder, m, &builder->closures[i], arena, &closures[i], &ends[i], error);
    if (status != SRS_OK) return status;
    m->n_loop_rows += closures[i].n_rows;
    const int terms = def->kind == SRS_CLOSURE_TENDON ? def->tendon.n_terms + def->tendon.n_leaders : 0;
    if (terms > m->most_row_sides) m->most_row_sides = terms;
    const srs_status embedded = compile_embedding(m, &builder->closures[i], arena, &closures[i], error);
    if (embedded != SRS_OK) return embedded;
  }
  m->closures = closures, m->closure_ends = ends;
  return arena->failed ? no_memory(error) : SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Couplings of the whole
// ---------------------------------------------------------------------------------------------------------------------

static srs_status compile_coupling(const srs_builder *builder, const srs_model *m, const srs_builder_coupling *from,
                                   srs_arena *arena, srs_coupling *coupling, srs_error *error)
{
  *coupling = (srs_coupling){.name = srs_arena_copy(arena, from->def.name),
                             .leader_q = -1,
                             .leader_v = -1,
                             .motion = srs_motion_copy(arena, &from->def.motion),
                             .file = srs_arena_copy_or_null(arena, from->place.file),
                             .line = from->place.line,
                             .column = from->place.column};
  const srs_coupling_def *def = &from->def;
  char title[480];
  srs_print(title, sizeof title, "coupling '%.140s' of '%.140s' to '%.140s'", def->name, def->follower,
            def->leader != NULL ? def->leader : "a motion");
  srs_status status = find_coordinate(builder, m, title, from->place, def->follower, &coupling->follower_q,
                                      &coupling->follower_v, error);
  if (status == SRS_OK) coupling->is_angle = srs_model_q_unit(m, coupling->follower_q)[0] == 'r';
  if (status != SRS_OK || def->leader == NULL) return status;
  memcpy(coupling->coefficients, def->coefficients, sizeof coupling->coefficients);
  return find_coordinate(builder, m, title, from->place, def->leader, &coupling->leader_q, &coupling->leader_v, error);
}

// The coupling whose follower is the leader of the i-th; -1: none.
static int leading(const srs_coupling *couplings, const int *by_follower, int i)
{
  const int leader = couplings[i].leader_q;
  return leader >= 0 ? by_follower[leader] : -1;
}

static srs_status report_cycle(const srs_builder *builder, const srs_coupling *couplings, const int *by_follower,
                               int start, srs_error *error)
{
  for (int step = 0; step < builder->n_couplings; step++) start = leading(couplings, by_follower, start);
  char list[320] = "";
  int at = start, used = 0;
  do {
    const srs_coupling_def *def = &builder->couplings[at].def;
    used += srs_print(list + used, sizeof list - (size_t)used, "'%.60s' follows '%.60s', ", def->follower, def->leader);
    at = leading(couplings, by_follower, at);
  } while (at != start && used < 180);
  return srs_fail_at(error, SRS_ERROR_MODEL, builder->couplings[start].place, builder->couplings[start].def.name,
                     "couplings form a cycle: %sand so on; leave one out", list);
}

// Leaders first, else in their given order.  @param depth  scratch, n_couplings
static srs_status order_couplings(const srs_builder *builder, const srs_coupling *couplings, const int *by_follower,
                                  int *depth, srs_coupling *ordered, srs_error *error)
{
  const int n = builder->n_couplings;
  for (int i = 0; i < n; i++) {
    depth[i] = 0;
    for (int at = leading(couplings, by_follower, i); at >= 0 && depth[i] <= n;
         at = leading(couplings, by_follower, at))
      depth[i]++;
    if (depth[i] > n) return report_cycle(builder, couplings, by_follower, i, error);
  }
  int n_done = 0;
  for (int d = 0; n_done < n; d++)
    for (int i = 0; i < n; i++)
      if (depth[i] == d) ordered[n_done++] = couplings[i];
  return SRS_OK;
}

static srs_status compile_couplings(const srs_builder *builder, srs_model *m, srs_arena *arena, srs_arena *scratch,
                                    srs_error *error)
{
  const size_t n = (size_t)builder->n_couplings;
  srs_coupling *ordered = srs_arena_take(arena, n, sizeof *ordered);
  srs_coupling *couplings = srs_arena_take(scratch, n, sizeof *couplings);
  int *by_follower = srs_arena_take(scratch, (size_t)m->nq, sizeof *by_follower);
  int *depth = srs_arena_take(scratch, n, sizeof *depth);
  if (arena->failed || scratch->failed) return no_memory(error);
  for (int i = 0; i < m->nq; i++) by_follower[i] = -1;
  for (int i = 0; i < builder->n_couplings; i++) {
    const srs_builder_coupling *from = &builder->couplings[i];
    const srs_status status = compile_coupling(builder, m, from, arena, &couplings[i], error);
    if (status != SRS_OK) return status;
    int *taken = &by_follower[couplings[i].follower_q];
    if (*taken >= 0)
      return srs_fail_at(error, SRS_ERROR_MODEL, from->place, from->def.name,
                         "couplings '%s' and '%s' both say what '%s' follows; leave one out",
                         builder->couplings[*taken].def.name, from->def.name, from->def.follower);
    *taken = i;
  }
  const srs_status status = order_couplings(builder, couplings, by_follower, depth, ordered, error);
  m->n_couplings = builder->n_couplings;
  m->n_loop_rows += builder->n_couplings;
  m->couplings = ordered;
  return status == SRS_OK && arena->failed ? no_memory(error) : status;
}

srs_status srs_compile_loops(const srs_builder *builder, srs_model *model, srs_arena *arena, srs_error *error)
{
  srs_arena scratch = {0};
  srs_status status = compile_closures(builder, model, arena, error);
  if (status == SRS_OK) status = compile_couplings(builder, model, arena, &scratch, error);
  srs_arena_release(&scratch);
  return status;
}
