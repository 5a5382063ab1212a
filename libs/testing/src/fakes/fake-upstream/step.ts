import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** One thing that an answer does, in order. */
export type Step =
  | { readonly write: string }
  | { readonly waitMs: number }
  /** Writes the text again and again, until the client is gone. */
  | { readonly repeat: string; readonly everyMs: number }
  /** How it stops: a clean end, a closed connection without one, a reset, or silence on an open connection. */
  | { readonly stop: 'end' | 'close' | 'reset' | 'hang' };

/** Flushes written bytes before a reset, which would discard them. */
const FLUSH_MS = 5;

/** Plays steps on a response whose head is written. Returns early when the client is gone. */
export async function play(response: ServerResponse, steps: readonly Step[], isTiny: boolean): Promise<void> {
  for (const step of steps) {
    if (response.destroyed) return;
    if ('waitMs' in step) await sleep(step.waitMs);
    else if ('repeat' in step) return repeat(response, step.repeat, step.everyMs);
    else if ('stop' in step) return stop(response, step.stop);
    else await write(response, step.write, isTiny);
  }
}

async function write(response: ServerResponse, text: string, isTiny: boolean): Promise<void> {
  const bytes = Buffer.from(text);
  const size = isTiny ? 1 : bytes.length;
  for (let start = 0; start < bytes.length; start += size) {
    if (response.destroyed) return;
    const hasRoom = response.write(bytes.subarray(start, start + size));
    if (!hasRoom) await drained(response);
    if (isTiny) await nextTurn();
  }
}

async function repeat(response: ServerResponse, text: string, everyMs: number): Promise<void> {
  while (!response.destroyed) {
    response.write(text);
    await sleep(everyMs);
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}

async function stop(response: ServerResponse, how: 'end' | 'close' | 'reset' | 'hang'): Promise<void> {
  switch (how) {
    case 'end':
      return void response.end();
    case 'close':
      return void response.socket?.end();
    case 'reset':
      await sleep(FLUSH_MS);
      return void response.socket?.resetAndDestroy();
    case 'hang':
      return;
  }
}
