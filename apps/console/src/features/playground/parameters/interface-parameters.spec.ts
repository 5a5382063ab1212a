import { parametersOf } from './interface-parameters.js';

const SCHEMA = 'ChatCompletionRequestDto';

describe('the parameters of the interface', () => {
  it('are those of a chat completion with what the document says of them', () => {
    const properties = {
      stop: { description: 'Where it ends.', type: ['string', 'null'] },
      n: { description: 'How many answers.', type: 'integer', default: 3 },
      logit_bias: {},
      model: { description: 'Which model.' },
    };
    expect(parametersOf({ components: { schemas: { ChatCompletionRequestDto: { properties } } } }, SCHEMA)).toEqual([
      { name: 'logit_bias', meaning: '', initial: null },
      { name: 'n', meaning: 'How many answers.', initial: 3 },
      { name: 'stop', meaning: 'Where it ends.', initial: '' },
    ]);
    expect(parametersOf({}, SCHEMA)).toEqual([]);
  });
});
