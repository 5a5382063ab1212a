import { toAuditQuery, toDetailText, toSubjectText } from './audit-query.js';

const ANY = { who: '', what: '', from: '', to: '' };

describe('the query of the audit log', () => {
  it('asks for what was filled in', () => {
    expect(toAuditQuery(ANY)).toEqual({});
    expect(toAuditQuery({ ...ANY, who: 'ada', what: 'api_key' })).toEqual({ actor: 'ada', action: 'api_key' });
    expect(toAuditQuery({ ...ANY, from: 'yesterday', to: '2026-1-5' })).toEqual({});
  });

  it('includes the whole last day', () => {
    const { from = '', to = '' } = toAuditQuery({ ...ANY, from: '2026-01-31', to: '2026-01-31' });
    expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000);
    expect(new Date(from).getDate()).toBe(31);
  });
});

it('details are words', () => {
  expect(toDetailText({ username: 'ada', monthly_budget: 5, before: null, scopes: ['trace'] })).toBe(
    'username: ada, monthly budget: 5, scopes: ["trace"]',
  );
});

describe('what an entry of the audit log is about', () => {
  const ID = '01a22eb4-d558-7006-a69e-62a09b52bb6b';
  const KEYS = new Map([[ID, 'laptop (hone-abc…)']]);
  const NO_KEYS = new Map<string, string>();

  it('is a key by its name', () => {
    expect(toSubjectText(ID, {}, KEYS)).toBe('laptop (hone-abc…)');
    expect(toSubjectText(ID, { label: 'revoked one' }, NO_KEYS)).toBe('revoked one');
  });

  it('is a model by the name that was noted', () => {
    expect(toSubjectText(ID, { alias: 'production', model: 'acme/demo/tutor', step: 1 }, NO_KEYS)).toBe(
      'acme/demo/tutor',
    );
  });

  it('stays as it is where it says enough, or nothing else is known', () => {
    expect(toSubjectText('acme/demo', { name: 'other' }, KEYS)).toBe('acme/demo');
    expect(toSubjectText(ID, null, NO_KEYS)).toBe(ID);
    expect(toSubjectText(ID, { model: 5, label: '' }, NO_KEYS)).toBe(ID);
  });
});
