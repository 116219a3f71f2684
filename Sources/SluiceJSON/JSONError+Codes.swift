internal import CSluiceSimdjson

extension JSONError {
    /// The error for a code of the C side.
    init(_ code: sluice_json_code, at byteOffset: Int) {
        let (code, message): (Code, String) =
            switch code {
            case SLUICE_JSON_EMPTY: (.empty, "There is no JSON here: the text is empty.")
            case SLUICE_JSON_HTML: (.html, "The text begins with `<`: this looks like HTML, not JSON.")
            case SLUICE_JSON_TRUNCATED: (.truncated, "The text ends before the value is complete.")
            case SLUICE_JSON_TRAILING_CONTENT: (.trailingContent, "There is more text after the end of the value.")
            case SLUICE_JSON_TOO_DEEP: (.tooDeep, "Objects and arrays are nested too deeply.")
            case SLUICE_JSON_TOO_MANY_MEMBERS: (.tooManyMembers, "This object has more members than allowed.")
            case SLUICE_JSON_TOO_LARGE:
                (.tooLarge, "The text is too large to be parsed at once; the limit is \(SLUICE_PARSE_LIMIT) bytes.")
            case SLUICE_JSON_INVALID_UTF8: (.invalidUTF8, "These bytes are not valid UTF-8.")
            case SLUICE_JSON_UNCLOSED_STRING: (.unclosedString, "The string that begins here is not closed.")
            case SLUICE_JSON_CONTROL_CHARACTER: (.controlCharacter, "A control character in a string must be escaped.")
            case SLUICE_JSON_INVALID_ESCAPE: (.invalidEscape, "This escape is not one of JSON's.")
            case SLUICE_JSON_LONE_SURROGATE: (.loneSurrogate, "A surrogate must be one of a pair, high then low.")
            case SLUICE_JSON_INVALID_LITERAL: (.invalidLiteral, "Expected `true`, `false` or `null` here.")
            case SLUICE_JSON_INVALID_NUMBER: (.invalidNumber, "This number is not written as JSON demands.")
            case SLUICE_JSON_EXPECTED_VALUE: (.unexpectedCharacter, "Expected a value here.")
            case SLUICE_JSON_EXPECTED_NAME: (.unexpectedCharacter, "Expected the name of a member in quotes here.")
            case SLUICE_JSON_EXPECTED_COLON: (.unexpectedCharacter, "Expected a colon after the name of the member.")
            case SLUICE_JSON_EXPECTED_COMMA_OR_BRACKET: (.unexpectedCharacter, "Expected a comma or `]` here.")
            case SLUICE_JSON_EXPECTED_COMMA_OR_BRACE: (.unexpectedCharacter, "Expected a comma or `}` here.")
            case SLUICE_JSON_NAME_TOO_LONG:
                (.recordTooLarge, "The name of this member is longer than a record may be.")
            case SLUICE_JSON_OUT_OF_MEMORY: (.outOfMemory, "There is no memory left to parse the value.")
            default: (.internal, "The value could not be parsed. This is a bug in sluice.")
            }
        self.init(code: code, message: message, byteOffset: byteOffset)
    }
}
