#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice {

inline bool is_space(uint8_t byte) noexcept { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

inline bool is_digit(uint8_t byte) noexcept { return static_cast<uint8_t>(byte - '0') <= 9; }

inline bool is_high_surrogate(uint32_t code) noexcept { return (code & 0xFC00) == 0xD800; }

inline bool is_low_surrogate(uint32_t code) noexcept { return (code & 0xFC00) == 0xDC00; }

inline uint32_t combined(uint32_t high, uint32_t low) noexcept {
    return 0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF);
}

/// The value of a hexadecimal digit, or -1.
inline int hexadecimal(uint8_t byte) noexcept {
    if (is_digit(byte)) return byte - '0';
    uint8_t letter = byte | 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/// What a one-letter escape stands for, or 0.
inline uint8_t unescaped(uint8_t letter) noexcept {
    switch (letter) {
    case '"': return '"';
    case '\\': return '\\';
    case '/': return '/';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return 0;
    }
}

/// Writes a scalar value as UTF-8 and returns its length, at most 4.
inline size_t encode_utf8(uint32_t code, uint8_t *output) noexcept {
    if (code < 0x80) {
        output[0] = static_cast<uint8_t>(code);
        return 1;
    }
    if (code < 0x800) {
        output[0] = static_cast<uint8_t>(0xC0 | code >> 6);
        output[1] = static_cast<uint8_t>(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        output[0] = static_cast<uint8_t>(0xE0 | code >> 12);
        output[1] = static_cast<uint8_t>(0x80 | (code >> 6 & 0x3F));
        output[2] = static_cast<uint8_t>(0x80 | (code & 0x3F));
        return 3;
    }
    output[0] = static_cast<uint8_t>(0xF0 | code >> 18);
    output[1] = static_cast<uint8_t>(0x80 | (code >> 12 & 0x3F));
    output[2] = static_cast<uint8_t>(0x80 | (code >> 6 & 0x3F));
    output[3] = static_cast<uint8_t>(0x80 | (code & 0x3F));
    return 4;
}

/// Writes what a string stands for and returns the end of it, or null for an escape that JSON does not have.
/// The output has room for as many bytes as the string has.
uint8_t *unescape(const uint8_t *begin, const uint8_t *end, uint8_t *output) noexcept;

}  // namespace sluice
