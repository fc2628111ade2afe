#!/usr/bin/env bash
# Build the wheel with PYTHON, install it into a bare environment far from the checkout, and play the demo from it.
set -euo pipefail
cd "$(dirname "$0")/.."
export UV_SYSTEM_CERTS=1 UV_NATIVE_TLS=1 # what the system trusts, as pip does: new name and old
python=$(realpath --no-symlinks "${1:-.venv/bin/python}")
away=$(mktemp -d)
trap 'rm -rf "$away"' EXIT

rm -rf dist
"$python" -m build --wheel --no-isolation --outdir dist . >"$away/build.log" 2>&1 || { cat "$away/build.log" >&2; exit 1; }

# At the locked versions; a constraint may carry no hashes.
sed -n '/^[a-z0-9].*==/ s/ *\\$//p' requirements.lock >"$away/constraints.txt"
if command -v uv >/dev/null; then
  uv venv --quiet --python "$python" "$away/venv"
  uv pip install --quiet --python "$away/venv/bin/python" --constraint "$away/constraints.txt" dist/*.whl
else
  "$python" -m venv "$away/venv"
  "$away/venv/bin/python" -m pip install --quiet --constraint "$away/constraints.txt" dist/*.whl
fi

cd "$away"
env -u PYTHONPATH "$away/venv/bin/league" --version
env -u PYTHONPATH "$away/venv/bin/league" demo --dir "$away/demo"
test -f "$away/demo/public/index.html"

# The pipe of a mail server works from the wheel too.
printf 'From: nobody@example.org\n\nhello\n' | "$away/venv/bin/league-spool" "$away/demo/mail/in"
test "$(find "$away/demo/mail/in/new" -type f | wc -l)" -eq 1
echo "The wheel works by itself: $(basename "$OLDPWD"/dist/*.whl)"
