#pragma once

#include "CSluiceSimdjson.h"
#include "buffer.hpp"

namespace sluice {

/// Writes the tape of a text from the positions of its structural characters.
///
/// simdjson's first stage has found those positions: brackets, colons and commas outside strings, and the first
/// character of each string and scalar. It has also proven that the text is UTF-8, that each string is closed and
/// that none holds a control character. All the rest is checked here.
class TapeBuilder {
public:
    TapeBuilder(size_t maximum_depth, size_t maximum_members) noexcept
        : maximum_depth_(maximum_depth), maximum_members_(maximum_members) {}

    /// Returns SLUICE_JSON_OK, SLUICE_JSON_OUT_OF_MEMORY, SLUICE_JSON_TOO_MANY_MEMBERS (with the offset of the object),
    /// or another code where the text is not valid.
    sluice_json_code build(
        const uint8_t *source, size_t length, const uint32_t *positions, size_t position_count) noexcept;

    const uint64_t *tape() const noexcept { return tape_.data(); }
    size_t tape_length() const noexcept { return tape_length_; }
    size_t error_offset() const noexcept { return error_offset_; }
    const uint8_t *strings() const noexcept { return strings_.data(); }

private:
    struct Container {
        uint32_t word;
        uint32_t count;
        uint32_t start;
        bool is_object;
    };

    /// The word of a string that holds backslashes, or 0 for an escape that JSON does not have.
    uint64_t escaped_string(const uint8_t *begin, const uint8_t *closing) noexcept;

    Buffer<uint64_t> tape_;
    Buffer<uint8_t> strings_;
    size_t strings_used_ = 0;
    Buffer<Container> containers_;
    size_t maximum_depth_;
    size_t maximum_members_;
    size_t tape_length_ = 0;
    size_t error_offset_ = 0;
};

}  // namespace sluice
