#!/usr/bin/env bash
# Installs the engines that Hone drives but does not ship, each in a Python environment of its own. About 12 GB of disk.
#
#   tools/engines/install.sh [skyrl|vllm|all]     default: all
#
# The environments are in .engines/ of the repository (git-ignored), or in the folder named by HONE_ENGINES_HOME.
# Needs Python 3.12: as python3.12, from pyenv, or where HONE_PYTHON says. Run again, it brings an environment in step
# with the pinned versions. To change a version, edit <engine>.in and let uv write <engine>.txt anew:
#
#   uv pip compile --no-header --no-annotate --python-version 3.12 [--override vllm.overrides.txt] skyrl.in -o skyrl.txt
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=${HONE_ENGINES_HOME:-$here/../../.engines}

find_python() {
  local candidate
  for candidate in "${HONE_PYTHON:-}" python3.12 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.12.*/bin/python3; do
    # pyenv has a command for each version, also for those that it does not run here.
    if [[ -n $candidate && $("$candidate" --version 2>/dev/null) == 'Python 3.12.'* ]]; then
      echo "$candidate"
      return
    fi
  done
  echo 'The engines need Python 3.12, and there is none: install it, or set HONE_PYTHON to its path.' >&2
  return 1
}

install() {
  local engine=$1 environment="$home/$1"
  [[ -x $environment/bin/python ]] || "$python" -m venv --without-pip "$environment"
  echo "$engine: installing into $environment"
  "$uv" pip sync --quiet --python "$environment/bin/python" "$here/$engine.txt"
  if [[ $engine == vllm ]]; then
    "$uv" pip install --quiet --no-deps --refresh --python "$environment/bin/python" "$here/vllm-plugin"
  fi
  echo "$engine: installed"
}

case ${1:-all} in
  skyrl | vllm) engines=("$1") ;;
  all) engines=(skyrl vllm) ;;
  *)
    echo "usage: $0 [skyrl|vllm|all]" >&2
    exit 2
    ;;
esac

python=$(find_python)
mkdir -p "$home"
home=$(cd "$home" && pwd)
uv=$home/uv/bin/uv
if [[ ! -x $uv ]]; then
  "$python" -m venv "$home/uv"
  "$home/uv/bin/python" -m pip install --quiet --disable-pip-version-check "$(grep '^uv==' "$here/skyrl.txt")"
fi
for engine in "${engines[@]}"; do install "$engine"; done
