#pragma once

#include "text.hpp"

namespace sluice {

struct Number {
    /// One past the last character.
    const uint8_t *end;
    bool is_valid;
    /// Whether the value is an integer that fits 64 bits; `-0` is none, since its sign would be lost.
    bool is_integer;
    int64_t value;
};

/// Reads a number by the grammar of RFC 8259, section 6.
///
/// `isBounded` is false where a character that cannot continue a number is known to follow before the end.
template <bool isBounded>
inline Number read_number(const uint8_t *text, const uint8_t *limit) noexcept {
    auto at = [limit](const uint8_t *position) -> uint8_t {
        return isBounded && position == limit ? ' ' : *position;
    };
    Number number{text, false, false, 0};
    const uint8_t *position = text;
    const bool is_negative = at(position) == '-';
    if (is_negative) ++position;
    const uint8_t *digits = position;
    uint64_t magnitude = 0;  // Wraps around beyond 19 digits, where it is not used.
    for (; is_digit(at(position)); ++position) magnitude = magnitude * 10 + (*position - '0');
    const auto count = position - digits;
    if (count == 0 || (count > 1 && *digits == '0')) return number;

    bool is_whole = true;
    if (at(position) == '.') {
        is_whole = false;
        const uint8_t *fraction = ++position;
        while (is_digit(at(position))) ++position;
        if (position == fraction) return number;
    }
    if ((at(position) | 0x20) == 'e') {
        is_whole = false;
        ++position;
        if (at(position) == '+' || at(position) == '-') ++position;
        const uint8_t *exponent = position;
        while (is_digit(at(position))) ++position;
        if (position == exponent) return number;
    }
    number.end = position;
    number.is_valid = true;

    const uint64_t largest = static_cast<uint64_t>(INT64_MAX) + (is_negative ? 1 : 0);
    if (is_whole && count <= 19 && magnitude <= largest && !(is_negative && magnitude == 0)) {
        number.is_integer = true;
        number.value = static_cast<int64_t>(is_negative ? 0 - magnitude : magnitude);
    }
    return number;
}

}  // namespace sluice
