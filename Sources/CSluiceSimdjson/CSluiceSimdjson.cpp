#include "CSluiceSimdjson.h"

#include <memory>
#include <new>

#include <simdjson.h>

#include "buffer.hpp"
#include "nesting.hpp"
#include "scanner.hpp"
#include "tape.hpp"

struct sluice_json_parser {
    sluice_json_parser(size_t depth, size_t members) noexcept : builder(depth, members), maximum_depth(depth) {}

    std::unique_ptr<simdjson::internal::dom_parser_implementation> indexer;
    sluice::TapeBuilder builder;
    sluice::Buffer<uint8_t> copy;
    size_t maximum_depth;
    const uint8_t *texts[2] = {nullptr, nullptr};
    /// The text that was parsed last, with its mark; null if it was not valid.
    const uint8_t *bytes = nullptr;
};

struct sluice_json_scanner {
    sluice_json_scanner(size_t maximum_depth, size_t maximum_name_length) noexcept
        : scanner(maximum_depth, maximum_name_length) {}

    sluice::Scanner scanner;
};

namespace {

constexpr size_t byte_order_mark_length = 3;

bool reserve_indexer(sluice_json_parser &parser, size_t length) noexcept {
    if (parser.indexer != nullptr && parser.indexer->capacity() >= length) return true;
    // Generous, so that records of growing sizes do not each cost an allocation.
    const size_t capacity = length < 16 * 1024 ? 32 * 1024 : 2 * length;
    if (parser.indexer != nullptr) return parser.indexer->set_capacity(capacity) == simdjson::SUCCESS;
    return simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, 1, parser.indexer)
        == simdjson::SUCCESS;
}

/// What is wrong with a text and where: found by a second, slower reading.
sluice_json_code explain(
    const sluice_json_parser &parser, const uint8_t *bytes, size_t length, size_t &offset) noexcept {
    sluice::Scanner scanner(parser.maximum_depth, 0);
    scanner.set_validating();
    sluice_json_scan_event event{};
    if (scanner.scan(bytes, length, event) != SLUICE_SCAN_FAILED) scanner.finish(event);
    offset = static_cast<size_t>(event.error_offset);
    return event.code == SLUICE_JSON_OK ? SLUICE_JSON_INTERNAL : event.code;
}

}  // namespace

const uint64_t *sluice_json_null_tape() noexcept {
    static const uint64_t tape[1] = {uint64_t{SLUICE_KIND_NULL} << 60};
    return tape;
}

const uint8_t *const *sluice_json_null_texts() noexcept {
    static const uint8_t *const texts[2] = {nullptr, nullptr};
    return texts;
}

sluice_json_parser *sluice_json_parser_new(size_t maximum_depth, size_t maximum_members) noexcept {
    return new (std::nothrow) sluice_json_parser(maximum_depth, maximum_members);
}

void sluice_json_parser_free(sluice_json_parser *parser) noexcept { delete parser; }

sluice_json_code sluice_json_parse(
    sluice_json_parser *parser, const uint8_t *bytes, size_t length, sluice_json_result *result) noexcept {
    result->error_offset = 0;
    parser->bytes = nullptr;
    if (length > SLUICE_PARSE_LIMIT) return SLUICE_JSON_TOO_LARGE;
    const bool is_marked = length >= byte_order_mark_length && std::memcmp(bytes, "\xEF\xBB\xBF", 3) == 0;
    const size_t skipped = is_marked ? byte_order_mark_length : 0;
    if (length == skipped) return SLUICE_JSON_EMPTY;
    const uint8_t *source = bytes + skipped;
    const size_t source_length = length - skipped;

    if (!reserve_indexer(*parser, source_length)) return SLUICE_JSON_OUT_OF_MEMORY;
    auto &indexer = *parser->indexer;
    if (indexer.stage1(source, source_length, simdjson::stage1_mode::regular) == simdjson::SUCCESS) {
        const auto code = parser->builder.build(
            source, source_length, indexer.structural_indexes.get(), indexer.n_structural_indexes);
        if (code == SLUICE_JSON_OUT_OF_MEMORY) return code;
        if (code == SLUICE_JSON_TOO_MANY_MEMBERS) {
            result->error_offset = skipped + parser->builder.error_offset();
            return code;
        }
        if (code == SLUICE_JSON_OK) {
            parser->bytes = bytes;
            parser->texts[0] = source;
            parser->texts[1] = parser->builder.strings();
            result->tape = parser->builder.tape();
            result->texts = parser->texts;
            return SLUICE_JSON_OK;
        }
    }
    return explain(*parser, bytes, length, result->error_offset);
}

sluice_json_code sluice_json_parse_copy(
    sluice_json_parser *parser, const uint8_t *bytes, size_t length, sluice_json_result *result) noexcept {
    result->error_offset = 0;
    if (length > SLUICE_PARSE_LIMIT) return SLUICE_JSON_TOO_LARGE;
    if (!parser->copy.reserve(length)) return SLUICE_JSON_OUT_OF_MEMORY;
    if (length > 0) std::memcpy(parser->copy.data(), bytes, length);
    return sluice_json_parse(parser, parser->copy.data(), length, result);
}

int sluice_json_latest(const sluice_json_parser *parser, sluice_json_document *document) noexcept {
    if (parser->bytes == nullptr) return 0;
    *document = {parser->builder.tape(), parser->builder.tape_length(), parser->bytes};
    return 1;
}

int sluice_json_source_offsets(
    const sluice_json_parser *parser, const uint32_t *words, size_t count, uint32_t *offsets) noexcept {
    if (parser->bytes == nullptr) return 0;
    const uint8_t *source = parser->texts[0];
    const auto skipped = static_cast<uint32_t>(source - parser->bytes);
    const uint64_t *tape = parser->builder.tape();
    const uint32_t *positions = parser->indexer->structural_indexes.get();
    const size_t position_count = parser->indexer->n_structural_indexes;
    // Values and names stand in the same order on the tape and in the text; what separates them is passed over.
    auto separates = [source](uint32_t position) noexcept {
        const uint8_t byte = source[position];
        return byte == ',' || byte == ':' || byte == ']' || byte == '}';
    };
    size_t wanted = 0;
    size_t word = 0;
    for (size_t position = 0; wanted < count && position < position_count; ++position) {
        if (separates(positions[position])) continue;
        for (; wanted < count && words[wanted] == word; ++wanted) offsets[wanted] = positions[position] + skipped;
        word += tape[word] >> 60 == SLUICE_KIND_INTEGER ? 2 : 1;
    }
    return wanted == count ? 1 : 0;
}

sluice_json_scanner *sluice_json_scanner_new(size_t maximum_depth, size_t maximum_name_length) noexcept {
    return new (std::nothrow) sluice_json_scanner(maximum_depth, maximum_name_length);
}

void sluice_json_scanner_free(sluice_json_scanner *scanner) noexcept { delete scanner; }

int sluice_json_scanner_add_step(
    sluice_json_scanner *scanner, sluice_json_step_kind kind, uint64_t index, const uint8_t *name,
    size_t name_length) noexcept {
    return scanner->scanner.add_step({kind, index, name, name_length}) ? 1 : 0;
}

void sluice_json_scanner_set_automatic(sluice_json_scanner *scanner) noexcept { scanner->scanner.set_automatic(); }

sluice_json_scan_status sluice_json_scanner_scan(
    sluice_json_scanner *scanner, const uint8_t *bytes, size_t length, sluice_json_scan_event *event) noexcept {
    return scanner->scanner.scan(bytes, length, *event);
}

sluice_json_scan_status sluice_json_scanner_finish(
    sluice_json_scanner *scanner, sluice_json_scan_event *event) noexcept {
    return scanner->scanner.finish(*event);
}

void sluice_json_scanner_restart(sluice_json_scanner *scanner, uint64_t offset) noexcept {
    scanner->scanner.restart(offset);
}

int sluice_json_scanner_path_was_found(const sluice_json_scanner *scanner) noexcept {
    return scanner->scanner.path_was_found() ? 1 : 0;
}

int sluice_json_scanner_location(
    const sluice_json_scanner *scanner, size_t step, sluice_json_location *location) noexcept {
    return scanner->scanner.location(step, *location) ? 1 : 0;
}

sluice_json_lines sluice_json_count_lines(const uint8_t *bytes, size_t length) noexcept {
    // In runs short enough for a sum of one byte, which lets the compiler count 16 bytes at once.
    constexpr size_t run = 128;
    size_t count = 0;
    size_t position = 0;
    for (; length - position >= run; position += run) {
        uint8_t sum = 0;
        for (size_t i = 0; i < run; ++i) sum += bytes[position + i] == '\n' ? 1 : 0;
        count += sum;
    }
    for (; position < length; ++position) count += bytes[position] == '\n' ? 1 : 0;
    size_t start = count == 0 ? 0 : length;
    while (start > 0 && bytes[start - 1] != '\n') --start;
    return {count, length - start};
}
