import { parseVersionSelector } from './version-selector.js';

const DIGEST = 'fnvNOfMXzDB9fqOQX26F0PQHvU4QxUh1cxEdfDA4dus';

describe('parseVersionSelector', () => {
  it.each([
    ['latest', { by: 'latest' }],
    ['v0', { by: 'index', versionIndex: 0 }],
    ['v12', { by: 'index', versionIndex: 12 }],
    [DIGEST, { by: 'digest', digest: DIGEST }],
    ['production', { by: 'alias', alias: 'production' }],
    ['Latest', { by: 'alias', alias: 'Latest' }],
    ['v', { by: 'alias', alias: 'v' }],
    ['v-1', { by: 'alias', alias: 'v-1' }],
    ['v00', { by: 'alias', alias: 'v00' }],
    ['v01', { by: 'alias', alias: 'v01' }],
    ['v1.0', { by: 'alias', alias: 'v1.0' }],
    ['v1234567890', { by: 'alias', alias: 'v1234567890' }],
    [`${DIGEST}x`, { by: 'alias', alias: `${DIGEST}x` }],
    [DIGEST.slice(1), { by: 'alias', alias: DIGEST.slice(1) }],
  ])('%s', (text, selector) => {
    expect(parseVersionSelector(text)).toEqual(selector);
  });
});
