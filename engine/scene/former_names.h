// Words of scene files that changed once (CHANGELOG.md): files that use the former ones go on working. Internal.
#pragma once

/// The present name of a key that had another one; NULL where it never changed.
const char *srs_present_key(const char *former);

/// The word that a value is written with now: the text itself where it never changed.
const char *srs_present_word(const char *text);
