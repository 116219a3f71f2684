#include "scanner.hpp"
#include "text.hpp"

namespace sluice {

bool Scanner::begin_value(uint8_t byte) noexcept {
    switch (byte) {
    case '{': case '[': case '"': case 't': case 'f': case 'n': case '-':
    case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9': break;
    default: return fail(SLUICE_JSON_EXPECTED_VALUE);
    }
    Role role = Role::other;
    if (!is_validating_ && !find_role(byte, role)) return false;
    if (role == Role::record) {
        path_was_found_ = true;
        is_in_record_ = true;
        record_start_ = position_;
    }
    switch (byte) {
    case '{':
    case '[':
        if (role != Role::record) return open(byte == '{', role);
        nesting_.begin();
        state_ = State::record;
        return true;
    case '"': return begin_string(false);
    case 't':
    case 'f':
    case 'n':
        literal_ = byte == 't' ? "rue" : byte == 'f' ? "alse" : "ull";
        literal_start_ = position_;
        state_ = State::literal;
        return true;
    default:
        state_ = byte == '-' ? State::minus : byte == '0' ? State::zero : State::integer;
        return true;
    }
}

/// False where the value is of a type that the path cannot go through.
bool Scanner::find_role(uint8_t byte, Role &role) noexcept {
    if (depth_ == 0) {
        if (is_automatic_ && byte == '[' && !add_step({SLUICE_STEP_WILDCARD, 0, nullptr, 0})) {
            return fail(SLUICE_JSON_OUT_OF_MEMORY);
        }
        if (is_automatic_ && byte != '[' && byte != '{') {
            error_step_ = 0;
            error_byte_ = byte;
            // Plain text may begin like a literal: what it is, is known at its end.
            if (byte == 't' || byte == 'f' || byte == 'n') {
                role = Role::other;
                return true;
            }
            return fail(SLUICE_JSON_WRONG_TYPE);
        }
    } else if (!is_on_path() || !child_matches()) {
        role = Role::other;
        return true;
    }
    if (depth_ == step_count_) {
        role = Role::record;
    } else if (byte == 'n') {
        // Null is how many sources say that there is nothing: no records, and the path is not found.
        role = Role::other;
    } else if (step_fits(byte)) {
        role = Role::followed;
    } else {
        error_step_ = depth_;
        error_byte_ = byte;
        return fail(SLUICE_JSON_WRONG_TYPE);
    }
    return true;
}

bool Scanner::child_matches() const noexcept {
    const Frame &frame = frames_[depth_ - 1];
    const Step &step = present_step();
    switch (step.kind) {
    case SLUICE_STEP_NAME:
        return frame.name_length == step.name_length
            && (step.name_length == 0 || std::memcmp(names_.data() + frame.name_start, step.name, step.name_length) == 0);
    case SLUICE_STEP_INDEX: return frame.index == step.index;
    default: return true;
    }
}

/// Whether the next step can be taken from a value that begins with this byte.
bool Scanner::step_fits(uint8_t byte) const noexcept {
    switch (steps_[depth_].kind) {
    case SLUICE_STEP_NAME:
    case SLUICE_STEP_MEMBERS: return byte == '{';
    case SLUICE_STEP_INDEX: return byte == '[';
    default: return byte == '{' || byte == '[';
    }
}

bool Scanner::open(bool is_object, Role role) noexcept {
    if (depth_ == maximum_depth_) return fail(SLUICE_JSON_TOO_DEEP);
    if (!frames_.reserve(depth_ + 1, depth_)) return fail(SLUICE_JSON_OUT_OF_MEMORY);
    const size_t name_start = is_on_path() ? top().name_start + top().name_length : 0;
    frames_[depth_++] = {0, name_start, 0, is_object};
    if (role == Role::followed) {
        path_depth_ = depth_;
        if (depth_ == step_count_ && keeps_names()) path_was_found_ = true;
    }
    state_ = is_object ? State::first_name : State::first_element;
    return true;
}

bool Scanner::close(bool is_object) noexcept {
    if (is_on_path()) {
        // A wildcard that has nothing to expand was found, though no container of records could be.
        const bool is_empty = state_ == (is_object ? State::first_name : State::first_element);
        if (is_empty && keeps_names()) path_was_found_ = true;
        --path_depth_;
    }
    --depth_;
    end_value(position_ + 1);
    return true;
}

void Scanner::end_value(uint64_t end) noexcept {
    // While a record is read no container is opened, so the first value that ends is the record.
    if (is_in_record_) {
        is_in_record_ = false;
        has_record_ = true;
        record_end_ = end;
    }
    state_ = depth_ == 0 ? State::document_end : State::after_value;
}

bool Scanner::step_number(uint8_t byte) noexcept {
    const bool digit = is_digit(byte);
    switch (state_) {
    case State::minus:
        if (!digit) return fail(SLUICE_JSON_INVALID_NUMBER);
        state_ = byte == '0' ? State::zero : State::integer;
        return true;
    case State::point:
    case State::exponent_sign:
        if (!digit) return fail(SLUICE_JSON_INVALID_NUMBER);
        state_ = state_ == State::point ? State::fraction : State::exponent;
        return true;
    case State::exponent_mark:
        if (byte == '+' || byte == '-') {
            state_ = State::exponent_sign;
            return true;
        }
        if (!digit) return fail(SLUICE_JSON_INVALID_NUMBER);
        state_ = State::exponent;
        return true;
    case State::zero:
        if (digit) return fail(SLUICE_JSON_INVALID_NUMBER);
        break;
    default:
        if (digit) return true;
    }
    if (byte == '.' && (state_ == State::zero || state_ == State::integer)) {
        state_ = State::point;
        return true;
    }
    if ((byte | 0x20) == 'e' && state_ != State::exponent) {
        state_ = State::exponent_mark;
        return true;
    }
    end_value(position_);
    // A record is handed out first; the scanner then comes back with the same byte.
    return has_record_ || step(byte);
}

bool Scanner::location(size_t step, sluice_json_location &location) const noexcept {
    if (step >= path_depth_) return false;
    const Frame &frame = frames_[step];
    location.is_member = frame.is_object ? 1 : 0;
    location.index = frame.index;
    static const uint8_t empty = 0;
    location.name = names_.data() == nullptr ? &empty : names_.data() + frame.name_start;
    location.name_length = frame.name_length;
    return true;
}

}  // namespace sluice
