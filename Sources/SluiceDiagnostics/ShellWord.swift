/// Words of commands that messages offer for copying.
package enum ShellWord {
    /// A word as a shell takes it: in single quotes where it holds anything that means something there.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "@%+=:,./_-".utf8.contains(byte)
        }
        if isPlain && !word.isEmpty { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
