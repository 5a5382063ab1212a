import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { freePort } from '@hone/database';

import { stopProcess } from '../harness/service.mjs';

const START_MS = 20_000;
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

async function startPeer({ cleanup, options }, name, planOf) {
  const port = await freePort();
  const { args, env } = planOf(port);
  const profile = options.cpuProf ? ['--cpu-prof', `--cpu-prof-dir=${options.cpuProf}`] : [];
  const child = spawn(process.execPath, [...profile, ...args], {
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
