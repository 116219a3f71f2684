/// Records to values and back, with errors that say which record it was.
enum RecordConversion {
    static func value<E: RecordConvertible>(_ record: E.Record) throws -> E {
        do { return try E(record: record) } catch {
            throw failure(.unbox, error, E.self, of: record, "cannot be made of its record")
        }
    }

    static func record<E: RecordConvertible>(_ value: E) throws -> E.Record {
        do { return try value.makeRecord() } catch {
            throw failure(.box, error, E.self, of: nil, "cannot be made a record")
        }
    }

    /// The error of a conversion. Its message names the error by its type alone: what it says may hold values.
    private static func failure<E: RecordConvertible>(
        _ code: SluiceError.Code, _ error: any Error, _ type: E.Type, of record: E.Record?, _ what: String
    ) -> any Error {
        if error is SluiceError { return error }
        let key = try? record?.savedIdentifier?.boxKey()
        let identifier = key?.map(\.text).joined(separator: ", ")
        let name = identifier.map { "\(E.self) \($0)" } ?? "\(E.self)"
        return SluiceError(
            code, "\(name) \(what): \(Swift.type(of: error)). The error is `underlying`.",
            entity: E.Record.model.description.entity, identifier: identifier, underlying: error)
    }
}
