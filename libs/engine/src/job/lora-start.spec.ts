import { TINY_DECODER, TINY_LORA } from '../train/tiny-decoder.fixture.js';
import { trainedLayout } from '../train/trained-parameters.js';
import { startLora } from './lora-start.js';

describe('startLora', () => {
  const layout = trainedLayout(TINY_DECODER, TINY_LORA);
  const tensors = layout.unflatten(startLora(layout, 3407, TINY_LORA.lora));

  it('leaves the model the base: B is zero', () => {
    const outputs = [...tensors].filter(([name]) => name.includes('lora_B'));
    expect(outputs.length).toBeGreaterThan(0);
    for (const [, { data }] of outputs) expect(data.every((value) => value === 0)).toBe(true);
  });

  it('spreads A over the whole of its range, differently for each module', () => {
    const inputs = [...tensors].filter(([name]) => name.includes('lora_A'));
    for (const [, { shape, data }] of inputs) {
      const bound = 1 / Math.sqrt(shape[1] as number);
      expect(data.every((value) => Math.abs(value) <= bound)).toBe(true);
      expect(Math.max(...data) - Math.min(...data)).toBeGreaterThan(bound);
    }
    expect(new Set(inputs.map(([, { data }]) => data[0])).size).toBe(inputs.length);
  });

  it('depends on the seed alone', () => {
    expect(startLora(layout, 3407, TINY_LORA.lora)).toEqual(layout.flatten(tensors));
    expect(startLora(layout, 3408, TINY_LORA.lora)).not.toEqual(layout.flatten(tensors));
  });
});
