import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { TestClient, TestResponse } from '@hone/testing';

const COMMAND =
  /^(?:(?<name>\w+)=\$\()?hone (?:-X (?<method>DELETE) )?(?:-H '(?<header>[^']*)' )?"?\$BASE(?<path>[^\s"]+)"?(?: -d '(?<body>(?:[^']|'\$\w+')*)')?(?: \| field (?<field>\w+)\))?$/gm;

/** What one command of a guide answered. */
export interface Followed {
  path: string;
  response: TestResponse;
}

/**
 * Sends every request of a guide's shell blocks, in order, as a reader would; blocks that ask other services, too, are left
 * to a spec that runs them all.
 *
 * @param file name of the guide in `docs/guides`
 * @throws Error a command that cannot be read, or that is not answered with 200
 */
export async function followGuide(client: TestClient, file: string): Promise<Followed[]> {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/guides', file), 'utf8');
  const blocks = [...text.matchAll(/```sh\n([^]*?)```/g)]
    .map(([, block]) => block as string)
    .filter((block) => !block.includes('$BASE/v1/'))
    .join('');
  const commands = [...blocks.matchAll(COMMAND)].map(({ groups }) => groups as Record<string, string | undefined>);
  if (commands.length !== blocks.split('$BASE').length - 1) throw new Error('a command of the guide cannot be read');
  const variables = new Map<string, string>();
  const filled = (part: string) =>
    part.replace(/'?\$(\w+)'?/g, (_all, name: string) => variables.get(name) ?? `$${name}`);
  const followed: Followed[] = [];
  for (const { name, method, header, path = '', body, field } of commands) {
    const headers = header ? { [header.split(': ')[0] as string]: header.split(': ')[1] as string } : {};
    const url = filled(path);
    const response =
      method === 'DELETE'
        ? await client.delete(url)
        : await (body === undefined ? client.get(url, { headers }) : client.post(url, filled(body), { headers }));
    if (response.status !== 200) throw new Error(`${url}: ${response.status} ${response.text}`);
    if (name && field) variables.set(name, response.json()[field]);
    followed.push({ path: url.split('?')[0] as string, response });
  }
  return followed;
}
