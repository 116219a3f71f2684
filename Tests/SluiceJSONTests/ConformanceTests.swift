import SluiceJSON
import Testing

@Suite("JSONTestSuite", .enabled(if: Conformance.has("json-parsing"), "\(Conformance.absence)"))
struct ConformanceTests {
    @Test func whatMustBeAcceptedIsAccepted() throws {
        let files = try Conformance.files(in: "json-parsing/test_parsing", prefix: "y_")
        try #require(files.count > 90)
        for file in files {
            #expect(parsingError(file.bytes) == nil, "\(file.name)")
            #expect((try? parsed(file.bytes)) == ReferenceParser.parse(file.bytes), "\(file.name)")
        }
    }

    @Test func whatMustBeRejectedIsRejected() throws {
        let files = try Conformance.files(in: "json-parsing/test_parsing", prefix: "n_")
        try #require(files.count > 180)
        for file in files {
            let error = try #require(parsingError(file.bytes), "\(file.name)")
            #expect(error.code != .internal, "\(file.name)")
            #expect((0...file.bytes.count).contains(error.byteOffset), "\(file.name): \(error)")
        }
    }

    /// What RFC 8259 leaves open: nil is accepted.
    ///
    /// Numbers of any size are kept as their text. Text that is not UTF-8 is refused, and so are halves of surrogate
    /// pairs, which no UTF-8 can express. A byte order mark is skipped. 1024 levels may be nested.
    static let choices: [String: JSONError.Code?] = [
        "i_number_double_huge_neg_exp.json": nil,
        "i_number_huge_exp.json": nil,
        "i_number_neg_int_huge_exp.json": nil,
        "i_number_pos_double_huge_exp.json": nil,
        "i_number_real_neg_overflow.json": nil,
        "i_number_real_pos_overflow.json": nil,
        "i_number_real_underflow.json": nil,
        "i_number_too_big_neg_int.json": nil,
        "i_number_too_big_pos_int.json": nil,
        "i_number_very_big_negative_int.json": nil,
        "i_object_key_lone_2nd_surrogate.json": .loneSurrogate,
        "i_string_1st_surrogate_but_2nd_missing.json": .loneSurrogate,
        "i_string_1st_valid_surrogate_2nd_invalid.json": .loneSurrogate,
        "i_string_UTF-16LE_with_BOM.json": .unexpectedCharacter,
        "i_string_UTF-8_invalid_sequence.json": .invalidUTF8,
        "i_string_UTF8_surrogate_U+D800.json": .invalidUTF8,
        "i_string_incomplete_surrogate_and_escape_valid.json": .loneSurrogate,
        "i_string_incomplete_surrogate_pair.json": .loneSurrogate,
        "i_string_incomplete_surrogates_escape_valid.json": .loneSurrogate,
        "i_string_invalid_lonely_surrogate.json": .loneSurrogate,
        "i_string_invalid_surrogate.json": .loneSurrogate,
        "i_string_invalid_utf-8.json": .invalidUTF8,
        "i_string_inverted_surrogates_U+1D11E.json": .loneSurrogate,
        "i_string_iso_latin_1.json": .invalidUTF8,
        "i_string_lone_second_surrogate.json": .loneSurrogate,
        "i_string_lone_utf8_continuation_byte.json": .invalidUTF8,
        "i_string_not_in_unicode_range.json": .invalidUTF8,
        "i_string_overlong_sequence_2_bytes.json": .invalidUTF8,
        "i_string_overlong_sequence_6_bytes.json": .invalidUTF8,
        "i_string_overlong_sequence_6_bytes_null.json": .invalidUTF8,
        "i_string_truncated-utf-8.json": .invalidUTF8,
        "i_string_utf16BE_no_BOM.json": .unexpectedCharacter,
        "i_string_utf16LE_no_BOM.json": .unexpectedCharacter,
        "i_structure_500_nested_arrays.json": nil,
        "i_structure_UTF-8_BOM_empty_object.json": nil,
    ]

    @Test func whatIsLeftOpenIsDecidedHere() throws {
        let files = try Conformance.files(in: "json-parsing/test_parsing", prefix: "i_")
        #expect(Set(files.map(\.name)) == Set(Self.choices.keys))
        for file in files { #expect(parsingError(file.bytes)?.code == Self.choices[file.name] ?? nil, "\(file.name)") }
    }

    @Test func valuesThatDifferBetweenParsersAreKept() throws {
        for file in try Conformance.files(in: "json-parsing/test_transform", prefix: "") {
            #expect((try? parsed(file.bytes)) == ReferenceParser.parse(file.bytes), "\(file.name)")
        }
    }

    /// Outside of records the scanner validates what streams past, as the parser does.
    @Test func theScannerAgreesWithTheParser() throws {
        let files = try Conformance.files(in: "json-parsing/test_parsing", prefix: "")
        for file in files where parsingError(file.bytes)?.code != .tooDeep {
            let wrapped = Array("[0,".utf8) + file.bytes + Array("]".utf8)
            let path = JSONPath(steps: [.index(7)], text: "$[7]")
            let outcome = Result { try recordTexts(wrapped, path: path, pieces: 3) }
            #expect((ReferenceParser.parse(wrapped) != nil) == ((try? outcome.get()) != nil), "\(file.name)")
        }
    }
}
