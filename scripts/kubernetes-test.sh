#!/bin/sh
# Holds what `sluice generate kubernetes` prints against the schemas of Kubernetes, and against what its API server asks for
# beyond them: kubernetes-test.sh [PROGRAM]. The schemas are those of `kubernetes-validate` from PyPI, which goes into a
# temporary folder; of versions of Kubernetes, the oldest from 1.27 on and the newest that it has.
set -eu

program=$(realpath "${1:-$(dirname "$0")/../.build/release/sluice}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet --disable-pip-version-check kubernetes-validate
mkdir "$work/shop"
cd "$work"

# pipeline NAME SCHEDULE
pipeline() {
    cat >"shop/$1.yaml" <<YAML
version: 1
name: $1
store: sqlite:shop.db
schedule: $2
source: {base_url: "https://api.example.com", headers: {X-Key: "\${env:SHOP_KEY}"}}
entities: {Book: {table: books, primary_key: id, fields: {id: int, title: {type: string, default: "a: 'b' \"c\" #d"}}}}
streams: [{name: books, entity: Book, path: /books}]
YAML
}
pipeline books '{cron: "0 6 * * MON-FRI", timezone: Europe/Berlin, timeout: 30m, retry: {max_attempts: 3}}'
pipeline a-pipeline-with-a-name-that-is-longer-than-the-52-characters '{cron: "*/15 * * * *", missed: none}'
pipeline a-pipeline-with-a-name-that-is-longer-than-the-52-of-a-cronjob '{cron: "@daily"}'
"$program" generate kubernetes shop --image registry.example.com/sluice:1 --output jobs.yaml
pipeline late '{every: 15m, jitter: 10s}'
pipeline after '{cron: "@hourly", after: [late]}'
"$program" generate kubernetes shop --serve --output service.yaml

"$work/python/bin/python" - jobs.yaml service.yaml <<'PYTHON'
import re
import sys

import kubernetes_validate
import yaml

versions = [v for v in kubernetes_validate.utils.all_versions() if tuple(map(int, v.split(".")[:2])) >= (1, 27)]
failed = False


def complain(place, text):
    global failed
    failed = True
    print(f"kubernetes-test: {place}: {text}", file=sys.stderr)


def label(text):
    return re.fullmatch(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?", text) and len(text) <= 63


for path in sys.argv[1:]:
    names = set()
    for document in yaml.safe_load_all(open(path)):
        kind, name = document["kind"], document["metadata"]["name"]
        place = f"{path}: {kind} {name}"
        for version in (versions[0], versions[-1]):
            try:
                kubernetes_validate.validate(document, version, strict=True)
            except Exception as error:
                complain(place, f"{version}: {getattr(error, 'message', error)}")
        # What the API server checks beyond the schema.
        if not label(name) or kind == "CronJob" and len(name) > 52:
            complain(place, "the name is none for a cluster")
        if (kind, name) in names:
            complain(place, "the name is there twice")
        names.add((kind, name))
        if kind == "ConfigMap":
            for key in document["data"]:
                if not re.fullmatch(r"[-._a-zA-Z0-9]{1,253}", key):
                    complain(place, f"the key {key!r} is none")
            continue
        spec = document["spec"]
        if kind == "Deployment":
            labels = spec["template"]["metadata"]["labels"]
            if not spec["selector"]["matchLabels"].items() <= labels.items():
                complain(place, "it does not select its own pods")
        if kind == "CronJob":
            if len(spec["schedule"].split()) != 5:
                complain(place, "the schedule has not five fields")
            spec = spec["jobTemplate"]["spec"]
        if "template" in spec:
            pod = spec["template"]["spec"]
            volumes = {volume["name"]: volume for volume in pod["volumes"]}
            for container in pod["containers"]:
                mounts = {mount["name"] for mount in container["volumeMounts"]}
                if mounts != set(volumes):
                    complain(place, f"volumes {sorted(volumes)}, mounts {sorted(mounts)}")
            if ("ConfigMap", volumes["pipelines"]["configMap"]["name"]) not in names:
                complain(place, "its files are not there")
            if ("PersistentVolumeClaim", volumes["data"]["persistentVolumeClaim"]["claimName"]) not in names:
                complain(place, "its volume is not there")
    print(f"{path}: {len(names)} objects, Kubernetes {versions[0]} and {versions[-1]}")
sys.exit(failed)
PYTHON
echo "kubernetes-test: all is well"
