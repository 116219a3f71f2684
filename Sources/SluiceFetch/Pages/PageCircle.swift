internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
internal import SluicePages
internal import SluiceSystem

/// Notices a page that brings nothing but the records of an earlier one, whatever led to it.
///
/// Its first record tells which pages may be alike, and only those are compared. Records without what identifies them count
/// where no other ones are there.
struct PageCircle {
    private let keys: [JSONPath]
    private let reading: RecordsReading
    private let parser = JSONParser()
    /// The pages by their first records.
    private var known: [UInt64: Page] = [:]
    /// The digests of the records of pages that were compared.
    private var contents: Set<UInt64> = []

    /// - Parameters:
    ///   - keys: The paths to what identifies a record; none where its whole text does.
    ///   - reading: How the records of pages are found.
    init(keys: [JSONPath], reading: RecordsReading) { (self.keys, self.reading) = (keys, reading) }

    /// A page that brings nothing new.
    struct Closing {
        let records: Int
        /// How many different records these are, by what identifies them.
        let distinct: Int
        /// Whether rather the key is none: most records of the page share one.
        var sharesKeys: Bool { records > 1 && distinct * 2 <= records }
    }

    /// Notes a page.
    ///
    /// - Parameter index: The page.
    /// - Returns: What it has, where an earlier page has all of its records.
    /// - Throws: `SystemError` where a page cannot be read; what is wrong with its text decoding says better.
    mutating func closing(with index: PageIndex) throws -> Closing? {
        do {
            guard let first = try index.firstRecord() else { return nil }
            let mark = try key(of: first) ?? firstKey(of: index.page) ?? text(of: first)
            guard let earlier = known.updateValue(index.page, forKey: mark) else { return nil }
            let (records, hashes) = try hashes(of: index.page)
            let others = try self.hashes(of: earlier).distinct
            // Pages that begin with one record may take turns.
            contents.insert(Self.digest(others))
            let isNew = contents.insert(Self.digest(hashes)).inserted
            if isNew, !hashes.isSubset(of: others) { return nil }
            return Closing(records: records, distinct: hashes.count)
        } catch let error as SystemError {
            throw error
        } catch {
            return nil
        }
    }

    /// Notes a page that is not kept.
    ///
    /// - Parameter index: The page.
    /// - Returns: Whether it has the records of an earlier page that was noted so, and at least one.
    /// - Throws: `SystemError` where the page cannot be read; what is wrong with its text decoding says better.
    mutating func repeats(_ index: PageIndex) throws -> Bool {
        do {
            let records = try hashes(of: index.page).distinct
            return records.isEmpty ? false : !contents.insert(Self.digest(records)).inserted
        } catch let error as SystemError {
            throw error
        } catch {
            return false
        }
    }

    private static func digest(_ hashes: Set<UInt64>) -> UInt64 {
        hashes.sorted().reduce(0) { KeyHash.combine($0, $1) }
    }

    /// Whether records of a page lack what identifies them, all of them.
    ///
    /// - Parameter index: The page.
    /// - Returns: False where it has no record, or where nothing says what identifies them.
    /// - Throws: `SystemError` where the page cannot be read; what is wrong with its text decoding says better.
    func isKeyless(_ index: PageIndex) throws -> Bool {
        if keys.isEmpty { return false }
        do {
            guard let first = try index.firstRecord(), first.member == nil else { return false }
            return try key(of: first) == nil && firstKey(of: index.page) == nil
        } catch let error as SystemError {
            throw error
        } catch {
            return false
        }
    }

    private func hashes(of page: Page) throws -> (records: Int, distinct: Set<UInt64>) {
        var (found, texts) = ([UInt64](), [UInt64]())
        let reader = try reading.makeReader(of: PageBytes(page), page)
        while let next = try reader.next() {
            let record = PageIndex.Record(next)
            if let key = key(of: record) { found.append(key) } else { texts.append(text(of: record)) }
        }
        let hashes = found.isEmpty ? texts : found
        return (hashes.count, Set(hashes))
    }

    private func firstKey(of page: Page) throws -> UInt64? {
        if keys.isEmpty { return nil }
        let reader = try reading.makeReader(of: PageBytes(page), page)
        while let record = try reader.next() {
            if let key = key(of: PageIndex.Record(record)) { return key }
        }
        return nil
    }

    /// The hash of what identifies a record; nil where something of that is missing.
    private func key(of record: PageIndex.Record) -> UInt64? {
        if keys.isEmpty || record.member != nil { return nil }
        return try? parser.withRoot(of: record.bytes) { root -> UInt64? in
            var hash: UInt64 = 0
            for key in keys {
                guard let value = key.first(in: root).flatMap({ PageValue($0) }) else { return nil }
                hash = KeyHash.combine(hash, FieldDigest.text(Array(value.json.utf8)))
            }
            return hash
        }
    }

    private func text(of record: PageIndex.Record) -> UInt64 {
        let whole = FieldDigest.text(record.bytes)
        return record.member.map { KeyHash.combine(whole, FieldDigest.text(Array($0.utf8))) } ?? whole
    }
}
