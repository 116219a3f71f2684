internal import SluiceJSON
package import SluiceModel
package import SluicePipeline
internal import SluiceReport

/// A value that the pipeline states itself.
package struct FieldConstant {
    package let value: FieldValue
    let digest: UInt64
}

/// Reads the values that a pipeline states itself.
package struct ConstantReader {
    /// Makes a reader.
    package init() {}

    package func read(_ json: String, for field: FieldDefinition) throws -> FieldConstant {
        do {
            let stated = try JSONDocument(json).root
            if stated.isNull { return FieldConstant(value: .null, digest: FieldDigest.null) }
            let (value, digest) = try ValueConverter(field).value(of: stated)
            return FieldConstant(value: value, digest: digest)
        } catch {
            let reason = (error as? Mismatch)?.message ?? "It is no JSON value."
            throw SyncError(
                .invalidPipeline, "The value `\(json)` does not fit the field `\(field.name)`. \(reason)")
        }
    }

    package func read(
        _ map: [String: FieldDefinition.MappedValue], for field: FieldDefinition
    ) throws -> [[UInt8]: FieldConstant] {
        // What the map yields is no longer in the source's format.
        var field = field
        field.formats = []
        var constants: [[UInt8]: FieldConstant] = [:]
        for (remote, stored) in map {
            switch stored {
            case .null: constants[Array(remote.utf8)] = FieldConstant(value: .null, digest: FieldDigest.null)
            case .json(let json): constants[Array(remote.utf8)] = try read(json, for: field)
            }
        }
        return constants
    }
}
