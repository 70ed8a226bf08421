// A scene as our own model: what we step, and what the judge measures every engine's states with.
#pragma once
#include "scenes.h"
#include <sarrus/sarrus.h>

/// A sim of the scene at its start, with default options but for step, friction and restitution; NULL with a reason.
srs_sim *scene_sim(const contact_scene *scene, srs_model **model, char why[SCENE_WHY]);
