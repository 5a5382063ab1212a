/**
 * Holds every import of `apps` and `libs`, below the working directory, to the layers (layers.mjs), and finds circles of
 * folders and scripts that import files which no source is built to. Prints one line per violation; exits 1 when there
 * is one.
 */
import { cruise } from 'dependency-cruiser';

import { findUnbuilt } from './built-files.mjs';
import { findFolderCircles } from './folder-circles.mjs';
import config, { TESTS } from './rules.mjs';

const { output } = await cruise(['apps', 'libs'], {
  ...config.options,
  ruleSet: { forbidden: config.forbidden },
  validate: true,
});

const violations = output.summary.violations.map(
  ({ from, to, rule }) => `${from} -> ${to}: ${config.forbidden.find(({ name }) => name === rule.name).comment}`,
);

const isTest = new RegExp(TESTS);
const imports = output.modules
  .filter(({ source }) => !isTest.test(source))
  .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => [source, resolved]))
  .filter(([, to]) => !isTest.test(to));
for (const { folder, circle } of findFolderCircles(imports)) {
  violations.push(`${folder}: a circle: ${circle.map(([from, to]) => `${from} -> ${to}`).join(', ')}`);
}

for (const [script, path] of findUnbuilt()) {
  violations.push(`${script} -> ${path}: no source is built to this file`);
}

for (const violation of violations) console.log(violation);
if (violations.length > 0) process.exitCode = 1;
