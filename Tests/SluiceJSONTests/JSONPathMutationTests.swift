import SluiceJSON
import Testing

/// Paths that are nearly right, on documents that do not fit them: whatever comes out, nothing traps.
@Suite struct JSONPathMutationTests {
    private static let seeds = [
        "$.a['b/~'][-1:0:-2]..*", "$[?@.a == 'x' && !(@.b <= 1.5e3 || $..c)]",
        "$..[?match(@.a, '[^a-c]{1,3}|\\\\p{Lu}+')]",
        "$[?length(value(@..a)) > count(@.*)]['a','b',1,::2]", "a-b.c[*][?search(@, $[0].p)]", "$['\\ud83d\\ude00\\n']",
    ]

    @Test(arguments: 0..<40)
    func mutatedPathsNeverTrap(seed: Int) throws {
        var generator = Generator(state: UInt64(seed) &+ 1)
        let parser = JSONParser()
        let root = try unsafe parser.parse(
            Array(
                #"[{"a":"x","b":[1,2.5,{"a":"B","p":"(a|b)*"}],"c":null},[[],{}],"abc",-1e9,{"a":{"a":{"a":[3]}}}]"#
                    .utf8))
        var locator = JSONLocator(root: root)
        let alphabet = Array("$@.[]*?()'\"\\:,-0123456789abcdefu{}|&=!<>^ \u{e9}".utf8)
        for _ in 0..<250 {
            var text = Array(Self.seeds[Int(generator.next() % UInt64(Self.seeds.count))].utf8)
            for _ in 0...generator.next() % 4 {
                let place = Int(generator.next() % UInt64(text.count + 1))
                switch generator.next() % 3 {
                case 0 where place < text.count: text.remove(at: place)
                case 1 where place < text.count: text[place] = alphabet[Int(generator.next() % UInt64(alphabet.count))]
                default: text.insert(alphabet[Int(generator.next() % UInt64(alphabet.count))], at: place)
                }
            }
            let source = String(decoding: text, as: UTF8.self)
            do {
                let path = try JSONPath(parsing: source)
                let found = try path.matches(in: root, maximumSteps: 20_000)
                for match in found { #expect(locator.pointer(to: match) != nil, "\(source)") }
                #expect(!path.isSingular || found.count <= 1, "\(source)")
            } catch let error as JSONPathError {
                #expect((0...source.utf8.count).contains(error.offset), "\(source)")
            } catch let error as JSONError {
                #expect(error.code == .pathTooCostly, "\(source)")
            }
        }
    }

    private struct Generator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
    }
}
