import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { freePort } from '@hone/database';

import { makeEnvironment } from '../../.ci/python/environment.mjs';
import { findPython } from '../../.ci/python/find-python.mjs';
import { stopProcess } from '../harness/service.mjs';

/** LiteLLM takes half a minute on two cores. */
const START_MS = 120_000;
const BARE = fileURLToPath(new URL('bare-proxy.mjs', import.meta.url));
const PORTKEY = fileURLToPath(new URL('../node_modules/@portkey-ai/gateway/build/start-server.js', import.meta.url));

export function startBareProxy(context, upstream) {
  return startPeer(context, 'bare proxy', (port) => ({
    args: [BARE],
    env: { PORT: String(port), UPSTREAM: upstream },
  }));
}

/** @portkey-ai/gateway, as its own command starts it, without its web page; null when it is not installed. */
export async function startPortkey(context) {
  if (!existsSync(PORTKEY)) return null;
  return startPeer(context, 'Portkey', (port) => ({ args: [PORTKEY, '--headless', `--port=${port}`], env: {} }));
}

/** It refuses to start with a shorter one. */
export const LITELLM_KEY = 'sk-a-key-of-no-worth-but-of-enough-characters';

/**
 * LiteLLM's proxy, one process without a database, in an environment of pinned versions; null: no Python for it.
 *
 * @param {string[]} models of the upstream, which speaks chat completions
 */
export async function startLiteLlm(context, upstream, models) {
  const python = findPython();
  if (python === null) return null;
  const environment = join(import.meta.dirname, '.venv');
  makeEnvironment(python, environment, join(import.meta.dirname, 'litellm.txt'));
  const folder = await mkdtemp(join(tmpdir(), 'hone-bench-litellm-'));
  context.cleanup.add(() => rm(folder, { recursive: true, force: true }));
  const config = join(folder, 'config.json');
  const list = models.map((name) => ({
    model_name: name,
    litellm_params: { model: `hosted_vllm/${name}`, api_base: `${upstream}/v1`, api_key: 'none' },
  }));
  const settings = {
    model_list: list,
    general_settings: { master_key: LITELLM_KEY },
    litellm_settings: { telemetry: false },
  };
  await writeFile(config, JSON.stringify(settings));
  return startPeer(context, 'LiteLLM', (port) => ({
    program: join(environment, 'bin/litellm'),
    args: ['--config', config, '--host', '127.0.0.1', '--port', String(port)],
    env: { HOME: folder, LITELLM_LOCAL_MODEL_COST_MAP: 'True', LITELLM_LOG: 'ERROR' },
  }));
}

async function startPeer({ cleanup, options }, name, planOf) {
  const port = await freePort();
  const { program = process.execPath, args, env } = planOf(port);
  const profile =
    options.cpuProf && program === process.execPath ? ['--cpu-prof', `--cpu-prof-dir=${options.cpuProf}`] : [];
  const child = spawn(program, [...profile, ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = cleanup.add(() => stopProcess(child));
  await untilListening(child, port, name);
  return { pid: child.pid, port, stop };
}

async function untilListening(child, port, name) {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; await sleep(50)) {
    if (child.exitCode !== null) throw new Error(`${name} ended with exit code ${child.exitCode}`);
    const socket = connect({ host: '127.0.0.1', port });
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
  }
  throw new Error(`${name} did not listen within ${START_MS / 1_000} s`);
}
