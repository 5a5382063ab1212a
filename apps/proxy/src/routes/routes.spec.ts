import { findService } from './routes.js';

describe('findService', () => {
  it.each([
    ['/feedback/create', 'trace'],
    ['/feed%62ack/create', 'trace'],
    ['/obj', 'trace'],
    ['/annotation_queues/q/items/i/progress', 'trace'],
    ['/v2/acme/demo/models/m/versions/v0', 'trace'],
    ['/v1/preview/models', 'training'],
    ['/v1/health', 'training'],
    ['/v1/system-check', 'training'],
    ['/v1/chat/completions', 'inference-gateway'],
    ['/v1/chat/completions/', 'inference-gateway'],
    ['/v1/models', 'inference-gateway'],
    ['/v1/models/acme%2Fm', 'inference-gateway'],
    ['/v1/usage/export', 'inference-gateway'],
    ['/v1', 'inference-gateway'],
    ['/v1/chat', 'inference-gateway'],
    ['/v1/embeddings', 'inference-gateway'],
    ['/v1/preview2', 'inference-gateway'],
    ['/evaluation/scorer-kinds', 'evaluation'],
    ['/account/me', 'accounts'],
  ])('sends %s to %s', (path, service) => {
    expect(findService(path)).toBe(service);
  });

  it.each(['/', '', '*', '/objx', '/v1x', '/accounts', '/evaluations', '/feedback%2Fcreate', '/%', '/healthz'])(
    'sends %s nowhere',
    (path) => {
      expect(findService(path)).toBeUndefined();
    },
  );
});
