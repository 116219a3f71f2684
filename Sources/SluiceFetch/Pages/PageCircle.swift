internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
internal import SluicePages
internal import SluiceSystem

/// Notices a page that brings nothing but the records of an earlier one, whatever led to it.
///
/// Its first record tells which pages may be alike, and only those are compared.
struct PageCircle {
    private let keys: [JSONPath]
    private let reading: RecordsReading
    private let parser = JSONParser()
    /// The pages by their first records.
    private var known: [UInt64: Page] = [:]

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
            guard let earlier = known.updateValue(index.page, forKey: hash(of: first)) else { return nil }
            let (records, hashes) = try hashes(of: index.page)
            guard try hashes.isSubset(of: self.hashes(of: earlier).distinct) else { return nil }
            return Closing(records: records, distinct: hashes.count)
        } catch let error as SystemError {
            throw error
        } catch {
            return nil
        }
    }

    private func hashes(of page: Page) throws -> (records: Int, distinct: Set<UInt64>) {
        var (records, hashes) = (0, Set<UInt64>())
        let reader = try reading.makeReader(of: PageBytes(page), page)
        while let record = try reader.next() {
            records += 1
            hashes.insert(hash(of: PageIndex.Record(record)))
        }
        return (records, hashes)
    }

    private func hash(of record: PageIndex.Record) -> UInt64 {
        let whole = FieldDigest.text(record.bytes)
        if let name = record.member { return KeyHash.combine(whole, FieldDigest.text(Array(name.utf8))) }
        guard !keys.isEmpty, let root = try? unsafe parser.parse(record.bytes) else { return whole }
        var hash: UInt64 = 0
        for key in keys {
            guard let value = key.first(in: root).flatMap({ PageValue($0) }) else { return whole }
            hash = KeyHash.combine(hash, FieldDigest.text(Array(value.json.utf8)))
        }
        return hash
    }
}
