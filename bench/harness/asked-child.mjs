import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { stopProcess } from './service.mjs';

/**
 * A program that answers each line of its input with one of its output.
 *
 * @param {string} name for errors
 * @param {Record<string, string>} [variables] of its environment
 * @returns {{ pid: number, ask: (question: unknown) => Promise<any>, close: () => unknown }} question and answer as JSON
 */
export function askedChild(context, name, program, args, variables = {}) {
  const child = spawn(program, args, { env: { ...process.env, ...variables }, stdio: ['pipe', 'pipe', 'inherit'] });
  const close = context.cleanup.add(() => stopProcess(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (question) => {
    child.stdin.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`${name} ended, see above`);
    return JSON.parse(value);
  };
  return { pid: child.pid, ask, close };
}
