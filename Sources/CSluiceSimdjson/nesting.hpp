#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice {

/// Follows a value that began with a bracket to the bracket that ends it, 64 bytes at a time.
///
/// Only strings and brackets are looked at: whatever is found is validated later, by the parser.
class Nesting {
public:
    /// Begins behind an opening bracket.
    void begin() noexcept {
        depth_ = 1;
        in_string_ = 0;
        is_escaped_ = false;
    }

    /// Returns the position behind the last bracket, or null when all bytes were consumed before.
    const uint8_t *find_end(const uint8_t *begin, const uint8_t *end) noexcept;

private:
#if defined(__x86_64__)
    template <typename Instructions>
    const uint8_t *find_end_by_blocks(const uint8_t *&begin, const uint8_t *end) noexcept;
    const uint8_t *find_end_avx2(const uint8_t *&begin, const uint8_t *end) noexcept;
#endif
    const uint8_t *find_end_bytewise(const uint8_t *begin, const uint8_t *end) noexcept;

    uint64_t depth_ = 0;
    /// All ones within a string, else zero.
    uint64_t in_string_ = 0;
    /// Whether the next byte follows a backslash.
    bool is_escaped_ = false;
};

}  // namespace sluice
