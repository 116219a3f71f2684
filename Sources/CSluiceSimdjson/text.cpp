#include "text.hpp"

#include <cstring>

namespace sluice {

namespace {

/// Four hexadecimal digits, or a negative number.
int code_unit(const uint8_t *digits, const uint8_t *end) noexcept {
    if (end - digits < 4) return -1;
    int code = 0;
    for (int i = 0; i < 4; ++i) {
        int digit = hexadecimal(digits[i]);
        if (digit < 0) return -1;
        code = code << 4 | digit;
    }
    return code;
}

}  // namespace

uint8_t *unescape(const uint8_t *begin, const uint8_t *end, uint8_t *output) noexcept {
    while (begin != end) {
        auto length = static_cast<size_t>(end - begin);
        auto *backslash = static_cast<const uint8_t *>(std::memchr(begin, '\\', length));
        size_t plain = backslash == nullptr ? length : static_cast<size_t>(backslash - begin);
        std::memcpy(output, begin, plain);
        output += plain;
        if (backslash == nullptr) break;
        begin = backslash + 1;
        if (begin == end) return nullptr;
        uint8_t letter = *begin++;
        if (letter != 'u') {
            uint8_t byte = unescaped(letter);
            if (byte == 0) return nullptr;
            *output++ = byte;
            continue;
        }
        int unit = code_unit(begin, end);
        if (unit < 0) return nullptr;
        begin += 4;
        auto code = static_cast<uint32_t>(unit);
        if (is_low_surrogate(code)) return nullptr;
        if (is_high_surrogate(code)) {
            if (end - begin < 6 || begin[0] != '\\' || begin[1] != 'u') return nullptr;
            int low = code_unit(begin + 2, end);
            if (low < 0 || !is_low_surrogate(static_cast<uint32_t>(low))) return nullptr;
            begin += 6;
            code = combined(code, static_cast<uint32_t>(low));
        }
        output += encode_utf8(code, output);
    }
    return output;
}

}  // namespace sluice
