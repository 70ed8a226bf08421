// The shortest decimal of a double of common size, in integers alone. Internal.
#pragma once

/// Writes what srs_format_number does, for most doubles between 1e-34 and 4e15, and for zero.
/// @param text  at least 32 bytes
/// @return the number of characters written, the terminator not counted; 0: this number is not for it
int srs_format_shortest(double value, char text[32]);
