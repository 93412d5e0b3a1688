// The largest numbers of a row, in one pass.

typedef struct {
    float value;
    int64_t at;
} Place;

// Later places lose ties, so that the order is one order.
INLINE int below(Place a, Place b) { return a.value < b.value || (a.value == b.value && a.at > b.at); }

// A heap whose root is the smallest, in the arrays of the results.
typedef struct {
    float *values;
    int64_t *ids;
} Heap;

INLINE Place heap_at(Heap h, int64_t at) { return (Place){h.values[at], h.ids[at]}; }

INLINE void heap_put(Heap h, int64_t at, Place p) {
    h.values[at] = p.value;
    h.ids[at] = p.at;
}

// Put `new` in place of the smallest of a heap of n.
static void heap_replace(Heap h, int64_t n, Place new) {
    int64_t at = 0;
    for (int64_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && below(heap_at(h, child + 1), heap_at(h, child))) child++;
        if (!below(heap_at(h, child), new)) break;
        heap_put(h, at, heap_at(h, child));
    }
    heap_put(h, at, new);
}

// The k largest of x [n] in descending order, k <= n. If any is NaN, the first value is NaN.
static void largest(const float *x, int64_t n, int64_t k, float *values, int64_t *ids) {
    Heap heap = {values, ids};
    Place least = {-INFINITY, INT64_MAX};
    for (int64_t i = 0; i < k; i++) heap_put(heap, i, least);
    vi nan = vi_set(0);
    for (int64_t i = 0; i < n; i += W) {
        vf v = padded_load(x, i, n);
        nan |= v != v;
        // The first of equals is kept, so only what is larger than the smallest can enter.
        int full = least.at != INT64_MAX;
        if (full && !vi_any(v > vf_set(least.value))) continue;
        for (int64_t j = i; j < i + W && j < n; j++) {
            Place new = {x[j], j};
            if (!below(least, new)) continue;
            heap_replace(heap, k, new);
            least = heap_at(heap, 0);
        }
    }
    for (int64_t left = k - 1; left > 0; left--) {
        least = heap_at(heap, 0);
        heap_replace(heap, left, heap_at(heap, left));
        heap_put(heap, left, least);
    }
    for (int64_t i = 0; i < k; i++)
        if (ids[i] == INT64_MAX) ids[i] = 0;
    if (vi_any(nan)) values[0] = NAN;
}
