import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { INFERENCE_ERRORS } from './inference.openapi.js';

const SOURCES = join(import.meta.dirname, '..');

/** The ways in which errors of the inference surface are made: their status, then their code. */
const MADE = [
  /new GatewayError\(\s*(\d{3}),\s*'[a-z_]+',\s*'([a-z_]+)'/g,
  /super\((\d{3}), '[a-z_]+', '([a-z_]+)'/g,
  /ownFailure\((\d{3}), '([a-z_]+)'/g,
  /fault\([^,\n]*(?:\[[^\]]*\])?, (\d{3}), '([a-z_]+)'/g,
];

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /^(?!.*(spec|fixture)\.ts$).*\.ts$/.test(name))
  .map((name) => readFileSync(join(SOURCES, name), 'utf8'));

describe('the documented errors of the inference surface', () => {
  const made = sources.flatMap((text) => MADE.flatMap((pattern) => [...text.matchAll(pattern)]));

  it('are of many', () => expect(made.length).toBeGreaterThan(30));

  it('have every status and code that is made', () => {
    const missing = made.filter(
      ([, status, code]) => !INFERENCE_ERRORS[Number(status)]?.codes.includes(code as string),
    );
    expect(missing.map(([text]) => text)).toEqual([]);
  });

  it('have no code that nothing makes', () => {
    const everything = sources.join('\n').replaceAll(/INFERENCE_ERRORS[^]*?\n};/g, '');
    const codes = Object.values(INFERENCE_ERRORS).flatMap(({ codes }) => codes);
    expect(codes.filter((code) => !everything.includes(`'${code}'`))).toEqual([]);
  });
});
