#!/usr/bin/env bash
# Fetch the Nu Html Checker, against which the tests hold pages, into the environment given: vnu.sh .venv
# The package of npm is taken as it is, by its checksum; no script of its own runs. Needs npm; to use it, Java.
set -euo pipefail
command -v npm >/dev/null || { echo "vnu.sh: no npm here; on Debian and Ubuntu: apt-get install npm" >&2; exit 1; }
here=$(dirname "$(realpath "$0")")
trusted=/etc/ssl/certs/ca-certificates.crt # what the system trusts, as pip does
[ ! -e $trusted ] || export npm_config_cafile=${npm_config_cafile:-$trusted}
mkdir -p "$1/vnu"
cp "$here/vnu/package.json" "$here/vnu/package-lock.json" "$1/vnu/"
npm ci --prefix "$1/vnu" --ignore-scripts --no-audit --no-fund --loglevel=error
