import { createHash } from 'node:crypto';

import { createApp } from '@hone/platform';
import type { DynamicModule, Type } from '@nestjs/common';

import { walkRoutes } from './route-walk.js';
import { startTestApp, type TestApp, testAppOptions } from './test-app.js';

/**
 * Declares the tests of what every service has, whatever else it does: probes, documentation, guards, the 404 body.
 *
 * @param dependencies what it needs beside the database, as `/readyz` names it
 */
export function describeServiceBasics(module: Type | DynamicModule, ...dependencies: string[]): void {
  const checks = Object.fromEntries(['database', 'disk', ...dependencies].map((name) => [name, 'up']));
  describe('module' in module ? module.module.name : module.name, () => {
    let service: TestApp;
    beforeAll(async () => {
      service = await startTestApp(module);
    });
    afterAll(() => service.close());

    it('can be called off before it has started', async () => {
      const lines: string[] = [];
      const logStream = { write: (line: string) => lines.push(line) };
      const app = await createApp(module, { ...testAppOptions(service.url, { logLevel: 'error' }), logStream });
      await app.close(); // hooks that fail are only logged
      expect(lines).toEqual([]);
    });

    it('answers its probes', async () => {
      const client = service.as(undefined);
      expect((await client.get('/healthz')).json()).toEqual({ status: 'up' });
      expect((await client.get('/readyz')).json()).toEqual({ status: 'ready', checks });
      expect((await client.get('/metrics')).status).toBe(200);
    });

    it('publishes its documentation', async () => {
      expect((await service.as(undefined).get('/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' });
    });

    it('shows its documentation on a page that may run nothing but Swagger UI', async () => {
      const { headers, text } = await service.as(undefined).get('/docs');
      const [, hash] = /script-src 'self' 'sha256-([^']+)'/.exec(String(headers['content-security-policy'])) ?? [];
      const inline = [...text.matchAll(/<script>([^]*?)<\/script>/g)].map(([, script]) => script as string);
      expect(inline.map((script) => createHash('sha256').update(script).digest('base64'))).toEqual([hash]);
    });

    it('opens no answer to other sites, and names no software', async () => {
      const headers = { origin: 'https://elsewhere.example' };
      for (const path of ['/healthz', '/openapi.json', '/docs', '/docs/swagger-ui.css', '/nothing']) {
        const answer = await service.as(undefined).get(path, { headers });
        expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
        const leaked = ['server', 'x-powered-by', 'access-control-allow-origin'].filter(
          (name) => name in answer.headers,
        );
        expect([path, leaked]).toEqual([path, []]);
      }
    });

    it('puts a guard before every route that is not declared open', () => {
      expect(walkRoutes(service.app).filter(({ isOpen, guards }) => !isOpen && guards.length === 0)).toEqual([]);
    });

    it('knows no other path', async () => {
      const { status, json } = await service.as(undefined).get('/nothing');
      expect([status, json()]).toEqual([404, { detail: 'There is nothing at this path.', code: 'route.not_found' }]);
    });
  });
}
