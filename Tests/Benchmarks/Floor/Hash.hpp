#pragma once
#include <cstdint>
#include <cstring>
#include <string_view>

/// A 64-bit hash of short byte strings: words are mixed by folding 128-bit products, four lanes at a time where the
/// text is long. It is a yardstick's hash, fast and even, and not meant to outlive a benchmark.
namespace hashing {
constexpr uint64_t seeds[4] = {0x9e3779b97f4a7c15, 0xd1b54a32d192ed03, 0xaef17502108ef2d9, 0x8cb92ba72f3d8dd7};

inline uint64_t word(const char *bytes) {
    uint64_t value;
    memcpy(&value, bytes, 8);
    return value;
}

inline uint64_t halfWord(const char *bytes) {
    uint32_t value;
    memcpy(&value, bytes, 4);
    return value;
}

inline uint64_t fold(uint64_t left, uint64_t right) {
    __uint128_t product = static_cast<__uint128_t>(left) * right;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline uint64_t hash(const char *bytes, size_t count) {
    uint64_t state = seeds[0] ^ count;
    if (count <= 16) {
        uint64_t first = 0, last = 0;
        if (count >= 8) {
            first = word(bytes);
            last = word(bytes + count - 8);
        } else if (count >= 4) {
            first = halfWord(bytes);
            last = halfWord(bytes + count - 4);
        } else if (count > 0) {
            first = static_cast<uint8_t>(bytes[0]);
            last = static_cast<uint64_t>(static_cast<uint8_t>(bytes[count / 2])) << 8
                 | static_cast<uint8_t>(bytes[count - 1]);
        }
        return fold(fold(first ^ seeds[1], last ^ state), seeds[2]);
    }
    const char *end = bytes + count;
    if (count > 64) {
        uint64_t second = state ^ seeds[3];
        do {
            state = fold(word(bytes) ^ seeds[0], word(bytes + 8) ^ state)
                  ^ fold(word(bytes + 16) ^ seeds[1], word(bytes + 24) ^ state);
            second = fold(word(bytes + 32) ^ seeds[2], word(bytes + 40) ^ second)
                   ^ fold(word(bytes + 48) ^ seeds[3], word(bytes + 56) ^ second);
            bytes += 64;
        } while (end - bytes > 64);
        state ^= second;
    }
    while (end - bytes > 16) {
        state = fold(word(bytes) ^ seeds[1], word(bytes + 8) ^ state);
        bytes += 16;
    }
    // The last sixteen bytes overlap those before them, so that no tail is left.
    return fold(fold(word(end - 16) ^ seeds[2], word(end - 8) ^ state), seeds[3]);
}

inline uint64_t hash(std::string_view text) { return hash(text.data(), text.size()); }

inline uint64_t hash(int64_t value) { return fold(static_cast<uint64_t>(value) ^ seeds[1], seeds[2]); }
} // namespace hashing
