import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { HEADS, type LayerTable, readLayers } from './layers.fixture.js';
import { REPOSITORY } from './lint-texts.fixture.js';

/** ` * - feedback: judgements -> objects, values` */
const LAYER_LINE = /^ \* - ([\w-]+): .+?(?: -> (.+))?$/gm;
/** Folders that have specs and fixtures only. */
const TEST_FOLDERS = ['testing', 'e2e', 'art-client'];

const sourceOf = (app: string) => join(REPOSITORY, 'apps', app, 'src');

const foldersOf = (app: string): string[] =>
  readdirSync(sourceOf(app), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !TEST_FOLDERS.includes(entry.name))
    .map(({ name }) => name);

/** Layer -> imports, in the order of the comment. */
function layersInHead(app: string): [string, string[]][] {
  const text = readFileSync(join(sourceOf(app), HEADS[app] as string), 'utf8');
  return [...text.matchAll(LAYER_LINE)].map(([, layer, below]) => [layer as string, below?.split(', ') ?? []]);
}

describe('the table of layers', () => {
  let table: LayerTable;
  beforeAll(async () => {
    table = await readLayers();
  });

  it('has every app', () => {
    const apps = readdirSync(join(REPOSITORY, 'apps')).filter((name) => existsSync(sourceOf(name)));
    expect(Object.keys(table).sort()).toEqual(apps.sort());
    expect(Object.keys(HEADS).sort()).toEqual(apps.sort());
  });

  it.each(Object.keys(HEADS))('says of %s what the head of its module says', (app) => {
    expect(layersInHead(app)).toEqual(Object.entries(table[app] ?? {}));
  });

  it.each(Object.keys(HEADS))('lets each layer of %s import only layers below it', (app) => {
    const layers = Object.entries(table[app] ?? {});
    layers.forEach(([layer, below], index) => {
      const lower = layers.slice(index + 1).map(([name]) => name);
      expect([layer, below.filter((entry) => !lower.includes(entry.replace('/*.ts', '')))]).toEqual([layer, []]);
    });
  });

  it.each(Object.keys(HEADS))('has every folder of %s', (app) => {
    expect(foldersOf(app).sort()).toEqual(Object.keys(table[app] ?? {}).sort());
  });
});
