import { spawnSync } from 'node:child_process';

import fc from 'fast-check';

import { canonicalJson } from './canonical-json.js';
import { anyJson } from './json-value.fixture.js';
import { stringifyJson } from './stringify-json.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

describe('canonicalJson, held against Python', () => {
  const python = spawnSync('python3', ['--version']).status === 0;
  const whenPython = python ? it : it.skip;
  if (!python) console.warn('python3 is not installed: the comparison with json.dumps is skipped.');

  whenPython('is what json.dumps(…, sort_keys=True) prints, for 1,000 random values', () => {
    const values = fc.sample(anyJson, { numRuns: 1_000, seed: 20_261_120 });
    const program = `
import json, sys
for line in sys.stdin.buffer.read().rstrip(b'\\n').split(b'\\n'):
    print(json.dumps(json.loads(line), sort_keys=True))`;
    const input = values.map((value) => `${stringifyJson(value)}\n`).join('');
    const { stdout, stderr } = spawnSync('python3', ['-c', program], { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
    expect(stderr).toBe('');
    expect(values.map((value) => canonicalJson(value))).toEqual(stdout.trimEnd().split('\n'));
  });
});
