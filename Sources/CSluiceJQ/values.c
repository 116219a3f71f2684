// Values in and out, one piece at a time and without recursion.
#include "program.h"
#include <stdlib.h>

sluice_jq_level *sluice_jq_push_level(sluice_jq_levels *levels) {
    if (levels->count == levels->capacity) {
        size_t capacity = levels->capacity ? 2 * levels->capacity : 16;
        sluice_jq_level *grown = realloc(levels->levels, capacity * sizeof *grown);
        if (!grown) return NULL;
        levels->levels = grown;
        levels->capacity = capacity;
    }
    return &levels->levels[levels->count++];
}

// MARK: Input

static void put(sluice_jq_program *program, jv value) {
    if (program->building.count == 0) {
        jv_free(program->input);
        program->input = value;
        return;
    }
    sluice_jq_level *top = &program->building.levels[program->building.count - 1];
    if (jv_get_kind(top->container) == JV_KIND_ARRAY) {
        top->container = jv_array_append(top->container, value);
    } else {
        top->container = jv_object_set(top->container, top->name, value);
        top->name = jv_invalid();
    }
}

static void put_level(sluice_jq_program *program, jv container) {
    sluice_jq_level *level = sluice_jq_push_level(&program->building);
    if (!level) abort();
    *level = (sluice_jq_level){.container = container, .name = jv_invalid()};
}

// Each call makes the guard the thread's own for its time: the values are allocated in the program's memory.
#define IN_PROGRAM(statement) \
    do { \
        sluice_jq_guard_enter(&program->guard); \
        statement; \
        sluice_jq_guard_leave(); \
    } while (0)

void sluice_jq_input_begin(sluice_jq_program *program) {
    IN_PROGRAM({
        program->building.count = 0;
        jv_free(program->input);
        program->input = jv_invalid();
    });
}

void sluice_jq_input_null(sluice_jq_program *program) { IN_PROGRAM(put(program, jv_null())); }

void sluice_jq_input_boolean(sluice_jq_program *program, int value) { IN_PROGRAM(put(program, jv_bool(value))); }

void sluice_jq_input_number(sluice_jq_program *program, double value) { IN_PROGRAM(put(program, jv_number(value))); }

// Beyond the memory limit nothing is built any more; the start of the evaluation says so.
static jv text(sluice_jq_program *program, const void *bytes, size_t length) {
    if (program->guard.is_over_limit) return jv_null();
    if (length > SLUICE_JQ_MEMORY_LIMIT / 4) {
        program->guard.is_over_limit = 1;
        return jv_null();
    }
    return jv_string_sized(length ? bytes : "", (int)length);
}

void sluice_jq_input_string(sluice_jq_program *program, const void *bytes, size_t length) {
    IN_PROGRAM(put(program, text(program, bytes, length)));
}

void sluice_jq_input_begin_array(sluice_jq_program *program, size_t count) {
    int size = count < 16 ? 16 : count > 4096 ? 4096 : (int)count;
    IN_PROGRAM(put_level(program, jv_array_sized(size)));
}

void sluice_jq_input_begin_object(sluice_jq_program *program) { IN_PROGRAM(put_level(program, jv_object())); }

void sluice_jq_input_name(sluice_jq_program *program, const void *bytes, size_t length) {
    IN_PROGRAM({
        sluice_jq_level *top = &program->building.levels[program->building.count - 1];
        top->name = text(program, bytes, length);
        if (jv_get_kind(top->name) != JV_KIND_STRING) top->name = jv_string("");
    });
}

void sluice_jq_input_end(sluice_jq_program *program) {
    IN_PROGRAM({
        jv container = program->building.levels[--program->building.count].container;
        put(program, container);
    });
}

// MARK: Output

static sluice_jq_event string_event(sluice_jq_event_kind kind, jv string) {
    sluice_jq_event event = {.kind = kind};
    event.bytes = (const uint8_t *)jv_string_value(string);
    event.length = (size_t)jv_string_length_bytes(jv_copy(string));
    return event;
}

// The value is one that the output refers to, so what the event points to lives as long as the output.
static sluice_jq_event enter(sluice_jq_program *program, jv value) {
    switch (jv_get_kind(value)) {
    case JV_KIND_FALSE: return (sluice_jq_event){.kind = SLUICE_JQ_EVENT_FALSE};
    case JV_KIND_TRUE: return (sluice_jq_event){.kind = SLUICE_JQ_EVENT_TRUE};
    case JV_KIND_NUMBER:
        return (sluice_jq_event){.kind = SLUICE_JQ_EVENT_NUMBER, .number = jv_number_value(value)};
    case JV_KIND_STRING: return string_event(SLUICE_JQ_EVENT_STRING, value);
    case JV_KIND_ARRAY:
    case JV_KIND_OBJECT: {
        int is_array = jv_get_kind(value) == JV_KIND_ARRAY;
        sluice_jq_level *level = NULL;
        if (program->reading.count < program->maximum_depth) level = sluice_jq_push_level(&program->reading);
        if (!level) return (sluice_jq_event){.kind = SLUICE_JQ_EVENT_TOO_DEEP};
        *level = (sluice_jq_level){.container = value, .position = is_array ? 0 : jv_object_iter(value)};
        return (sluice_jq_event){.kind = is_array ? SLUICE_JQ_EVENT_BEGIN_ARRAY : SLUICE_JQ_EVENT_BEGIN_OBJECT};
    }
    default: return (sluice_jq_event){.kind = SLUICE_JQ_EVENT_NULL};
    }
}

static sluice_jq_event next_event(sluice_jq_program *program) {
    if (program->reading.count == 0) {
        if (program->has_read_root) return (sluice_jq_event){.kind = SLUICE_JQ_EVENT_END};
        program->has_read_root = 1;
        return enter(program, program->output);
    }
    sluice_jq_level *top = &program->reading.levels[program->reading.count - 1];
    jv container = top->container;
    if (jv_get_kind(container) == JV_KIND_ARRAY) {
        if (top->position >= jv_array_length(jv_copy(container))) {
            program->reading.count--;
            return (sluice_jq_event){.kind = SLUICE_JQ_EVENT_END_ARRAY};
        }
        // Freed at once, here and below: the container keeps a reference of its own.
        jv element = jv_array_get(jv_copy(container), top->position++);
        jv_free(element);
        return enter(program, element);
    }
    if (!jv_object_iter_valid(container, top->position)) {
        program->reading.count--;
        return (sluice_jq_event){.kind = SLUICE_JQ_EVENT_END_OBJECT};
    }
    if (!top->is_named) {
        top->is_named = 1;
        jv name = jv_object_iter_key(container, top->position);
        jv_free(name);
        return string_event(SLUICE_JQ_EVENT_NAME, name);
    }
    top->is_named = 0;
    jv value = jv_object_iter_value(container, top->position);
    jv_free(value);
    top->position = jv_object_iter_next(container, top->position);
    return enter(program, value);
}

void sluice_jq_output_begin(sluice_jq_program *program, size_t maximum_depth) {
    program->reading.count = 0;
    program->maximum_depth = maximum_depth;
    program->has_read_root = 0;
}

sluice_jq_event sluice_jq_output_next(sluice_jq_program *program) {
    sluice_jq_event event;
    IN_PROGRAM(event = next_event(program));
    return event;
}
