// Writes shapes as entries of a scene. Internal.
#pragma once
#include "topology/save/save_text.h"

/// Starts a list under a key where it is the first entry, then one entry: "KEY:\n" and "- {".
void srs_scene_entry(srs_save *save, const char *indent, const char *key, int *n);

/// A text, quoted where it must be.
void srs_scene_word(srs_save *save, const char *text);

/// ", key: text". Nothing for NULL.
void srs_scene_text(srs_save *save, const char *key, const char *text);

/// ", key: number" or ", key: [numbers]".
void srs_scene_numbers(srs_save *save, const char *key, const double *values, int n);

/// The entries of a pose that are not the identity's: ", position: […]", ", rotation: {…}".
void srs_scene_pose(srs_save *save, const srs_pose *pose);

/// ", key: {position: […], rotation: {…}}"; nothing for the identity.
void srs_scene_pose_key(srs_save *save, const char *key, const srs_pose *pose);

/// ", key: {rpy: […]}", or the matrix where no angles give it to the bit; nothing for the identity.
void srs_scene_rotation(srs_save *save, const char *key, const double rotation[9]);

/// All of a shape, as an entry of a model's `shapes` or of the world's `environment`.
void srs_scene_shape(srs_save *save, const srs_shape_def *def, bool is_environment);
