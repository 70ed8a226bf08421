// Words of scene files that have changed (CHANGELOG.md): files with the former ones still work. Internal.
#pragma once

/// The present name of a key that had another one; NULL where it never changed.
const char *srs_present_key(const char *former);

/// The word that a value is written with now: the text itself where it never changed.
const char *srs_present_word(const char *text);
