// Lays out the weights of block formats as the products read them; see blocks.h.

#include "blocks.h"
#include "team.h"

#include <string.h>

#define BLOCK 16

// Four codes of an output.
static inline uint32_t four(const uint8_t *codes) {
    uint32_t bytes;
    memcpy(&bytes, codes, 4);
    return bytes;
}

static inline void put(uint8_t *out, uint32_t bytes) { memcpy(out, &bytes, 4); }

// SLICE codes of one output; out: of the slice, at this output.
static inline void pack_slice(const Shape *s, const uint8_t *codes, uint8_t *out) {
    const int steps = SLICE / 4, wide = s->bits - 4;
    if (s->bits == 8) {
        for (int k = 0; k < steps; k++) put(out + 64 * k, four(codes + 4 * k));
        return;
    }
    for (int k = 0; k < steps; k += 2) {
        uint32_t low = four(codes + 4 * k) & 0x0f0f0f0f, high = four(codes + 4 * k + 4) & 0x0f0f0f0f;
        put(out + 32 * k, low | high << 4);
    }
    const uint32_t mask = wide == 2 ? 0x03030303 : 0x01010101;
    for (int plane = 0; plane < wide; plane++) {
        const int each = steps / wide;
        uint32_t all = 0;
        for (int k = 0; k < each; k++)
            all |= (four(codes + 4 * (plane * each + k)) >> 4 & mask) << k * wide;
        put(out + 256 + 64 * plane, all);
    }
}

static void pack_part(const Shape *s, const Part *part, int64_t o, uint8_t *unit) {
    const int groups = SPAN_GROUPS(*s);
    memcpy(unit + 2 * o, &part->head, 2);
    if (s->offsets) memcpy(unit + 32 + 2 * o, &part->low, 2);
    uint8_t *scales = unit + HEAD_BYTES(*s);
    for (int g = 0; s->scaled && g < groups; g++) {
        scales[16 * g + o] = (uint8_t)part->scales[g];
        if (s->offsets) scales[16 * (groups + g) + o] = part->minima[g];
    }
    uint8_t *out = unit + CODES_AT(*s) + 4 * o;
    for (int i = 0; i < SPAN(*s); i += SLICE, out += SLICE_BYTES(*s))
        pack_slice(s, part->codes + i, out);
}

static void pack_some(const Packing *p, int64_t block) {
    const Shape *s = &shapes[p->shape];
    const int64_t spans = p->inputs / SPAN(*s), bytes = UNIT_BYTES(*s), first = block * BLOCK;
    const int size = block_size(p->kind);
    uint8_t *out = p->out + block * spans * bytes;
    if (first + BLOCK > p->rows) memset(out, 0, (size_t)(spans * bytes));
    Part part;
    for (int64_t row = first; row < first + BLOCK && row < p->rows; row++)
        for (int64_t span = 0; span < spans; span++) {
            unpack_block(p->kind, p->raw + (row * spans + span) * size, p->grid, &part);
            pack_part(s, &part, row - first, out + span * bytes);
        }
}

static void pack_body(Team *team, void *arg) {
    const Packing *p = arg;
    TEAM_PARTS(team, block, (p->rows + BLOCK - 1) / BLOCK) pack_some(p, block);
    TEAM_MEET(team);
}

void pack_blocks(const Packing *p) { team_run(pack_body, (void *)p, team_threads()); }
