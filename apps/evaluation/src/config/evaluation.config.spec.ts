import { Environment, EnvironmentError } from '@hone/platform';

import { readEvaluationConfig } from './evaluation.config.js';

const read = (variables: Record<string, string>) => readEvaluationConfig(new Environment(variables));

describe('the configuration of the evaluation service', () => {
  it('knows where the gateway is when it is told', () => {
    expect(read({ HONE_GATEWAY_URL: 'http://gateway:3000' })).toEqual({ gatewayUrl: 'http://gateway:3000' });
    expect([read({}), read({ HONE_GATEWAY_URL: '' })]).toEqual([{ gatewayUrl: undefined }, { gatewayUrl: undefined }]);
  });

  it.each(['gateway:3000', 'http://gateway:3000/v1', 'ftp://gateway', 'http://'])('refuses %s', (url) => {
    expect(() => read({ HONE_GATEWAY_URL: url })).toThrow(EnvironmentError);
    expect(() => read({ HONE_GATEWAY_URL: url })).toThrow(
      'HONE_GATEWAY_URL is wrong: expected an origin such as http://host:3000.',
    );
  });
});
