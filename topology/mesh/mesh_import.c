// Which triangles does assimp find in a clean copy?
//
// Assimp triangulates polygons and gives a tree of nodes, each with a placement T and meshes; a corner x of a node's
// mesh lies at T_1 T_2 ... T_k x. A T that mirrors (det T < 0) turns the triangles' sense, which is turned back. The
// root's T holds a Collada file's unit. What a Collada file says of its up axis is for who asks (mesh.h).
//
// Assimp keeps numbers in single precision. Those of OBJ files and of STL files in text are known from the file
// (mesh_clean.c), and assimp only says which: of OBJ files by a colour, of STL by their order. Those of Collada files
// were decimals: the decimal of at most six digits within two roundings of x is taken instead, so that a box written in
// such decimals is exactly the box of a scene.
//
// It opens no file: what it may read is one block of memory. Its last error's words are one text for the process, so a
// lock covers the import.
#include "topology/mesh/mesh_import.h"
#include "topology/base/errors.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// ---------------------------------------------------------------------------------------------------------------------
// A block of memory as assimp's only file
// ---------------------------------------------------------------------------------------------------------------------

typedef struct source {
  const srs_mesh_draft *draft;
  bool is_out_of_memory; // assimp says only that it could not open the file
} source;

typedef struct block {
  const srs_mesh_draft *draft;
  size_t at;
} block;

static block *block_of(C_STRUCT aiFile *file) { return (block *)file->UserData; }

static size_t read_block(C_STRUCT aiFile *file, char *to, size_t size, size_t count)
{
  block *b = block_of(file);
  const size_t left = b->draft->n_clean - b->at;
  const size_t n = size == 0 ? 0 : (left / size < count ? left / size : count);
  memcpy(to, b->draft->clean + b->at, n * size);
  b->at += n * size;
  return n;
}

static size_t write_nothing(C_STRUCT aiFile *file, const char *from, size_t size, size_t count)
{
  (void)file, (void)from, (void)size, (void)count;
  return 0;
}

static size_t tell(C_STRUCT aiFile *file) { return block_of(file)->at; }

static size_t size_of(C_STRUCT aiFile *file) { return block_of(file)->draft->n_clean; }

static enum aiReturn seek(C_STRUCT aiFile *file, size_t offset, enum aiOrigin origin)
{
  block *b = block_of(file);
  const size_t size = b->draft->n_clean;
  const size_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? b->at : size;
  if (offset > size - base) return aiReturn_FAILURE;
  b->at = base + offset;
  return aiReturn_SUCCESS;
}

static void flush(C_STRUCT aiFile *file) { (void)file; }

static C_STRUCT aiFile *open_block(C_STRUCT aiFileIO *io, const char *name, const char *mode)
{
  source *from = (source *)io->UserData;
  if (strncmp(name, "mesh.", 5) != 0 || strchr(mode, 'r') == NULL) return NULL; // no other file
  struct {
    struct aiFile file;
    block block;
  } *opened = calloc(1, sizeof *opened);
  from->is_out_of_memory = opened == NULL;
  if (opened == NULL) return NULL;
  opened->block.draft = from->draft;
  opened->file = (struct aiFile){.ReadProc = read_block,
                                 .WriteProc = write_nothing,
                                 .TellProc = tell,
                                 .FileSizeProc = size_of,
                                 .SeekProc = seek,
                                 .FlushProc = flush,
                                 .UserData = (char *)&opened->block};
  return &opened->file;
}

static void close_block(C_STRUCT aiFileIO *io, C_STRUCT aiFile *file)
{
  (void)io;
  free(file);
}

// ---------------------------------------------------------------------------------------------------------------------
// Numbers and placements
// ---------------------------------------------------------------------------------------------------------------------

// 10^n for |n| <= 22, exact where n >= 0.
static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static double decimal_of(float x)
{
  const double size = fabs((double)x);
  if (!(size >= 1e-16 && size < 1e6)) return x;
  int n = 0; // decimals that make six digits
  if (size < 1e5) {
    int exponent;
    (void)frexp(size, &exponent); // size < 2^exponent
    n = 5 - (int)floor(0.30102999566398120 * (exponent - 1));
    if (n > 0 && size * powers[n] >= 1e6) n--; // a power of ten lies between
    if (n > 22) return x;
  }
  const double near = rint(x * powers[n]) / powers[n]; // of two exact numbers: the decimal, correctly rounded
  return fabs(near - x) <= 1.5 * FLT_EPSILON * size ? near : (double)x;
}

typedef struct placement {
  double m[12]; // 3 x 4, rows first
} placement;

static placement placement_of(const struct aiMatrix4x4 *t)
{
  const float m[12] = {t->a1, t->a2, t->a3, t->a4, t->b1, t->b2, t->b3, t->b4, t->c1, t->c2, t->c3, t->c4};
  placement p;
  for (int i = 0; i < 12; i++) p.m[i] = decimal_of(m[i]);
  return p;
}

static placement within(const placement *outer, const placement *inner)
{
  placement p;
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 4; j++) {
      p.m[4 * i + j] = j == 3 ? outer->m[4 * i + 3] : 0;
      for (size_t k = 0; k < 3; k++) p.m[4 * i + j] += outer->m[4 * i + k] * inner->m[4 * k + j];
    }
  return p;
}

static bool mirrors(const placement *p)
{
  const double *m = p->m;
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
             m[2] * (m[4] * m[9] - m[5] * m[8]) <
         0;
}

// ---------------------------------------------------------------------------------------------------------------------
// The tree of nodes
// ---------------------------------------------------------------------------------------------------------------------

typedef struct gathering {
  const srs_mesh_draft *draft;
  const struct aiScene *scene;
  srs_mesh_soup *soup;
  size_t triangle_room;
  int node_room;
} gathering;

static bool reserve(gathering *g, size_t more)
{
  srs_mesh_soup *s = g->soup;
  const size_t needed = (size_t)s->n_triangles + more;
  if (needed <= g->triangle_room) return true;
  if (needed > INT_MAX / 3) return false;
  double *corners = realloc(s->corners, needed * 9 * sizeof *corners);
  if (corners != NULL) s->corners = corners;
  int *node = realloc(s->node, needed * sizeof *node);
  if (node != NULL) s->node = node;
  if (corners == NULL || node == NULL) return false;
  g->triangle_room = needed;
  return true;
}

// The numbers of an OBJ file's corner, which its colour counts; NULL where there are none.
static const double *numbers_of(const srs_mesh_draft *draft, const struct aiColor4D *colour)
{
  if (colour == NULL || draft->numbers == NULL) return NULL;
  const double at = (double)colour->r + (double)SRS_MESH_COLOURS * (double)colour->g;
  return at >= 0 && 3 * at + 3 <= (double)draft->n_numbers ? draft->numbers + 3 * (size_t)at : NULL;
}

static void add_corner(const gathering *g, const placement *p, const struct aiMesh *mesh, unsigned index, double *to)
{
  const struct aiVector3D *v = &mesh->mVertices[index];
  const double *exact = numbers_of(g->draft, mesh->mColors[0] != NULL ? &mesh->mColors[0][index] : NULL);
  const float single[3] = {v->x, v->y, v->z};
  double x[3];
  for (int i = 0; i < 3; i++)
    x[i] = exact != NULL ? exact[i] : g->draft->is_single ? (double)single[i] : decimal_of(single[i]);
  for (size_t i = 0; i < 3; i++)
    to[i] = p->m[4 * i] * x[0] + p->m[4 * i + 1] * x[1] + p->m[4 * i + 2] * x[2] + p->m[4 * i + 3];
}

static srs_status add_mesh(gathering *g, const struct aiMesh *mesh, const placement *p, int node)
{
  if (mesh->mNumFaces == 0 || mesh->mVertices == NULL) return SRS_OK;
  if (!reserve(g, mesh->mNumFaces)) return srs_mesh_no_memory(g->draft);
  srs_mesh_soup *s = g->soup;
  const bool is_mirrored = mirrors(p);
  for (unsigned f = 0; f < mesh->mNumFaces; f++) {
    const struct aiFace *face = &mesh->mFaces[f];
    if (face->mNumIndices != 3) continue; // points and lines
    double *to = s->corners + 9 * (size_t)s->n_triangles;
    for (unsigned k = 0; k < 3; k++) {
      const unsigned index = face->mIndices[is_mirrored ? 2 - k : k];
      if (index >= mesh->mNumVertices)
        return srs_fail(g->draft->error, SRS_ERROR_FILE, g->draft->path, 0, 0, NULL,
                        "the mesh cannot be read: a face names a corner that is not there");
      add_corner(g, p, mesh, index, to + 3 * (size_t)k);
    }
    for (int i = 0; i < 9; i++)
      if (!(fabs(to[i]) < 1e30))
        return srs_fail(g->draft->error, SRS_ERROR_NOT_FINITE, g->draft->path, 0, 0, NULL,
                        "a corner of triangle %d is not finite", s->n_triangles + 1);
    s->node[s->n_triangles++] = node;
  }
  return SRS_OK;
}

static srs_status add_node(gathering *g, const struct aiNode *node, int *number)
{
  srs_mesh_soup *s = g->soup;
  if (s->n_nodes == g->node_room) {
    const int room = 2 * g->node_room + 16;
    const char **larger = realloc((void *)s->names, (size_t)room * sizeof *larger);
    if (larger == NULL) return srs_mesh_no_memory(g->draft);
    s->names = larger;
    g->node_room = room;
  }
  const char *copy = srs_arena_copy(g->draft->memory, node->mName.data);
  if (copy == NULL) return srs_mesh_no_memory(g->draft);
  s->names[s->n_nodes] = copy;
  *number = s->n_nodes++;
  return SRS_OK;
}

// Depth first, in the file's order; each level's node is kept with its placement.
static srs_status gather(gathering *g)
{
  const struct aiNode *open[MOST_DEPTH];
  placement at[MOST_DEPTH];
  unsigned next[MOST_DEPTH] = {0};
  int depth = 0;
  const placement identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
  for (const struct aiNode *node = g->scene->mRootNode; node != NULL;) {
    if (depth == MOST_DEPTH)
      return srs_fail(g->draft->error, SRS_ERROR_FILE, g->draft->path, 0, 0, NULL,
                      "the mesh cannot be read: its nodes are nested more than %d deep", MOST_DEPTH);
    const placement own = placement_of(&node->mTransformation);
    open[depth] = node;
    at[depth] = within(depth > 0 ? &at[depth - 1] : &identity, &own);
    next[depth] = 0;
    int number = 0;
    srs_status status = node->mNumMeshes > 0 ? add_node(g, node, &number) : SRS_OK;
    for (unsigned i = 0; i < node->mNumMeshes && status == SRS_OK; i++)
      if (node->mMeshes[i] < g->scene->mNumMeshes)
        status = add_mesh(g, g->scene->mMeshes[node->mMeshes[i]], &at[depth], number);
    if (status != SRS_OK) return status;
    while (depth >= 0 && next[depth] == open[depth]->mNumChildren) depth--;
    if (depth < 0) return SRS_OK;
    node = open[depth]->mChildren[next[depth]++];
    depth++;
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// The import
// ---------------------------------------------------------------------------------------------------------------------

static srs_status say_why(const source *from, const char *why)
{
  const srs_mesh_draft *draft = from->draft;
  if (from->is_out_of_memory) return srs_mesh_no_memory(draft);
  char line[200];
  snprintf(line, sizeof line, "%s", why != NULL && *why != '\0' ? why : "no further detail");
  for (char *c = line; *c != '\0'; c++)
    if ((unsigned char)*c < 0x20) *c = ' ';
  return srs_fail(draft->error, SRS_ERROR_FILE, draft->path, 0, 0, NULL, "the mesh cannot be read: %s", line);
}

srs_status srs_mesh_import(const srs_mesh_draft *draft, srs_mesh_soup *soup)
{
  *soup = (srs_mesh_soup){0};
  char name[16];
  snprintf(name, sizeof name, "mesh.%s", draft->format);
  source from = {.draft = draft};
  C_STRUCT aiFileIO io = {.OpenProc = open_block, .CloseProc = close_block, .UserData = (char *)&from};
  struct aiPropertyStore *properties = aiCreatePropertyStore();
  if (properties == NULL) return srs_mesh_no_memory(draft);
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
  (void)pthread_mutex_lock(&lock);
  const struct aiScene *scene = aiImportFileExWithProperties(name, aiProcess_Triangulate, &io, properties);
  srs_status status = scene == NULL ? say_why(&from, aiGetErrorString()) : SRS_OK;
  (void)pthread_mutex_unlock(&lock);
  aiReleasePropertyStore(properties);
  if (status == SRS_OK) {
    gathering g = {.draft = draft, .scene = scene, .soup = soup};
    status = gather(&g);
  }
  if (scene != NULL) aiReleaseImport(scene);
  if (status == SRS_OK && soup->n_triangles == 0)
    return srs_fail(draft->error, SRS_ERROR_MODEL, draft->path, 0, 0, NULL, "the mesh has no faces");
  return status;
}

void srs_mesh_soup_release(srs_mesh_soup *soup)
{
  free(soup->corners);
  free(soup->node);
  free((void *)soup->names);
  *soup = (srs_mesh_soup){0};
}
