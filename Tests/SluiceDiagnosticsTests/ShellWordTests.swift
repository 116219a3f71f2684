import SluiceDiagnostics
import Testing

@Suite struct ShellWordTests {
    @Test(arguments: [
        ("sqlite:shop.db", "sqlite:shop.db"), ("/a/b-c_d,e=f+g@h%i", "/a/b-c_d,e=f+g@h%i"), ("", "''"),
        ("my shop.db", "'my shop.db'"), ("it's", "'it'\\''s'"), ("$(rm)", "'$(rm)'"), ("a*b", "'a*b'"),
        ("a;b", "'a;b'"),
        ("bücher.db", "'bücher.db'"), ("a\nb", "'a\nb'"), ("~", "'~'"),
    ])
    func aWordIsQuotedWhereAShellWouldChangeIt(word: String, quoted: String) {
        #expect(ShellWord.quoted(word) == quoted)
    }
}
