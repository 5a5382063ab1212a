#!/usr/bin/env bash
# Runs an engine of install.sh on this machine's CPU, in the foreground.
#
#   tools/engines/up.sh skyrl|skyrl-ray|vllm [model folder] [port] [state folder]
#
#   model folder  default: models/hone-tiny of the repository; vLLM serves it under the folder's name,
#                 or as ENGINE_SERVED_NAME
#   port          default: 8000 (skyrl), 8001 (vllm)
#   state folder  SkyRL's database and weights; default: state/<engine> beside the environments
#
# skyrl      SkyRL on JAX in one process: answers at once, loads for about 30 s with the first request
# skyrl-ray  the same on a Ray cluster of two workers that it starts: about 100 s, 6 GiB
# vllm       vLLM with adapters that are loaded while it runs: about 60 s, 4 GiB; needs g++
#
# It listens on 127.0.0.1, or on the address ENGINE_HOST: neither engine should be reached from outside.
# HONE_ENGINES_HOME names the folder of the environments, as for install.sh. ENGINE_MAX_ADAPTERS (4) and
# ENGINE_MAX_RANK (32) limit the adapters of SkyRL and vLLM. What they compile is kept in cache/ beside the environments,
# so that a second start is faster.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
engine=${1:-}
home=$(cd "${HONE_ENGINES_HOME:-$here/../../.engines}" 2>/dev/null && pwd) || home=
model=$(cd "${2:-$here/../../models/hone-tiny}" && pwd)
host=${ENGINE_HOST:-127.0.0.1} adapters=${ENGINE_MAX_ADAPTERS:-4} rank=${ENGINE_MAX_RANK:-32}

environment_of() {
  [[ -n $home && -x $home/$1/bin/python ]] || { echo "$1 is not installed: tools/engines/install.sh $1" >&2; exit 1; }
  environment=$home/$1
  export JAX_COMPILATION_CACHE_DIR=$home/cache/jax JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS=0
  export TORCHINDUCTOR_CACHE_DIR=$home/cache/torch VLLM_CACHE_ROOT=$home/cache/vllm
}

run_skyrl() {
  environment_of skyrl
  local port=${1:-8000} state=${2:-$home/state/$engine} config=$3
  mkdir -p "$state"
  # SkyRL starts its engine through `uv run` with the flags of its parent, so it has to be started that way itself.
  export PATH=$environment/bin:$PATH HF_HUB_OFFLINE=1 JAX_PLATFORMS=cpu
  exec "$environment/bin/uv" run --no-project --python "$environment" -m skyrl.tinker.api \
    --base-model "$model" --backend jax --backend-config "$config" \
    --database-url "sqlite:///$state/tinker.db" --checkpoints-base "$state/checkpoints" \
    --host "$host" --port "$port"
}

limits="\"max_lora_adapters\":$adapters,\"max_lora_rank\":$rank"
case $engine in
  skyrl) run_skyrl "${3:-}" "${4:-}" "{$limits}" ;;
  skyrl-ray)
    export RAY_ENABLE_UV_RUN_RUNTIME_ENV=0 RAY_USAGE_STATS_ENABLED=0
    workers='"use_ray":true,"num_processes":2,"fully_sharded_data_parallel_size":2'
    bundles='"ray_pg_bundles":[{"CPU":1},{"CPU":1}],"ray_actor_options":{"num_cpus":1}'
    run_skyrl "${3:-}" "${4:-}" "{$limits,$workers,$bundles}"
    ;;
  vllm)
    environment_of vllm
    # Without it vLLM starts, and ends with the first answer.
    command -v "${CXX:-g++}" >/dev/null || { echo 'vLLM compiles kernels, and there is no g++: install it.' >&2; exit 1; }
    export HF_HUB_OFFLINE=1 VLLM_ALLOW_RUNTIME_LORA_UPDATING=True VLLM_CPU_KVCACHE_SPACE=${VLLM_CPU_KVCACHE_SPACE:-1}
    exec "$environment/bin/python" -m vllm.entrypoints.openai.api_server \
      --model "$model" --served-model-name "${ENGINE_SERVED_NAME:-$(basename "$model")}" --enable-lora --max-lora-rank "$rank" \
      --max-loras "$adapters" --dtype float32 --enforce-eager --max-model-len "${ENGINE_MAX_LENGTH:-1024}" \
      --host "$host" --port "${3:-8001}"
    ;;
  *)
    echo "usage: $0 skyrl|skyrl-ray|vllm [model folder] [port] [state folder]" >&2
    exit 2
    ;;
esac
