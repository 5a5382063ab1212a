import { Environment, EnvironmentError } from '@hone/platform';

import { readTraceConfig } from './trace.config.js';

const DATABASE = { DATABASE_URL: 'postgres://localhost/hone' };
const read = (variables: Record<string, string>) => readTraceConfig(new Environment({ ...DATABASE, ...variables }));

describe('the configuration of the trace service', () => {
  it('serves SDKs unless it is told not to', () => {
    expect(read({})).toMatchObject({ isSdkSurfaceOff: false, sdkServerVersion: undefined, gatewayUrl: undefined });
    expect(
      read({
        HONE_TRACE_SDK_SURFACE: 'off',
        HONE_TRACE_SDK_SERVER_VERSION: '1.2.3',
        HONE_TRACE_GATEWAY_URL: 'http://gateway:3000',
      }),
    ).toMatchObject({ isSdkSurfaceOff: true, sdkServerVersion: '1.2.3', gatewayUrl: 'http://gateway:3000' });
  });

  it.each([
    ['HONE_TRACE_SDK_SURFACE', 'no'],
    ['HONE_TRACE_SDK_SERVER_VERSION', 'latest'],
    ['HONE_TRACE_GATEWAY_URL', 'gateway:3000'],
    ['HONE_TRACE_GATEWAY_URL', 'http://gateway:3000/v1'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(EnvironmentError);
  });
});
