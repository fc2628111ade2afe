#!/usr/bin/env bash
# Mutation testing of the KUEL package, with mutmut in an environment of its own: tools/mutate.py says what it does.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=.venv-mutants
tool=mutmut==3.8.1 # the version whose insides tools/mutate.py knows

if [ ! -e "$venv/.ready" ] || [ requirements.lock -nt "$venv/.ready" ] || [ "$0" -nt "$venv/.ready" ]; then
  bash tools/venv.sh "$venv"
  if command -v uv >/dev/null; then
    UV_SYSTEM_CERTS=1 UV_NATIVE_TLS=1 uv pip install --quiet --python "$venv/bin/python" "$tool"
  else
    "$venv/bin/python" -m pip install --quiet "$tool"
  fi
  touch "$venv/.ready"
fi

exec nice -n 10 "$venv/bin/python" tools/mutate.py "$@"
