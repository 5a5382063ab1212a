import { resolve } from 'node:path';

import { readLauncherConfig } from './launcher.config.js';

describe('readLauncherConfig', () => {
  it('needs nothing to be set', () => {
    expect(readLauncherConfig({ PORT: 'of something else' })).toEqual({
      host: '127.0.0.1',
      port: 8080,
      dataDir: resolve('.hone'),
      modelsDir: resolve('.hone/models'),
      databaseUrl: undefined,
      bootstrapApiKey: undefined,
      upstreamsFile: undefined,
      traceReplicas: 1,
      poolSize: 16,
    });
  });

  it.each([
    ['HONE_PORT', '80a80', 'an integer from 0 to 65535'],
    ['HONE_PORT', '65536', 'an integer from 0 to 65535'],
    ['HONE_HOST', 'http://here', 'an address of this machine'],
    ['HONE_BOOTSTRAP_API_KEY', 'short', 'a key of 32 to 1024 characters without blanks'],
    ['DATABASE_URL', 'mysql://here/hone', 'postgres://user:password@host:port/database'],
    ['HONE_REF_SCHEME', 'Hone:', 'a scheme such as hone: a-z first, then a-z 0-9 + . -'],
    ['HONE_TRACE_MAX_BODY_BYTES', '1', 'an integer from 1024 to 1073741824'],
    ['HONE_TRACE_REPLICAS', '0', 'an integer from 1 to 16'],
    ['HONE_DATABASE_POOL', '0', 'an integer from 1 to 1000'],
    ['HONE_LOG_LEVEL', 'loud', 'trace, debug, info, warn, error, fatal, silent'],
  ])('names %s when it is %s', (variable, value, expected) => {
    expect(() => readLauncherConfig({ [variable]: value })).toThrow(`${variable} is wrong: expected ${expected}.`);
  });
});
