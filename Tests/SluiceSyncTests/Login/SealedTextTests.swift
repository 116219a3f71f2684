import Testing

@testable import SluiceSync

@Suite struct SealedTextTests {
    @Test(arguments: ["", "a", "a token of some length, longer than one block of the key stream: é"])
    func itIsOpenedByItsSecretAlone(text: String) {
        let sealed = SealedText.seal(text, secret: Array("secret".utf8))
        #expect(SealedText.open(sealed, secret: Array("secret".utf8)) == text)
        #expect(SealedText.open(sealed, secret: Array("secres".utf8)) == nil)
        #expect(SealedText.open(sealed, secret: []) == nil)
    }

    @Test func everyChangeShows() {
        let sealed = SealedText.seal("token", secret: [1, 2, 3])
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(SealedText.open(changed, secret: [1, 2, 3]) == nil, "byte \(index)")
        }
        for count in 0..<sealed.count {
            #expect(SealedText.open(Array(sealed.prefix(count)), secret: [1, 2, 3]) == nil)
        }
    }

    @Test func twoOfTheSameTextDiffer() {
        #expect(SealedText.seal("token", secret: [1]) != SealedText.seal("token", secret: [1]))
    }

    /// RFC 4231, test cases 1, 2 and 6, by way of the seal's own pieces.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func theCodeIsThatOfTheStandard(key: [UInt8], message: String, expected: String) {
        let digits = SealedText.hmac(key, Array(message.utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        #expect(digits.joined() == expected)
    }
}
