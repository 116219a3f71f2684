#include "CSluiceSimdjson.h"

#include <cstring>

#include "nesting.hpp"

namespace {

/// The position behind the quote that ends a string, or null. Begins behind the opening quote.
const uint8_t *string_end(const uint8_t *begin, const uint8_t *end) noexcept {
    const uint8_t *position = begin;
    while (position < end) {
        const void *found = std::memchr(position, '"', static_cast<size_t>(end - position));
        if (found == nullptr) return nullptr;
        const auto *quote = static_cast<const uint8_t *>(found);
        const uint8_t *first = quote;
        while (first > begin && first[-1] == '\\') --first;
        if ((quote - first) % 2 == 0) return quote + 1;
        position = quote + 1;
    }
    return nullptr;
}

const uint8_t *behind_space(const uint8_t *position, const uint8_t *end) noexcept {
    while (position < end && (*position == ' ' || *position == '\n' || *position == '\r' || *position == '\t')) ++position;
    return position;
}

/// The position behind a value, or the end of the text.
const uint8_t *value_end(const uint8_t *start, const uint8_t *end) noexcept {
    if (start >= end) return end;
    if (*start == '{' || *start == '[') {
        sluice::Nesting nesting;
        nesting.begin();
        const uint8_t *found = nesting.find_end(start + 1, end);
        return found == nullptr ? end : found;
    }
    if (*start == '"') {
        const uint8_t *found = string_end(start + 1, end);
        return found == nullptr ? end : found;
    }
    const uint8_t *position = start + 1;
    auto ends = [](uint8_t byte) noexcept { return byte <= ' ' || byte == ',' || byte == ']' || byte == '}'; };
    while (position < end && !ends(*position)) ++position;
    return position;
}

}  // namespace

size_t sluice_json_value_end(const uint8_t *bytes, size_t length, size_t offset) noexcept {
    if (offset >= length) return length;
    return static_cast<size_t>(value_end(bytes + offset, bytes + length) - bytes);
}

int sluice_json_peek(
    const uint8_t *bytes, size_t length, const uint8_t *name, size_t name_length, size_t *start,
    size_t *end) noexcept {
    const uint8_t *last = bytes + length;
    auto has = [last](const uint8_t *position, uint8_t byte) noexcept { return position < last && *position == byte; };
    const uint8_t *position = behind_space(bytes, last);
    if (!has(position, '{')) return 0;
    do {
        position = behind_space(position + 1, last);
        if (!has(position, '"')) return 0;
        const uint8_t *found = position + 1;
        const uint8_t *behind = string_end(found, last);
        if (behind == nullptr) return 0;
        const auto found_length = static_cast<size_t>(behind - 1 - found);
        position = behind_space(behind, last);
        if (!has(position, ':')) return 0;
        position = behind_space(position + 1, last);
        const uint8_t *value = position;
        position = value_end(value, last);
        if (position == last) return 0;
        if (found_length == name_length && std::memcmp(found, name, name_length) == 0) {
            *start = static_cast<size_t>(value - bytes);
            *end = static_cast<size_t>(position - bytes);
            return 1;
        }
        position = behind_space(position, last);
    } while (has(position, ','));
    return 0;
}
