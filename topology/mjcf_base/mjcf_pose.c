// Placements of MJCF elements.
//
//   quat       w x y z, of any length
//   axisangle  x y z and the angle
//   xyaxes     the x axis, and the y axis, made orthogonal to it
//   zaxis      the shortest turn that takes z there
//   euler      three turns about the axes of eulerseq; small letters turn with the frame, capitals stay fixed
//   fromto     a segment: its middle, z along from - to, half its length

#include "topology/mjcf_base/mjcf_pose.h"

#include <math.h>
#include <string.h>

srs_pose srs_mjcf_compose(const srs_pose *a, const srs_pose *b)
{
  const mat3 turn = mat3_from_rows(a->rotation);
  srs_pose c;
  vec3_store(c.position, add3(vec3_load(a->position), rotate(turn, vec3_load(b->position))));
  mat3_to_rows(c.rotation, mul3(turn, mat3_from_rows(b->rotation)));
  return c;
}

static mat3 about_axis(vec3 axis, double angle)
{
  const double half = 0.5 * angle, s = sin(half);
  const double quaternion[4] = {cos(half), s * axis.x, s * axis.y, s * axis.z};
  return mat3_from_quaternion(quaternion);
}

static srs_status too_short(srs_mjcf *mjcf, const srs_mjcf_item *item, const char *name)
{
  return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, item->node, srs_xml_peek(item->node, "name"),
                       "<%.40s %s=\"%.60s\">: a direction is zero", item->node->name, name, srs_mjcf_text(item, name));
}

// The shortest turn that takes z to the direction; half a turn about x where that is -z.
static mat3 turn_z_to(vec3 direction)
{
  const vec3 z = scale3(1 / norm3(direction), direction);
  const vec3 axis = {-z.y, z.x, 0};
  const double s = norm3(axis);
  if (s < 1e-10) return z.z > 0 ? mat3_identity : about_axis((vec3){1, 0, 0}, 3.14159265358979323846);
  return about_axis(scale3(1 / s, axis), atan2(s, z.z));
}

static srs_status read_quaternion(srs_mjcf *mjcf, const srs_mjcf_item *item, mat3 *turn)
{
  double q[4] = {1, 0, 0, 0}, rows[9];
  const srs_status status = srs_mjcf_numbers(mjcf, item, "quat", 4, 4, q, NULL);
  if (status != SRS_OK) return status;
  if (sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) < 1e-9) return too_short(mjcf, item, "quat");
  srs_rotation_from_quaternion(q, rows);
  *turn = mat3_from_rows(rows);
  return SRS_OK;
}

static srs_status read_axis_angle(srs_mjcf *mjcf, const srs_mjcf_item *item, mat3 *turn)
{
  double a[4] = {0, 0, 1, 0};
  const srs_status status = srs_mjcf_numbers(mjcf, item, "axisangle", 4, 4, a, NULL);
  if (status != SRS_OK) return status;
  const double length = norm3(vec3_load(a));
  if (length < 1e-9) return too_short(mjcf, item, "axisangle");
  *turn = about_axis(scale3(1 / length, vec3_load(a)), srs_mjcf_angle(mjcf, a[3]));
  return SRS_OK;
}

static srs_status read_two_axes(srs_mjcf *mjcf, const srs_mjcf_item *item, mat3 *turn)
{
  double a[6] = {1, 0, 0, 0, 1, 0};
  const srs_status status = srs_mjcf_numbers(mjcf, item, "xyaxes", 6, 6, a, NULL);
  if (status != SRS_OK) return status;
  vec3 x = vec3_load(a), y = vec3_load(a + 3);
  if (norm3(x) < 1e-9) return too_short(mjcf, item, "xyaxes");
  x = scale3(1 / norm3(x), x);
  y = add_scaled3(y, -dot3(x, y), x);
  if (norm3(y) < 1e-9) return too_short(mjcf, item, "xyaxes");
  y = scale3(1 / norm3(y), y);
  *turn = (mat3){x, y, cross3(x, y)};
  return SRS_OK;
}

static srs_status read_z_axis(srs_mjcf *mjcf, const srs_mjcf_item *item, mat3 *turn)
{
  double z[3] = {0, 0, 1};
  const srs_status status = srs_mjcf_numbers(mjcf, item, "zaxis", 3, 3, z, NULL);
  if (status != SRS_OK) return status;
  if (norm3(vec3_load(z)) < 1e-9) return too_short(mjcf, item, "zaxis");
  *turn = turn_z_to(vec3_load(z));
  return SRS_OK;
}

static srs_status read_euler(srs_mjcf *mjcf, const srs_mjcf_item *item, mat3 *turn)
{
  double angles[3] = {0, 0, 0};
  const srs_status status = srs_mjcf_numbers(mjcf, item, "euler", 3, 3, angles, NULL);
  *turn = mat3_identity;
  for (int i = 0; i < 3 && status == SRS_OK; i++) {
    const char letter = mjcf->compiler.euler_sequence[i];
    const int axis = (letter | 0x20) - 'x';
    const mat3 step = about_axis((vec3){axis == 0, axis == 1, axis == 2}, srs_mjcf_angle(mjcf, angles[i]));
    *turn = letter >= 'x' ? mul3(*turn, step) : mul3(step, *turn);
  }
  return status;
}

typedef struct way {
  const char *name;
  srs_status (*read)(srs_mjcf *mjcf, const srs_mjcf_item *item, mat3 *turn);
} way;

static const way ways[] = {{"quat", read_quaternion},
                           {"axisangle", read_axis_angle},
                           {"xyaxes", read_two_axes},
                           {"zaxis", read_z_axis},
                           {"euler", read_euler}};

enum { WAYS = sizeof ways / sizeof ways[0] };

// The way of the element itself; where it has none, that of its classes.
static srs_status find_way(srs_mjcf *mjcf, const srs_mjcf_item *item, const way **found)
{
  *found = NULL;
  for (int i = 0; i < WAYS; i++) {
    if (srs_xml_peek(item->node, ways[i].name) == NULL) continue;
    if (*found != NULL)
      return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, item->node, srs_xml_peek(item->node, "name"),
                           "<%.40s> says its rotation twice, by %s and by %s; leave one out", item->node->name,
                           (*found)->name, ways[i].name);
    *found = &ways[i];
  }
  for (int i = WAYS - 1; i >= 0 && *found == NULL; i--)
    if (srs_mjcf_text(item, ways[i].name) != NULL) *found = &ways[i];
  return SRS_OK;
}

srs_status srs_mjcf_rotation(srs_mjcf *mjcf, const srs_mjcf_item *item, double rotation[9])
{
  mat3 turn = mat3_identity;
  const way *chosen;
  srs_status status = find_way(mjcf, item, &chosen);
  if (status == SRS_OK && chosen != NULL) status = chosen->read(mjcf, item, &turn);
  if (status == SRS_OK) mat3_to_rows(rotation, turn);
  return status;
}

srs_status srs_mjcf_pose(srs_mjcf *mjcf, const srs_mjcf_item *item, srs_pose *pose)
{
  *pose = srs_identity_pose();
  const srs_status status = srs_mjcf_numbers(mjcf, item, "pos", 3, 3, pose->position, NULL);
  return status == SRS_OK ? srs_mjcf_rotation(mjcf, item, pose->rotation) : status;
}

srs_status srs_mjcf_pose_of_segment(srs_mjcf *mjcf, const srs_mjcf_item *item, srs_pose *pose, double *half)
{
  *half = -1;
  if (srs_mjcf_text(item, "fromto") == NULL) return srs_mjcf_pose(mjcf, item, pose);
  double ends[6];
  const srs_status status = srs_mjcf_numbers(mjcf, item, "fromto", 6, 6, ends, NULL);
  if (status != SRS_OK) return status;
  const vec3 from = vec3_load(ends), to = vec3_load(ends + 3), along = sub3(from, to);
  if (norm3(along) < 1e-9) return too_short(mjcf, item, "fromto");
  vec3_store(pose->position, scale3(0.5, add3(from, to)));
  mat3_to_rows(pose->rotation, turn_z_to(along));
  *half = 0.5 * norm3(along);
  return SRS_OK;
}
