// Functions of libjq and glibc that libjq shall find here first. The linker exports them because the shared library
// refers to them, and the dynamic linker looks into the program before it looks into a library.
#define _GNU_SOURCE
#include "guard.h"
#include <dlfcn.h>
#include <jv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// What macOS calls otherwise.
#if defined(__APPLE__)
#include <malloc/malloc.h>
#define usable_size(bytes) malloc_size(bytes)
#define COARSE_CLOCK CLOCK_MONOTONIC_RAW_APPROX
#else
#include <malloc.h>
#define usable_size(bytes) malloc_usable_size(bytes)
#define COARSE_CLOCK CLOCK_MONOTONIC_COARSE
#endif

enum {
    // "jqb1"
    BLOCK_MARK = 0x6A716231,
    // Between two looks at the clock: about a microsecond.
    CALLS_PER_LOOK = 256,
    // What functions below libjq (regular expressions, printing) may need of the stack.
    STACK_RESERVE = 128 * 1024,
    // An array of this length would exceed the largest memory limit.
    ARRAY_LIMIT = 1 << 26,
    // How long one step may go on when the time is over, in nanoseconds, beside the time itself.
    MINIMUM_PATIENCE = 100 * 1000 * 1000,
    REGEX_DEPTH_LIMIT = 200,
    REGEX_RETRY_LIMIT = 10 * 1000 * 1000,
};

static _Thread_local sluice_jq_guard *current;

static _Noreturn void stop(sluice_jq_guard *guard, sluice_jq_status reason) {
    guard->is_armed = 0;
    guard->reason = reason;
    longjmp(guard->escape, 1);
}

// Lets the program end before its next step, with all in order.
static void halt(sluice_jq_guard *guard, sluice_jq_status reason) {
    if (!guard->running) return;
    jq_state *running = guard->running;
    guard->running = NULL;
    guard->reason = reason;
    jq_halt(running, jv_invalid(), jv_invalid());
}

// MARK: Time and stack

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// The limit is one of processor time, so that a record is not refused because the machine is busy. Its clock costs a
// system call; the coarse one, which does not, says when that is due.
static __attribute__((noinline)) void look_at_clock(sluice_jq_guard *guard) {
    guard->countdown = CALLS_PER_LOOK;
    if (!guard->is_armed) return;
    uint64_t now = nanoseconds(COARSE_CLOCK);
    if (guard->next_look == 0) {
        guard->next_look = now + 1;
    } else if (now >= guard->next_look) {
        uint64_t processor = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
        if (guard->processor_start == 0) guard->processor_start = processor;
        uint64_t used = processor - guard->processor_start;
        uint64_t patience = 2 * guard->time_limit + MINIMUM_PATIENCE;
        if (used >= patience) stop(guard, SLUICE_JQ_TIME);
        if (used >= guard->time_limit) halt(guard, SLUICE_JQ_TIME);
        guard->next_look = now + (used < guard->time_limit ? guard->time_limit : patience) - used;
    }
}

// libjq asks for the kind of every value that it pushes, copies, frees or compares, so also in each step of a loop and
// on each level of a recursion.
jv_kind jv_get_kind(jv value) {
    sluice_jq_guard *guard = current;
    if (guard) {
        if (--guard->countdown < 0) look_at_clock(guard);
        if ((const char *)__builtin_frame_address(0) < guard->stack_end && guard->is_armed) {
            stop(guard, SLUICE_JQ_STACK);
        }
    }
    return (jv_kind)(value.kind_flags & 0xF);
}

static const char *stack_end(void) {
    static _Thread_local const char *end;
    if (!end) {
        void *start = NULL;
#if defined(__APPLE__)
        // The address is that of the stack's upper end.
        start = (char *)pthread_get_stackaddr_np(pthread_self()) - pthread_get_stacksize_np(pthread_self());
#else
        pthread_attr_t attributes;
        size_t size = 0;
        if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
            pthread_attr_getstack(&attributes, &start, &size);
            pthread_attr_destroy(&attributes);
        }
#endif
        end = (const char *)start + STACK_RESERVE;
    }
    return end;
}

// MARK: The guard

void sluice_jq_guard_init(sluice_jq_guard *guard, size_t memory_limit, uint64_t time_limit) {
    memset(guard, 0, sizeof *guard);
    guard->blocks.next = guard->blocks.previous = &guard->blocks;
    guard->memory_limit =
        (int64_t)(memory_limit < SLUICE_JQ_MEMORY_LIMIT ? memory_limit : SLUICE_JQ_MEMORY_LIMIT);
    // An array or a string at the limit can grow once more before the program is halted.
    guard->memory_bound = guard->memory_limit * 5 / 2;
    guard->time_limit = time_limit;
}

// Since 1.7, which has this function, a thread keeps blocks for printing numbers beyond the life of a program.
static int keeps_blocks(void) {
    static _Atomic int answer = -1;
    if (answer < 0) answer = dlsym(RTLD_DEFAULT, "jv_number_with_literal") != NULL;
    return answer;
}

void sluice_jq_guard_release(sluice_jq_guard *guard) {
    sluice_jq_block *block = guard->blocks.next;
    while (block != &guard->blocks) {
        sluice_jq_block *next = block->next;
        // A block that is kept is nobody's from here on.
        block->owner = NULL;
        if (!keeps_blocks()) free(block);
        block = next;
    }
    guard->blocks.next = guard->blocks.previous = &guard->blocks;
    guard->used = 0;
    guard->is_over_limit = 0;
}

void sluice_jq_guard_enter(sluice_jq_guard *guard) {
    guard->stack_end = stack_end();
    current = guard;
}

void sluice_jq_guard_leave(void) { current = NULL; }

void sluice_jq_guard_restart(sluice_jq_guard *guard) {
    guard->countdown = CALLS_PER_LOOK;
    guard->next_look = 0;
    guard->processor_start = 0;
    guard->reason = SLUICE_JQ_OK;
    guard->used_elsewhere = 0;
}

// MARK: Memory

// Whether so many more bytes may be taken; does not return if that would exceed the bound and the program can be
// stopped.
static int has_room(sluice_jq_guard *guard, size_t size) {
    if (!guard) return 1;
    guard->has_allocated = 1;
    // What works on much memory takes time between two looks at a value.
    guard->countdown -= (int64_t)(size >> 8 & 0xFFFFFF);
    int64_t used = guard->used + guard->used_elsewhere;
    if (size <= INT32_MAX && used + (int64_t)size <= guard->memory_limit) return 1;
    if (guard->is_armed) {
        if (size > INT32_MAX || used + (int64_t)size > guard->memory_bound) stop(guard, SLUICE_JQ_MEMORY);
        halt(guard, SLUICE_JQ_MEMORY);
    } else {
        guard->is_over_limit = 1;
    }
    return size <= INT32_MAX;
}

static void *exhausted(void) {
    if (current && current->is_armed) stop(current, SLUICE_JQ_MEMORY);
    fputs("sluice: out of memory in a jq program\n", stderr);
    abort();
}

static void link_block(sluice_jq_block *block, sluice_jq_guard *guard, size_t size) {
    block->owner = guard;
    block->size = (uint32_t)size;
    block->mark = BLOCK_MARK;
    block->next = &guard->blocks;
    block->previous = guard->blocks.previous;
    block->previous->next = block;
    guard->blocks.previous = block;
    guard->used += (int64_t)size;
}

// The header of a block; NULL if it has none. Reads malloc's own word before a block without one.
static __attribute__((no_sanitize("address"))) sluice_jq_block *header(void *bytes) {
    sluice_jq_block *block = (sluice_jq_block *)bytes - 1;
    return block->mark == BLOCK_MARK ? block : NULL;
}

static void count_elsewhere(void *bytes, int sign) {
    if (current && bytes) current->used_elsewhere += sign * (int64_t)usable_size(bytes);
}

void *jv_mem_alloc_unguarded(size_t size) {
    sluice_jq_guard *guard = current;
    if (!has_room(guard, size)) return NULL;
    if (!guard || !guard->makes_values) {
        void *bytes = malloc(size);
        count_elsewhere(bytes, 1);
        return bytes;
    }
    sluice_jq_block *block = malloc(sizeof *block + size);
    if (!block) return NULL;
    link_block(block, guard, size);
    return block + 1;
}

void *jv_mem_alloc(size_t size) {
    void *bytes = jv_mem_alloc_unguarded(size);
    return bytes ? bytes : exhausted();
}

void *jv_mem_calloc_unguarded(size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total) || !has_room(current, total)) return NULL;
    void *bytes = calloc(count, size);
    count_elsewhere(bytes, 1);
    return bytes;
}

void *jv_mem_calloc(size_t count, size_t size) {
    void *bytes = jv_mem_calloc_unguarded(count, size);
    return bytes ? bytes : exhausted();
}

char *jv_mem_strdup_unguarded(const char *text) {
    char *bytes = strdup(text);
    count_elsewhere(bytes, 1);
    return bytes;
}

char *jv_mem_strdup(const char *text) {
    char *bytes = jv_mem_strdup_unguarded(text);
    return bytes ? bytes : exhausted();
}

void jv_mem_free(void *bytes) {
    if (!bytes) return;
    sluice_jq_block *block = header(bytes);
    if (!block) {
        count_elsewhere(bytes, -1);
        free(bytes);
        return;
    }
    if (block->owner) {
        block->owner->used -= block->size;
        block->previous->next = block->next;
        block->next->previous = block->previous;
    }
    block->mark = 0;
    free(block);
}

// What is grown has no header, except that a block of a value might be grown by a later version.
void *jv_mem_realloc(void *bytes, size_t size) {
    sluice_jq_guard *guard = current;
    sluice_jq_block *block = bytes ? header(bytes) : NULL;
    if (block) {
        void *copy = jv_mem_alloc(size);
        memcpy(copy, bytes, size < block->size ? size : block->size);
        jv_mem_free(bytes);
        return copy;
    }
    size_t old_size = bytes ? usable_size(bytes) : 0;
    if (size > old_size && !has_room(guard, size - old_size)) return exhausted();
    void *grown = realloc(bytes, size);
    if (!grown) return exhausted();
    if (guard) {
        guard->used_elsewhere += (int64_t)usable_size(grown) - (int64_t)old_size;
        if (bytes ? bytes == guard->program_stack : guard->expects_program_stack) {
            guard->program_stack = grown;
            guard->expects_program_stack = 0;
        }
    }
    return grown;
}

// MARK: Faults of libjq 1.6

static void *original(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) abort();
    return function;
}

// The size of the array overflows for some great indices, and memory that is not the array's is written.
jv jv_array_set(jv array, int index, jv value) {
    static jv (*_Atomic set)(jv, int, jv);
    if (current && index >= ARRAY_LIMIT && current->is_armed) stop(current, SLUICE_JQ_MEMORY);
    if (!set) set = (jv(*)(jv, int, jv))original("jv_array_set");
    return set(array, index, value);
}

// Programs see no files, yet libjq loads ~/.jq before each of them: it finds that file empty.
jv jv_load_file(const char *path, int is_raw) {
    static jv (*_Atomic load)(const char *, int);
    if (current) return is_raw ? jv_string("") : jv_array();
    if (!load) load = (jv(*)(const char *, int))original("jv_load_file");
    return load(path, is_raw);
}

// libjq reads broken-down times with mktime and takes the zone's offset off again, but not the summer's hour.
time_t mktime(struct tm *time) {
    static time_t (*_Atomic make)(struct tm *);
    if (current) return timegm(time);
    if (!make) make = (time_t(*)(struct tm *))original("mktime");
    return make(time);
}

#if !defined(__APPLE__)
_Noreturn void __assert_fail(const char *condition, const char *file, unsigned line, const char *function) {
    if (current && current->is_armed) {
        const char *slash = strrchr(file, '/');
        snprintf(
            current->assertion, sizeof current->assertion, "%s, %s:%u", condition, slash ? slash + 1 : file, line);
        stop(current, SLUICE_JQ_ASSERTION);
    }
    fprintf(stderr, "%s:%u: %s: assertion `%s' failed\n", file, line, function, condition);
    abort();
}
#endif

// Regular expressions are matched without a look at any value; their library has limits of its own.
__attribute__((constructor)) static void limit_regular_expressions(void) {
    int (*set_depth)(unsigned) = (int (*)(unsigned))dlsym(RTLD_DEFAULT, "onig_set_parse_depth_limit");
    int (*set_match)(unsigned long) = (int (*)(unsigned long))dlsym(RTLD_DEFAULT, "onig_set_retry_limit_in_match");
    int (*set_search)(unsigned long) = (int (*)(unsigned long))dlsym(RTLD_DEFAULT, "onig_set_retry_limit_in_search");
    if (set_depth) set_depth(REGEX_DEPTH_LIMIT);
    if (set_match) set_match(REGEX_RETRY_LIMIT);
    if (set_search) set_search(REGEX_RETRY_LIMIT);
}
