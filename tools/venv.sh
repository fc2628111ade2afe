#!/usr/bin/env bash
# Make the virtual environment VENV with everything that requirements.lock names, and this checkout in it, editable.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=${1:-.venv}
python=${PYTHON:-python3}
export UV_SYSTEM_CERTS=1 UV_NATIVE_TLS=1 # what the system trusts, as pip does: new name and old

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
  echo "Python 3.11 or newer is needed; $python is $("$python" -V 2>&1). Name another: make PYTHON=python3.12 ..." >&2
  exit 1
}

with_uv() {
  command -v uv >/dev/null || return 1
  { [ -x "$venv/bin/python" ] || uv venv --quiet --python "$python" "$venv"; } &&
    uv pip install --quiet --compile-bytecode --python "$venv/bin/python" --require-hashes -r requirements.lock &&
    uv pip install --quiet --python "$venv/bin/python" --no-deps --no-build-isolation -e .
}

with_pip() {
  "$venv/bin/python" -m pip --version >/dev/null 2>&1 || "$python" -m venv --clear "$venv" || {
    echo "$python can't make a virtual environment. On Debian and Ubuntu: apt-get install python3-venv" >&2
    return 1
  }
  "$venv/bin/python" -m pip install --quiet --require-hashes -r requirements.lock
  "$venv/bin/python" -m pip install --quiet --no-deps --no-build-isolation -e .
}

with_uv || {
  ! command -v uv >/dev/null || echo "uv could not do it; trying pip." >&2
  with_pip
}

# So that the first start is as fast as the next, even where Python may not write.
"$venv/bin/python" -m compileall -q league
