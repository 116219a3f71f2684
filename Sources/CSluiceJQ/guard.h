// What is watched while libjq runs, and the memory it uses.
#ifndef SLUICE_JQ_GUARD_H
#define SLUICE_JQ_GUARD_H

#include "CSluiceJQ.h"
#include <jq.h>
#include <setjmp.h>

// Stands before each block of a value. Not before other blocks: libjq 1.6 hands some of them to `free`, and some that
// come from `strdup` to `jv_mem_free`.
typedef struct sluice_jq_block {
    struct sluice_jq_block *previous;
    struct sluice_jq_block *next;
    struct sluice_jq_guard *owner;
    uint32_t size;
    // Tells the block from one without a header, which has the upper half of malloc's size here: zero.
    uint32_t mark;
} sluice_jq_block;

typedef struct sluice_jq_guard {
    // The end of a ring of all blocks of values that the input and the evaluation made.
    sluice_jq_block blocks;
    // The size of these blocks, and of others since the evaluation started.
    int64_t used;
    int64_t used_elsewhere;
    // Beyond the first a program is halted, beyond the second it is stopped.
    int64_t memory_limit;
    int64_t memory_bound;
    // Set where the limit was exceeded while nothing could be stopped.
    int is_over_limit;
    // Whether values are being made; while compiling there are no blocks with headers.
    int makes_values;
    int has_allocated;
    // The block of the program's own stack, which libjq grows by jv_mem_realloc and gives to `free`.
    void *program_stack;
    int expects_program_stack;

    // Calls that are left until the clock is looked at.
    int64_t countdown;
    uint64_t time_limit;
    // When the processor time is looked at next, by the coarse clock; 0: the clock has not been looked at.
    uint64_t next_look;
    uint64_t processor_start;

    // Below this address the stack is too short.
    const char *stack_end;
    // Whether `escape` can be jumped to.
    int is_armed;
    // What to halt; NULL where it is not being evaluated, or is halted.
    jq_state *running;
    // Why the program was halted or stopped; SLUICE_JQ_OK if it was not.
    sluice_jq_status reason;
    jmp_buf escape;
    char assertion[256];
} sluice_jq_guard;

void sluice_jq_guard_init(sluice_jq_guard *guard, size_t memory_limit, uint64_t time_limit);
// Frees every value that is left, if that can be done without asking libjq: newer versions keep some for the thread.
void sluice_jq_guard_release(sluice_jq_guard *guard);
// Makes the guard the thread's own, so that what libjq allocates counts for it.
void sluice_jq_guard_enter(sluice_jq_guard *guard);
void sluice_jq_guard_leave(void);
// Starts the clock again, and forgets why the program was halted.
void sluice_jq_guard_restart(sluice_jq_guard *guard);

// Enters the guard with its limits in force; where one is exceeded, runs the `else` branch that follows.
// A macro, since setjmp must be called by the function whose frame is jumped back to.
#define SLUICE_JQ_GUARDED(guard) \
    sluice_jq_guard_enter(guard); \
    (guard)->is_armed = 1; \
    if (setjmp((guard)->escape) == 0)

static inline void sluice_jq_guard_disarm(sluice_jq_guard *guard) {
    guard->is_armed = 0;
    guard->running = NULL;
    sluice_jq_guard_leave();
}

#endif
