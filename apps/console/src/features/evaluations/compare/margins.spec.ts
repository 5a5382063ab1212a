import { readMargins } from './margins.js';

it.each([
  ['{"latency_ms":200,"tokens":-1,"cost_usd":"x"}', { latency_ms: 200 }],
  ['', {}],
  ['[', {}],
  ['null', {}],
])('reads %j as margins', (text, margins) => expect(readMargins(text)).toEqual(margins));
