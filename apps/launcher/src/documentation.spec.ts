import {
  type Class,
  EngineBaseModelDto,
  EnginesFileDto,
  fieldsOf,
  GATEWAY_FAILURE_REASONS,
  HttpUpstreamDto,
  RlConfigDto,
  SftConfigDto,
  TinkerEngineDto,
  UpstreamsFileDto,
} from '@hone/contracts';

import {
  brokenLinks,
  documentationPages,
  missingSources,
  otherPages,
  readText,
  sourceTexts,
} from './testing/markdown-pages.js';

const sources = sourceTexts();
const all = [...sources.values()].join('\n');

/** What group 1 of the patterns finds in the sources whose path matches, once each. */
function found(patterns: readonly RegExp[], path = /./): string[] {
  const texts = [...sources].filter(([file]) => path.test(file)).map(([, text]) => text);
  const matches = texts.flatMap((text) => patterns.flatMap((pattern) => [...text.matchAll(pattern)]));
  return [...new Set(matches.map((match) => match[1] as string))].sort();
}

/** Words in backquotes on a page. */
const quotedOn = (page: string) =>
  new Set([...readText(page).matchAll(/`([^`\n]+)`/g)].map(([, word]) => word as string));

/** Names in the first cells of a page's tables. */
const firstColumnOf = (page: string) =>
  [...readText(page).matchAll(/^\| ([^|]*) \|/gm)].flatMap(([, cell]) =>
    [...(cell as string).matchAll(/`([a-z_.]+)`/g)].map(([, name]) => name as string),
  );

/** The keys of a DTO class and of the classes inside it. */
const keysOf = (type: Class): string[] =>
  fieldsOf(type).flatMap(({ name, nested }) => [name, ...(nested ? keysOf(nested.type()) : [])]);

describe('the documentation', () => {
  it.each([...otherPages(), ...documentationPages()])('links only to files: %s', (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it.each([...otherPages(), ...documentationPages()])('names only source files that exist: %s', (page) => {
    expect(missingSources(page)).toEqual([]);
  });

  it('lists every page in its index', () => {
    const index = readText('docs/README.md');
    const pages = documentationPages().map((page) => page.slice('docs/'.length));
    expect(pages.filter((page) => page !== 'README.md' && !index.includes(`(${page})`))).toEqual([]);
  });

  it('explains every environment variable, and no other', () => {
    const page = 'docs/reference/configuration.md';
    const read = found(
      [/'((?:HONE_[A-Z_]+)|DATABASE_URL|HOST|PORT)'/g],
      /\.config\.ts$|environment\.ts$|job-times\.ts$/,
    );
    expect(read.length).toBeGreaterThan(30);
    expect(read.filter((name) => !quotedOn(page).has(name))).toEqual([]);
    const explained = [...quotedOn(page)].filter((word) => /^HONE_[A-Z_]+$/.test(word) && !/_URLS$/.test(word));
    expect(explained.filter((name) => !all.includes(`'${name}'`))).toEqual([]);
  });

  it.each([
    ['upstreams', [UpstreamsFileDto, HttpUpstreamDto], 50],
    ['engines', [EnginesFileDto, TinkerEngineDto, EngineBaseModelDto], 15],
  ])('explains every key of the %s file, and no other', (name, types, least) => {
    const page = `docs/reference/${name}-file.md`;
    const keys = [...new Set(types.flatMap(keysOf))];
    expect(keys.length).toBeGreaterThan(least);
    const text = readText(page);
    expect(keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(text))).toEqual([]);
    expect(firstColumnOf(page).filter((key) => !new RegExp(`['\\s]${key}\\b`).test(all))).toEqual([]);
  });

  it('explains every setting of a training job, and no other', () => {
    const page = 'docs/reference/training-settings.md';
    const keys = [...new Set([RlConfigDto, SftConfigDto].flatMap(keysOf))];
    expect(keys.length).toBeGreaterThan(45);
    const explained = new Set([...firstColumnOf(page), ...quotedOn(page)]);
    const nested = [...readText(page).matchAll(/"(\w+)"/g)].map(([, name]) => name as string);
    expect(keys.filter((key) => !explained.has(key) && !nested.includes(key))).toEqual([]);
    expect(firstColumnOf(page).filter((key) => !new RegExp(`['\\s]${key}\\b`).test(all))).toEqual([]);
  });

  it('has no table that breaks off: a row stands under a head', () => {
    for (const page of documentationPages()) {
      const lines = readText(page).split('\n');
      const orphans = lines.filter(
        (line, at) => /^\|/.test(line) && !/^\|/.test(lines[at - 1] ?? '') && !/^\| ?-/.test(lines[at + 1] ?? ''),
      );
      expect([page, orphans]).toEqual([page, []]);
    }
  });

  it('explains every reason of a failed attempt', () => {
    const explained = quotedOn('docs/concepts/routing.md');
    expect(GATEWAY_FAILURE_REASONS.filter((reason) => !explained.has(reason))).toEqual([]);
  });

  it('explains every error code, and no other', () => {
    const page = 'docs/reference/errors.md';
    const codes = found([
      /\bcode(?:: [^=;]+)? = '([a-z_.]+)'/g,
      /super\(\s*'([a-z]+\.[a-z_]+)'/g,
      /\bcode: '([a-z]+\.[a-z_]+)'/g,
      /jobError\(\s*'([a-z._]+)'/g,
      /ownFailure\(\s*'([a-z_]+)'/g,
      /^ {2}[a-z_]+: fault\(.*?'([a-z_]+)'(?:, '[a-z_]+')?\),$/gm,
      /StorageUnavailableError\('([a-z.]+)'/g,
    ]);
    expect(codes.length).toBeGreaterThan(110);
    expect(codes.filter((code) => !quotedOn(page).has(code))).toEqual([]);
    expect(firstColumnOf(page).filter((code) => !all.includes(`'${code}'`))).toEqual([]);
  });

  it('explains every metric, and no other', () => {
    const page = 'docs/reference/metrics.md';
    const names = found([
      /(?:counter|histogram|observed|observe|[Nn]amed|Counter)\(\s*'([a-z_]+)'/g,
      /(?:Counter|Gauge|Histogram)\(\{\s*name: '([a-z_]+)'/g,
    ]);
    expect(names.length).toBeGreaterThan(25);
    const short = new Set(firstColumnOf(page).map((name) => name.replace(/^hone_gateway_(usage_)?/, '')));
    expect(names.filter((name) => !short.has(name) && !short.has(name.replace(/^usage_/, '')))).toEqual([]);
    expect([...short].filter((name) => !names.includes(name))).toEqual([]);
  });
});
