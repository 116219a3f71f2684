internal import SluiceDecode
internal import SluiceModel

extension RecordKey {
    /// The key as a JSON array.
    var arrayJSON: String {
        let values = values.map { value in
            if case .text = value { return FieldJSON.text(value, type: .string) }
            return FieldJSON.text(value, type: .json)
        }
        return "[" + values.joined(separator: ",") + "]"
    }
}
