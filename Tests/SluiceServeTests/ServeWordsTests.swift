import SluiceServeModel
import Testing

@testable import SluiceServe

@Suite struct ServeWordsTests {
    /// The number of a start is never called a run's, since commands know runs by the store's numbers.
    @Test(
        arguments: [
            (.run, nil, nil, "Start 7 of a run, due at 1970-01-01T00:01:00Z."),
            (.plan, nil, nil, "Start 7 of a plan, due at 1970-01-01T00:01:00Z."),
            (.run, .succeeded, 45, "Start 7 ended after 2 s: succeeded, run 45 of the store."),
            (.run, .failed, nil, "Start 7 ended after 2 s: failed."),
        ] as [(ServedRun.Kind, ServedRun.Outcome?, Int64?, String)])
    func aStartIsNoRun(_ kind: ServedRun.Kind, _ outcome: ServedRun.Outcome?, _ stored: Int64?, _ words: String) {
        var run = ServedRun(id: 7, pipeline: "shop", kind: kind)
        (run.due, run.outcome, run.storeRun, run.seconds) = (60, outcome, stored, 2.2)
        #expect(run.words == words)
    }
}
