// Doubts about a mechanism that was read without complaint. Internal.
#pragma once
#include "engine/cli/shared/folding.h"
#include <sarrus/engine.h>

/// Adds a message "FILE:LINE: what is odd" for each doubt: masses, radii of gyration and densities that no robot has,
/// limits that look like degrees, meshes whose size smells of mm, scales that mirror.
/// @return false when out of memory
bool srs_lint_values(const srs_model *model, srs_folds *doubts);

/// Adds a message where one of several alike differs: a left and a right, or one of a numbered row.
/// @return false when out of memory
bool srs_lint_symmetry(const srs_model *model, srs_folds *doubts);

/// Adds a message for a joint whose two bodies are apart, where all other joints' bodies touch or nearly do.
/// @return false when out of memory
bool srs_lint_gaps(const srs_model *model, srs_folds *doubts);
