/// The command lines that a report names, so that they can be copied.
package struct CommandLines {
    /// What a command about the store must say to use the same one, with a blank before it; empty where it need not.
    let storeOption: String
    /// What plans a run of the pipeline, nil where it has no file of its own.
    let plan: String?
    /// What runs the pipeline, nil where it has no file of its own.
    let run: String?

    /// - Parameters:
    ///   - storeOption: What a command about the store must say to use the same one, with a blank before it.
    ///   - pipeline: What names the pipeline to `plan` and `run`, nil where it has no file of its own.
    package init(storeOption: String, pipeline: String?) {
        self.storeOption = storeOption
        plan = pipeline.map { "sluice plan \($0)" }
        run = pipeline.map { "sluice run \($0)" }
    }

    /// A word as a shell reads it back.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
                true
            default: "_./:=%@+,-".utf8.contains(byte)
            }
        }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
