package import SluiceModel

/// How a column that others made keeps the values of a field.
package protocol StoredForm {
    /// The value that something stored means; what means none in this form stays as it is.
    func canonical(_ value: FieldValue) -> FieldValue
    /// What is stored for a value; nil where this form cannot hold it.
    func stored(_ value: FieldValue) -> FieldValue?
    /// An expression for something stored in this form, of one for the value.
    func stored(expression: String) -> String
    /// Whether it is that of a table of ours.
    var isOwn: Bool { get }
    /// Whether statements compare what is stored as the values themselves: numbers as numbers, texts and dates as texts.
    var comparesValues: Bool { get }
}
