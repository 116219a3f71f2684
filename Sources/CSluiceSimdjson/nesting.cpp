#include "nesting.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sluice {

#if defined(__x86_64__)
namespace {

/// One bit for each of 64 bytes.
struct Masks {
    uint64_t quotes;
    uint64_t backslashes;
    uint64_t opening;
    uint64_t closing;
};

// `[` and `{` differ in the bit 0x20 alone, as do `]` and `}`.

struct SSE2 {
    static inline Masks classify(const uint8_t *block) noexcept {
        auto mask = [](__m128i bytes, char wanted) noexcept {
            const __m128i equal = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(wanted));
            return static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(equal)));
        };
        Masks masks{0, 0, 0, 0};
        for (int shift = 0; shift < 64; shift += 16) {
            const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(block + shift));
            const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
            masks.quotes |= mask(bytes, '"') << shift;
            masks.backslashes |= mask(bytes, '\\') << shift;
            masks.opening |= mask(folded, '{') << shift;
            masks.closing |= mask(folded, '}') << shift;
        }
        return masks;
    }
};

#define SLUICE_AVX2 __attribute__((target("avx2,bmi,popcnt")))

struct AVX2 {
    SLUICE_AVX2 static inline uint64_t mask(__m256i bytes, char wanted) noexcept {
        const __m256i equal = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(wanted));
        return static_cast<uint64_t>(static_cast<uint32_t>(_mm256_movemask_epi8(equal)));
    }

    SLUICE_AVX2 static inline Masks classify(const uint8_t *block) noexcept {
        Masks masks{0, 0, 0, 0};
        for (int shift = 0; shift < 64; shift += 32) {
            const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(block + shift));
            const __m256i folded = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
            masks.quotes |= mask(bytes, '"') << shift;
            masks.backslashes |= mask(bytes, '\\') << shift;
            masks.opening |= mask(folded, '{') << shift;
            masks.closing |= mask(folded, '}') << shift;
        }
        return masks;
    }
};

/// Each bit becomes the parity of itself and all bits below it.
inline uint64_t parities(uint64_t bits) noexcept {
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    bits ^= bits << 32;
    return bits;
}

/// The bytes that follow an effective backslash. Backslashes are rare: one step for each.
inline uint64_t escaped_bytes(uint64_t backslashes, bool &is_escaped) noexcept {
    uint64_t escaped = is_escaped ? 1 : 0;
    backslashes &= ~escaped;
    is_escaped = false;
    while (backslashes != 0) {
        const uint64_t lowest = backslashes & (0 - backslashes);
        const uint64_t next = lowest << 1;
        is_escaped = next == 0;
        escaped |= next;
        backslashes &= ~(lowest | next);
    }
    return escaped;
}

}  // namespace

/// Returns the position behind the last bracket; null where it is not in a whole block, with `begin` behind the blocks.
template <typename Instructions>
[[gnu::always_inline]] inline const uint8_t *Nesting::find_end_by_blocks(
    const uint8_t *&begin, const uint8_t *end) noexcept {
    for (; end - begin >= 64; begin += 64) {
        const Masks masks = Instructions::classify(begin);
        uint64_t quotes = masks.quotes;
        if (masks.backslashes != 0 || is_escaped_) quotes &= ~escaped_bytes(masks.backslashes, is_escaped_);
        const uint64_t in_string = parities(quotes) ^ in_string_;
        in_string_ = 0 - (in_string >> 63);
        const uint64_t opening = masks.opening & ~in_string;
        uint64_t closing = masks.closing & ~in_string;
        const auto closing_count = static_cast<uint64_t>(__builtin_popcountll(closing));
        if (closing_count >= depth_) {
            // The end may be here: each closing bracket is held against the opening ones before it.
            uint64_t closed = 0;
            for (; closing != 0; closing &= closing - 1) {
                const uint64_t below = (closing & (0 - closing)) - 1;
                ++closed;
                if (depth_ + static_cast<uint64_t>(__builtin_popcountll(opening & below)) == closed) {
                    return begin + __builtin_ctzll(closing) + 1;
                }
            }
        }
        depth_ += static_cast<uint64_t>(__builtin_popcountll(opening)) - closing_count;
    }
    return nullptr;
}

SLUICE_AVX2 const uint8_t *Nesting::find_end_avx2(const uint8_t *&begin, const uint8_t *end) noexcept {
    return find_end_by_blocks<AVX2>(begin, end);
}

const uint8_t *Nesting::find_end(const uint8_t *begin, const uint8_t *end) noexcept {
    static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
    const uint8_t *found = has_avx2 ? find_end_avx2(begin, end) : find_end_by_blocks<SSE2>(begin, end);
    return found != nullptr ? found : find_end_bytewise(begin, end);
}
#else
const uint8_t *Nesting::find_end(const uint8_t *begin, const uint8_t *end) noexcept {
    return find_end_bytewise(begin, end);
}
#endif

const uint8_t *Nesting::find_end_bytewise(const uint8_t *begin, const uint8_t *end) noexcept {
    for (; begin != end; ++begin) {
        // As in whole blocks: a backslash that no string is around hides a quote, and no bracket.
        const bool is_escaped = is_escaped_;
        is_escaped_ = false;
        switch (*begin) {
        case '\\': is_escaped_ = !is_escaped; break;
        case '"':
            if (!is_escaped) in_string_ = ~in_string_;
            break;
        case '{':
        case '[':
            if (in_string_ == 0) ++depth_;
            break;
        case '}':
        case ']':
            if (in_string_ == 0 && --depth_ == 0) return begin + 1;
            break;
        default: break;
        }
    }
    return nullptr;
}

}  // namespace sluice
