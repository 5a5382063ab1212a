import { listOf, listOfIds, queryOf } from './calls-of-version.js';

const VERSION = { object_id: 'a "b"', digest: 'd' };

describe('the calls of a version of a prompt', () => {
  it('are those whose prompt is named by its id or by a ref', () => {
    expect(queryOf(VERSION)).toBe(
      'attributes.prompt.digest = "d" and ' +
        String.raw`(attributes.prompt.id = "a \"b\"" or attributes.prompt.id contains "/object/a \"b\":")`,
    );
  });

  it('are listed at an address with their time and status, or one by one', () => {
    const search = new URLSearchParams(listOf(VERSION, '60', { status: 'error' }));
    expect(Object.fromEntries(search)).toMatchObject({ depth: 'all', range: '60', status: 'error' });
    expect(new URLSearchParams(listOfIds(['x', 'y'])).get('q')).toBe('id in ("x", "y")');
    expect(listOfIds(Array.from({ length: 500 }, () => '0'.repeat(36))).length).toBeLessThan(4_000);
  });
});
