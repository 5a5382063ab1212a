import type { Role } from '@hone/contracts';
import {
  type AccessRow,
  type AccessRule,
  ANY_KEY,
  ANY_SCOPED_KEY,
  byKey,
  byProject,
  describeAuthorisation,
  OTHERS_KEY,
  type TestApp,
  userOf,
} from '@hone/testing';

import { startAccounts } from './accounts.fixture.js';

const ADMIN = byKey([]);
const ANYBODY = byKey(ANY_SCOPED_KEY);
/** What lies in no project: an entity is there, or is not. A key that is bound to a project does not reach it. */
const byEntity = (needs: Role): AccessRule => {
  const rule = byProject(needs, { unknown: 404 });
  const statusOf: AccessRule['statusOf'] = (actor, kind) => (userOf(actor).isBound ? 403 : rule.statusOf(actor, kind));
  return { ...rule, targets: ['own', 'foreign', 'nowhere'], statusOf };
};
const OWNER = byEntity('owner');
const MEMBER = byEntity('reader');

/** A key that is bound to the project `own` is seen with such keys of an admin, and with unbound ones. */
const KEY_OF_OWN_PROJECT: AccessRule = {
  ...OTHERS_KEY,
  targets: ['own'],
  statusOf: (actor, kind) => (actor === 'bound-admin' ? 200 : OTHERS_KEY.statusOf(actor, kind)),
};

/** With a key alone there is no session to read or to end. */
const NO_SESSION: AccessRule = {
  targets: ['own'],
  namesEntity: false,
  statusOf: (actor) => (actor === 'nobody' ? 401 : 404),
};

const NO_KEY = '01900000-0000-7000-8000-000000000000';

let made = 0;
const aName = () => `made-${++made}`;

const rows: AccessRow<TestApp>[] = [
  { route: 'GET /account/me', rule: ANYBODY, request: () => ['get', '/account/me'] },
  { route: 'GET /account/users', rule: ADMIN, request: () => ['get', '/account/users'] },
  { route: 'POST /account/users', rule: ADMIN, request: () => ['post', '/account/users', { username: aName() }] },
  { route: 'GET /account/entities', rule: ANYBODY, request: () => ['get', '/account/entities'] },
  {
    route: 'POST /account/entities',
    rule: ADMIN,
    request: () => ['post', '/account/entities', { name: aName() }],
  },
  {
    route: 'GET /account/entities/:entity/members',
    rule: MEMBER,
    request: ({ entity }) => ['get', `/account/entities/${entity}/members`],
  },
  {
    route: 'PUT /account/entities/:entity/members/:username',
    rule: OWNER,
    request: ({ entity }) => ['put', `/account/entities/${entity}/members/wendy`, { role: 'reader' }],
  },
  {
    route: 'DELETE /account/entities/:entity/members/:username',
    rule: OWNER,
    request: async ({ entity }, admin) => {
      const path = `/account/entities/${entity}/members/wendy`;
      await admin.put(path, { role: 'reader' });
      return ['delete', path];
    },
  },
  { route: 'GET /account/projects', rule: ANYBODY, request: () => ['get', '/account/projects'] },
  {
    route: 'POST /account/projects',
    rule: byProject('writer', { known: 409, nowhere: 404 }),
    request: ({ entity, project }) => ['post', '/account/projects', { entity, name: project }],
  },
  { route: 'POST /account/sessions', rule: byKey(ANY_KEY), request: () => ['post', '/account/sessions'] },
  { route: 'POST /account/sessions/codes', rule: byKey(ANY_KEY), request: () => ['post', '/account/sessions/codes'] },
  { route: 'GET /account/sessions/current', rule: NO_SESSION, request: () => ['get', '/account/sessions/current'] },
  {
    route: 'DELETE /account/sessions/current',
    rule: NO_SESSION,
    request: () => ['delete', '/account/sessions/current'],
  },
  { route: 'DELETE /account/sessions', rule: byKey(ANY_KEY), request: () => ['delete', '/account/sessions'] },
  { route: 'GET /account/audit', rule: ANYBODY, request: () => ['get', '/account/audit?limit=1000'] },
  { route: 'GET /account/api-keys', rule: ANYBODY, request: () => ['get', '/account/api-keys'] },
  {
    route: 'POST /account/api-keys',
    rule: ANYBODY,
    request: () => ['post', '/account/api-keys', { label: 'mine' }],
  },
  {
    route: 'POST /account/api-keys',
    about: 'for another user',
    rule: ADMIN,
    request: () => ['post', '/account/api-keys', { label: 'theirs', username: 'wendy' }],
  },
  {
    route: 'DELETE /account/api-keys/:id',
    rule: OTHERS_KEY,
    request: async ({ kind, entity }, _admin, app) => {
      const id = kind === 'unknown' ? NO_KEY : (await app.user(aName(), { roles: { [entity]: 'writer' } })).keyId;
      return ['delete', `/account/api-keys/${id}`];
    },
  },
  {
    route: 'DELETE /account/api-keys/:id',
    about: 'bound to a project',
    rule: KEY_OF_OWN_PROJECT,
    request: async ({ entity, projectId }, _admin, app) => {
      const { keyId } = await app.user(aName(), { roles: { [entity]: 'writer' }, onlyProject: projectId });
      return ['delete', `/account/api-keys/${keyId}`];
    },
  },
];

describeAuthorisation({
  scope: 'account',
  scheme: 'bearer',
  start: () => startAccounts(),
  seed: async ({ entity, project }, admin) => {
    await admin.post('/account/entities', { name: entity });
    await admin.post('/account/projects', { entity, name: project });
  },
  rows,
});
