/**
 * What `npm run check` does: everything that can be said about a change without a build, a database or a process.
 * With the argument `static`: without the specs.
 */
import { spawn } from 'node:child_process';

/** Types take one core for themselves; format and lint share the other. The specs then have both. */
const ROUNDS = [[['format:check', 'lint'], ['typecheck']], [['test:unit']]];

let isFine = true;
const rounds = process.argv[2] === 'static' ? ROUNDS.slice(0, 1) : ROUNDS;
for (const round of rounds) await Promise.all(round.map((scripts) => inTurn(scripts)));
process.exit(isFine ? 0 : 1);

async function inTurn(scripts) {
  for (const script of scripts) {
    const startedMs = Date.now();
    const { code, output } = await npmRun(script);
    const seconds = ((Date.now() - startedMs) / 1_000).toFixed(1);
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${script.padEnd(12)} ${seconds.padStart(6)} s`);
    if (code !== 0) console.log(output);
    isFine &&= code === 0;
  }
}

/** Resolves with the exit code and all that was written. */
function npmRun(script) {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    }
    child.once('close', (code) => resolve({ code, output }));
  });
}
