#include "CSluiceSimdjson.h"

#include <memory>
#include <new>

#include <simdjson.h>

#include "buffer.hpp"
#include "scanner.hpp"
#include "tape.hpp"

struct sluice_json_parser {
    explicit sluice_json_parser(size_t depth) noexcept : builder(depth), maximum_depth(depth) {}

    std::unique_ptr<simdjson::internal::dom_parser_implementation> indexer;
    sluice::TapeBuilder builder;
    sluice::Buffer<uint8_t> copy;
    size_t maximum_depth;
    const uint8_t *texts[2] = {nullptr, nullptr};
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

sluice_json_parser *sluice_json_parser_new(size_t maximum_depth) noexcept {
    return new (std::nothrow) sluice_json_parser(maximum_depth);
}

void sluice_json_parser_free(sluice_json_parser *parser) noexcept { delete parser; }

sluice_json_code sluice_json_parse(
    sluice_json_parser *parser, const uint8_t *bytes, size_t length, sluice_json_result *result) noexcept {
    result->error_offset = 0;
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
        if (code == SLUICE_JSON_OK) {
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
