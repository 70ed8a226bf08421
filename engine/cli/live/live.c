// A state goes to the page as JSON: time; of each body position, and quaternion x y z w times 32767; of each contact
// the bodies, point and force. A push comes as seven numbers: body, a point of it (m) and a force there (N), world
// axes. It holds until the next one, for half a second at most.
#include "engine/cli/live/live.h"

#include "engine/cli/live/server.h"
#include "engine/cli/shared/json.h"
#include "engine/cli/shared/messages.h"
#include "engine/cli/shared/step_times.h"
#include "engine/cli/view/film.h"
#include "engine/cli/view/page.h"
#include "engine/cli/view/write_page.h"
#include "topology/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const long long frame_time = 33000000, push_time = 500000000; // ns
static const double most_force = 1e6;                                // N

struct srs_live {
  srs_sim *sim;
  srs_server *server;
  char *page;
  int *frames; // of each link
  int pushed;  // link, -1: none
  long long start, sent, pushed_at;
  double first_time;
};

// ---------------------------------------------------------------------------------------------------------------------
// The page, of the first state
// ---------------------------------------------------------------------------------------------------------------------

// A recording of one row: time, q and v.
static bool record(const srs_sim *sim, srs_recording *r)
{
  const srs_model *model = srs_sim_model(sim);
  const int nq = srs_model_nq(model), nv = srs_model_nv(model), n = 1 + nq + nv;
  *r = (srs_recording){.path = "the run", .name = "the run"};
  r->table = (table){.n_columns = n, .n_rows = 1};
  r->table.names = calloc((size_t)n, sizeof *r->table.names);
  r->table.values = calloc((size_t)n, sizeof *r->table.values);
  r->units = calloc((size_t)n, sizeof *r->units);
  bool is_good = r->table.names != NULL && r->table.values != NULL && r->units != NULL;
  for (int i = 0; i < n && is_good; i++) {
    const char *head = i == 0 ? "time" : i <= nq ? "q:" : "v:";
    const char *name = i == 0 ? "" : i <= nq ? srs_model_q_name(model, i - 1) : srs_model_v_name(model, i - 1 - nq);
    r->table.names[i] = malloc(strlen(name) + 8);
    is_good = r->table.names[i] != NULL;
    if (is_good) sprintf(r->table.names[i], "%s%s", head, name);
    r->table.values[i] = i == 0 ? srs_sim_time(sim) : i <= nq ? srs_sim_q(sim)[i - 1] : srs_sim_v(sim)[i - 1 - nq];
  }
  return is_good;
}

static void free_record(srs_recording *r)
{
  for (int i = 0; r->table.names != NULL && i < r->table.n_columns; i++) free(r->table.names[i]);
  free(r->table.names);
  free(r->table.values);
  free(r->units);
}

static srs_status make_page(const srs_sim *sim, char **text, size_t *length, srs_error *error)
{
  srs_recording recording;
  srs_film film = {0};
  srs_error missing;
  int n_missing = 0;
  srs_status status = record(sim, &recording) ? SRS_OK : srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory");
  if (status == SRS_OK) status = srs_film_make(srs_sim_model(sim), &recording, 1, &film, error);
  srs_page page = {.film = &film, .title = "live", .is_live = true};
  memcpy(page.gravity, srs_sim_get_options(sim)->gravity, sizeof page.gravity);
  if (status == SRS_OK) status = srs_page_make(&page, text, length, &n_missing, &missing, error);
  srs_film_free(&film);
  free_record(&recording);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Pushes
// ---------------------------------------------------------------------------------------------------------------------

static void let_go(srs_live *live)
{
  const double none[6] = {0};
  if (live->pushed >= 0) (void)srs_sim_set_wrench(live->sim, live->frames[live->pushed], SRS_AXES_WORLD, none, NULL);
  live->pushed = -1;
}

// Seven numbers with blanks between, and nothing else.
static bool take_push(void *context, const char *text)
{
  srs_live *live = context;
  double numbers[7];
  for (int i = 0; i < 7; i++) {
    text += strspn(text, " ");
    const size_t length = strcspn(text, " ");
    if (!srs_parse_number(text, length, &numbers[i]) || !isfinite(numbers[i])) return false;
    text += length;
  }
  const double *point = numbers + 1, *force = numbers + 4;
  if (*text != '\0' || numbers[0] != floor(numbers[0])) return false;
  if (numbers[0] < 0 || numbers[0] >= srs_model_n_links(srs_sim_model(live->sim))) return false;
  if (sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]) > most_force) return false;
  const int body = (int)numbers[0];
  srs_pose pose;
  if (srs_frame_placement(srs_sim_workspace(live->sim), live->frames[body], &pose) != SRS_OK) return false;
  const double arm[3] = {point[0] - pose.position[0], point[1] - pose.position[1], point[2] - pose.position[2]};
  for (int i = 0; i < 3; i++)
    if (fabs(arm[i]) > most_force) return false;
  const double wrench[6] = {arm[1] * force[2] - arm[2] * force[1],
                            arm[2] * force[0] - arm[0] * force[2],
                            arm[0] * force[1] - arm[1] * force[0],
                            force[0],
                            force[1],
                            force[2]};
  if (live->pushed != body) let_go(live);
  live->pushed_at = srs_clock();
  live->pushed = body;
  return srs_sim_set_wrench(live->sim, live->frames[body], SRS_AXES_WORLD, wrench, NULL) == SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// States
// ---------------------------------------------------------------------------------------------------------------------

static int body_of(const srs_model *model, int shape)
{
  const int frame = srs_model_shape(model, shape)->frame;
  return frame >= 0 ? srs_model_frame(model, frame)->link : -1;
}

static void put_state(FILE *out, const srs_live *live)
{
  const srs_model *model = srs_sim_model(live->sim);
  const srs_workspace *workspace = srs_sim_workspace(live->sim);
  fprintf(out, "{\"time\":%.17g,\"bodies\":[", srs_sim_time(live->sim));
  for (int i = 0; i < srs_model_n_links(model); i++) {
    srs_pose pose;
    double q[4];
    if (srs_frame_placement(workspace, live->frames[i], &pose) != SRS_OK) break;
    srs_quaternion_from_rotation(pose.rotation, q);
    fprintf(out, "%s[%.9g,%.9g,%.9g,%ld,%ld,%ld,%ld]", i > 0 ? "," : "", pose.position[0], pose.position[1],
            pose.position[2], lround(32767 * q[1]), lround(32767 * q[2]), lround(32767 * q[3]), lround(32767 * q[0]));
  }
  int n = 0;
  const srs_sim_contact *contacts = srs_sim_contacts(live->sim, &n);
  fputs("],\"contacts\":[", out);
  for (int i = 0; i < n; i++) {
    const srs_contact_point *p = &contacts[i].contact;
    const int a = body_of(model, p->shape_a), b = body_of(model, p->shape_b);
    const double sign = a < 0 ? -1 : 1; // on what moves
    const double *f = contacts[i].force;
    fprintf(out, "%s[%d,%d,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g]", i > 0 ? "," : "", a < 0 ? b : a, a < 0 ? a : b,
            (p->point_a[0] + p->point_b[0]) / 2, (p->point_a[1] + p->point_b[1]) / 2,
            (p->point_a[2] + p->point_b[2]) / 2, sign * f[0], sign * f[1], sign * f[2]);
  }
  fputs("]}", out);
}

static void send_state(srs_live *live)
{
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (out == NULL) return;
  put_state(out, live);
  if (fclose(out) == 0) srs_server_send(live->server, text, length);
  free(text);
}

bool srs_live_is_watched(srs_live *live)
{
  const bool is_watched = srs_server_listeners(live->server) > 0;
  if (!is_watched) srs_server_serve(live->server, 100);
  live->start = srs_clock();
  live->first_time = srs_sim_time(live->sim);
  return is_watched;
}

void srs_live_show(srs_live *live)
{
  long long now = srs_clock();
  const double ahead = srs_sim_time(live->sim) - live->first_time; // s since the start
  const long long due = live->start + (long long)(1e9 * fmin(ahead, 1e9));
  if (live->pushed >= 0 && now - live->pushed_at > push_time) let_go(live);
  if (now - live->sent >= frame_time) {
    send_state(live);
    live->sent = now;
  }
  if (due < now - 200000000) { // far behind: it does not hurry to catch up
    live->start = now;
    live->first_time = srs_sim_time(live->sim);
  }
  do {
    const long long left = due - now;
    srs_server_serve(live->server, left > 1000000 ? (int)(left / 1000000 < 10 ? left / 1000000 : 10) : 0);
    now = srs_clock();
  } while (now < due);
}

// ---------------------------------------------------------------------------------------------------------------------
// Opening and closing
// ---------------------------------------------------------------------------------------------------------------------

int srs_live_open(int port, srs_sim *sim, srs_live **live)
{
  srs_error error = {0};
  const srs_model *model = srs_sim_model(sim);
  const int n = srs_model_n_links(model);
  size_t length = 0;
  srs_live *l = calloc(1, sizeof *l);
  *live = l;
  if (l == NULL || (l->frames = calloc((size_t)n + 1, sizeof *l->frames)) == NULL) {
    srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory for the live page");
    return srs_report_failure(&error);
  }
  l->sim = sim;
  l->pushed = -1;
  for (int i = 0; i < n; i++) l->frames[i] = srs_model_find_frame(model, srs_model_link(model, i)->name);
  if (!srs_page_is_possible(&error)) return srs_report_failure(&error);
  srs_status status = make_page(sim, &l->page, &length, &error);
  if (status == SRS_OK) status = srs_server_open(port, l->page, length, take_push, l, &l->server, &error);
  if (status != SRS_OK) return srs_report_failure(&error);
  fprintf(stderr, "sarrus: the run is shown at %s and begins when that is opened\n", srs_server_address(l->server));
  return SRS_EXIT_OK;
}

void srs_live_close(srs_live *live)
{
  if (live == NULL) return;
  if (live->server != NULL) {
    send_state(live);
    srs_server_send(live->server, "{\"end\":true}", strlen("{\"end\":true}"));
    srs_server_serve(live->server, 100);
  }
  srs_server_close(live->server);
  free(live->page);
  free(live->frames);
  free(live);
}
