// MJCF from memory into MuJoCo 2.2.2, which reads files only: one of its virtual folder.
#pragma once
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

/// @param why  out, why_size, of a failure
/// @return NULL on failure
static inline mjModel *mujoco_compile(const char *text, size_t size, char *why, int why_size)
{
  mjVFS *files = (mjVFS *)malloc(sizeof *files); // 2 MB
  if (files == NULL) return NULL;
  mj_defaultVFS(files);
  mjModel *model = NULL;
  if (mj_makeEmptyFileVFS(files, "model.xml", (int)size) == 0) {
    memcpy(files->filedata[mj_findFileVFS(files, "model.xml")], text, size);
    model = mj_loadXML("model.xml", files, why, why_size);
  }
  mj_deleteVFS(files);
  free(files);
  return model;
}
