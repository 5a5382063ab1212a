import type { Scope } from '@hone/contracts';
import type { FastifyInstance } from 'fastify';

import type { RequestOptions, TestApp, TestClient, TestResponse } from '../app/test-app.js';
import { sampleOf } from '../rounds.js';
import { type Actor, ACTORS, callersOf, isMember, userOf } from './actors.js';
import type { AccessRule } from './rules.js';
import { isForeign, SECRET, type Target, type TargetKind, targetOf } from './targets.js';
import { openRoutesOf } from './unlisted-routes.js';

/** A request as {@link TestClient} takes it; GET has no body. */
export type Sent = [
  method: 'get' | 'post' | 'put' | 'delete',
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
];

/** One route, its access rule, and a request that succeeds if it is allowed. */
export interface AccessRow<App extends TestApp> {
  /** `<METHOD> <path>` as the service declares it. */
  route: string;
  /** Distinguishes rows of one route. */
  about?: string;
  rule: AccessRule;
  /** @param admin makes what the request needs in order to succeed */
  request: (target: Target, admin: TestClient, app: App) => Sent | Promise<Sent>;
}

interface AuthorisationTable<App extends TestApp> {
  scope: Scope;
  scheme: 'basic' | 'bearer';
  start: () => Promise<App>;
  /** Creates data in both existing projects. */
  seed?: (target: Target, admin: TestClient, app: App) => Promise<unknown>;
  rows: readonly AccessRow<App>[];
}

/** Generous: dozens of requests, each with its own set-up, on a machine that may be busy. */
const ROW_TIMEOUT_MS = 180_000;
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

interface Answered {
  actor: Actor;
  target: Target;
  response: TestResponse;
}

/**
 * Declares the authorisation tests: every row with every caller and every kind of target, or, in everyday runs, with a
 * tenth of these pairs. A route without a row fails, as does an answer that shows an outsider whether something exists.
 */
export function describeAuthorisation<App extends TestApp>({ rows, ...table }: AuthorisationTable<App>): void {
  describe('authorisation', () => {
    let app: App;
    let callers: Record<Actor, TestClient>;
    let asked = 0;
    beforeAll(async () => {
      app = await table.start();
      callers = await callersOf(app, table.scope, table.scheme);
      for (const kind of ['own', 'foreign'] as const) await table.seed?.(targetOf(kind, 0), callers.admin, app);
    });
    afterAll(() => app.close());

    async function answersOf(row: AccessRow<App>): Promise<Answered[]> {
      const answers: Answered[] = [];
      const cells = row.rule.targets.flatMap((kind) => ACTORS.map((actor) => ({ kind, actor })));
      for (const { kind, actor } of sampleOf(cells, rows.indexOf(row))) {
        const target = targetOf(kind, ++asked);
        const sent = await row.request(target, callers.admin, app);
        answers.push({ actor, target, response: await send(callers[actor], sent) });
      }
      return answers;
    }

    it.each(rows.map((row) => [`${row.route}${row.about ? ` (${row.about})` : ''}`, row] as const))(
      '%s',
      async (_name, row) => {
        const answers = await answersOf(row);
        const expected = answers.map(({ actor, target }) => [
          actor,
          target.kind,
          row.rule.statusOf(actor, target.kind),
        ]);
        expect(answers.map(({ actor, target, response }) => [actor, target.kind, response.status])).toEqual(expected);
        for (const actor of ACTORS.filter((one) => one !== 'admin')) {
          expectNothingLeaked(
            row.rule,
            answers.filter((one) => one.actor === actor),
          );
        }
      },
      ROW_TIMEOUT_MS,
    );

    it('has a row for every route that takes credentials', async () => {
      const fastify = app.app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
      const listed = new Set(rows.map(({ route }) => route));
      expect([...listed].filter((route) => !fastify.routeNames.has(route))).toEqual([]);
      expect(await openRoutesOf(fastify, listed)).toEqual([]);
    });
  });
}

function send(client: TestClient, [method, path, body, headers = {}]: Sent): Promise<TestResponse> {
  const options: RequestOptions = { headers };
  return method === 'get' ? client.get(path, options) : client[method](path, body, options);
}

/** A caller who is no admin gets the same answer for all forbidden targets: nothing about them leaks. */
function expectNothingLeaked({ namesEntity }: AccessRule, answers: readonly Answered[]): void {
  for (const { target, response } of answers) {
    const hidden = namesEntity && target.entity === SECRET.entity ? [SECRET.project] : Object.values(SECRET);
    const text = namesEntity ? withoutNames(response.text, target) : response.text;
    expect(hidden.filter((name) => text.includes(name))).toEqual([]);
  }
  const groups = new Map<string, Set<string>>();
  for (const one of answers.filter(({ response }) => [403, 404].includes(response.status))) {
    const group = `${one.response.status} ${groupOf(one.actor, one.target.kind)}`;
    groups.set(group, (groups.get(group) ?? new Set()).add(toComparable(one, namesEntity)));
  }
  for (const [group, texts] of groups)
    if (!group.endsWith('open')) expect([group, [...texts].slice(1)]).toEqual([group, []]);
}

/**
 * Targets with equal answers for a caller. A member may learn that a project of their entity exists; a key without
 * access to it hides its content.
 */
function groupOf(actor: Actor, kind: TargetKind): 'closed' | 'own' | 'open' {
  const { user, isBound } = userOf(actor);
  if (isForeign(kind) || user === 'outsider') return 'closed';
  if (isBound) return kind === 'own' ? 'open' : 'closed';
  return isMember(actor) ? 'open' : 'own';
}

/** Names of the headers and text of an answer, but for what the caller named and the project that their key is bound to. */
function toComparable({ actor, target, response }: Answered, namesEntity: boolean): string {
  const shown = userOf(actor).isBound ? withoutNames(response.text, targetOf('own', 0)) : response.text;
  const text = namesEntity ? withoutNames(shown, target) : shown;
  return [...Object.keys(response.headers).sort(), text.replace(ID, '<id>')].join('\n');
}

const withoutNames = (text: string, { entity, projectId }: Target): string =>
  text.replaceAll(projectId, '<project>').replaceAll(`'${entity}'`, '<entity>');
