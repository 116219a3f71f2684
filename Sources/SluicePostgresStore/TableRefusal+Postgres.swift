internal import SluicePostgres
internal import SluiceStore

extension TableRefusal {
    /// What an error says.
    init(_ error: PostgresError) {
        let isOfTrigger = error.isOfFunction
        let remedy =
            switch error.code {
            case _ where isOfTrigger: "Change the trigger, or leave such records out with `filter`."
            case .notNull:
                #"The source sends null, or nothing, for that column: give its field an `expr` such as `.name // "…"`, or allow null in the column."#
            case .foreignKey, .restricted:
                "Put the stream of the table that it refers to first, or declare the foreign key `DEFERRABLE INITIALLY DEFERRED`."
            case .tooLarge:
                "Cut the value with `expr`, or leave such records out with `filter`: an index cannot hold it."
            case .notText: "Take that character out with `expr`, or change the type of the column."
            case _ where error.code.rawValue == "22P02":
                "The type of the column has no such value: give another one with `expr`, or add it to the type."
            case _ where error.code.family == "22":
                "Round or cut the value with `expr`, or change the type of the column."
            default: "Change that rule of the table, or leave such records out with `filter`."
            }
        self.init(
            rule: error.message, isOfTrigger: isOfTrigger, remedy: remedy,
            nullColumn: error.code == .notNull ? error.column : nil, dependsOnOthers: error.isOfForeignKey)
    }

    /// What it says that a column would not keep a value.
    init(_ inexact: PostgresInexact) {
        self.init(
            rule: inexact.message, isOfTrigger: false,
            remedy: inexact.remedy)
    }
}

extension PostgresError {
    /// Whether a foreign key refuses a row, or to let one go.
    var isOfForeignKey: Bool { code == .foreignKey || code == .restricted }
}
