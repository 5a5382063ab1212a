import { LAYERS } from './layers.mjs';

/** Specs start whole services, so they import from everywhere. */
export const TESTS =
  '\\.(spec|e2e-spec|engines-spec|browser-spec|lint-spec|fixture)\\.ts$|/src/(testing|e2e)/|/src/.+/(testing|e2e)/';

const pattern = (entry) => (entry.endsWith('/*.ts') ? `${entry.slice(0, -'*.ts'.length)}[^/]+\\.ts$` : `${entry}/`);

function layerRules(app, layers) {
  const src = `^apps/${app}/src/`;
  const rules = Object.entries(layers).map(([layer, below]) => ({
    name: `${app}/${layer}`,
    comment: `${layer}/ may import ${below.length > 0 ? `only ${below.join(', ')}` : 'nothing'} of the app`,
    from: { path: `${src}${layer}/`, pathNot: TESTS },
    to: { path: src, pathNot: `${src}(${[layer, ...below].map(pattern).join('|')})` },
  }));
  const listed = [...Object.keys(layers), 'testing', 'e2e'].join('|');
  const unlisted = {
    name: `${app}/unlisted`,
    comment: 'the folder is not in the table of layers (.ci/imports/layers.mjs)',
    from: { path: `${src}(?!(${listed})/)[^/]+/`, pathNot: TESTS },
    to: {},
  };
  return [...rules, unlisted];
}

export default {
  forbidden: [
    ...Object.entries(LAYERS).flatMap(([app, layers]) => layerRules(app, layers)),
    {
      name: 'console/one-feature',
      comment: 'a feature of the console imports shared/, never another feature',
      from: { path: '^apps/console/src/features/([^/]+)/' },
      to: { path: '^apps/console/src/features/', pathNot: '^apps/console/src/features/$1/' },
    },
    {
      name: 'tests',
      comment: 'only specs and fixtures import specs and fixtures',
      from: { path: '^(apps|libs)/', pathNot: [TESTS, '^libs/testing/'] },
      to: { path: TESTS },
    },
  ],
  options: {
    includeOnly: '^(apps|libs)/[^/]+/src/',
    exclude: '/generated/',
    tsPreCompilationDeps: true, // an import of a type is an import
  },
};
