#ifndef SLUICE_JQ_PROGRAM_H
#define SLUICE_JQ_PROGRAM_H

#include "guard.h"
#include <jq.h>
#include <jv.h>

// A container that is being built or read.
typedef struct {
    jv container;
    // Built: the name of the member to come.
    jv name;
    // Read: the position, and for objects whether the name there has been given.
    int position;
    int is_named;
} sluice_jq_level;

typedef struct {
    sluice_jq_level *levels;
    size_t count;
    size_t capacity;
} sluice_jq_levels;

struct sluice_jq_program {
    sluice_jq_guard guard;
    // NULL while not compiled. All that jv values refer to is in the guard's memory.
    jq_state *jq;
    char *text;
    char *message;
    size_t message_length;
    jv input;
    jv output;
    sluice_jq_levels building;
    sluice_jq_levels reading;
    size_t maximum_depth;
    // Whether an evaluation has left values on the program's stack.
    int is_unfinished;
    // How often the program was stopped, not merely halted.
    int stops;
    int has_read_root;
};

// The new level on top; NULL if there is no memory.
sluice_jq_level *sluice_jq_push_level(sluice_jq_levels *levels);

#endif
