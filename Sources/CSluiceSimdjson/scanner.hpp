#pragma once

#include "CSluiceSimdjson.h"
#include "buffer.hpp"
#include "nesting.hpp"

namespace sluice {

/// One step of the path to the records.
struct Step {
    sluice_json_step_kind kind;
    uint64_t index;
    const uint8_t *name;
    size_t name_length;
};

/// Reads a document that streams past, byte for byte, and finds the records in it.
///
/// A record that is an object or an array is followed to its end only (see Nesting); everything else is validated.
/// Between two calls nothing but this state is kept, so the bytes may be cut anywhere.
class Scanner {
public:
    Scanner(size_t maximum_depth, size_t maximum_name_length) noexcept
        : maximum_depth_(maximum_depth), maximum_name_length_(maximum_name_length) {}
    ~Scanner() noexcept;

    bool add_step(const Step &step) noexcept;
    void set_automatic() noexcept { is_automatic_ = true; }
    /// No records: the document is validated, and that is all.
    void set_validating() noexcept { is_validating_ = true; }
    void restart(uint64_t offset) noexcept;

    sluice_json_scan_status scan(const uint8_t *bytes, size_t length, sluice_json_scan_event &event) noexcept;
    sluice_json_scan_status finish(sluice_json_scan_event &event) noexcept;

    bool path_was_found() const noexcept { return path_was_found_; }
    bool location(size_t step, sluice_json_location &location) const noexcept;

private:
    enum class State : uint8_t {
        document_start, byte_order_mark_2, byte_order_mark_3, document_end,
        value, first_element, first_name, name, colon, after_value,
        string, continuation, escape, hexadecimal, low_backslash, low_u,
        literal,
        minus, zero, integer, point, fraction, exponent_mark, exponent_sign, exponent,
        record,
    };

    /// What a value is to the path.
    enum class Role : uint8_t { other, followed, record };

    struct Frame {
        uint64_t index;
        /// Where the name of the present member begins in `names_`; only frames of the path have names.
        size_t name_start;
        size_t name_length;
        bool is_object;
    };

    Frame &top() noexcept { return frames_[depth_ - 1]; }
    /// Whether the present container is one that the path leads through, so that its children matter.
    bool is_on_path() const noexcept { return depth_ > 0 && depth_ == path_depth_; }
    const Step &present_step() const noexcept { return steps_[depth_ - 1]; }
    /// The names of these members are asked for, not only compared.
    bool keeps_names() const noexcept { return present_step().kind >= SLUICE_STEP_WILDCARD; }

    bool fail(sluice_json_code code) noexcept { return fail(code, position_); }
    bool fail(sluice_json_code code, uint64_t offset) noexcept;
    bool step(uint8_t byte) noexcept;
    bool begin_value(uint8_t byte) noexcept;
    bool find_role(uint8_t byte, Role &role) noexcept;
    bool child_matches() const noexcept;
    bool step_fits(uint8_t byte) const noexcept;
    bool open(bool is_object, Role role) noexcept;
    bool close(bool is_object) noexcept;
    /// A value ends; `end` is the offset behind it.
    void end_value(uint64_t end) noexcept;
    bool begin_string(bool is_name) noexcept;
    bool end_string() noexcept;
    const uint8_t *skip_plain_text(const uint8_t *begin, const uint8_t *end) noexcept;
    bool step_string(uint8_t byte) noexcept;
    bool step_escape(uint8_t byte) noexcept;
    bool step_hexadecimal(uint8_t byte) noexcept;
    bool begin_sequence(uint8_t byte) noexcept;
    bool step_number(uint8_t byte) noexcept;
    bool keep_name(const uint8_t *bytes, size_t length) noexcept;
    sluice_json_scan_status report(sluice_json_scan_event &event, sluice_json_scan_status status) const noexcept;

    size_t maximum_depth_;
    size_t maximum_name_length_;
    bool is_automatic_ = false;
    bool is_validating_ = false;
    Buffer<Step> steps_;
    size_t step_count_ = 0;

    State state_ = State::document_start;
    /// The offset of the byte that is looked at.
    uint64_t position_ = 0;
    uint64_t document_start_ = 0;

    Buffer<Frame> frames_;
    size_t depth_ = 0;
    /// How many of the frames, from the first on, the path leads through.
    size_t path_depth_ = 0;
    bool path_was_found_ = false;

    Buffer<uint8_t> names_;
    bool is_keeping_name_ = false;
    bool is_name_ = false;

    uint64_t string_start_ = 0;
    uint64_t escape_start_ = 0;
    uint32_t code_ = 0;
    uint32_t high_surrogate_ = 0;
    int digits_left_ = 0;
    int continuations_left_ = 0;
    uint8_t continuation_low_ = 0x80;
    uint8_t continuation_high_ = 0xBF;
    uint64_t sequence_start_ = 0;

    const char *literal_ = nullptr;
    uint64_t literal_start_ = 0;

    Nesting nesting_;
    bool is_in_record_ = false;
    bool has_record_ = false;
    uint64_t record_start_ = 0;
    uint64_t record_end_ = 0;

    sluice_json_code code_of_error_ = SLUICE_JSON_OK;
    uint64_t error_offset_ = 0;
    size_t error_step_ = 0;
    uint8_t error_byte_ = 0;
};

}  // namespace sluice
