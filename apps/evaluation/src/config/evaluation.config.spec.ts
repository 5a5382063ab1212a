import { Environment, EnvironmentError } from '@hone/platform';

import { readEvaluationConfig } from './evaluation.config.js';

const read = (variables: Record<string, string>) => readEvaluationConfig(new Environment(variables));

describe('the configuration of the evaluation service', () => {
  it('knows where the gateway is when it is told', () => {
    expect(read({ HONE_GATEWAY_URL: 'http://gateway:3000' })).toMatchObject({ gatewayUrl: 'http://gateway:3000' });
    for (const none of [read({}), read({ HONE_GATEWAY_URL: '' })])
      expect(none).toMatchObject({ gatewayUrl: undefined });
  });

  it('asks servers of others where it is told which', () => {
    expect(read({})).toMatchObject({ scorerHosts: undefined, scorerSecret: undefined });
    const variables = { HONE_SCORER_HOSTS: 'Judge.example, *', HONE_SCORER_PRIVATE_HOSTS: 'localhost:90' };
    expect(read(variables)).toMatchObject({ scorerHosts: { hosts: null, privateHosts: ['localhost:90'] } });
    expect(read({ HONE_SCORER_HOSTS: 'Judge.example' })).toMatchObject({
      scorerHosts: { hosts: ['judge.example'], privateHosts: [] },
    });
    expect(() => read({ HONE_SCORER_SECRET: 'short' })).toThrow('at least 16 characters');
  });

  it.each(['gateway:3000', 'http://gateway:3000/v1', 'ftp://gateway', 'http://'])('refuses %s', (url) => {
    expect(() => read({ HONE_GATEWAY_URL: url })).toThrow(EnvironmentError);
    expect(() => read({ HONE_GATEWAY_URL: url })).toThrow(
      'HONE_GATEWAY_URL is wrong: expected an origin such as http://host:3000.',
    );
  });
});
