// Reports what an MJCF file says and nothing here does.
//
// The table has the format's elements by where they may stand, each with its attributes in three lists: those that are
// honoured; those without effect on motion (pictures, buffers, names), which nobody misses; and those that MuJoCo acts
// on and Sarrus does not. The last are counted by kind and named once each. What is in no list is no word of the
// format, most often a slip, and named each time.

#include "topology/mjcf/mjcf_words.h"

#include <string.h>

// Where an element stands.
typedef enum place {
  IN_ROOT,
  IN_OPTION,
  IN_ASSET,
  IN_BODY,
  IN_DEFAULT,
  IN_CONTACT,
  IN_EQUALITY,
  IN_TENDON,
  IN_FIXED,
  IN_ACTUATOR,
  IN_KEYFRAME,
  IN_SENSOR,
  IN_NOTHING, // it has no elements
} place;

typedef enum treatment {
  READ,   // its attributes and elements are looked at
  SILENT, // no effect on motion, whatever is in it
  NOTED,  // named once: no effect on motion, but somebody may look for it
  SOFT,   // has an effect in MuJoCo and none here, whatever is in it
} treatment;

typedef struct word {
  place at;
  const char *name;
  treatment treatment;
  place inside;
  const char *honoured, *silent, *soft; // attributes, with spaces between and around
} word;

#define TURNS " pos quat axisangle xyaxes zaxis euler "
#define ACTUATOR                                                                                                       \
  " name class ctrllimited forcelimited ctrlrange forcerange gear joint jointinparent site refsite tendon "
#define LAZY     " group nsample interp delay user "
#define ACT_SOFT " actlimited actrange actearly lengthrange cranklength cranksite slidersite body damping armature "
#define EQUALITY " name class active "
#define SENSOR   " name site joint actuator objtype objname reftype refname cutoff "
#define NOISY    " noise user nsample interp delay interval "

static const word words[] = {
    {IN_ROOT, "compiler", READ, IN_NOTHING,
     " autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle eulerseq meshdir "
     "assetdir "
     "fusestatic inertiafromgeom inertiagrouprange ",
     " fitaabb texturedir discardvisual usethread convexhull saveinertial conflict ", " exactmeshinertia alignfree "},
    {IN_ROOT, "option", READ, IN_OPTION, " timestep gravity integrator ",
     " tolerance iterations solver jacobian cone ls_iterations ls_tolerance noslip_iterations noslip_tolerance "
     "ccd_iterations ccd_tolerance mpr_iterations mpr_tolerance sdf_iterations sdf_initpoints actuatorgroupdisable "
     "apirate sleep_tolerance magnetic collision ",
     " impratio wind density viscosity o_margin o_solref o_solimp o_friction "},
    {IN_OPTION, "flag", READ, IN_NOTHING,
     " gravity contact filterparent limit frictionloss equality constraint "
     "actuation spring damper ",
     " warmstart sensor energy fwdinv sensornoise multiccd island midphase eulerdamp autoreset invdiscrete refsafe "
     "override nativeccd clampctrl passive sleep ",
     ""},
    {IN_ROOT, "size", SILENT, IN_NOTHING, "", "", ""},
    {IN_ROOT, "visual", SILENT, IN_NOTHING, "", "", ""},
    {IN_ROOT, "statistic", SILENT, IN_NOTHING, "", "", ""},
    {IN_ROOT, "custom", NOTED, IN_NOTHING, "", "", ""},
    {IN_ROOT, "sensor", READ, IN_SENSOR, "", "", ""},
    {IN_ROOT, "extension", SOFT, IN_NOTHING, "", "", ""},
    {IN_ROOT, "deformable", SOFT, IN_NOTHING, "", "", ""},
    {IN_ROOT, "asset", READ, IN_ASSET, "", "", ""},
    {IN_ROOT, "worldbody", READ, IN_BODY, " childclass ", " name ", TURNS},
    {IN_ROOT, "default", READ, IN_DEFAULT, " class ", "", ""},
    {IN_ROOT, "contact", READ, IN_CONTACT, "", "", ""},
    {IN_ROOT, "equality", READ, IN_EQUALITY, "", "", ""},
    {IN_ROOT, "tendon", READ, IN_TENDON, "", "", ""},
    {IN_ROOT, "actuator", READ, IN_ACTUATOR, "", "", ""},
    {IN_ROOT, "keyframe", READ, IN_KEYFRAME, "", "", ""},

    {IN_ASSET, "texture", SILENT, IN_NOTHING, "", "", ""},
    {IN_ASSET, "material", SILENT, IN_NOTHING, "", "", ""},
    {IN_ASSET, "skin", SILENT, IN_NOTHING, "", "", ""},
    {IN_ASSET, "model", NOTED, IN_NOTHING, "", "", ""},
    {IN_ASSET, "mesh", READ, IN_NOTHING, " name class file vertex face refpos refquat scale inertia ",
     " content_type normal texcoord smoothnormal maxhullvert material octree_maxdepth ", " builtin params "},
    {IN_ASSET, "hfield", READ, IN_NOTHING, " name file nrow ncol size elevation content_type ", "", ""},

    {IN_BODY, "body", READ, IN_BODY, " name childclass " TURNS, " user sleep ", " mocap gravcomp "},
    {IN_BODY, "frame", READ, IN_BODY, " childclass " TURNS, " name ", ""},
    {IN_BODY, "replicate", READ, IN_BODY, " count sep offset euler quat axisangle xyaxes zaxis ", "", ""},
    {IN_BODY, "inertial", READ, IN_NOTHING, " mass diaginertia fullinertia " TURNS, "", ""},
    {IN_BODY, "joint", READ, IN_NOTHING,
     " name class type pos axis limited actuatorfrclimited range actuatorfrcrange springref ref stiffness damping "
     "armature frictionloss ",
     " group user actuatorgravcomp ", " springdamper solreflimit solimplimit solreffriction solimpfriction margin "},
    {IN_BODY, "freejoint", READ, IN_NOTHING, " name ", " group ", " align "},
    {IN_BODY, "geom", READ, IN_NOTHING,
     " name class type contype conaffinity condim priority size friction mass density shellinertia hfield mesh fromto "
     "group " TURNS,
     " material rgba user fitscale ", " solmix solref solimp margin gap fluidshape fluidcoef "},
    {IN_BODY, "site", READ, IN_NOTHING, " name class fromto " TURNS, " type size group material rgba user ", ""},
    {IN_BODY, "camera", SILENT, IN_NOTHING, "", "", ""},
    {IN_BODY, "light", SILENT, IN_NOTHING, "", "", ""},
    {IN_BODY, "plugin", SOFT, IN_NOTHING, "", "", ""},
    {IN_BODY, "composite", SOFT, IN_NOTHING, "", "", ""},
    {IN_BODY, "flexcomp", SOFT, IN_NOTHING, "", "", ""},
    {IN_BODY, "attach", SOFT, IN_NOTHING, "", "", ""},

    {IN_DEFAULT, "default", READ, IN_DEFAULT, " class ", "", ""},
    {IN_DEFAULT, "equality", READ, IN_NOTHING, " active ", "", " solref solimp "},
    {IN_DEFAULT, "tendon", READ, IN_NOTHING,
     " limited range stiffness damping frictionloss springlength armature actuatorfrclimited actuatorfrcrange ",
     " group width material rgba user ", " solreflimit solimplimit solreffriction solimpfriction margin "},
    {IN_DEFAULT, "pair", READ, IN_NOTHING, " condim friction ", "", " solref solreffriction solimp gap margin "},

    {IN_CONTACT, "pair", READ, IN_NOTHING, " name class geom1 geom2 condim friction ", "",
     " solref solreffriction solimp gap margin "},
    {IN_CONTACT, "exclude", READ, IN_NOTHING, " name body1 body2 ", "", ""},

    {IN_EQUALITY, "connect", READ, IN_NOTHING, EQUALITY " body1 body2 anchor site1 site2 ", "", " solref solimp "},
    {IN_EQUALITY, "weld", READ, IN_NOTHING, EQUALITY " body1 body2 relpose anchor site1 site2 ", "",
     " solref solimp torquescale "},
    {IN_EQUALITY, "joint", READ, IN_NOTHING, EQUALITY " joint1 joint2 polycoef ", "", " solref solimp "},
    {IN_EQUALITY, "tendon", READ, IN_NOTHING, EQUALITY " tendon1 tendon2 polycoef ", "", " solref solimp "},
    {IN_EQUALITY, "flex", SOFT, IN_NOTHING, "", "", ""},
    {IN_EQUALITY, "flexvert", SOFT, IN_NOTHING, "", "", ""},
    {IN_EQUALITY, "flexstrain", SOFT, IN_NOTHING, "", "", ""},
    {IN_EQUALITY, "distance", SOFT, IN_NOTHING, "", "", ""},

    {IN_TENDON, "fixed", READ, IN_FIXED,
     " name class limited range stiffness damping frictionloss springlength actuatorfrclimited actuatorfrcrange "
     "armature ",
     " group user ", " solreflimit solimplimit solreffriction solimpfriction margin "},
    {IN_TENDON, "spatial", SOFT, IN_NOTHING, "", "", ""},
    {IN_FIXED, "joint", READ, IN_NOTHING, " joint coef ", "", ""},

    {IN_ACTUATOR, "general", READ, IN_NOTHING, ACTUATOR " gaintype biastype gainprm biasprm dyntype dynprm ", LAZY,
     ACT_SOFT " actdim "},
    {IN_ACTUATOR, "motor", READ, IN_NOTHING, ACTUATOR, LAZY, ACT_SOFT},
    {IN_ACTUATOR, "position", READ, IN_NOTHING, ACTUATOR " kp kv timeconst ", LAZY,
     ACT_SOFT " dampratio inheritrange "},
    {IN_ACTUATOR, "velocity", READ, IN_NOTHING, ACTUATOR " kv ", LAZY, ACT_SOFT},
    {IN_ACTUATOR, "intvelocity", READ, IN_NOTHING, ACTUATOR " kp kv ", LAZY, ACT_SOFT " dampratio inheritrange "},
    {IN_ACTUATOR, "damper", READ, IN_NOTHING, ACTUATOR " kv ", LAZY, ACT_SOFT},
    {IN_ACTUATOR, "cylinder", READ, IN_NOTHING, ACTUATOR " area diameter bias timeconst ", LAZY, ACT_SOFT},
    {IN_ACTUATOR, "muscle", SOFT, IN_NOTHING, "", "", ""},
    {IN_ACTUATOR, "adhesion", SOFT, IN_NOTHING, "", "", ""},
    {IN_ACTUATOR, "dcmotor", SOFT, IN_NOTHING, "", "", ""},
    {IN_ACTUATOR, "plugin", SOFT, IN_NOTHING, "", "", ""},

    {IN_KEYFRAME, "key", READ, IN_NOTHING, " name time qpos qvel ctrl ", "", " act mpos mquat "},

    {IN_SENSOR, "jointpos", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "jointvel", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "jointactuatorfrc", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "actuatorpos", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "actuatorvel", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "actuatorfrc", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "gyro", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "accelerometer", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "velocimeter", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "force", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "torque", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "touch", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "rangefinder", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "framepos", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "framequat", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "framelinvel", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "frameangvel", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "frameangacc", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "magnetometer", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "camprojection", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "tendonpos", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "tendonvel", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "tendonactuatorfrc", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "ballquat", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "ballangvel", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "jointlimitpos", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "jointlimitvel", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "jointlimitfrc", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "tendonlimitpos", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "tendonlimitvel", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "tendonlimitfrc", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "framexaxis", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "frameyaxis", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "framezaxis", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "framelinacc", READ, IN_NOTHING, SENSOR, NOISY, ""},
    {IN_SENSOR, "subtreecom", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "subtreelinvel", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "subtreeangmom", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "insidesite", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "distance", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "normal", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "fromto", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "contact", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "tactile", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "e_potential", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "e_kinetic", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "clock", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "user", NOTED, IN_NOTHING, "", "", ""},
    {IN_SENSOR, "plugin", NOTED, IN_NOTHING, "", "", ""},
};

// Why a kind is not honoured, where there is more to say than that.
static const struct {
  const char *names, *reason;
} reasons[] = {
    {" solref solimp solmix solreflimit solimplimit solreffriction solimpfriction impratio o_solref o_solimp "
     "torquescale ",
     "contacts, limits, friction and loops are hard here"},
    {" margin gap o_margin ", "contacts and limits act where bodies touch"},
    {" springdamper ", "give stiffness and damping"},
    {" mocap ", "the body stays where it is"},
    {" gravcomp ", "the body has its full weight"},
    {" wind density viscosity fluidshape fluidcoef ", "there is no fluid"},
    {" exactmeshinertia ", "give each mesh inertia=\"exact\""},
    {" align alignfree ", "a free body's frame is its own"},
    {" spatial ", "there are no spatial tendons"},
    {" composite flexcomp flex flexvert flexstrain deformable skin ", "bodies are rigid"},
    {" plugin extension ", "there are no plugins"},
    {" muscle adhesion dcmotor ", "there are no such actuators"},
};

enum { MOST_KINDS = 160, MOST_UNREAD = 200 };

typedef struct kind {
  const char *element, *attribute; // attribute NULL: the element itself
  bool is_note, is_of_default;     // the first one is an element of a default: it acts on nothing by itself
  srs_xml_tally tally;
} kind;

typedef struct survey {
  srs_mjcf *mjcf;
  kind kinds[MOST_KINDS]; // n_kinds
  int n_kinds, n_unknown;
  srs_status status;
} survey;

// Whether a list with spaces around its words has one.
static bool lists(const char *list, const char *name)
{
  const size_t length = strlen(name);
  for (const char *at = strstr(list, name); at != NULL; at = strstr(at + 1, name))
    if (at > list && at[-1] == ' ' && at[length] == ' ') return true;
  return false;
}

// What nothing rigid and hard has, and so is never missing: how soft things are, when they begin to act, and what only
// says how a file is made. All else that is not honoured is refused, unless the caller allows it to be left out.
static const char tolerated[] =
    " solref solimp solmix solreflimit solimplimit solreffriction solimpfriction impratio o_solref o_solimp o_friction "
    "torquescale margin gap o_margin align alignfree exactmeshinertia mocap builtin params act mpos mquat actdim "
    "actlimited actrange actearly lengthrange ";

static void count(survey *s, const srs_xml_node *node, const char *element, const char *attribute, bool is_note)
{
  for (int i = 0; i < s->n_kinds; i++) {
    kind *k = &s->kinds[i];
    const bool same = attribute != NULL ? k->attribute != NULL && strcmp(k->attribute, attribute) == 0
                                        : k->attribute == NULL && strcmp(k->element, element) == 0;
    if (!same || k->is_note != is_note) continue;
    srs_xml_count(&k->tally, node);
    return;
  }
  if (s->n_kinds == MOST_KINDS) return; // more than the table has
  s->kinds[s->n_kinds] = (kind){.element = element, .attribute = attribute, .is_note = is_note};
  const srs_xml_node *around = node->parent;
  s->kinds[s->n_kinds].is_of_default = attribute == NULL && around != NULL && strcmp(around->name, "default") == 0;
  srs_xml_count(&s->kinds[s->n_kinds++].tally, node);
}

static void name_unknown(survey *s, const srs_xml_node *node, const char *attribute)
{
  if (s->status != SRS_OK || s->n_unknown++ >= MOST_UNREAD) return;
  const char *path = srs_xml_path(node);
  const char *text = NULL;
  if (path != NULL && attribute != NULL)
    text = srs_mjcf_format(s->mjcf, "%s/@%.60s is no word of MJCF: it has no effect", path, attribute);
  else if (path != NULL)
    text = srs_mjcf_format(s->mjcf, "%s is no element of MJCF that may stand here: it has no effect", path);
  s->status = srs_mjcf_warn(s->mjcf, node, text);
}

// Zeros, and nothing at all, ask for nothing.
static bool is_zero(const char *text)
{
  return text[strspn(text, "0. \t\r\n+-")] == '\0' || strcmp(text, "false") == 0;
}

static void look_at_attributes(survey *s, srs_xml_node *node, const word *w)
{
  for (int i = 0; i < node->n_attributes; i++) {
    srs_xml_attribute *a = &node->attributes[i];
    a->is_read = lists(w->honoured, a->name) || lists(w->silent, a->name);
    if (lists(w->honoured, a->name) || lists(w->silent, a->name) || strncmp(a->name, "xml", 3) == 0) continue;
    if (!lists(w->soft, a->name))
      name_unknown(s, node, a->name);
    else if (!is_zero(a->value))
      count(s, node, node->name, a->name, false);
  }
}

static const word *find_word(place at, const char *name)
{
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i].at == at && strcmp(words[i].name, name) == 0) return &words[i];
  if (at != IN_DEFAULT) return NULL;
  // Defaults have the attributes of what they are defaults of.
  static const place sections[] = {IN_BODY, IN_ASSET, IN_ACTUATOR};
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
    const word *w = find_word(sections[i], name);
    if (w != NULL) return w;
  }
  return NULL;
}

static void look(survey *s, srs_xml_node *node, place at) // NOLINT(misc-no-recursion): 200 deep
{
  for (srs_xml_node *child = node->first_child; child != NULL && s->status == SRS_OK; child = child->next) {
    const word *w = find_word(at, child->name);
    if (w == NULL) {
      name_unknown(s, child, NULL);
      continue;
    }
    if (w->treatment == SOFT || w->treatment == NOTED) count(s, child, child->name, NULL, w->treatment == NOTED);
    child->mark = w->treatment == READ ? SRS_XML_READ : w->treatment == SILENT ? SRS_XML_WHOLE : SRS_XML_UNREAD;
    if (w->treatment != READ) continue;
    look_at_attributes(s, child, w);
    look(s, child, w->inside);
  }
}

static const char *reason_of(const char *name)
{
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
    if (lists(reasons[i].names, name)) return reasons[i].reason;
  return NULL;
}

static srs_status name_kind(srs_mjcf *mjcf, const kind *k)
{
  const srs_xml_node *node = k->tally.first;
  const char *name = k->attribute != NULL ? k->attribute : k->element, *reason = reason_of(name);
  const char *what = k->attribute != NULL ? srs_mjcf_format(mjcf, "%s", name) : srs_mjcf_format(mjcf, "<%s>", name);
  if (what != NULL && k->tally.count > 1)
    what = srs_mjcf_format(mjcf, "%s (%d times, from here on)", what, k->tally.count);
  if (what == NULL) return srs_mjcf_no_memory(mjcf);
  if (k->is_note)
    return srs_mjcf_note(mjcf, node, srs_mjcf_format(mjcf, "%s is not read; it has no effect on motion", what));
  const bool is_missed = !k->is_of_default && !lists(tolerated, name);
  return (is_missed ? srs_mjcf_leave_out : srs_mjcf_warn)(
      mjcf, node,
      srs_mjcf_format(mjcf, "%s is not honoured%s%s", what, reason != NULL ? ": " : "", reason != NULL ? reason : ""));
}

srs_status srs_mjcf_name_unread(srs_mjcf *mjcf)
{
  survey s = {.mjcf = mjcf};
  mjcf->document->root->mark = SRS_XML_READ;
  look(&s, mjcf->document->root, IN_ROOT);
  srs_status status = s.status;
  for (int i = 0; i < s.n_kinds && status == SRS_OK; i++) status = name_kind(mjcf, &s.kinds[i]);
  if (status != SRS_OK || s.n_unknown <= MOST_UNREAD) return status;
  return srs_mjcf_warn(mjcf, mjcf->document->root,
                       srs_mjcf_format(mjcf, "%d further elements and attributes are no words of MJCF either",
                                       s.n_unknown - MOST_UNREAD));
}
