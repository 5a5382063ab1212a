#!/usr/bin/env bash
# Whether the engine of this container answers: for the image's health check.
set -euo pipefail

case $ENGINE in
  vllm) path=/health ;;
  *) path=/api/v1/healthz ;;
esac
exec "$HONE_ENGINES_HOME/$ENGINE/bin/python" -c \
  "import sys, urllib.request; urllib.request.urlopen('http://127.0.0.1:8000' + sys.argv[1], timeout=4)" "$path"
