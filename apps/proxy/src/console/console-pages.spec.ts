import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ConsoleFiles } from './console-files.js';
import { consoleAnswer } from './console-pages.js';

describe('the console at the address of all services', () => {
  let folder: string;
  let files: ConsoleFiles;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hone-console-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), '<p>page</p>');
    writeFileSync(join(folder, 'assets/a.js'), 'plain');
    writeFileSync(join(folder, 'assets/a.js.br'), 'brotli');
    writeFileSync(join(folder, 'assets/a.js.gz'), 'gzip');
    writeFileSync(join(folder, 'assets/font.woff2'), 'font');
    writeFileSync(join(folder, 'assets/licence.txt'), 'licence');
    writeFileSync(join(folder, 'secret.txt'), 'secret');
    files = new ConsoleFiles(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    consoleAnswer(files, { method, headers } as unknown as IncomingMessage, path);
  const text = (path: string, headers?: Record<string, string>) => ask(path, headers)?.body.toString();

  it('has its page at every path below, never from a cache', () => {
    for (const path of ['/console/', '/console/p/a/b/calls/x.y', '/console/sign-in', '/console/%2e%2e/x'])
      expect([text(path), ask(path)?.headers?.['cache-control']]).toEqual(['<p>page</p>', 'no-store']);
  });

  it('has its files in the encoding that the browser takes best, for ever', () => {
    const encodings = ['gzip, deflate, br', 'gzip;q=1.0, br;q=0', 'identity', 'x-brotli'];
    expect(encodings.map((accepted) => text('/console/assets/a.js', { 'accept-encoding': accepted }))).toEqual([
      'brotli',
      'gzip',
      'plain',
      'plain',
    ]);
    expect(ask('/console/assets/a.js', { 'accept-encoding': 'br' })?.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
    });
  });

  it('has its typeface, as it is, and the licence of it', () => {
    const font = ask('/console/assets/font.woff2', { 'accept-encoding': 'gzip, br' });
    expect([font?.type, font?.body.toString()]).toEqual(['font/woff2', 'font']);
    expect(font?.headers).not.toHaveProperty('content-encoding');
    expect(ask('/console/assets/licence.txt')?.type).toBe('text/plain; charset=utf-8');
  });

  it('gives out no other file', () => {
    for (const path of ['/console/assets/../secret.txt', '/console/assets/b.js', '/console/assets/a.js.br'])
      expect([path, ask(path)?.status]).toEqual([path, 404]);
    expect(text('/console/secret.txt')).toBe('<p>page</p>');
  });

  it('runs no script but its own, in no frame', () => {
    const policy = ask('/console/')?.headers?.['content-security-policy'];
    expect(policy).toMatch(/^default-src 'self';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    // Sounds that are part of a value.
    expect(policy).toContain("media-src 'self' data: blob:");
  });

  it('is where a browser is sent, and nobody else', () => {
    const html = { accept: 'text/html,*/*;q=0.8' };
    expect(ask('/', html)).toMatchObject({ status: 302, headers: { location: '/console/' } });
    expect(ask('/authorize', html)?.headers?.['location']).toBe('/console/');
    expect([ask('/', { accept: '*/*' }), ask('/'), ask('/consoles'), ask('/other')]).toEqual(Array(4).fill(undefined));
    expect(ask('/console')?.headers?.['location']).toBe('/console/');
  });

  it('takes up the links that SDKs print', () => {
    const locationOf = (path: string) => ask(path)?.headers?.['location'];
    expect(locationOf('/acme/my%20demo/r/call/c1')).toBe('/console/p/acme/my%20demo/calls/c1');
    expect(locationOf('/acme/demo/weave')).toBe('/console/p/acme/demo');
    expect(locationOf('/acme/demo/weave/traces')).toBe('/console/p/acme/demo');
    expect(ask('/console/demo/weave')?.status).toBe(200);
  });

  it('takes reads only', () => {
    expect(ask('/console/', {}, 'POST')?.status).toBe(405);
  });

  it('is not there where it was not built', () => {
    const none = new ConsoleFiles(join(folder, 'nothing'));
    expect(consoleAnswer(none, { method: 'GET', headers: {} } as IncomingMessage, '/console/')?.status).toBe(404);
  });
});
