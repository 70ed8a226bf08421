// The nearest or deepest points of two convex solids as Bullet sees them: GJK, and EPA where they overlap.
//
// GJK measures between the cores: with its margin ignored a sphere is a point and a capsule a segment. From the
// distance of the cores the radii are taken off. Where the cores overlap, EPA answers for the solids themselves, and
// its distance is negative; the points are then on the surfaces already.
//
// A normal n tells the solids apart by s(n) = min over A of n . a - max over B of n . b, the gap itself if the answer
// is right. Within 1e-7 m of touching Bullet's normal may be anything. Where s(n) is not the gap, B is moved apart
// along the line of centres and Bullet is asked for the normal there, then from what it says, and the best s(n)
// is taken.
//
// The question is asked in A's frame, so that the world's origin may be far away.
#include "collision/bullet/bullet_pair.h"
#include "collision/bullet/bullet_shape.h"
#include "collision/bullet/bulletc.h"
#include "collision/shapes/support.h"

#include <stdlib.h>

static const double LOOSE = 1e-5; // of the sizes: how far s(n) may be from the gap
static const double APART = 0.02; // of the sizes: by how much B is moved apart
enum { ROUNDS = 4 };

struct srs_bullet_pair {
  void *sphere, *simplex_solver, *depth_solver, *detector, *question, *answer;
};

srs_bullet_pair *srs_bullet_pair_create(void)
{
  srs_bullet_pair *pair = calloc(1, sizeof *pair);
  if (pair == NULL) return NULL;
  static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  pair->sphere = btSphereShape_new(1); // the detector wants shapes to begin with
  pair->simplex_solver = btVoronoiSimplexSolver_new();
  pair->depth_solver = btGjkEpaPenetrationDepthSolver_new();
  pair->question = btDiscreteCollisionDetectorInterface_ClosestPointInput_new();
  pair->answer = btPointCollector_new();
  if (pair->sphere && pair->simplex_solver && pair->depth_solver)
    pair->detector = btGjkPairDetector_new(pair->sphere, pair->sphere, pair->simplex_solver, pair->depth_solver);
  if (!pair->question || !pair->answer || !pair->detector) {
    srs_bullet_pair_destroy(pair);
    return NULL;
  }
  btGjkPairDetector_setIgnoreMargin(pair->detector, true); // it keeps those of the shapes that it was made with
  btDiscreteCollisionDetectorInterface_ClosestPointInput_setTransformA(pair->question, identity);
  return pair;
}

void srs_bullet_pair_destroy(srs_bullet_pair *pair)
{
  if (pair == NULL) return;
  if (pair->answer) btDiscreteCollisionDetectorInterface_Result_delete(pair->answer);
  if (pair->question) btDiscreteCollisionDetectorInterface_ClosestPointInput_delete(pair->question);
  if (pair->detector) btDiscreteCollisionDetectorInterface_delete(pair->detector);
  if (pair->depth_solver) btConvexPenetrationDepthSolver_delete(pair->depth_solver);
  if (pair->simplex_solver) btVoronoiSimplexSolver_delete(pair->simplex_solver);
  if (pair->sphere) btCollisionShape_delete(pair->sphere);
  free(pair);
}

static double margin_of(const srs_solid *solid)
{
  return solid->kind == SRS_SHAPE_SPHERE || solid->kind == SRS_SHAPE_CAPSULE ? solid->size[0] : 0;
}

// Asks for what is nearer than `far`, in units; whether there is an answer.
static bool ask(srs_bullet_pair *pair, const srs_placed *a, const srs_placed *b, double unit, double far)
{
  const mat3 to_a = transpose3(a->axes), r = mul3(to_a, b->axes);
  const vec3 o = scale3(1 / unit, rotate(to_a, sub3(b->origin, a->origin)));
  const double placement[16] = {r.x.x, r.x.y, r.x.z, 0, r.y.x, r.y.y, r.y.z, 0,
                                r.z.x, r.z.y, r.z.z, 0, o.x,   o.y,   o.z,   1};
  btGjkPairDetector_setMinkowskiA(pair->detector, srs_bullet_shape(a->solid->bullet));
  btGjkPairDetector_setMinkowskiB(pair->detector, srs_bullet_shape(b->solid->bullet));
  btDiscreteCollisionDetectorInterface_ClosestPointInput_setTransformB(pair->question, placement);
  btDiscreteCollisionDetectorInterface_ClosestPointInput_setMaximumDistanceSquared(pair->question, far * far);
  btPointCollector_setDistance(pair->answer, INFINITY);
  btPointCollector_setHasResult(pair->answer, false);
  btDiscreteCollisionDetectorInterface_getClosestPoints(pair->detector, pair->question, pair->answer, NULL, false);
  return btPointCollector_getHasResult(pair->answer);
}

// What Bullet says.
static bool get_answer(srs_bullet_pair *pair, const srs_placed *a, const srs_placed *b, double max_gap,
                       srs_touch *nearest)
{
  const double margin_b = margin_of(b->solid), margins = margin_of(a->solid) + margin_b;
  const double unit = srs_bullet_unit(a->solid->bullet);
  if (!ask(pair, a, b, unit, (max_gap + margins) / unit)) return false;
  double normal[3], on_b[3];
  const double distance = unit * btPointCollector_getDistance(pair->answer);
  btPointCollector_getNormalOnBInWorld(pair->answer, normal);
  btPointCollector_getPointInWorld(pair->answer, on_b);
  const vec3 n = vec3_load(normal);
  const bool is_of_cores = distance >= 0;
  const double gap = is_of_cores ? distance - margins : distance;
  if (!(gap <= max_gap) || !(fabs(dot3(n, n) - 1) < 1e-6)) return false;
  nearest->normal = rotate(a->axes, scale3(1 / norm3(n), n));
  nearest->gap = gap;
  nearest->b =
      add3(a->origin, rotate(a->axes, add_scaled3(scale3(unit, vec3_load(on_b)), is_of_cores ? margin_b : 0, n)));
  nearest->a = add_scaled3(nearest->b, gap, nearest->normal);
  nearest->feature = 0;
  return true;
}

static vec3 line_of_centres(const srs_placed *a, const srs_placed *b)
{
  const vec3 line = sub3(srs_to_world(a, a->solid->centre), srs_to_world(b, b->solid->centre));
  const double length = norm3(line);
  return length > 0 ? scale3(1 / length, line) : (vec3){0, 0, 1};
}

// Asks again for a normal that does not tell the solids apart.
static void ask_apart(srs_bullet_pair *pair, const srs_placed *a, const srs_placed *b, double scale, srs_touch *nearest)
{
  vec3 way = line_of_centres(a, b);
  nearest->gap = srs_separation(a, b, nearest->normal);
  for (int round = 0; round < ROUNDS; round++) {
    const double shift = larger(0, APART * scale - srs_separation(a, b, way));
    srs_placed moved = *b;
    srs_touch answer;
    moved.origin = add_scaled3(b->origin, -shift, way);
    if (!get_answer(pair, a, &moved, shift + scale, &answer)) return;
    const double gap = srs_separation(a, b, answer.normal);
    const vec3 on_b = add_scaled3(answer.b, shift, way);
    way = answer.normal;
    if (gap > nearest->gap) *nearest = (srs_touch){add_scaled3(on_b, gap, way), on_b, way, gap, 0};
  }
}

bool srs_bullet_closest(srs_bullet_pair *pair, const srs_placed *a, const srs_placed *b, double max_gap,
                        srs_touch *nearest)
{
  if (!get_answer(pair, a, b, max_gap, nearest)) return false;
  const double scale = a->solid->radius + b->solid->radius;
  if (fabs(srs_separation(a, b, nearest->normal) - nearest->gap) <= LOOSE * scale) return true;
  ask_apart(pair, a, b, scale, nearest);
  return nearest->gap <= max_gap;
}
