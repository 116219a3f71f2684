internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceSchedule

/// A file for Airflow with a DAG for each pipeline, which runs it when it is due.
struct AirflowDAG {
    let text: String

    /// Writes the file.
    ///
    /// - Parameters:
    ///   - runs: The runs.
    ///   - moment: From when on the file must mean what the schedules say, in seconds since the epoch.
    /// - Throws: ``ScheduleError`` where Airflow cannot say a schedule.
    init(_ runs: [ScheduledRun], from moment: Int64) throws(ScheduleError) {
        var dags = ""
        for run in runs { dags += try Self.dag(run, from: moment) }
        text = """
            # Written by `sluice generate airflow`. For Airflow 2.6 or later, also 3.
            import datetime

            from airflow import DAG
            from airflow.timetables.trigger import CronTriggerTimetable

            try:
                from airflow.providers.standard.operators.bash import BashOperator
            except ImportError:
                from airflow.operators.bash import BashOperator

            \(dags)
            """
    }

    private static func dag(_ run: ScheduledRun, from moment: Int64) throws(ScheduleError) -> String {
        try run.checkWords()
        let (expression, zone) = try run.expression()
        let pipeline = run.pipeline
        let jitter = pipeline.schedule.jitter.seconds
        if jitter > 0 {
            throw ScheduleError(
                field: "schedule", value: "jitter", reason: "Airflow cannot spread starts over \(jitter) s",
                remedy: "leave it out, or use `sluice serve`")
        }
        let time = try CrontabTime(expression, in: zone, from: moment)
        let command =
            "cd \(ShellWord.quoted(run.folder)) && exec "
            + run.words.map { ShellWord.quoted($0) }.joined(separator: " ")
        if command.contains("{%") {
            throw ScheduleError(
                field: "path", value: command, reason: "it has `{%`, by which a template of Airflow begins",
                remedy: "choose another name")
        }
        // Airflow takes what ends with `.sh` for a file with a template; a blank says that it is none.
        let words = FieldJSON.quoted((command.contains("{") ? "{% raw %}\(command){% endraw %}" : command) + " ")
        let limit = pipeline.timeout.map { "datetime.timedelta(seconds=\($0))" } ?? "None"
        let start = Timestamp.date(days: Int(moment / 86_400))
        return """

            with DAG(
                dag_id=\(FieldJSON.quoted(run.name)),
                schedule=CronTriggerTimetable(\(FieldJSON.quoted(time.fields)), timezone=\(FieldJSON.quoted(zone.name))),
                start_date=datetime.datetime(\(start.year), \(start.month), \(start.day), tzinfo=datetime.timezone.utc),
                catchup=False,
                max_active_runs=1,
                tags=["sluice"],
            ):
                BashOperator(
                    task_id="run",
                    bash_command=\(words),
                    retries=\(pipeline.retry.maxAttempts - 1),
                    retry_delay=datetime.timedelta(seconds=\(pipeline.retry.base)),
                    retry_exponential_backoff=True,
                    max_retry_delay=datetime.timedelta(days=1),
                    execution_timeout=\(limit),
                )

            """
    }
}
