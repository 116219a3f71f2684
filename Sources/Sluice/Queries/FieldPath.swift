/// A path to a property with a column, or with several.
protocol FieldPath { var fieldIndices: Range<Int> { get } }
extension Path: FieldPath { var fieldIndices: Range<Int> { index..<index + 1 } }
extension ToOnePath: FieldPath {}

/// A path to a property that leads to several records; it has no index where the property is that of a record which a reference
/// leads to.
protocol RelationshipPath { var relationshipIndex: Int? { get } }
extension ToManyPath: RelationshipPath {}
