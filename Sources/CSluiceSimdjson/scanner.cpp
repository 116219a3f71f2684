#include "scanner.hpp"

#include "text.hpp"

namespace sluice {

Scanner::~Scanner() noexcept {
    for (size_t i = 0; i < step_count_; ++i) std::free(const_cast<uint8_t *>(steps_[i].name));
}

bool Scanner::add_step(const Step &step) noexcept {
    if (!steps_.reserve(step_count_ + 1, step_count_)) return false;
    Step copy = step;
    copy.name = nullptr;
    if (step.name_length > 0) {
        auto *name = static_cast<uint8_t *>(std::malloc(step.name_length));
        if (name == nullptr) return false;
        std::memcpy(name, step.name, step.name_length);
        copy.name = name;
    }
    steps_[step_count_++] = copy;
    return true;
}

void Scanner::restart(uint64_t offset) noexcept {
    state_ = State::document_start;
    position_ = document_start_ = offset;
    depth_ = path_depth_ = 0;
    is_in_record_ = has_record_ = false;
    if (is_automatic_) step_count_ = 0;
}

sluice_json_scan_status Scanner::scan(
    const uint8_t *bytes, size_t length, sluice_json_scan_event &event) noexcept {
    const uint8_t *end = bytes + length;
    const uint8_t *next = bytes;
    if (code_of_error_ != SLUICE_JSON_OK) return report(event, SLUICE_SCAN_FAILED);
    while (next != end) {
        if (state_ == State::record) {
            const uint8_t *record_end = nesting_.find_end(next, end);
            position_ += static_cast<uint64_t>((record_end == nullptr ? end : record_end) - next);
            next = record_end == nullptr ? end : record_end;
            if (record_end != nullptr) end_value(position_);
        } else {
            if (state_ == State::string) {
                const uint8_t *plain_end = skip_plain_text(next, end);
                if (plain_end != next) {
                    if (is_keeping_name_ && !keep_name(next, static_cast<size_t>(plain_end - next))) break;
                    position_ += static_cast<uint64_t>(plain_end - next);
                    next = plain_end;
                    continue;
                }
            }
            if (!step(*next)) break;
            if (has_record_ && record_end_ == position_) {
                // The byte only showed that a number ended before it; it is looked at again.
                has_record_ = false;
                event.consumed = static_cast<size_t>(next - bytes);
                return report(event, SLUICE_SCAN_RECORD);
            }
            ++position_;
            ++next;
        }
        if (has_record_) {
            has_record_ = false;
            event.consumed = static_cast<size_t>(next - bytes);
            return report(event, SLUICE_SCAN_RECORD);
        }
    }
    event.consumed = static_cast<size_t>(next - bytes);
    return report(event, code_of_error_ == SLUICE_JSON_OK ? SLUICE_SCAN_MORE : SLUICE_SCAN_FAILED);
}

sluice_json_scan_status Scanner::finish(sluice_json_scan_event &event) noexcept {
    event.consumed = 0;
    if (code_of_error_ != SLUICE_JSON_OK) return report(event, SLUICE_SCAN_FAILED);
    switch (state_) {
    case State::zero:
    case State::integer:
    case State::fraction:
    case State::exponent:
        if (depth_ == 0) end_value(position_);
        break;
    default: break;
    }
    if (has_record_) {
        has_record_ = false;
        return report(event, SLUICE_SCAN_RECORD);
    }
    switch (state_) {
    case State::document_end: return report(event, SLUICE_SCAN_DONE);
    case State::document_start: fail(SLUICE_JSON_EMPTY); break;
    case State::byte_order_mark_2:
    case State::byte_order_mark_3: fail(SLUICE_JSON_INVALID_UTF8, document_start_); break;
    case State::continuation: fail(SLUICE_JSON_INVALID_UTF8, sequence_start_); break;
    case State::string:
    case State::escape:
    case State::hexadecimal:
    case State::low_backslash:
    case State::low_u: fail(SLUICE_JSON_UNCLOSED_STRING, string_start_); break;
    default: fail(SLUICE_JSON_TRUNCATED); break;
    }
    return report(event, SLUICE_SCAN_FAILED);
}

sluice_json_scan_status Scanner::report(
    sluice_json_scan_event &event, sluice_json_scan_status status) const noexcept {
    event.record_start = record_start_;
    event.record_end = record_end_;
    event.is_in_record = is_in_record_ ? 1 : 0;
    sluice_json_location location;
    const bool is_member = depth_ > 0 && Scanner::location(depth_ - 1, location) && location.is_member != 0;
    event.name = is_member ? location.name : nullptr;
    event.name_length = is_member ? location.name_length : 0;
    event.code = code_of_error_;
    event.error_offset = error_offset_;
    event.error_step = error_step_;
    event.error_byte = error_byte_;
    return status;
}

bool Scanner::fail(sluice_json_code code, uint64_t offset) noexcept {
    code_of_error_ = code;
    error_offset_ = offset;
    return false;
}

bool Scanner::step(uint8_t byte) noexcept {
    switch (state_) {
    case State::document_start:
        if (is_space(byte)) return true;
        if (byte == 0xEF && position_ == document_start_) {
            state_ = State::byte_order_mark_2;
            return true;
        }
        if (byte == '<') return fail(SLUICE_JSON_HTML);
        return begin_value(byte);
    case State::byte_order_mark_2:
        if (byte != 0xBB) return fail(SLUICE_JSON_EXPECTED_VALUE, document_start_);
        state_ = State::byte_order_mark_3;
        return true;
    case State::byte_order_mark_3:
        if (byte != 0xBF) return fail(SLUICE_JSON_EXPECTED_VALUE, document_start_);
        state_ = State::document_start;
        return true;
    case State::document_end:
        return is_space(byte) || fail(SLUICE_JSON_TRAILING_CONTENT);
    case State::first_element:
        if (byte == ']') return close(false);
        [[fallthrough]];
    case State::value:
        return is_space(byte) || begin_value(byte);
    case State::first_name:
        if (byte == '}') return close(true);
        [[fallthrough]];
    case State::name:
        if (is_space(byte)) return true;
        return byte == '"' ? begin_string(true) : fail(SLUICE_JSON_EXPECTED_NAME);
    case State::colon:
        if (is_space(byte)) return true;
        if (byte != ':') return fail(SLUICE_JSON_EXPECTED_COLON);
        state_ = State::value;
        return true;
    case State::after_value:
        if (is_space(byte)) return true;
        if (byte == ',') {
            ++top().index;
            state_ = top().is_object ? State::name : State::value;
            return true;
        }
        if (byte == (top().is_object ? '}' : ']')) return close(top().is_object);
        return fail(top().is_object ? SLUICE_JSON_EXPECTED_COMMA_OR_BRACE : SLUICE_JSON_EXPECTED_COMMA_OR_BRACKET);
    case State::literal:
        if (byte != static_cast<uint8_t>(*literal_)) return fail(SLUICE_JSON_INVALID_LITERAL, literal_start_);
        if (*++literal_ == '\0') {
            if (depth_ == 0 && is_automatic_ && !is_validating_) return fail(SLUICE_JSON_WRONG_TYPE, literal_start_);
            end_value(position_ + 1);
        }
        return true;
    case State::string:
    case State::continuation:
    case State::escape:
    case State::hexadecimal:
    case State::low_backslash:
    case State::low_u: return step_string(byte);
    default: return step_number(byte);
    }
}

}  // namespace sluice
