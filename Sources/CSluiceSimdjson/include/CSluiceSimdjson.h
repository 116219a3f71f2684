// Parses JSON to a tape and splits JSON streams into records. No exception and no C++ type crosses this header.
//
// The tape is an array of 64-bit words, in the order of the document:
//
//     bits 60–63  kind, a SLUICE_KIND
//     bit  59     texts only: 0 = the bytes stand in the source, 1 = they were unescaped into the string buffer
//     bits 28–55  strings and numbers: length in bytes; containers: number of elements or members
//     bits  0–27  strings and numbers: offset of the bytes; containers: words to the next sibling; booleans: the value
//
// An integer is followed by a second word with its value. A member is the word of its name followed by its value.
// `{"a":[12,true],"b":"x"}` gives
//
//     0 object, 2 members, next sibling 8 words on
//     1 string "a"         2 array, 2 elements, next sibling 4 words on      3 integer "12"  4 12    5 true
//     6 string "b"         7 string "x"
#ifndef CSLUICESIMDJSON_H
#define CSLUICESIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define SLUICE_NOEXCEPT noexcept
#else
#define SLUICE_NOEXCEPT
#endif

enum {
    SLUICE_KIND_NULL = 0,
    SLUICE_KIND_BOOLEAN = 1,
    SLUICE_KIND_INTEGER = 2,
    SLUICE_KIND_NUMBER = 3,
    SLUICE_KIND_STRING = 4,
    SLUICE_KIND_ARRAY = 5,
    SLUICE_KIND_OBJECT = 6,
};

// The longest text that can be parsed at once: offsets and lengths have 28 bits.
static const size_t SLUICE_PARSE_LIMIT = 0x0FFFFFFF;

typedef enum {
    SLUICE_JSON_OK = 0,
    SLUICE_JSON_OUT_OF_MEMORY,
    SLUICE_JSON_TOO_LARGE,
    SLUICE_JSON_EMPTY,
    SLUICE_JSON_HTML,
    SLUICE_JSON_TRUNCATED,
    SLUICE_JSON_TRAILING_CONTENT,
    SLUICE_JSON_TOO_DEEP,
    SLUICE_JSON_TOO_MANY_MEMBERS,
    SLUICE_JSON_INVALID_UTF8,
    SLUICE_JSON_UNCLOSED_STRING,
    SLUICE_JSON_CONTROL_CHARACTER,
    SLUICE_JSON_INVALID_ESCAPE,
    SLUICE_JSON_LONE_SURROGATE,
    SLUICE_JSON_INVALID_LITERAL,
    SLUICE_JSON_INVALID_NUMBER,
    SLUICE_JSON_EXPECTED_VALUE,
    SLUICE_JSON_EXPECTED_NAME,
    SLUICE_JSON_EXPECTED_COLON,
    SLUICE_JSON_EXPECTED_COMMA_OR_BRACKET,
    SLUICE_JSON_EXPECTED_COMMA_OR_BRACE,
    // Of the record scanner alone.
    SLUICE_JSON_NAME_TOO_LONG,
    SLUICE_JSON_WRONG_TYPE,
    // The parser found a fault that the validator does not see; never expected.
    SLUICE_JSON_INTERNAL,
} sluice_json_code;

// MARK: Parser

typedef struct sluice_json_parser sluice_json_parser;

typedef struct {
    // The first word of the value; valid until the next parse.
    const uint64_t *tape;
    // Where texts stand: [0] the source, [1] the string buffer. Valid as long as the parser.
    const uint8_t *const *texts;
    // Where the error is; for SLUICE_JSON_OK without meaning.
    size_t error_offset;
} sluice_json_result;

// NULL if there is no memory.
sluice_json_parser *sluice_json_parser_new(size_t maximum_depth, size_t maximum_members) SLUICE_NOEXCEPT;
void sluice_json_parser_free(sluice_json_parser *parser) SLUICE_NOEXCEPT;

// Parses one value. The tape refers to `bytes`, which must stay as they are while it is read.
// Nothing beyond `length` is read.
sluice_json_code sluice_json_parse(
    sluice_json_parser *parser, const uint8_t *bytes, size_t length, sluice_json_result *result) SLUICE_NOEXCEPT;

// The same on a copy of the bytes that the parser keeps until the next parse.
sluice_json_code sluice_json_parse_copy(
    sluice_json_parser *parser, const uint8_t *bytes, size_t length, sluice_json_result *result) SLUICE_NOEXCEPT;

typedef struct {
    const uint64_t *tape;
    // In words.
    size_t tape_length;
    // The text, with its byte order mark.
    const uint8_t *bytes;
} sluice_json_document;

// What was parsed last; false if that failed.
int sluice_json_latest(const sluice_json_parser *parser, sluice_json_document *document) SLUICE_NOEXCEPT;

// Where the values and names of certain words begin in the text that was parsed last. The words are counted from the
// first one of the tape and ascend. Takes time linear in the text; false if one is no first word of a value or name.
int sluice_json_source_offsets(
    const sluice_json_parser *parser, const uint32_t *words, size_t count, uint32_t *offsets) SLUICE_NOEXCEPT;

// Where a value ends that begins at the offset of a valid text.
size_t sluice_json_value_end(const uint8_t *bytes, size_t length, size_t offset) SLUICE_NOEXCEPT;

// Finds the first member of an object whose name stands there as it is, without escapes, by reading no further than its
// value: nothing else is validated, and a later member of that name is not seen. False if there is none, or if the text is
// not read so easily.
int sluice_json_peek(
    const uint8_t *bytes, size_t length, const uint8_t *name, size_t name_length, size_t *start, size_t *end)
    SLUICE_NOEXCEPT;

// The tape of `null`, which lives for ever, and texts for it.
const uint64_t *sluice_json_null_tape(void) SLUICE_NOEXCEPT;
const uint8_t *const *sluice_json_null_texts(void) SLUICE_NOEXCEPT;

// MARK: Scanner

typedef struct sluice_json_scanner sluice_json_scanner;

typedef enum {
    SLUICE_STEP_NAME = 0,
    SLUICE_STEP_INDEX,
    SLUICE_STEP_WILDCARD,
    // Every member of an object; like a wildcard, but arrays are refused.
    SLUICE_STEP_MEMBERS,
} sluice_json_step_kind;

typedef enum {
    // All bytes were consumed.
    SLUICE_SCAN_MORE = 0,
    // A record ended; scanning goes on behind it.
    SLUICE_SCAN_RECORD,
    // Only after sluice_json_scanner_finish: the document is complete and valid.
    SLUICE_SCAN_DONE,
    SLUICE_SCAN_FAILED,
} sluice_json_scan_status;

typedef struct {
    // Bytes consumed by this call.
    size_t consumed;
    // Offsets in the document. While `is_in_record` the start is known and the end is not.
    uint64_t record_start;
    uint64_t record_end;
    int is_in_record;
    // For SLUICE_SCAN_RECORD: the name of the member that the record is, or NULL.
    const uint8_t *name;
    size_t name_length;
    // For SLUICE_SCAN_FAILED.
    sluice_json_code code;
    uint64_t error_offset;
    // For SLUICE_JSON_WRONG_TYPE: how many steps had been followed, and the first byte of what was found.
    size_t error_step;
    uint8_t error_byte;
} sluice_json_scan_event;

typedef struct {
    // One of an object's members (its name is `name`) or an array's elements (`index`).
    int is_member;
    uint64_t index;
    const uint8_t *name;
    size_t name_length;
} sluice_json_location;

// Without steps the document itself is the record. NULL if there is no memory.
sluice_json_scanner *sluice_json_scanner_new(size_t maximum_depth, size_t maximum_name_length) SLUICE_NOEXCEPT;
void sluice_json_scanner_free(sluice_json_scanner *scanner) SLUICE_NOEXCEPT;

// Steps are added before the first byte; the name is copied. False if there is no memory.
int sluice_json_scanner_add_step(
    sluice_json_scanner *scanner, sluice_json_step_kind kind, uint64_t index, const uint8_t *name,
    size_t name_length) SLUICE_NOEXCEPT;
// In place of steps: the elements of an array, or the object itself; any other document is of the wrong type.
void sluice_json_scanner_set_automatic(sluice_json_scanner *scanner) SLUICE_NOEXCEPT;

// Goes on with the next bytes of the document, however they are cut.
sluice_json_scan_status sluice_json_scanner_scan(
    sluice_json_scanner *scanner, const uint8_t *bytes, size_t length, sluice_json_scan_event *event) SLUICE_NOEXCEPT;
// Says that there are no more bytes. A record that the end closes (a number) is given first; call again.
sluice_json_scan_status sluice_json_scanner_finish(
    sluice_json_scanner *scanner, sluice_json_scan_event *event) SLUICE_NOEXCEPT;
// Makes the scanner ready for another document that begins at the given offset.
void sluice_json_scanner_restart(sluice_json_scanner *scanner, uint64_t offset) SLUICE_NOEXCEPT;

// Whether what holds the records was there: the container that the last wildcard expands, else the record itself.
int sluice_json_scanner_path_was_found(const sluice_json_scanner *scanner) SLUICE_NOEXCEPT;
// The steps that led to the record just given, from the root; false beyond the last.
int sluice_json_scanner_location(
    const sluice_json_scanner *scanner, size_t step, sluice_json_location *location) SLUICE_NOEXCEPT;

typedef struct {
    size_t line_feeds;
    // How many bytes stand behind the last line feed.
    size_t behind_last;
} sluice_json_lines;

sluice_json_lines sluice_json_count_lines(const uint8_t *bytes, size_t length) SLUICE_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
