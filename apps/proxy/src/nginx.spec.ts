import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NOT_FOUND } from './answer.js';
import { PAGES } from './overview/pages.js';
import { ROUTES, SERVICES } from './routes.js';

const CONF = readFileSync(join(import.meta.dirname, '../nginx.conf'), 'utf8').replace(/^\s*#.*$/gm, '');

/** Prefixes per service, as nginx.conf has them. */
function routesOfNginx(): Record<string, string[]> {
  const locations = CONF.matchAll(
    /location ~ \^\/\(([^)]+)\)\(\/\|\$\) \{\s*set \$service ([\w-]+);\s*proxy_pass http:\/\/\$service:3000;\s*\}/g,
  );
  return Object.fromEntries(
    [...locations].map(([, prefixes, service]) => [service, prefixes?.split('|').map((prefix) => `/${prefix}`)]),
  );
}

describe('nginx.conf', () => {
  it('has exactly the routes of the route table', () => {
    expect(routesOfNginx()).toEqual(ROUTES);
    expect(CONF.match(/proxy_pass/g)).toHaveLength(SERVICES.length + 1);
  });

  it('leaves to the Node proxy what that one answers itself', () => {
    const [, pages] = /location ~ \^\/\(([^)]+)\)\$ \{\s*proxy_pass/.exec(CONF) as RegExpExecArray;
    expect(
      pages
        ?.replaceAll('\\', '')
        .split('|')
        .map((page) => `/${page}`),
    ).toEqual(PAGES);
  });

  it('answers unknown paths with the same body', () => {
    expect(CONF).toContain(`return 404 '${NOT_FOUND.body}'`);
  });

  it('lets streams through and does not choose what is too large', () => {
    for (const line of ['proxy_buffering off;', 'proxy_request_buffering off;', 'proxy_read_timeout 3600s;'])
      expect(CONF).toContain(line);
    const [, mebibytes] = /client_max_body_size (\d+)m;/.exec(CONF) as RegExpExecArray;
    expect(Number(mebibytes)).toBeGreaterThan(32);
  });
});
