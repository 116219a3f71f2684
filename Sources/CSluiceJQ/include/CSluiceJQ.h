// Runs jq programs under limits. No `jv`, which C passes by value, crosses this header.
//
// libjq has no means to interrupt a program or to bound its memory, and it ends the process when an assertion fails or
// memory runs out. All its memory and all looks at a value, however, go through exported functions, `jv_mem_alloc` and
// `jv_get_kind` among them, which this target defines in libjq's place. There every limit is watched:
//
//   - Where one is exceeded the program is *halted*, by `jq_halt`: it ends before its next step, with all in order.
//   - Where a single step goes too far, or the C stack ends, or an assertion fails, it is *stopped*: a long jump leaves
//     libjq, all values are freed, and the program is compiled again before its next use.
#ifndef CSLUICEJQ_H
#define CSLUICEJQ_H

#include <stddef.h>
#include <stdint.h>

typedef struct sluice_jq_program sluice_jq_program;

typedef enum {
    // There is a further output; or what was asked for is done.
    SLUICE_JQ_OK = 0,
    // There are no more outputs.
    SLUICE_JQ_END,
    // The program does not compile, or raised an error: see sluice_jq_message.
    SLUICE_JQ_FAILED,
    // Limits: the program was stopped.
    SLUICE_JQ_TIME,
    SLUICE_JQ_MEMORY,
    SLUICE_JQ_STACK,
    // An assertion of libjq failed: see sluice_jq_message.
    SLUICE_JQ_ASSERTION,
    // libjq does not call the functions that this target defines, so that no limit would hold.
    SLUICE_JQ_UNGUARDED,
    // The program was stopped so often that it is not compiled again.
    SLUICE_JQ_STOPPED_TOO_OFTEN,
} sluice_jq_status;

// The largest memory limit. A step may take two and a half times as much; so no size that libjq 1.6 keeps in an int
// overflows.
static const size_t SLUICE_JQ_MEMORY_LIMIT = (size_t)400 << 20;

// MARK: Programs

// The text is copied. NULL if there is no memory. A program belongs to one thread at a time.
sluice_jq_program *sluice_jq_program_new(
    const char *text, size_t length, size_t memory_limit, uint64_t time_limit_nanoseconds);
void sluice_jq_program_free(sluice_jq_program *program);

// Compiles the program if it is not.
sluice_jq_status sluice_jq_compile(sluice_jq_program *program);

// Frees what the last evaluation has left, for a program that is kept for later; 0 where it is not as good as new.
int sluice_jq_rest(sluice_jq_program *program);

// What libjq said last; valid until the next call.
const char *sluice_jq_message(const sluice_jq_program *program, size_t *length);

// MARK: Input

// The input is built from these calls, in the order of a JSON text; one value in all. What had been built is dropped.
void sluice_jq_input_begin(sluice_jq_program *program);
void sluice_jq_input_null(sluice_jq_program *program);
void sluice_jq_input_boolean(sluice_jq_program *program, int value);
void sluice_jq_input_number(sluice_jq_program *program, double value);
// The bytes are valid UTF-8.
void sluice_jq_input_string(sluice_jq_program *program, const void *bytes, size_t length);
void sluice_jq_input_begin_array(sluice_jq_program *program, size_t count);
void sluice_jq_input_begin_object(sluice_jq_program *program);
// The name of the member whose value follows.
void sluice_jq_input_name(sluice_jq_program *program, const void *bytes, size_t length);
void sluice_jq_input_end(sluice_jq_program *program);

// MARK: Evaluation

// Frees what the last evaluation has left, if it did not come to its end. Where that is stopped, because it is nested
// too deeply, the program must be compiled again.
sluice_jq_status sluice_jq_reset(sluice_jq_program *program);
// Starts the evaluation over the input that was built.
sluice_jq_status sluice_jq_start(sluice_jq_program *program);
// Goes to the next output.
sluice_jq_status sluice_jq_next(sluice_jq_program *program);
// Whether the present output is neither false nor null.
int sluice_jq_output_is_true(const sluice_jq_program *program);

typedef enum {
    SLUICE_JQ_EVENT_END = 0,
    SLUICE_JQ_EVENT_NULL,
    SLUICE_JQ_EVENT_FALSE,
    SLUICE_JQ_EVENT_TRUE,
    SLUICE_JQ_EVENT_NUMBER,
    SLUICE_JQ_EVENT_STRING,
    SLUICE_JQ_EVENT_BEGIN_ARRAY,
    SLUICE_JQ_EVENT_END_ARRAY,
    SLUICE_JQ_EVENT_BEGIN_OBJECT,
    SLUICE_JQ_EVENT_NAME,
    SLUICE_JQ_EVENT_END_OBJECT,
    // The output is nested more deeply than sluice_jq_read_output was told.
    SLUICE_JQ_EVENT_TOO_DEEP,
} sluice_jq_event_kind;

typedef struct {
    sluice_jq_event_kind kind;
    double number;
    // Of strings and names; valid as long as the output.
    const uint8_t *bytes;
    size_t length;
} sluice_jq_event;

// Reads the present output from its start, event by event.
void sluice_jq_output_begin(sluice_jq_program *program, size_t maximum_depth);
sluice_jq_event sluice_jq_output_next(sluice_jq_program *program);

#endif
