#include "tape.hpp"

#include "number.hpp"
#include "text.hpp"

namespace sluice {

namespace {

constexpr uint64_t word(uint64_t kind, uint64_t upper, uint64_t lower) noexcept {
    return kind << 60 | upper << 28 | lower;
}

constexpr uint64_t in_string_buffer = uint64_t{1} << 59;

/// Whether a scalar may end before this byte.
bool ends_scalar(uint8_t byte) noexcept {
    return is_space(byte) || byte == ',' || byte == ']' || byte == '}' || byte == ':';
}

}  // namespace

uint64_t TapeBuilder::escaped_string(const uint8_t *begin, const uint8_t *closing) noexcept {
    uint8_t *output = strings_.data() + strings_used_;
    const uint8_t *output_end = unescape(begin, closing, output);
    if (output_end == nullptr) return 0;
    const auto length = static_cast<size_t>(output_end - output);
    const size_t offset = strings_used_;
    strings_used_ += length;
    return word(SLUICE_KIND_STRING, length, offset) | in_string_buffer;
}

sluice_json_code TapeBuilder::build(
    const uint8_t *source, size_t length, const uint32_t *positions, size_t position_count) noexcept {
    const uint8_t *limit = source + length;
    auto backslash_from = [limit](const uint8_t *start) noexcept {
        auto *found = static_cast<const uint8_t *>(std::memchr(start, '\\', static_cast<size_t>(limit - start)));
        return found == nullptr ? limit : found;
    };
    // Where the next backslash stands is remembered, so that strings without one are not looked through.
    const uint8_t *backslash = backslash_from(source);
    // No structural character makes more than two words, and no string becomes longer.
    if (!tape_.reserve(2 * position_count)) return SLUICE_JSON_OUT_OF_MEMORY;
    if (backslash != limit && !strings_.reserve(length)) return SLUICE_JSON_OUT_OF_MEMORY;
    strings_used_ = 0;

    // The word of the string between an opening quote and the next structural character; 0 if it is not valid.
    auto string_word = [&](size_t opening, size_t next) __attribute__((always_inline)) noexcept -> uint64_t {
        // Between the closing quote and the next structural character there is nothing but white space.
        const uint8_t *begin = source + opening + 1;
        const uint8_t *closing = source + next - 1;
        while (*closing != '"') --closing;
        if (closing < begin) return 0;
        if (backslash < begin) backslash = backslash_from(begin);
        if (backslash < closing) return escaped_string(begin, closing);
        return word(SLUICE_KIND_STRING, static_cast<size_t>(closing - begin), opening + 1);
    };

    const uint32_t *position = positions;
    const uint32_t *positions_end = positions + position_count;
    uint64_t *const first = tape_.data();
    uint64_t *tape = first;
    size_t depth = 0;
    Container current{0, 0, 0, false};
    size_t start = 0;

    // A function that is one loop: as a table of states it would be half as fast.
value: {
    if (position == positions_end) return SLUICE_JSON_TRUNCATED;
    start = *position++;
    const uint8_t byte = source[start];
    if (byte == '"') {
        const uint64_t text = string_word(start, position == positions_end ? length : *position);
        if (text == 0) return SLUICE_JSON_INVALID_ESCAPE;
        *tape++ = text;
        goto after_value;
    }
    if (is_digit(byte) || byte == '-') {
        const uint8_t *text = source + start;
        // Unless it is the last one, a structural character follows: behind white space, or it ends the number itself.
        const Number number = position != positions_end ? read_number<false>(text, limit) : read_number<true>(text, limit);
        if (!number.is_valid || (number.end != limit && !ends_scalar(*number.end))) return SLUICE_JSON_INVALID_NUMBER;
        const auto digits = static_cast<size_t>(number.end - text);
        *tape++ = word(number.is_integer ? SLUICE_KIND_INTEGER : SLUICE_KIND_NUMBER, digits, start);
        *tape = static_cast<uint64_t>(number.value);
        tape += number.is_integer ? 1 : 0;
        goto after_value;
    }
    if (byte == '{' || byte == '[') {
        if (depth == maximum_depth_) return SLUICE_JSON_TOO_DEEP;
        if (!containers_.reserve(depth + 1, depth)) return SLUICE_JSON_OUT_OF_MEMORY;
        containers_[depth++] = current;
        current = {static_cast<uint32_t>(tape - first), 0, static_cast<uint32_t>(start), byte == '{'};
        ++tape;
        if (position == positions_end) return SLUICE_JSON_TRUNCATED;
        if (source[*position] == (current.is_object ? '}' : ']')) {
            ++position;
            goto close;
        }
        if (current.is_object) goto name;
        goto value;
    }
    const size_t left = length - start;
    size_t size = 4;
    if (left >= 4 && std::memcmp(source + start, "null", 4) == 0) {
        *tape++ = word(SLUICE_KIND_NULL, 0, 0);
    } else if (left >= 4 && std::memcmp(source + start, "true", 4) == 0) {
        *tape++ = word(SLUICE_KIND_BOOLEAN, 0, 1);
    } else if (left >= 5 && std::memcmp(source + start, "false", 5) == 0) {
        *tape++ = word(SLUICE_KIND_BOOLEAN, 0, 0);
        size = 5;
    } else {
        return SLUICE_JSON_EXPECTED_VALUE;
    }
    if (left > size && !ends_scalar(source[start + size])) return SLUICE_JSON_INVALID_LITERAL;
    goto after_value;
}

name: {
    if (position == positions_end) return SLUICE_JSON_TRUNCATED;
    start = *position++;
    if (source[start] != '"') return SLUICE_JSON_EXPECTED_NAME;
    if (position == positions_end) return SLUICE_JSON_TRUNCATED;
    const uint64_t text = string_word(start, *position);
    if (text == 0) return SLUICE_JSON_INVALID_ESCAPE;
    *tape++ = text;
    if (source[*position++] != ':') return SLUICE_JSON_EXPECTED_COLON;
    goto value;
}

close: {
    if (current.is_object && current.count > maximum_members_) {
        error_offset_ = current.start;
        return SLUICE_JSON_TOO_MANY_MEMBERS;
    }
    const auto next = static_cast<size_t>(tape - first);
    first[current.word] = word(
        current.is_object ? SLUICE_KIND_OBJECT : SLUICE_KIND_ARRAY, current.count, next - current.word);
    current = containers_[--depth];
}

after_value:
    if (depth == 0) {
        tape_length_ = static_cast<size_t>(tape - first);
        return position == positions_end ? SLUICE_JSON_OK : SLUICE_JSON_TRAILING_CONTENT;
    }
    ++current.count;
    if (position == positions_end) return SLUICE_JSON_TRUNCATED;
    start = *position++;
    if (source[start] == ',') {
        if (current.is_object) goto name;
        goto value;
    }
    if (source[start] == (current.is_object ? '}' : ']')) goto close;
    return current.is_object ? SLUICE_JSON_EXPECTED_COMMA_OR_BRACE : SLUICE_JSON_EXPECTED_COMMA_OR_BRACKET;
}

}  // namespace sluice
