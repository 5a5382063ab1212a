import { MAX_CHOSEN, printFacetPaths, toFacetPath, toFacetPaths } from './chosen-facets.js';

describe('facets of one’s choice', () => {
  it.each([
    ['', ''],
    ['attributes.plan,attributes."a,b"', 'attributes.plan,attributes."a,b"'],
    ['attributes.plan, attributes.plan', 'attributes.plan'],
    ['nothing.x,model,op_name.x,attributes.env', 'attributes.env'],
    ['"', ''],
    ['x'.repeat(10_000), ''],
    [Array.from({ length: 20 }, (_, at) => `attributes.k${at}`).join(','), null],
  ])('of %.40j', (text, printed) => {
    const paths = toFacetPaths(text);
    expect(paths.length).toBeLessThanOrEqual(MAX_CHOSEN);
    if (printed === null) expect(paths).toHaveLength(MAX_CHOSEN);
    else expect(printFacetPaths(paths)).toBe(printed);
  });

  it.each([
    ['attributes.plan', ['attributes', 'plan']],
    ['end_user', ['summary', 'hone', 'user']],
    ['', null],
    ['a b', null],
    ['attributes.x attributes.y', null],
    ['model', null],
  ])('%j names %j', (text, path) => expect(toFacetPath(text)).toEqual(path));
});
