// A stored matrix, and rows made ready to be multiplied by it.
#ifndef BIPLANE_MATRIX_H
#define BIPLANE_MATRIX_H

#include <stdint.h>

enum Format { FLOAT32 = 0, BFLOAT16 = 1, INT8 = 2, INT4 = 3, STACK = 4, BLOCKS = 5 };

// [outputs][inputs]. FLOAT32 and BFLOAT16: row after row.
// INT8: [outputs / 16][inputs / 4][16][4] signed bytes; scales: one float per output.
// INT4: [outputs / 16][inputs / 8][16][4] bytes; byte j of an output has input j of its eight in the
// low half and input 4 + j in the high half; scales: [outputs / 16][inputs / 32][2][16] bfloat16,
// the step and the value of code 8.
// Quantised matrices are padded with zeros: outputs to a multiple of 16, inputs to one of 64, at
// most 65,536.
// STACK: codes: `parts` matrices of the same inputs, FLOAT32 or of blocks, one below the other.
// BLOCKS + a shape of blocks.h: units one after the other; scales: a BlockTable; not padded.
typedef struct {
    int32_t format;
    int32_t outputs, inputs;
    int32_t padded;  // inputs with the padding
    const void *codes;
    const void *scales;
    const int32_t *order;  // BLOCKS: 32 inputs are those of a row from 32 order[i] on; NULL: as they are
    int64_t parts;
} Matrix;

// Rows in 8 bits per group of 32 inputs, as matrices of blocks read them.
typedef struct {
    int64_t rows, inputs;
    int8_t *codes;             // [rows][inputs]
    float *step;               // [rows][inputs / 32]
    int32_t *sum32, *sum16;    // of codes, per 32 and per 16 inputs
} Grouped;

// Rows in the form that a format's products read; see rows_prepare.
typedef struct {
    int32_t rows;
    int32_t inputs, padded;
    int32_t alone;     // a row's bits are those that it has alone: no tiles
    const float *x;    // [rows][inputs]
    void *codes;       // INT8: 16 bits, INT4: 8 bits per input, padded
    float *scale;      // INT8: per row; INT4: per row and group of 32
    float *sums;       // INT4: of x, per row and group
    int32_t *eights;   // INT4: -8 times the sum of the codes, per row and group
    int32_t *code_sums;  // INT8: of the high and of the low bytes, per row
    Grouped grouped;     // BLOCKS, and a stack of them
} Rows;

#endif
