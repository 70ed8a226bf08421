// How do frames come onto a page? All have the same window and scale, so that they can be compared: the bounds of what
// is seen at any of the times and a margin, or the window that was asked for. Each is painted from the back to the
// front: planes, terrain, traces, solids in painter's order, dots.
//
// Links have colours of their own where they are six or fewer; else those of one depth in the tree, on the same kind of
// joint, share one: links at corresponding places look alike. In long chains two colours alternate.
#include "tools/pictures/show.h"
#include "tools/pictures/ground.h"
#include "tools/pictures/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const canvas_colour ink = 0x30343a, pale = 0xe3e6ea, world_colour = 0xb4bbc4, rod_colour = 0x7a828c,
                           loop_colour = 0xd55e00, trace_colour = 0xd55e00;
static const double gap = 8, title_height = 26, foot_height = 16, caption_height = 15, arrow = 18; // pixels

enum { CROWD = 64, OWN_COLOURS = 6, MARKED_COLOUR = 5, LEVELS = 7 };

typedef struct page {
  const stage *s;
  const show_options *options;
  canvas *c;
  ground_window window; // of the frame being drawn
  double low[3], high[3];
  int *colours; // n_links: of the palette
} page;

show_options show_default_options(void) { return (show_options){.width = 240}; }

// ---------------------------------------------------------------------------------------------------------------------
// Colours
// ---------------------------------------------------------------------------------------------------------------------

static int depth_of(const srs_model *model, int link)
{
  int depth = 0;
  for (; link >= 0; link = srs_model_link(model, link)->parent) depth++;
  return depth;
}

static bool is_alike(const srs_model *model, int a, int b)
{
  return srs_model_joint(model, a)->kind == srs_model_joint(model, b)->kind && depth_of(model, a) == depth_of(model, b);
}

static void choose_colours(const srs_model *model, int marked, int *colours)
{
  const int n = srs_model_n_links(model);
  int next = 0;
  for (int k = 0; k < n; k++) {
    colours[k] = -1;
    for (int j = 0; j < k && n > OWN_COLOURS && colours[k] < 0; j++)
      if (j != marked && is_alike(model, j, k)) colours[k] = colours[j];
    if (k == marked)
      colours[k] = MARKED_COLOUR;
    else if (colours[k] < 0)
      colours[k] = next++;
    if (next == MARKED_COLOUR && marked >= 0) next++;
  }
  for (int k = 0; k < n && next > LEVELS; k++)
    if (k != marked) colours[k] = depth_of(model, k) % 2;
}

static canvas_colour colour_of(const page *p, int owner)
{
  return owner == STAGE_WORLD ? world_colour : owner == STAGE_CLOSURE ? rod_colour : canvas_palette(p->colours[owner]);
}

// ---------------------------------------------------------------------------------------------------------------------
// One frame
// ---------------------------------------------------------------------------------------------------------------------

static bool draw_path(page *p, const sketch *s, const sketch_path *path, canvas_colour colour)
{
  const canvas_colour edge = canvas_shade(colour, 0.55);
  const canvas_paint face = {.fill = canvas_shade(colour, path->shade), .stroke = edge, .width = 0.7};
  double *xy = malloc(2 * (size_t)(path->n > 0 ? path->n : 1) * sizeof *xy);
  if (xy == NULL) return false;
  for (int i = 0; i < path->n; i++)
    ground_to_pixels(&p->window, &s->points[3 * (size_t)(path->first + i)], &xy[(size_t)i * 2]);
  switch (path->kind) {
  case SKETCH_FACE: canvas_polygon(p->c, xy, path->n, face); break;
  case SKETCH_OUTLINE:
    canvas_polygon(p->c, xy, path->n, (canvas_paint){.fill = CANVAS_NONE, .stroke = edge, .width = 1});
    break;
  case SKETCH_MARK:
    canvas_polyline(p->c, xy, path->n, (canvas_paint){.stroke = canvas_shade(colour, 0.8), .width = 0.6});
    break;
  case SKETCH_DISC: canvas_circle(p->c, xy[0], xy[1], path->radius * p->window.scale, face); break;
  case SKETCH_STICK: canvas_polyline(p->c, xy, path->n, (canvas_paint){.stroke = colour, .width = 3.5}); break;
  case SKETCH_ROD: canvas_polyline(p->c, xy, path->n, (canvas_paint){.stroke = colour, .width = 2}); break;
  }
  free(xy);
  return true;
}

typedef enum part { PART_ALL, PART_WORLD, PART_LINKS } part;

static bool draw_solids(page *p, const stage_frame *frame, part which)
{
  const sketch *s = &frame->solids;
  int *order = malloc((size_t)(s->n_solids > 0 ? s->n_solids : 1) * sizeof *order);
  bool is_good = order != NULL && order_solids(s, order);
  const double smallest_marked = s->n_solids > CROWD ? 25 : 9; // pixels
  for (int i = 0; is_good && i < s->n_solids; i++) {
    const sketch_solid *solid = &s->solids[order[i]];
    if (which != PART_ALL && (which == PART_WORLD) != (solid->owner == STAGE_WORLD)) continue;
    const double width = p->window.scale * fmin(solid->high[0] - solid->low[0], solid->high[1] - solid->low[1]);
    for (int k = 0; is_good && k < solid->n_paths; k++) {
      const sketch_path *path = &s->paths[solid->first_path + k];
      if (path->kind == SKETCH_MARK && width < smallest_marked) continue; // would be a blot
      is_good = draw_path(p, s, path, colour_of(p, solid->owner));
    }
  }
  free(order);
  return is_good;
}

static void draw_dots(page *p, const stage_frame *frame)
{
  for (int i = 0; i < frame->n_dots; i++) {
    double xy[2];
    ground_to_pixels(&p->window, frame->dots[i].at, xy);
    if (frame->dots[i].kind == STAGE_PIVOT) {
      const double foot[6] = {xy[0], xy[1], xy[0] - 5, xy[1] + 8, xy[0] + 5, xy[1] + 8};
      canvas_polygon(p->c, foot, 3, (canvas_paint){.fill = world_colour, .stroke = ink, .width = 0.7});
    }
    const bool is_loop = frame->dots[i].kind == STAGE_LOOP;
    const canvas_paint paint = {.fill = 0xffffff, .stroke = is_loop ? loop_colour : ink, .width = is_loop ? 1.6 : 1.1};
    canvas_circle(p->c, xy[0], xy[1], is_loop ? 2.8 : 2.3, paint);
  }
}

// Arrows of one length, away from the point.
static void draw_contacts(page *p, const stage_frame *frame)
{
  const canvas_paint line = {.stroke = loop_colour, .width = 1.4}, dot = {.fill = loop_colour, .stroke = CANVAS_NONE};
  for (int i = 0; i < frame->n_contacts; i++) {
    const double *d = frame->contacts[i].direction;
    double xy[2];
    ground_to_pixels(&p->window, frame->contacts[i].at, xy);
    const double tip[2] = {xy[0] + arrow * d[0], xy[1] - arrow * d[1]}, length = hypot(d[0], d[1]);
    canvas_line(p->c, xy[0], xy[1], tip[0], tip[1], line);
    if (length > 0.3) { // else it points at the viewer
      const double back[2] = {-d[0] / length, d[1] / length};
      const double head[6] = {
          tip[0] + 5 * back[0] - 2.5 * back[1], tip[1] + 5 * back[1] + 2.5 * back[0], tip[0], tip[1],
          tip[0] + 5 * back[0] + 2.5 * back[1], tip[1] + 5 * back[1] - 2.5 * back[0]};
      canvas_polyline(p->c, head, 3, line);
    }
    canvas_circle(p->c, xy[0], xy[1], 2, dot);
  }
}

static bool draw_traces(page *p, const stage_frame *frame)
{
  const stage *s = p->s;
  double *xy = malloc(2 * (size_t)(frame->trace_length + 1) * sizeof *xy);
  if (xy == NULL) return false;
  for (int t = 0; t < s->n_traces; t++) {
    for (int i = 0; i < frame->trace_length; i++)
      ground_to_pixels(&p->window, &s->traces[3 * ((size_t)t * (size_t)s->trace_capacity + (size_t)i)],
                       &xy[2 * (size_t)i]);
    canvas_polyline(p->c, xy, frame->trace_length, (canvas_paint){.stroke = trace_colour, .width = 1.2});
  }
  free(xy);
  return true;
}

static bool draw_ground(page *p, const stage_frame *frame)
{
  ground_draw_planes(p->c, &p->window, frame->planes, frame->n_planes, p->low, p->high);
  bool is_good = true;
  for (int i = 0; is_good && i < frame->n_terrains; i++)
    is_good = ground_draw_terrain(p->c, &p->window, srs_model_shape(p->s->model, frame->terrains[i].shape),
                                  &frame->terrains[i].pose);
  return is_good;
}

// ---------------------------------------------------------------------------------------------------------------------
// The page
// ---------------------------------------------------------------------------------------------------------------------

static bool choose_window(page *p)
{
  const show_options *options = p->options;
  ground_window *w = &p->window;
  if (!stage_bounds(p->s, p->low, p->high)) {
    for (int i = 0; i < 3; i++) {
      p->low[i] = -1;
      p->high[i] = 1;
    }
  }
  const double across = p->high[0] - p->low[0], up = p->high[1] - p->low[1];
  const double margin = 0.07 * fmax(fmax(across, up), 1e-9);
  w->left = options->has_window ? options->window[0] : p->low[0] - margin;
  w->bottom = options->has_window ? options->window[1] : p->low[1] - margin;
  w->right = options->has_window ? options->window[2] : p->high[0] + margin;
  w->top = options->has_window ? options->window[3] : p->high[1] + margin;
  w->width = options->width;
  const double shape = (w->top - w->bottom) / (w->right - w->left);
  w->height = options->height > 0 ? options->height : nearbyint(w->width * fmax(0.25, fmin(1.6, shape)));
  // The window grows where the frame has another shape.
  w->scale = fmin(w->width / (w->right - w->left), w->height / (w->top - w->bottom));
  const double wide = w->width / w->scale - (w->right - w->left), high = w->height / w->scale - (w->top - w->bottom);
  w->left -= wide / 2;
  w->right += wide / 2;
  w->bottom -= high / 2;
  w->top += high / 2;
  return w->scale > 0 && isfinite(w->scale);
}

// Under the last frame.
static void draw_scale(page *p)
{
  const ground_window *w = &p->window;
  const double length = ground_round(w->width / w->scale / 4), end = w->x + w->width, y = w->y + w->height + 14;
  char text[48];
  snprintf(text, sizeof text, "%g m", length);
  canvas_line(p->c, end - length * w->scale, y, end, y, (canvas_paint){.stroke = ink, .width = 1.5});
  canvas_text(p->c, end - length * w->scale - 6, y + 4, 11, CANVAS_END, 0, ink, text);
}

static void draw_caption(page *p, int first, int n)
{
  char text[256] = "t = ";
  for (int i = 0; i < n; i++) {
    const size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "%s%.4g", i > 0 ? ", " : "", p->s->frames[first + i].time);
  }
  const size_t length = strlen(text);
  snprintf(text + length, sizeof text - length, " s");
  canvas_text(p->c, p->window.x + 1, p->window.y - 5, 11, CANVAS_START, 0, ink, text);
}

// Frames first … first + n - 1 in one place: what does not move once, then the times, earlier ones paler.
static bool draw_place(page *p, int first, int n)
{
  const ground_window *w = &p->window;
  bool is_good = true;
  for (int i = 0; is_good && i < n; i++) {
    const stage_frame *frame = &p->s->frames[first + i];
    const double opacity = n > 1 ? 0.25 + 0.75 * i / (n - 1) : 1;
    if (i == 0) {
      canvas_begin(p->c, w->x, w->y, w->width, w->height, 1);
      is_good = draw_ground(p, frame) && (n == 1 || draw_solids(p, frame, PART_WORLD));
      canvas_end(p->c);
    }
    canvas_begin(p->c, w->x, w->y, w->width, w->height, opacity);
    is_good = is_good && (i < n - 1 || draw_traces(p, frame)) && draw_solids(p, frame, n == 1 ? PART_ALL : PART_LINKS);
    draw_dots(p, frame);
    draw_contacts(p, frame);
    canvas_end(p->c);
  }
  const double corners[8] = {
      w->x, w->y, w->x + w->width, w->y, w->x + w->width, w->y + w->height, w->x, w->y + w->height};
  canvas_polygon(p->c, corners, 4, (canvas_paint){.fill = CANVAS_NONE, .stroke = pale, .width = 1});
  draw_caption(p, first, n);
  return is_good;
}

static srs_status draw_page(page *p, srs_error *error)
{
  const show_options *options = p->options;
  const int n_places = options->overlay ? 1 : p->s->n_frames;
  const int wanted = options->columns > 0 ? options->columns : 4, columns = wanted < n_places ? wanted : n_places;
  const int rows = (n_places + columns - 1) / columns;
  if (!choose_window(p)) return picture_fail(error, SRS_ERROR_ARGUMENT, "the window has no size");
  const double head = options->title != NULL ? title_height : 0;
  p->c = canvas_create(columns * (p->window.width + gap) + gap,
                       rows * (p->window.height + gap + caption_height) + head + foot_height,
                       options->title != NULL ? options->title : "A scene in the course of time");
  if (p->c == NULL) return picture_fail(error, SRS_ERROR_MEMORY, "no memory left for the picture");
  if (options->title != NULL) canvas_text(p->c, gap, 21, 14, CANVAS_START, 0, ink, options->title);
  bool is_good = true;
  for (int i = 0; is_good && i < n_places; i++) {
    const int row = i / columns;
    p->window.x = gap + (i % columns) * (p->window.width + gap);
    p->window.y = head + caption_height + row * (p->window.height + gap + caption_height);
    is_good = draw_place(p, i, options->overlay ? p->s->n_frames : 1);
  }
  draw_scale(p);
  return is_good ? SRS_OK : picture_fail(error, SRS_ERROR_MEMORY, "no memory left for the picture");
}

srs_status show_draw(const stage *s, const show_options *options, canvas **c, srs_error *error)
{
  *c = NULL;
  page p = {.s = s, .options = options};
  int marked = -1;
  if (options->marked != NULL) {
    marked = srs_model_find_link(s->model, options->marked);
    if (marked < 0) return picture_fail(error, SRS_ERROR_NAME, "no link '%s' to mark", options->marked);
  }
  p.colours = malloc(((size_t)srs_model_n_links(s->model) + 1) * sizeof *p.colours);
  if (p.colours == NULL) return picture_fail(error, SRS_ERROR_MEMORY, "no memory left for the picture");
  choose_colours(s->model, marked, p.colours);
  const srs_status status = draw_page(&p, error);
  free(p.colours);
  if (status == SRS_OK)
    *c = p.c;
  else
    canvas_destroy(p.c);
  return status;
}
