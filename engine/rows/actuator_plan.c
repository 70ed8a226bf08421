// Plans an actuator with limits over a step: its constant impulse, and what remains for rows. Mathematics:
// joint_rows.c.

#include "engine/rows/actuator_plan.h"

#include <math.h>

static double clamped(double x, double most) { return x < -most ? -most : x > most ? most : x; }

actuator_plan srs_plan_actuator(const joint_coordinate *x, double h, double v, double impulse, double change)
{
  const double E = h * x->max_effort, V = x->max_velocity;
  actuator_plan d = {.effort = E, .change = change, .target = change > 0 ? v + impulse / change : 0};
  if (isfinite(V)) {
    const double up = clamped(impulse - change * (V - v), E), down = clamped(impulse + change * (V + v), E);
    if (up > 0)
      d.sign = 1, d.beyond = up;
    else if (down < 0)
      d.sign = -1, d.beyond = -down;
  }
  d.is_linear = d.sign == 0 && (change == 0 || !isfinite(E));
  d.base = d.sign != 0 ? d.sign * d.beyond : change == 0 ? clamped(impulse, E) : 0;
  return d;
}

bool srs_actuator_exceeds(const joint_coordinate *x, double h, double impulse, double v_next)
{
  if (fabs(impulse) > h * x->max_effort * (1 + 1e-12)) return true;
  return impulse != 0 && copysign(1, impulse) * v_next > x->max_velocity * (1 + 1e-12);
}
