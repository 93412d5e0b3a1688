// AMX: products of tiles of 16 rows of 64 bytes. Only at level amx.
#ifndef BIPLANE_TILE_H
#define BIPLANE_TILE_H

#if defined(__AMX_TILE__)

#include <immintrin.h>

#include "simd.h"

#define TILES 8
#define TILE_ROWS 16
#define TILE_BYTES 64

// Palette 1, as _tile_loadconfig reads it.
typedef struct {
    uint8_t palette, start_row, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
} Tiles;

INLINE void tiles_shape(Tiles *t, int tile, int rows, int row_bytes) {
    t->palette = 1;
    t->rows[tile] = (uint8_t)rows;
    t->row_bytes[tile] = (uint16_t)row_bytes;
}

// A thread configures its tiles before use and releases them after: the system saves them else.
INLINE void tiles_begin(const Tiles *t) {
    // Compilers know only a part of what the instruction reads.
    __asm__ volatile("" : : "r"(t) : "memory");
    _tile_loadconfig(t);
}

// Eight tiles of 16 rows of 64 bytes.
INLINE void tiles_begin_whole(void) {
    Tiles t = {0};
    for (int i = 0; i < TILES; i++) tiles_shape(&t, i, TILE_ROWS, TILE_BYTES);
    tiles_begin(&t);
}

// Of tile loads, compilers do not know what they read.
INLINE void tiles_see_stores(void) { __asm__ volatile("" : : : "memory"); }

INLINE void tiles_end(void) { _tile_release(); }

#else

#define tiles_see_stores() ((void)0)

#endif
#endif
