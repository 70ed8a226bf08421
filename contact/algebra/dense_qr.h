// [A; sqrt(shift) I] = Q R, for contact/algebra/dense.h. Internal.
#pragma once

/// Column k is row k of QR, 2 stride doubles: A's part, and from `stride` on the other. Reflections are applied to
/// `tall` too; R's diagonal goes into x, the rest of R stays in the upper halves of the rows.
/// @param panel  columns whose reflections are applied to those after them together: n, or 64
void srs_dense_qr(int n, double *QR, int stride, int panel, double *tall, double *x);
