import { groupModels, modelTitle } from './model-names.js';

const OWN = 'hone-artifact:///acme/demo/helper:step3';
const OTHER = 'hone-artifact:///acme/other/helper';

it.each([
  ['gpt-4.1', 'gpt-4.1'],
  [OWN, 'helper:step3'],
  [OTHER, 'acme/other/helper'],
  ['hone-artifact:///acme', 'hone-artifact:///acme'],
])('%s is called %s', (id, title) => expect(modelTitle(id, 'acme/demo')).toBe(title));

it('models of the project come first, those of others last, and groups that have none are left out', () => {
  expect(groupModels([OTHER, 'gpt-4.1', OWN, ''], 'acme/demo')).toEqual([
    { name: 'Trained in acme/demo', models: [{ id: OWN, title: 'helper:step3' }] },
    { name: 'Of the gateway', models: [{ id: 'gpt-4.1', title: 'gpt-4.1' }] },
    { name: 'Trained in other projects', models: [{ id: OTHER, title: 'acme/other/helper' }] },
  ]);
  expect(groupModels(['gpt-4.1'], 'acme/demo').map(({ name }) => name)).toEqual(['Of the gateway']);
});
