import { planProxy, planServices, serviceCount } from './service-plan.js';

const CONFIG = {
  host: '0.0.0.0',
  port: 8080,
  dataDir: '/data',
  modelsDir: '/data/models',
  databaseUrl: undefined,
  bootstrapApiKey: 'k'.repeat(32),
  upstreamsFile: undefined,
  traceReplicas: 2,
  poolSize: 16,
};

describe('planServices', () => {
  const services = planServices(CONFIG, 'postgres://db/hone', '/tmp/hone-1', [11, 12, 13, 14, 15, 16, 17]);

  it('plans every service once, and trace as often as asked', () => {
    expect(services.map(({ name }) => name)).toEqual([
      'trace-1',
      'trace-2',
      'training',
      'inference-gateway',
      'evaluation',
      'accounts',
      'trainer',
    ]);
    expect(serviceCount(CONFIG)).toBe(services.length);
    for (const { script } of services)
      expect(script).toMatch(/apps\/(trace|training|inference-gateway|evaluation|accounts|trainer)\/dist\/main\.js$/);
  });

  it('shows the bootstrap key to accounts only', () => {
    const knowing = services.filter(({ variables }) => variables['HONE_BOOTSTRAP_API_KEY'] !== undefined);
    expect(knowing.map(({ name }) => name)).toEqual(['accounts']);
  });

  it('gives them a temporary folder that goes with the launcher', () => {
    for (const { variables } of services) expect(variables['TMPDIR']).toBe('/tmp/hone-1');
  });

  it('knows those that hold weights of models', () => {
    expect(services.filter(({ isEngine }) => isEngine).map(({ name }) => name)).toEqual([
      'inference-gateway',
      'trainer',
    ]);
  });

  it('knows those whose answers are long lists', () => {
    expect(services.filter(({ hasLongLists }) => hasLongLists).map(({ name }) => name)).toEqual(['trace-1', 'trace-2']);
  });

  it('tells trace where the gateway is', () => {
    const told = services.filter(({ variables }) => variables['HONE_TRACE_GATEWAY_URL'] === 'http://127.0.0.1:14');
    expect(told.map(({ name }) => name)).toEqual(['trace-1', 'trace-2']);
  });

  it('tells those that ask models where the gateway is', () => {
    const told = services.filter(({ variables }) => variables['HONE_GATEWAY_URL'] === 'http://127.0.0.1:14');
    expect(told.map(({ name }) => name)).toEqual(['training', 'evaluation', 'trainer']);
  });

  it('tells those that have answers graded where the evaluation service is', () => {
    const told = services.filter(({ variables }) => variables['HONE_EVALUATION_URL'] === 'http://127.0.0.1:15');
    expect(told.map(({ name }) => name)).toEqual(['training', 'trainer']);
  });

  it.each([
    ['training', 'HONE_TRAINING_URL', 13],
    ['trace', 'HONE_TRACE_URL', 11],
  ])('tells evaluation where %s is', (_service, variable, port) => {
    const told = services.filter(({ variables }) => variables[variable] === `http://127.0.0.1:${port}`);
    expect(told.map(({ name }) => name)).toEqual(['evaluation']);
  });

  it('tells the proxy where they are, and no secret', () => {
    expect(planProxy(CONFIG, 8080, services).variables).toEqual({
      HOST: '0.0.0.0',
      PORT: '8080',
      HONE_TRACE_URLS: 'http://127.0.0.1:11,http://127.0.0.1:12',
      HONE_TRAINING_URLS: 'http://127.0.0.1:13',
      HONE_INFERENCE_GATEWAY_URLS: 'http://127.0.0.1:14',
      HONE_EVALUATION_URLS: 'http://127.0.0.1:15',
      HONE_ACCOUNTS_URLS: 'http://127.0.0.1:16',
      DATABASE_URL: undefined,
      HONE_BOOTSTRAP_API_KEY: undefined,
    });
  });
});
