#include "scanner.hpp"
#include "text.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sluice {

bool Scanner::begin_string(bool is_name) noexcept {
    is_name_ = is_name;
    is_keeping_name_ = is_name && is_on_path();
    if (is_keeping_name_) top().name_length = 0;
    string_start_ = position_;
    state_ = State::string;
    return true;
}

bool Scanner::end_string() noexcept {
    if (is_name_) {
        is_keeping_name_ = false;
        state_ = State::colon;
    } else {
        end_value(position_ + 1);
    }
    return true;
}

/// Adds to the name of the present member. A name that is only compared is cut where it can no longer be equal.
bool Scanner::keep_name(const uint8_t *bytes, size_t length) noexcept {
    Frame &frame = top();
    if (keeps_names()) {
        if (length > maximum_name_length_ - frame.name_length) return fail(SLUICE_JSON_NAME_TOO_LONG, string_start_);
    } else {
        const Step &step = present_step();
        const size_t room = (step.kind == SLUICE_STEP_NAME ? step.name_length + 1 : 0) - frame.name_length;
        if (length > room) length = room;
        if (length == 0) return true;
    }
    const size_t end = frame.name_start + frame.name_length;
    if (!names_.reserve(end + length, end)) return fail(SLUICE_JSON_OUT_OF_MEMORY);
    std::memcpy(names_.data() + end, bytes, length);
    frame.name_length += length;
    return true;
}

/// Returns the first byte that is not a plain ASCII character of a string.
const uint8_t *Scanner::skip_plain_text(const uint8_t *begin, const uint8_t *end) noexcept {
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i backslash = _mm_set1_epi8('\\');
    const __m128i space = _mm_set1_epi8(' ');
    for (; end - begin >= 16; begin += 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(begin));
        // As signed numbers the bytes from 0x80 on are less than a space, too.
        const __m128i stops = _mm_or_si128(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)), _mm_cmplt_epi8(bytes, space));
        const int mask = _mm_movemask_epi8(stops);
        if (mask != 0) return begin + __builtin_ctz(static_cast<unsigned>(mask));
    }
#endif
    while (begin != end && *begin >= 0x20 && *begin < 0x80 && *begin != '"' && *begin != '\\') ++begin;
    return begin;
}

bool Scanner::step_string(uint8_t byte) noexcept {
    switch (state_) {
    case State::continuation:
        if (byte < continuation_low_ || byte > continuation_high_) return fail(SLUICE_JSON_INVALID_UTF8, sequence_start_);
        continuation_low_ = 0x80;
        continuation_high_ = 0xBF;
        if (--continuations_left_ == 0) state_ = State::string;
        return !is_keeping_name_ || keep_name(&byte, 1);
    case State::escape: return step_escape(byte);
    case State::hexadecimal: return step_hexadecimal(byte);
    case State::low_backslash:
        if (byte != '\\') return fail(SLUICE_JSON_LONE_SURROGATE, escape_start_);
        state_ = State::low_u;
        return true;
    case State::low_u:
        if (byte != 'u') return fail(SLUICE_JSON_LONE_SURROGATE, escape_start_);
        state_ = State::hexadecimal;
        digits_left_ = 4;
        code_ = 0;
        return true;
    default: break;
    }
    if (byte == '"') return end_string();
    if (byte == '\\') {
        escape_start_ = position_;
        high_surrogate_ = 0;
        state_ = State::escape;
        return true;
    }
    if (byte < 0x20) return fail(SLUICE_JSON_CONTROL_CHARACTER);
    if (byte >= 0x80 && !begin_sequence(byte)) return false;
    return !is_keeping_name_ || keep_name(&byte, 1);
}

/// See the table of well-formed byte sequences in the Unicode Standard, section 3.9.
bool Scanner::begin_sequence(uint8_t byte) noexcept {
    sequence_start_ = position_;
    continuation_low_ = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
    continuation_high_ = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
    if (byte >= 0xC2 && byte <= 0xDF) {
        continuations_left_ = 1;
    } else if (byte >= 0xE0 && byte <= 0xEF) {
        continuations_left_ = 2;
    } else if (byte >= 0xF0 && byte <= 0xF4) {
        continuations_left_ = 3;
    } else {
        return fail(SLUICE_JSON_INVALID_UTF8);
    }
    state_ = State::continuation;
    return true;
}

bool Scanner::step_escape(uint8_t byte) noexcept {
    if (byte == 'u') {
        state_ = State::hexadecimal;
        digits_left_ = 4;
        code_ = 0;
        return true;
    }
    const uint8_t character = unescaped(byte);
    if (character == 0) return fail(SLUICE_JSON_INVALID_ESCAPE, escape_start_);
    state_ = State::string;
    return !is_keeping_name_ || keep_name(&character, 1);
}

bool Scanner::step_hexadecimal(uint8_t byte) noexcept {
    const int digit = hexadecimal(byte);
    if (digit < 0) return fail(SLUICE_JSON_INVALID_ESCAPE, escape_start_);
    code_ = code_ << 4 | static_cast<uint32_t>(digit);
    if (--digits_left_ > 0) return true;
    if (high_surrogate_ != 0) {
        if (!is_low_surrogate(code_)) return fail(SLUICE_JSON_LONE_SURROGATE, escape_start_);
        code_ = combined(high_surrogate_, code_);
        high_surrogate_ = 0;
    } else if (is_low_surrogate(code_)) {
        return fail(SLUICE_JSON_LONE_SURROGATE, escape_start_);
    } else if (is_high_surrogate(code_)) {
        high_surrogate_ = code_;
        state_ = State::low_backslash;
        return true;
    }
    state_ = State::string;
    if (!is_keeping_name_) return true;
    uint8_t bytes[4];
    return keep_name(bytes, encode_utf8(code_, bytes));
}

}  // namespace sluice
