import { ScriptedTarget } from '../../dispatch/scripted-target.fixture.js';
import { FakeClock } from '../../shared/time/fake-clock.fixture.js';
import { HttpUpstream } from '../../targets/http/http-upstream.js';
import type { UpstreamSettings } from '../../targets/registry/upstream-registry.js';
import type { Upstream } from '../../targets/upstream.js';
import { readConfiguration } from '../configuration/read-configuration.js';
import { RouteTable } from './route-table.js';

const anUpstream = (name: string, more = '') =>
  `  - { name: ${name}, kind: openai-compatible, base_url: "http://h/v1", models: [{ name: m }, { name: n }]${more} }\n`;

describe('the route table', () => {
  const clock = new FakeClock();
  /** Of the embedded engine. */
  let models = ['hone-tiny'];
  afterEach(() => {
    models = ['hone-tiny'];
  });
  const open = (settings: UpstreamSettings): Upstream =>
    settings.kind === 'embedded'
      ? {
          models,
          target: (model) =>
            models.includes(model) ? new ScriptedTarget(model, clock, () => ({ ms: 0 }), settings.name) : null,
          close: async () => undefined,
        }
      : new HttpUpstream(settings, clock);
  const build = (text: string, previous: RouteTable | null = null) =>
    new RouteTable(
      readConfiguration('up.yaml', text, () => undefined),
      open,
      clock,
      previous,
    );
  const targetsOf = (table: RouteTable, id: string) =>
    table
      .find(id)
      ?.tiers.map(({ targets }) => targets.map(({ state: { target } }) => `${target.upstream}/${target.model}`));

  it('has the embedded engine’s models without a file', () => {
    expect(targetsOf(build('{}'), 'hone-tiny')).toEqual([['local/hone-tiny']]);
  });

  it('makes every upstream model a route when there are none', () => {
    const table = build(`upstreams:\n${anUpstream('a')}${anUpstream('b')}`);
    expect(table.list().map(({ id }) => id)).toEqual(['hone-tiny', 'm', 'n']);
    expect(targetsOf(table, 'm')).toEqual([['a/m', 'b/m']]);
  });

  it('finds routes by id and alias, in tiers, with the limits of route, upstream and default', () => {
    const table = build(`upstreams:
${anUpstream('a', ', ttft_ms: 1, stall_ms: 2')}${anUpstream('b')}
routes:
  - id: chat
    aliases: [gpt]
    ttft_ms: 3
    targets: [{ upstream: b, model: m, priority: 5 }, { upstream: a, model: m }, { upstream: local, model: hone-tiny, priority: 5 }]
`);
    expect(table.find('gpt')).toBe(table.find('chat'));
    expect(table.find('m')).toBeNull();
    expect(targetsOf(table, 'chat')).toEqual([['a/m'], ['b/m', 'local/hone-tiny']]);
    const [first] = table.find('chat')?.tiers[0]?.targets ?? [];
    expect(first?.limits).toMatchObject({ ttftMs: 3, stallMs: 2, totalMs: 600_000 });
  });

  it('knows which models of routes a provider serves at its own price', () => {
    const hosted =
      '  - { name: o, kind: openai-compatible, base_url: "https://api.openai.com/v1", models: [{ name: gpt-4o }] }\n';
    const table = build(`upstreams:\n${anUpstream('a')}${hosted}`);
    expect(table.list().map(({ id, listedModel }) => [id, listedModel])).toEqual([
      ['hone-tiny', null],
      ['m', null],
      ['n', null],
      ['gpt-4o', 'gpt-4o'],
    ]);
  });

  it('leaves out what is not enabled', () => {
    const table = build(`upstreams:\n${anUpstream('a', ', enabled: false')}${anUpstream('b')}`);
    expect(targetsOf(table, 'm')).toEqual([['b/m']]);
  });

  it('leaves out a target whose model the engine does not have, until it has it', () => {
    const text = `upstreams:\n${anUpstream('a')}routes:
  - { id: both, targets: [{ upstream: local, model: late }, { upstream: a, model: m }] }
  - { id: alone, targets: [{ upstream: local, model: late }] }
`;
    const before = build(text);
    expect(targetsOf(before, 'both')).toEqual([['a/m']]);
    expect(targetsOf(before, 'alone')).toEqual([]);
    expect(before.missing).toEqual(['both', 'alone'].map((route) => ({ route, upstream: 'local', model: 'late' })));
    models = ['hone-tiny', 'late'];
    const after = build(text, before);
    expect(targetsOf(after, 'both')).toEqual([['local/late', 'a/m']]);
    expect(targetsOf(after, 'alone')).toEqual([['local/late']]);
    expect(after.missing).toEqual([]);
    models = ['hone-tiny'];
    expect(targetsOf(build(text, after), 'alone')).toEqual([]);
  });

  it('has a route for each model of the embedded engine beside those of the file, unless one is called so', () => {
    models = ['hone-tiny', 'added', 'taken'];
    const text = `upstreams:\n${anUpstream('a')}routes:
  - { id: chat, aliases: [taken], targets: [{ upstream: a, model: m }] }
`;
    const table = build(text);
    expect(table.list().map(({ id }) => id)).toEqual(['chat', 'hone-tiny', 'added']);
    expect(targetsOf(table, 'added')).toEqual([['local/added']]);
    expect(targetsOf(table, 'taken')).toEqual([['a/m']]);
    expect(
      build(
        `${text}`.replace('upstreams:\n', 'upstreams:\n  - { name: own, kind: embedded, enabled: false }\n'),
      ).list(),
    ).toHaveLength(1);
  });

  it('tells which of its routes name models of the embedded engine', () => {
    const local = (model: string) => `{ upstream: local, model: ${model} }`;
    const table = build(`upstreams:\n${anUpstream('a')}routes:
  - { id: one, targets: [${local('late')}, { upstream: a, model: m }] }
  - { id: two, targets: [${local('late')}, ${local('hone-tiny')}] }
`);
    expect(Object.fromEntries(table.namedModels())).toEqual({ late: ['one', 'two'], 'hone-tiny': ['two'] });
    expect(build('{}').namedModels().size).toBe(0);
  });

  it('keeps what is known of upstreams that are the same, and forgets what was out', () => {
    const stateOf = (table: RouteTable, id: string) => table.find(id)?.tiers[0]?.targets[0]?.state;
    const before = build(`upstreams:\n${anUpstream('a')}`);
    stateOf(before, 'm')?.acquire().fail({ reason: 'unauthorized', message: '' });
    expect(stateOf(before, 'm')?.isUsable).toBe(false);
    const same = build(`drain_ms: 7\nupstreams:\n${anUpstream('a')}`, before);
    expect(stateOf(same, 'm')).toBe(stateOf(before, 'm'));
    expect(stateOf(same, 'm')?.isUsable).toBe(true);
    const other = build(`upstreams:\n${anUpstream('a', ', connections: 7')}`, before);
    expect(stateOf(other, 'm')).not.toBe(stateOf(before, 'm'));
  });
});
