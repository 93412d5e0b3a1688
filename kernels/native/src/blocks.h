// Matrices in the block formats of GGUF files: one template for all shapes of block.
//
// A weight is scale * value + offset. The value is a code less the shape's zero, or what the table says
// of it; scale and offset belong to a group of 16 or 32 inputs. Where groups are `scaled`, each has an
// integer that the head of its span, 256 inputs, is multiplied by; else the head is the scale.
#ifndef BIPLANE_BLOCKS_H
#define BIPLANE_BLOCKS_H

#include <stdint.h>

typedef struct {
    int bits, group, scaled, offsets, table, zero;
} Shape;

// number, bits, group, scaled, offsets, table, zero; in the order of `SHAPES` in kernels/native/fields.py.
#define EACH_SHAPE(do_)            \
    do_(0, 8, 32, 0, 0, 0, 0)      \
    do_(1, 4, 32, 0, 0, 0, 8)      \
    do_(2, 4, 32, 0, 1, 0, 0)      \
    do_(3, 5, 32, 0, 0, 0, 16)     \
    do_(4, 5, 32, 0, 1, 0, 0)      \
    do_(5, 4, 32, 1, 1, 0, 0)      \
    do_(6, 5, 32, 1, 1, 0, 0)      \
    do_(7, 6, 16, 1, 0, 0, 32)     \
    do_(8, 4, 32, 0, 0, 1, 0)      \
    do_(9, 4, 32, 1, 0, 1, 0)      \
    do_(10, 4, 16, 1, 0, 1, 0)     \
    do_(11, 4, 16, 1, 1, 0, 0)
#define SHAPE_OF(number, bits, group, scaled, offsets, table, zero) \
    {bits, group, scaled, offsets, table, zero},
static const Shape shapes[] = {EACH_SHAPE(SHAPE_OF)};

typedef struct {
    int8_t values[16];
    float unit;  // heads are multiplied by it
} BlockTable;

// A unit is a span of 16 outputs:
//   heads [16] float16, and where there are offsets theirs, [16] float16;
//   where scaled: [groups][16] signed bytes, and [groups][16] bytes for the offsets;
//   per 32 inputs, codes of up to 6 bits: [4][16][4] bytes, byte j of an output holding the low halves
//   of inputs 8 p + j and 8 p + 4 + j; then their high bits: [bits - 4][16][4] bytes, byte j holding those
//   of inputs 4 s + j from bit s on (of two: 2 s, the last four steps in the second vector);
//   of 8 bits: [8][16][4] signed bytes.
#define SLICE 32
#define SLICE_BYTES(shape) (64 * (shape).bits)
#define SPAN(shape) ((shape).scaled ? 256 : SLICE)
#define HEAD_BYTES(shape) (32 * (1 + (shape).offsets))
#define SPAN_GROUPS(shape) (SPAN(shape) / (shape).group)
#define SCALE_BYTES(shape) ((shape).scaled ? 16 * SPAN_GROUPS(shape) : 0)
#define CODES_AT(shape) (HEAD_BYTES(shape) + SCALE_BYTES(shape) * (1 + (shape).offsets))
#define UNIT_BYTES(shape) (CODES_AT(shape) + SPAN(shape) / SLICE * SLICE_BYTES(shape))

// Rows of a matrix as a file has them, in blocks of type `kind`; out: their units.
typedef struct {
    int32_t shape, kind;
    int64_t rows, inputs;
    const uint8_t *raw;
    const uint8_t *grid;  // the digits of each entry, for types that have one
    uint8_t *out;
} Packing;

// What one output has of a unit.
typedef struct {
    uint8_t codes[256];
    int8_t scales[16];
    uint8_t minima[16];
    uint16_t head, low;
} Part;

// The bytes of a block in a file; 0 for a type that is not known here.
int block_size(int32_t kind);
void unpack_block(int32_t kind, const uint8_t *block, const uint8_t *grid, Part *to);

// By all threads; rows are taken 16 at a time, and those that lack at the end are zero.
void pack_blocks(const Packing *p);

#endif
