/// A YAML text that was read: its nodes and what is wrong with it.
package struct YAMLDocument: Sendable {
    /// How large and how deep a text may be.
    package struct Limits: Sendable, Hashable {
        /// The most bytes.
        package var maximumBytes = 1 << 20
        /// The most sequences and mappings within each other.
        package var maximumDepth = 64
        /// The most values that all aliases together may stand for.
        package var maximumAliasedNodes = 100_000

        /// Makes the defaults.
        package init() {}
    }

    /// The top node; nil where the text is empty or could not be read.
    package let root: YAMLNode?
    /// What is wrong, in the order of the text.
    ///
    /// A syntax error is the last one, and then there is no root. With duplicate keys or refused features there is a
    /// root that shows what could be read.
    package let problems: [YAMLError]

    /// Reads a text; no input makes it trap.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8, with or without a byte order mark.
    ///   - limits: What is over them is a problem, and there is no root.
    package init(reading bytes: [UInt8], limits: Limits = Limits()) {
        var composer: Composer
        do throws(YAMLError) {
            if bytes.count > limits.maximumBytes {
                let message = "The text has \(bytes.count) bytes; at most \(limits.maximumBytes) are read."
                throw YAMLError(code: .limit, message: message, mark: .start)
            }
            if let offset = SourceLines.firstInvalidOffset(in: bytes) {
                let mark = SourceLines.mark(ofOffset: offset, in: bytes)
                throw YAMLError(code: .encoding, message: "The text is not valid UTF-8 here.", mark: mark)
            }
            let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
            composer = Composer(reader: try EventReader(bytes: content), limits: limits)
        } catch {
            self.root = nil
            self.problems = [error]
            return
        }
        do throws(YAMLError) {
            self.root = try composer.document()
            self.problems = composer.problems
        } catch {
            self.root = nil
            self.problems = composer.problems + [error]
        }
    }
}
