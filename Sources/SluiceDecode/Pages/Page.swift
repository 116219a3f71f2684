package import SluiceSystem

/// One page of a source: bytes in a file, whether the source's own or the spool's.
package struct Page: Sendable {
    /// Where the bytes stand.
    package enum Content: Sendable {
        /// A file of its own, opened when its turn comes.
        case file(path: String)
        /// A part of a file that several pages share.
        case part(of: ByteFile, offset: Int, count: Int)
    }

    package let content: Content
    /// The page's place for messages: a path or a URL without secrets.
    package let name: String
    /// The name of the page's file without folder and extension, empty where it has none.
    package let fileStem: String
    /// The most bytes that the page may have once it is unpacked, nil for no limit.
    package var maximumBytes: Int?
    /// What it was asked for; nil where its stream asks once.
    package var partition: Partition?
    /// How far lists within its records were read; nil where all that there is stands in them.
    package var lists: ListReadings?

    /// Makes a value of its parts.
    package init(
        content: Content, name: String, fileStem: String, maximumBytes: Int? = nil, partition: Partition? = nil,
        lists: ListReadings? = nil
    ) {
        self.content = content
        self.name = name
        self.fileStem = fileStem
        self.maximumBytes = maximumBytes
        self.partition = partition
        self.lists = lists
    }
}
