#!/bin/sh
# Has a real Airflow import what `sluice generate airflow` prints, and run the command of a DAG: airflow-test.sh [PROGRAM].
# Airflow comes from PyPI into a temporary folder, which takes about 1 GB there, or AIRFLOW names the Python of one.
set -eu

program=$(realpath "${1:-$(dirname "$0")/../.build/release/sluice}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python=${AIRFLOW:-}
if [ -z "$python" ]; then
    python3 -m venv "$work/python"
    python=$work/python/bin/python
    "$python" -m pip install --quiet --disable-pip-version-check apache-airflow
fi
folder="$work/a \"b\" 'c' {{ d }}"
mkdir -p "$folder" "$work/dags"
cd "$folder"
printf '[{"id": 1}]\n' >books.json

# pipeline NAME SCHEDULE
pipeline() {
    cat >"$1.yaml" <<YAML
version: 1
name: $1
store: sqlite:shop.db
schedule: $2
source: {base_url: "file:."}
entities: {Book: {table: books, primary_key: id, fields: {id: int}}}
streams: [{name: books, entity: Book, path: books.json}]
YAML
}
pipeline books '{cron: "0 6 * * MON-FRI", timezone: Europe/Berlin, timeout: 30m, retry: {max_attempts: 3, base: 2m}}'
pipeline prices '{cron: "@daily"}'
"$program" generate airflow . --program "$program" --output "$work/dags/sluice.py"

export AIRFLOW_HOME="$work/home" AIRFLOW__CORE__LOAD_EXAMPLES=False AIRFLOW__CORE__DAGS_FOLDER="$work/dags"
export AIRFLOW__DATABASE__SQL_ALCHEMY_CONN="sqlite:///$work/airflow.db" AIRFLOW__LOGGING__LOGGING_LEVEL=ERROR
"$python" - "$work/dags/sluice.py" <<'PYTHON'
import importlib.util
import subprocess
import sys
import warnings

warnings.simplefilter("error", SyntaxWarning)
import airflow

spec = importlib.util.spec_from_file_location("sluice_dags", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
try:
    from airflow.dag_processing.dagbag import DagBag
except ImportError:
    from airflow.models.dagbag import DagBag
try:
    bag = DagBag(sys.argv[1], include_examples=False)
except TypeError:
    bag = DagBag(sys.argv[1])
assert not bag.import_errors, bag.import_errors
assert sorted(bag.dags) == ["sluice-books", "sluice-prices"], bag.dags

books = bag.dags["sluice-books"]
task = books.get_task("run")
assert task.retries == 2 and task.retry_delay.total_seconds() == 120, (task.retries, task.retry_delay)
assert task.execution_timeout.total_seconds() == 1800, task.execution_timeout
assert books.max_active_runs == 1 and not books.catchup

# When it is due, as Airflow understands the schedule.
import pendulum
from airflow.timetables.base import TimeRestriction

table, last, due = books.timetable, None, []
if not hasattr(table, "next_dagrun_info"):
    # The definition of a DAG and the scheduler's view of it are two things in Airflow 3.
    from airflow.serialization.encoders import coerce_to_core_timetable

    table = coerce_to_core_timetable(table)
while len(due) < 3:
    last = table.next_dagrun_info(
        last_automated_data_interval=last and last.data_interval,
        restriction=TimeRestriction(pendulum.datetime(2026, 3, 26, 12), None, True),
    )
    due.append(last.run_after.in_timezone("UTC").isoformat()[:16])
# Clocks change on 29 March.
assert due == ["2026-03-27T05:00", "2026-03-30T04:00", "2026-03-31T04:00"], due

# The command as the operator runs it, its template rendered.
task.render_template_fields({})
assert subprocess.run(["bash", "-c", task.bash_command]).returncode == 0, task.bash_command
print(f"Airflow {airflow.__version__}: {len(bag.dags)} DAGs")
PYTHON
sqlite3 "$folder/shop.db" 'SELECT count(*) FROM books' | grep -qx 1
echo "airflow-test: all is well"
