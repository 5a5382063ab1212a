import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NOT_FOUND } from './answers/own-answer.js';
import { PAGES } from './overview/pages.js';
import { ROUTES, SERVICES } from './routes/routes.js';

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
    expect(CONF.match(/proxy_pass http:\/\/\$service:3000/g)).toHaveLength(SERVICES.length + 3); // pages, artifacts, console
  });

  it('passes the console, and links that lead to it, to the Node proxy', () => {
    const pattern = new RegExp(/location ~ (\S*console\S*) \{/.exec(CONF)?.[1] as string);
    const taken = ['/', '/authorize', '/console', '/console/p/a/b', '/a/b/r/call/c', '/a/b/weave', '/a/b/weave/x'];
    expect([...taken, '/consoles', '/a/b/weaver', '/a/weave', '/x'].filter((path) => pattern.test(path))).toEqual(
      taken,
    );
  });

  it('passes to the Node proxy the pages that it answers itself', () => {
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

  it('lets streams through at once, and bodies that are files', () => {
    for (const line of ['proxy_buffering off;', 'proxy_read_timeout 3600s;']) expect(CONF).toContain(line);
    const [, paths, files] = /location ~ (\^\/v1\/preview\/\S*artifacts\S*) \{([^}]+)\}/.exec(CONF) as RegExpExecArray;
    for (const line of ['set $service training;', 'client_max_body_size 0;', 'proxy_request_buffering off;'])
      expect(files).toContain(line);
    const isFile = (path: string) => new RegExp(paths as string).test(path);
    for (const path of [
      'artifacts',
      'artifacts/local/p/a',
      'models/0193/checkpoints/import',
      'models/0193/checkpoints/import/',
    ])
      expect([path, isFile(`/v1/preview/${path}`)]).toEqual([path, true]);
    for (const path of ['models', 'models/0193/checkpoints', 'models/0193/checkpoints/important', 'artifactsx'])
      expect([path, isFile(`/v1/preview/${path}`)]).toEqual([path, false]);
  });

  it('leaves it to the services what is too large', () => {
    const [, mebibytes] = /client_max_body_size (\d+)m;/.exec(CONF) as RegExpExecArray;
    expect(Number(mebibytes)).toBeGreaterThan(64);
    expect(CONF).toContain(`over the limit of ${Number(mebibytes) * 1_048_576} bytes`);
  });

  it('passes to the Node proxy, which waits, only requests that reached no replica', () => {
    const rooms = [
      ...CONF.matchAll(/if \(\$hone_was_sent\) \{\s*return 50[24];\s*\}\s*proxy_pass http:\/\/\$waiting_room:3000;/g),
    ];
    expect(rooms).toHaveLength(2);
    expect(CONF.match(/\$waiting_room:/g)).toHaveLength(2);
  });
});
