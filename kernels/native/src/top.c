// The largest numbers of a row, in one pass.

typedef struct {
    float value;
    int64_t at;
} Place;

// Later places lose ties, so that the order is one order.
INLINE int below(Place a, Place b) { return a.value < b.value || (a.value == b.value && a.at > b.at); }

// Put `new` in place of the smallest of a heap, whose root is the smallest.
static void heap_replace(Place *heap, int64_t n, Place new) {
    int64_t at = 0;
    for (int64_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && below(heap[child + 1], heap[child])) child++;
        if (!below(heap[child], new)) break;
        heap[at] = heap[child];
    }
    heap[at] = new;
}

// The k largest of x [n] in descending order, k <= n. If any is NaN, the first value is NaN.
static void largest(const float *x, int64_t n, int64_t k, float *values, int64_t *ids) {
    Place *heap = malloc((size_t)k * sizeof *heap);
    for (int64_t i = 0; i < k; i++) heap[i] = (Place){-INFINITY, INT64_MAX};
    vi nan = vi_set(0);
    for (int64_t i = 0; i < n; i += W) {
        vf v = padded_load(x, i, n);
        nan |= v != v;
        // The first of equals is kept, so only what is larger than the smallest can enter.
        int full = heap[0].at != INT64_MAX;
        if (full && !vi_any(v > vf_set(heap[0].value))) continue;
        for (int64_t j = i; j < i + W && j < n; j++) {
            Place new = {x[j], j};
            if (below(heap[0], new)) heap_replace(heap, k, new);
        }
    }
    for (int64_t left = k; left; left--) {
        Place least = heap[0];
        values[left - 1] = least.value;
        ids[left - 1] = least.at == INT64_MAX ? 0 : least.at;
        heap_replace(heap, left - 1, heap[left - 1]);
    }
    if (vi_any(nan)) values[0] = NAN;
    free(heap);
}
