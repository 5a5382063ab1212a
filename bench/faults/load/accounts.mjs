import { randomUUID } from 'node:crypto';

/** A key is made, and revoked. */
export async function accessKey(caller, ledger) {
  const label = randomUUID();
  ledger.sent('api key', label);
  const made = await caller.send('POST', '/account/api-keys', { label, scopes: ['trace'] });
  if (!made) return;
  ledger.acknowledged('api key', label, made.id);
  ledger.sent('revoked key', made.id);
  if (await caller.send('DELETE', `/account/api-keys/${made.id}`)) ledger.acknowledged('revoked key', made.id);
}

/** A user, a team that the user owns, the team's project and its limits, all under one name. */
export async function team(caller, ledger) {
  const name = `t-${randomUUID()}`;
  const steps = [
    ['user', 'POST', '/account/users', { username: name }],
    ['team', 'POST', '/account/entities', { name: `${name}s` }],
    ['member', 'PUT', `/account/entities/${name}s/members/${name}`, { role: 'owner' }],
    ['removed member', 'DELETE', `/account/entities/${name}s/members/admin`],
    ['project', 'POST', '/account/projects', { entity: `${name}s`, name: 'p' }],
    ['limits', 'PUT', `/v1/usage/limits?project=${name}s/p`, { requests_per_minute: 5 }],
  ];
  for (const [kind, method, path, body] of steps) {
    ledger.sent(kind, name);
    if (!(await caller.send(method, path, body))) return;
    ledger.acknowledged(kind, name);
  }
}
