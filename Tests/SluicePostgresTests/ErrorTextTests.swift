import Testing

@testable import SluicePostgres

/// What is read from the words of a server that speaks another language.
@Suite struct ErrorTextTests {
    /// The line of a context, the function that it names, and whether that raised the error itself.
    static let contexts: [(String, String, Bool)] = [
        ("PL/pgSQL function note_change() line 3 at SQL statement", "note_change()", false),
        ("PL/pgSQL function note_change() line 3 at RAISE", "note_change()", true),
        ("PL/pgSQL function f(integer,text)", "f(integer,text)", false),
        ("PL/pgSQL-Funktion f() Zeile 3 bei RAISE", "f()", true),
        ("PL/pgSQL-Funktion f()", "f()", false),
        ("fonction PL/pgSQL f(), ligne 3 à RAISE", "f()", true),
        ("функция PL/pgSQL f(), строка 3, оператор RAISE", "f()", true),
        ("在RAISE的第1行的PL/pgSQL函数f()", "f()", false),
        ("PL/pgSQL関数f()の3行目 - RAISE", "f()", true),
    ]

    @Test(arguments: contexts) func namesTheFunction(_ context: String, _ function: String, _ isRaised: Bool) {
        #expect(ErrorText.routine(of: context) == function)
        #expect(ErrorText.isRaised(in: context, by: "ExecEvalParamExec") == isRaised)
        #expect(ErrorText.isRaised(in: context, by: "exec_stmt_raise"))
    }

    @Test(arguments: [
        (#"invalid input syntax for type uuid: "s3cret""#, "invalid input syntax for type uuid"),
        ("ungültige Eingabesyntax für Typ integer: »s3cret«", "ungültige Eingabesyntax für Typ integer"),
        (
            "syntaxe en entrée invalide pour le type integer : « s3cret »",
            "syntaxe en entrée invalide pour le type integer"
        ),
        (#""s3cret"は型integerの入力構文として不正です"#, "22P02"),
    ]) func showsNoValue(_ message: String, _ shown: String) {
        #expect(ErrorText.withoutValue(message, PostgresError.Code(rawValue: "22P02")) == shown)
    }
}
