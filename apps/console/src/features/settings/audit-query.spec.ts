import { toAuditQuery, toDetailText } from './audit-query.js';

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
