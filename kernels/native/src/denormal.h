// Takes numbers below float32's normal range for zero: with them a product lasts a hundred times as long.
#ifndef BIPLANE_DENORMAL_H
#define BIPLANE_DENORMAL_H

#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// For this thread, until flush_end is given what this returned.
static inline uint64_t flush_begin(void) {
#if defined(__x86_64__)
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);
    return before;
#elif defined(__aarch64__)
    uint64_t before;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    __asm__ volatile("msr fpcr, %0" : : "r"(before | (1 << 24)));
    return before;
#else
    return 0;
#endif
}

static inline void flush_end(uint64_t before) {
#if defined(__x86_64__)
    _mm_setcsr((unsigned)before);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(before));
#else
    (void)before;
#endif
}

#endif
