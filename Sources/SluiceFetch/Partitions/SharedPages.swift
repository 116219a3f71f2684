internal import SluiceDecode
internal import SluiceGzip
internal import SluiceModel
internal import SluicePages
internal import SluiceReport
internal import SluiceStore
internal import SluiceSystem

/// What was read of a partition, as it waits in a store for the run that takes it.
///
/// Only what partitions have is kept: they ask neither with tokens nor whether pages changed, and the rests of lists within
/// records are asked for by the run itself.
struct SharedPages {
    /// The answer as text.
    let text: String
    /// The pages, packed.
    let pages: [SharedPage]

    /// Packs what was read.
    ///
    /// - Throws: `SystemError`, `GzipError`.
    init(_ fetched: FetchedPages) throws {
        let coverage = fetched.coverage
        text =
            TextMembers([
                ("requests", String(fetched.requests)), ("retries", String(fetched.retries)),
                ("bytes", String(fetched.bytes)), ("whole", coverage.gap == nil ? "yes" : nil),
                ("gap", coverage.reason), ("leaves_pages", coverage.leavesPages ? "yes" : nil),
                ("counted", coverage.isCounted ? "yes" : nil), ("filtered", coverage.isFiltered ? "yes" : nil),
                ("warning_code", fetched.warning?.code.rawValue), ("warning", fetched.warning?.message),
            ]).json
        pages = try fetched.pages.compactMap { page in
            guard case .part(let file, let offset, let count) = page.content else { return nil }
            let bytes = try file.bytes(at: offset, count: count)
            return SharedPage(name: page.name, packed: try Packing.packed(bytes), count: bytes.count)
        }
    }

    /// Makes what was read of what waited.
    ///
    /// - Parameters:
    ///   - text: The answer as text.
    ///   - pages: The pages.
    ///   - partition: What they were asked for.
    ///   - maximumBytes: The most bytes that a page may have once it is unpacked.
    /// - Returns: The pages; nil where somebody has changed what waited.
    /// - Throws: `SystemError` where there is no room for them.
    static func read(
        _ text: String, _ pages: [SharedPage], of partition: Partition, maximumBytes: Int
    ) throws -> FetchedPages? {
        guard let head = TextMembers(text.utf8), let requests = head["requests"].flatMap({ Int($0) }) else {
            return nil
        }
        var fetched = FetchedPages()
        fetched.requests = requests
        fetched.retries = head["retries"].flatMap { Int($0) } ?? 0
        fetched.bytes = head["bytes"].flatMap { Int($0) } ?? 0
        let gap = Coverage.Gap(reason: head["gap"], leavesPages: head["leaves_pages"] != nil)
        fetched.coverage = Coverage(
            head["whole"] != nil ? .whole : .partial(gap), isCounted: head["counted"] != nil,
            isFiltered: head["filtered"] != nil)
        if let code = head["warning_code"].flatMap({ FetchWarning.Code(rawValue: $0) }), let message = head["warning"] {
            fetched.warning = FetchWarning(code: code, message: message)
        }
        let file = try ByteFile(temporaryIn: nil)
        var end = 0
        for page in pages {
            guard page.count >= 0, let bytes = try? Packing.unpacked(page.packed, count: page.count) else { return nil }
            try file.write(bytes, at: end)
            fetched.pages.append(
                Page(
                    content: .part(of: file, offset: end, count: bytes.count), name: page.name, fileStem: "",
                    maximumBytes: maximumBytes, partition: partition))
            end += bytes.count
        }
        return fetched
    }
}
