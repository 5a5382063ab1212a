import { toCriterion } from '../annotation/rubric.js';
import { labelSources, readMap } from './truth.js';

it('finds labels in what annotators are asked, and in thumbs', () => {
  const criterion = (name: string, field_schema: object) =>
    toCriterion(`hone:///e/p/object/${name}:v0`, { name, field_schema });
  const sources = labelSources([
    criterion('quality', { type: 'integer' }),
    criterion('tone', { enum: ['warm', 'cold'] }),
  ]);
  expect(sources.map(({ type, answers }) => [type, answers])).toEqual([
    ['hone.annotation.quality', []],
    ['hone.annotation.tone', ['warm', 'cold']],
    ['hone.reaction.1', []],
  ]);
});

it.each([
  ['{"warm":1,"cold":0,"odd":"x"}', { warm: 1, cold: 0 }],
  ['{}', null],
  ['', null],
  ['[', null],
  ['null', null],
])('reads %j as what answers count as', (text, map) => expect(readMap(text)).toEqual(map));
