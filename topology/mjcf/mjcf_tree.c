// The tree of bodies.
//
// <frame> moves what it holds: a body, geom or site at Y inside a frame at X is at X Y; a joint's position and axis are
// moved alike. <replicate> holds `count` copies, the k-th at X^k, with X its offset and turn; names of the k-th get the
// suffix of `sep` and k with as many digits as the last. Frames in frames compose, and so do copies of copies.
//
// Hostile files end early: all copies together are at most 200 000 elements.

#include "topology/mjcf/mjcf_tree.h"
#include "topology/mjcf/mjcf_geoms.h"
#include "topology/mjcf/mjcf_joints.h"
#include "topology/mjcf/mjcf_pose.h"
#include "topology/mjcf/mjcf_settings.h"

#include <string.h>

enum {
  MOST_DEPTH = 180,
  MOST_ELEMENTS = 400000, // each is met twice
  MOST_COPIES = 100000
};

// What an element inherits from those around it.
typedef struct surroundings {
  int body;                    // -1: the world
  srs_pose pose;               // of the frames inside of the body
  const srs_mjcf_class *class; // of childclass; NULL for none
  const char *suffix;          // of names, from copies
  int depth;                   // of elements
  bool wants_bodies;           // the second walk over a body: its bodies, after all else that it holds
} surroundings;

static srs_status read_children(srs_mjcf *mjcf, srs_xml_node *node, const surroundings *around);

// ---------------------------------------------------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------------------------------------------------

// The element's name with the suffix of its copy; NULL where it has none.
static srs_status read_word(srs_mjcf *mjcf, srs_xml_node *node, const surroundings *around, const char **word)
{
  const srs_status status = srs_xml_text(node, "name", word, mjcf->error);
  if (status != SRS_OK || *word == NULL) return status;
  if (**word == '\0') *word = NULL;
  if (*word == NULL || around->suffix[0] == '\0') return SRS_OK;
  *word = srs_mjcf_format(mjcf, "%s%s", *word, around->suffix);
  return *word != NULL ? SRS_OK : srs_mjcf_no_memory(mjcf);
}

static srs_status count_element(srs_mjcf *mjcf, const srs_xml_node *node, int depth)
{
  if (depth >= MOST_DEPTH)
    return srs_mjcf_fail(mjcf, SRS_ERROR_CAPACITY, node, NULL, "bodies and frames are nested more than %d deep",
                         MOST_DEPTH);
  if (++mjcf->n_elements <= MOST_ELEMENTS) return SRS_OK;
  return srs_mjcf_fail(mjcf, SRS_ERROR_CAPACITY, node, NULL, "the bodies hold more than %d elements, copies counted",
                       MOST_ELEMENTS / 2);
}

// ---------------------------------------------------------------------------------------------------------------------
// What a body holds
// ---------------------------------------------------------------------------------------------------------------------

static srs_status add_joint(srs_mjcf *mjcf, srs_xml_node *node, const surroundings *around)
{
  if (around->body < 0)
    return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, node, NULL, "<%.40s> stands in the world, which cannot move",
                         node->name);
  const char *word = NULL;
  srs_status status = read_word(mjcf, node, around, &word);
  if (status == SRS_OK) status = srs_mjcf_read_joint(mjcf, node, word, around->body, &around->pose, around->class);
  return status;
}

static srs_status add_geom(srs_mjcf *mjcf, srs_xml_node *node, const surroundings *around)
{
  const char *word = NULL;
  srs_status status = read_word(mjcf, node, around, &word);
  if (status == SRS_OK) status = srs_mjcf_read_geom(mjcf, node, word, around->body, &around->pose, around->class);
  return status;
}

static srs_status add_site(srs_mjcf *mjcf, srs_xml_node *node, const surroundings *around)
{
  srs_mjcf_site *sites = srs_mjcf_grow(mjcf, mjcf->sites, mjcf->n_sites, &mjcf->site_room, sizeof *sites);
  if (sites == NULL) return srs_mjcf_no_memory(mjcf);
  mjcf->sites = sites;
  srs_mjcf_site site = {.node = node, .body = around->body};
  srs_mjcf_item item;
  srs_pose pose;
  double half;
  srs_status status = read_word(mjcf, node, around, &site.word);
  if (status == SRS_OK) status = srs_mjcf_item_of(mjcf, node, "site", around->class, &item);
  if (status == SRS_OK) status = srs_mjcf_pose_of_segment(mjcf, &item, &pose, &half);
  if (status == SRS_OK && site.word != NULL)
    status = srs_mjcf_add_name(mjcf, &mjcf->site_names, "site", site.word, mjcf->n_sites, node);
  if (status != SRS_OK) return status;
  site.pose = srs_mjcf_compose(&around->pose, &pose);
  mjcf->sites[mjcf->n_sites++] = site;
  return SRS_OK;
}

static srs_status take_inertial(srs_mjcf *mjcf, srs_xml_node *node, const surroundings *around)
{
  if (around->body < 0) return SRS_OK; // the world's mass moves nothing
  srs_mjcf_body *body = &mjcf->bodies[around->body];
  if (body->inertial != NULL)
    return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, node, body->word, "body '%.80s' has two <inertial>; leave one out",
                         body->name);
  body->inertial = node;
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies, frames, copies
// ---------------------------------------------------------------------------------------------------------------------

// First the body's own, then the bodies on it: so the joints of a body stay together.
static srs_status read_contents(srs_mjcf *mjcf, srs_xml_node *node, surroundings inside)
{
  inside.wants_bodies = false;
  const srs_status status = read_children(mjcf, node, &inside);
  inside.wants_bodies = true;
  return status == SRS_OK ? read_children(mjcf, node, &inside) : status;
}

static srs_status add_body(srs_mjcf *mjcf, srs_xml_node *node, const surroundings *around)
{
  srs_mjcf_body *bodies = srs_mjcf_grow(mjcf, mjcf->bodies, mjcf->n_bodies, &mjcf->body_room, sizeof *bodies);
  if (bodies == NULL) return srs_mjcf_no_memory(mjcf);
  mjcf->bodies = bodies;
  srs_mjcf_body body = {.node = node, .parent = around->body, .first_joint = mjcf->n_joints};
  surroundings inside = *around;
  srs_pose pose;
  const srs_mjcf_item item = srs_mjcf_bare(node);
  srs_status status = read_word(mjcf, node, around, &body.word);
  if (status == SRS_OK) status = srs_mjcf_pose(mjcf, &item, &pose);
  if (status == SRS_OK && srs_xml_peek(node, "childclass") != NULL)
    status = srs_mjcf_class_of(mjcf, node, "childclass", around->class, &inside.class);
  if (status == SRS_OK && body.word != NULL && strcmp(body.word, "world") == 0)
    status = srs_mjcf_fail(mjcf, SRS_ERROR_NAME, node, "world", "a body is named 'world', which is the worldbody's");
  if (status == SRS_OK && body.word != NULL)
    status = srs_mjcf_add_name(mjcf, &mjcf->body_names, "body", body.word, mjcf->n_bodies, node);
  if (status != SRS_OK) return status;
  body.pose = srs_mjcf_compose(&around->pose, &pose);
  inside.body = mjcf->n_bodies;
  inside.pose = srs_identity_pose();
  inside.depth = around->depth + 1;
  mjcf->bodies[mjcf->n_bodies++] = body;
  return read_contents(mjcf, node, inside);
}

static srs_status read_frame(srs_mjcf *mjcf, srs_xml_node *node, const surroundings *around)
{
  surroundings inside = *around;
  srs_pose pose;
  const srs_mjcf_item item = srs_mjcf_bare(node);
  srs_status status = srs_mjcf_pose(mjcf, &item, &pose);
  if (status == SRS_OK && srs_xml_peek(node, "childclass") != NULL)
    status = srs_mjcf_class_of(mjcf, node, "childclass", around->class, &inside.class);
  if (status != SRS_OK) return status;
  inside.pose = srs_mjcf_compose(&around->pose, &pose);
  inside.depth++;
  return read_children(mjcf, node, &inside);
}

static int digits_of(int number)
{
  int digits = 1;
  for (; number >= 10; number /= 10) digits++;
  return digits;
}

static srs_status read_copies(srs_mjcf *mjcf, srs_xml_node *node, const surroundings *around)
{
  const srs_mjcf_item item = srs_mjcf_bare(node);
  int count = 0;
  srs_pose step = srs_identity_pose();
  srs_status status = srs_mjcf_integer(mjcf, &item, "count", &count);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &item, "offset", 3, 3, step.position, NULL);
  if (status == SRS_OK) status = srs_mjcf_rotation(mjcf, &item, step.rotation);
  if (status != SRS_OK) return status;
  if (count < 1 || count > MOST_COPIES)
    return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, node, NULL, "<replicate count=\"%.40s\">: expected 1 to %d",
                         srs_xml_peek(node, "count") != NULL ? srs_xml_peek(node, "count") : "", MOST_COPIES);
  const char *separator = srs_xml_peek(node, "sep");
  surroundings inside = *around;
  inside.depth++;
  for (int k = 0; k < count && status == SRS_OK; k++) {
    inside.suffix =
        srs_mjcf_format(mjcf, "%s%s%0*d", around->suffix, separator != NULL ? separator : "", digits_of(count - 1), k);
    if (inside.suffix == NULL) return srs_mjcf_no_memory(mjcf);
    status = count_element(mjcf, node, inside.depth); // also where a copy holds nothing
    if (status == SRS_OK) status = read_children(mjcf, node, &inside);
    inside.pose = srs_mjcf_compose(&inside.pose, &step);
  }
  return status;
}

typedef struct element {
  const char *name;
  bool is_in_first, is_in_second; // walk
  srs_status (*read)(srs_mjcf *mjcf, srs_xml_node *node, const surroundings *around);
} element;

// Elements nest at most 200 deep.
static srs_status read_children(srs_mjcf *mjcf, srs_xml_node *node,
                                const surroundings *around) // NOLINT(misc-no-recursion)
{
  static const element elements[] = {{"joint", true, false, add_joint},        {"freejoint", true, false, add_joint},
                                     {"geom", true, false, add_geom},          {"site", true, false, add_site},
                                     {"inertial", true, false, take_inertial}, {"frame", true, true, read_frame},
                                     {"replicate", true, true, read_copies},   {"body", false, true, add_body}};
  srs_status status = SRS_OK;
  for (srs_xml_node *child = node->first_child; child != NULL && status == SRS_OK; child = child->next) {
    status = count_element(mjcf, child, around->depth);
    for (size_t i = 0; i < sizeof elements / sizeof *elements && status == SRS_OK; i++)
      if ((around->wants_bodies ? elements[i].is_in_second : elements[i].is_in_first) &&
          strcmp(child->name, elements[i].name) == 0)
        status = elements[i].read(mjcf, child, around);
  }
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------------------------------------------------

// Whether a link or frame may be called so, in which case it is. False too without memory, which the document keeps.
static bool take_name(srs_mjcf *mjcf, const char *name)
{
  if (srs_names_find(&mjcf->frame_names, name) >= 0) return false;
  if (!srs_names_reserve(&mjcf->frame_names)) {
    mjcf->document->memory.failed = true;
    return false;
  }
  srs_names_add(&mjcf->frame_names, name, mjcf->frame_names.n);
  return true;
}

// A name that nobody has: the wish, or the wish with a number.
static const char *free_name(srs_mjcf *mjcf, const char *wish)
{
  const char *name = wish;
  for (int i = 1; name != NULL && !take_name(mjcf, name) && !mjcf->document->memory.failed && i < MOST_ELEMENTS; i++)
    name = srs_mjcf_format(mjcf, "%s_%d", wish, i);
  return name;
}

// Bodies have their own names; those without get their number, counted from 1 in file order as MuJoCo counts. A site
// that is called like a body becomes NAME_site.
static srs_status name_frames(srs_mjcf *mjcf)
{
  for (int i = 0; i < mjcf->n_bodies; i++)
    if (mjcf->bodies[i].word != NULL) mjcf->bodies[i].name = free_name(mjcf, mjcf->bodies[i].word);
  for (int i = 0; i < mjcf->n_bodies; i++)
    if (mjcf->bodies[i].word == NULL) mjcf->bodies[i].name = free_name(mjcf, srs_mjcf_format(mjcf, "body%d", i + 1));
  srs_status status = SRS_OK;
  for (int i = 0; i < mjcf->n_sites && status == SRS_OK; i++) {
    srs_mjcf_site *site = &mjcf->sites[i];
    if (site->word == NULL) continue;
    site->name = site->word;
    if (take_name(mjcf, site->word)) continue;
    site->name = free_name(mjcf, srs_mjcf_format(mjcf, "%s_site", site->word));
    if (site->name != NULL)
      status = srs_mjcf_note(
          mjcf, site->node,
          srs_mjcf_format(mjcf, "site '%s' is called like a body: its frame is '%s'", site->word, site->name));
  }
  return mjcf->document->memory.failed ? srs_mjcf_no_memory(mjcf) : status;
}

static void weld_bodies(srs_mjcf *mjcf)
{
  for (int i = 0; i < mjcf->n_bodies; i++) {
    srs_mjcf_body *body = &mjcf->bodies[i];
    body->weld = body->n_joints > 0 ? i : body->parent >= 0 ? mjcf->bodies[body->parent].weld : -1;
  }
}

srs_status srs_mjcf_read_tree(srs_mjcf *mjcf)
{
  srs_status status = SRS_OK;
  const surroundings world = {.body = -1, .pose = srs_identity_pose(), .suffix = ""};
  for (srs_xml_node *node = mjcf->document->root->first_child; node != NULL && status == SRS_OK; node = node->next) {
    if (strcmp(node->name, "worldbody") != 0) continue;
    surroundings around = world;
    if (srs_xml_peek(node, "childclass") != NULL)
      status = srs_mjcf_class_of(mjcf, node, "childclass", NULL, &around.class);
    if (status == SRS_OK) status = read_contents(mjcf, node, around);
  }
  if (status == SRS_OK) status = name_frames(mjcf);
  if (status == SRS_OK) status = srs_mjcf_name_joints(mjcf);
  weld_bodies(mjcf);
  return status;
}
