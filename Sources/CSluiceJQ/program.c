#define _GNU_SOURCE
#include "program.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// libjq's compiler descends with the depth of the program: it gets a stack that no program of allowed length fills.
static const size_t COMPILER_STACK = (size_t)64 << 20;

// Each stop gives up some memory.
enum { STOP_LIMIT = 1000 };

static void set_message(sluice_jq_program *program, const char *text, size_t length) {
    char *message = realloc(program->message, program->message_length + length + 1);
    if (!message) return;
    program->message = message;
    memcpy(message + program->message_length, text, length);
    program->message_length += length;
    message[program->message_length] = 0;
}

static void clear_message(sluice_jq_program *program) { program->message_length = 0; }

// Takes what an invalid value says. Called under the guard.
static void set_message_of(sluice_jq_program *program, jv invalid) {
    jv message = jv_invalid_get_msg(invalid);
    if (jv_get_kind(message) != JV_KIND_STRING) {
        message = jv_string_concat(jv_string("the program raised "), jv_dump_string(message, 0));
    }
    set_message(program, jv_string_value(message), (size_t)jv_string_length_bytes(jv_copy(message)));
    jv_free(message);
}

static void report(void *program, jv message) {
    if (jv_get_kind(message) == JV_KIND_STRING) message = jv_invalid_with_msg(message);
    set_message_of(program, message);
    set_message(program, "\n", 1);
}

// After a stop nothing of libjq's state can be trusted. The values, which only it referred to, and its stack are freed;
// what it compiled, some ten kilobytes, is given up.
static sluice_jq_status drop(sluice_jq_program *program) {
    program->jq = NULL;
    program->is_unfinished = 0;
    program->input = program->output = jv_invalid();
    program->building.count = program->reading.count = 0;
    program->stops++;
    sluice_jq_guard_disarm(&program->guard);
    sluice_jq_guard_release(&program->guard);
    free(program->guard.program_stack);
    program->guard.program_stack = NULL;
    if (program->guard.reason == SLUICE_JQ_ASSERTION) {
        clear_message(program);
        set_message(program, program->guard.assertion, strlen(program->guard.assertion));
    }
    return program->guard.reason;
}

sluice_jq_program *sluice_jq_program_new(
    const char *text, size_t length, size_t memory_limit, uint64_t time_limit_nanoseconds) {
    sluice_jq_program *program = calloc(1, sizeof *program);
    if (!program) return NULL;
    program->text = malloc(length + 1);
    if (!program->text) {
        free(program);
        return NULL;
    }
    if (length) memcpy(program->text, text, length);
    program->text[length] = 0;
    sluice_jq_guard_init(&program->guard, memory_limit, time_limit_nanoseconds);
    program->input = program->output = jv_invalid();
    return program;
}

void sluice_jq_program_free(sluice_jq_program *program) {
    if (!program) return;
    if (program->jq) {
        sluice_jq_guard_restart(&program->guard);
        SLUICE_JQ_GUARDED(&program->guard) {
            jv_free(program->output);
            jv_free(program->input);
            jq_teardown(&program->jq);
        }
        sluice_jq_guard_disarm(&program->guard);
    }
    sluice_jq_guard_release(&program->guard);
    free(program->building.levels);
    free(program->reading.levels);
    free(program->message);
    free(program->text);
    free(program);
}

typedef struct {
    sluice_jq_program *program;
    sluice_jq_status status;
} compilation;

// Whether libjq has asked this target for memory, and asks it for the kind of a value.
static int is_watched(sluice_jq_guard *guard) {
    sluice_jq_guard_restart(guard);
    int64_t before = guard->countdown;
    jv_free(jv_null());
    return guard->countdown < before && guard->has_allocated;
}

static void *compile(void *argument) {
    compilation *compilation = argument;
    sluice_jq_program *program = compilation->program;
    sluice_jq_guard_restart(&program->guard);
    program->guard.makes_values = 0;
    SLUICE_JQ_GUARDED(&program->guard) {
        program->jq = jq_init();
        jq_set_error_cb(program->jq, report, program);
        // Where libjq looks for modules; without it the program's own folder and the home directory.
        jq_set_attr(program->jq, jv_string("JQ_LIBRARY_PATH"), jv_array());
        int is_compiled = jq_compile(program->jq, program->text);
        compilation->status = is_compiled ? SLUICE_JQ_OK : SLUICE_JQ_FAILED;
        if (is_compiled && !is_watched(&program->guard)) compilation->status = SLUICE_JQ_UNGUARDED;
        if (compilation->status != SLUICE_JQ_OK) jq_teardown(&program->jq);
        program->guard.makes_values = 1;
        sluice_jq_guard_disarm(&program->guard);
    } else {
        compilation->status = drop(program);
    }
    return NULL;
}

sluice_jq_status sluice_jq_compile(sluice_jq_program *program) {
    if (program->jq) return SLUICE_JQ_OK;
    if (program->stops >= STOP_LIMIT) return SLUICE_JQ_STOPPED_TOO_OFTEN;
    clear_message(program);
    compilation compilation = {program, SLUICE_JQ_MEMORY};
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) != 0) return SLUICE_JQ_MEMORY;
    pthread_attr_setstacksize(&attributes, COMPILER_STACK);
    if (pthread_create(&thread, &attributes, compile, &compilation) == 0) pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    return compilation.status;
}

const char *sluice_jq_message(const sluice_jq_program *program, size_t *length) {
    *length = program->message_length;
    return program->message ? program->message : "";
}

// MARK: Evaluation

// libjq frees the stack of the last evaluation and makes a new one.
static void start(sluice_jq_program *program, jv input) {
    program->guard.program_stack = NULL;
    program->guard.expects_program_stack = 1;
    program->is_unfinished = 1;
    jq_start(program->jq, input, 0);
}

sluice_jq_status sluice_jq_reset(sluice_jq_program *program) {
    if (!program->is_unfinished) return SLUICE_JQ_OK;
    sluice_jq_guard_restart(&program->guard);
    SLUICE_JQ_GUARDED(&program->guard) {
        jv last = program->output;
        program->output = jv_invalid();
        jv_free(last);
        start(program, jv_null());
        sluice_jq_guard_disarm(&program->guard);
        return SLUICE_JQ_OK;
    }
    return drop(program);
}

int sluice_jq_rest(sluice_jq_program *program) {
    if (!program->jq || program->stops > 0 || program->building.count > 0 || program->reading.count > 0) return 0;
    sluice_jq_guard_restart(&program->guard);
    SLUICE_JQ_GUARDED(&program->guard) {
        jv input = program->input;
        program->input = jv_invalid();
        jv_free(input);
        sluice_jq_guard_disarm(&program->guard);
    } else {
        drop(program);
        return 0;
    }
    // The stack of an evaluation that came to its end is still there as well.
    program->is_unfinished = 1;
    if (sluice_jq_reset(program) != SLUICE_JQ_OK) return 0;
    free(program->building.levels);
    free(program->reading.levels);
    memset(&program->building, 0, sizeof program->building);
    memset(&program->reading, 0, sizeof program->reading);
    clear_message(program);
    return 1;
}

sluice_jq_status sluice_jq_start(sluice_jq_program *program) {
    sluice_jq_guard_restart(&program->guard);
    SLUICE_JQ_GUARDED(&program->guard) {
        int is_over_limit = program->guard.is_over_limit;
        jv input = program->input;
        program->input = jv_invalid();
        program->guard.is_over_limit = 0;
        if (is_over_limit) {
            jv_free(input);
        } else {
            start(program, input);
        }
        sluice_jq_guard_disarm(&program->guard);
        return is_over_limit ? SLUICE_JQ_MEMORY : SLUICE_JQ_OK;
    }
    return drop(program);
}

sluice_jq_status sluice_jq_next(sluice_jq_program *program) {
    sluice_jq_guard *guard = &program->guard;
    SLUICE_JQ_GUARDED(guard) {
        sluice_jq_status status = SLUICE_JQ_OK;
        // Freed first, since a value that nothing else refers to can be changed in place.
        jv last = program->output;
        program->output = jv_invalid();
        jv_free(last);
        guard->running = program->jq;
        jv output = jq_next(program->jq);
        guard->running = NULL;
        if (guard->reason != SLUICE_JQ_OK) {
            jv_free(output);
            status = guard->reason;
        } else if (jv_get_kind(output) != JV_KIND_INVALID) {
            program->output = output;
        } else if (jv_invalid_has_msg(jv_copy(output))) {
            clear_message(program);
            set_message_of(program, output);
            program->is_unfinished = 0;
            status = SLUICE_JQ_FAILED;
        } else {
            jv_free(output);
            program->is_unfinished = 0;
            status = SLUICE_JQ_END;
        }
        sluice_jq_guard_disarm(guard);
        return status;
    }
    return drop(program);
}

int sluice_jq_output_is_true(const sluice_jq_program *program) {
    jv_kind kind = jv_get_kind(program->output);
    return kind != JV_KIND_INVALID && kind != JV_KIND_NULL && kind != JV_KIND_FALSE;
}
