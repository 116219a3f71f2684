import SluiceDiagnostics
import Testing

@Suite struct PercentTextTests {
    @Test(arguments: [
        ("", ""), ("aZ09-._~", "aZ09-._~"), ("a b", "a%20b"), ("%", "%25"), ("+/?#&=", "%2B%2F%3F%23%26%3D"),
        ("é", "%C3%A9"), ("\n", "%0A"),
    ])
    func aTextIsWrittenAndRead(text: String, encoded: String) {
        #expect(PercentText.encoded(text) == encoded)
        #expect(PercentText.text(encoded.utf8) == text)
    }

    @Test func everyByteComesBack() {
        let bytes = (0...255).map { UInt8($0) }
        #expect(PercentText.bytes(PercentText.encoded(bytes).utf8) == bytes)
        #expect(PercentText.bytes(PercentText.encoded(bytes, isUpperCase: false).utf8) == bytes)
        #expect(PercentText.encoded([0x0A, 0xFF], isUpperCase: false) == "%0a%ff")
        #expect(PercentText.encoded("a/b c".utf8) { PercentText.isUnreserved($0) || $0 == 0x2F } == "a/b%20c")
    }

    /// What is no escape: where it is refused, and where it stays as it is. A sign is no digit.
    @Test(arguments: ["%", "a%4", "%zz", "%+5", "%-5", "% 5", "%4g"])
    func whatIsNoEscape(text: String) {
        #expect(PercentText.bytes(text.utf8) == nil && PercentText.text(text.utf8) == nil)
        #expect(PercentText.lenientBytes(text.utf8) == Array(text.utf8))
    }

    @Test func aFormHasPlusSignsForBlanks() {
        #expect(PercentText.text("a+b%2Bc".utf8, isForm: true) == "a b+c")
        #expect(PercentText.text("a+b%2Bc".utf8) == "a+b+c")
        #expect(PercentText.lenientBytes("%+".utf8, isForm: true) == Array("% ".utf8))
    }

    @Test(arguments: ["%00", "%FF", "%C3"])
    func aTextFromOutsideIsUTF8WithoutNUL(text: String) { #expect(PercentText.text(text.utf8) == nil) }
}
