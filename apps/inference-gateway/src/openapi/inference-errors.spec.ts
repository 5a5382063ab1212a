import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { RAISED } from './inference-errors.js';

const SOURCES = join(import.meta.dirname, '..');
/** They have several codes, which are documented with what they come from. */
const OF_SEVERAL_CODES = ['InvalidRequestError', 'LimitExceededError'];

describe('the documented errors of the inference surface', () => {
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?!.*(spec|fixture)\.ts$).*\.ts$/.test(name))
    .map((name) => readFileSync(join(SOURCES, name), 'utf8'));
  const classes = sources.flatMap((text) =>
    [...text.matchAll(/class (\w+) extends GatewayError/g)].map(([, name]) => name as string),
  );

  it('are of many', () => expect(classes.length).toBeGreaterThan(20));

  it('have every class of errors', () => {
    const documented = [...RAISED.map(({ name }) => name), ...OF_SEVERAL_CODES];
    expect(classes.sort()).toEqual(documented.sort());
  });

  it('have no error that nothing makes', () => {
    const everything = sources.join('\n');
    const unused = RAISED.filter(
      ({ name }) => !everything.includes(`new ${name}(`) && !everything.includes(`${name}.of`),
    );
    expect(unused.map(({ name }) => name)).toEqual([]);
  });
});
